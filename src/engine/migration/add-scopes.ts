import { beginEmpty } from '../element/begin-within.js';
import type { Token } from '../element/instance-state.js';
import type { Run } from '../element/run.js';
import { elementAt, scopesAround } from '../model/elements.js';
import { type Moving, putInto } from './moving.js';

/**
 * Sub-processes that are around an activity in the new program, and were not in the former one: they begin, one for all that was together in the scope
 * around, and what migrates into them is in them.
 */
export function addScopes({ run, tokens }: Moving): Added {
  const added: Added = new Map();
  for (const token of tokens) {
    if (!run.state.tokens.includes(token)) continue;
    const inner = scopeFor(run, added, token);
    if (inner !== token.scope) putInto(run, token, run.scope(inner));
  }
  return added;
}

/** Scopes that have begun, by the one around and the element. */
export type Added = Map<string, number>;

/** The scope for what is at the element and in that scope: itself, or one that has begun in it. */
export function scopeFor(run: Run, added: Added, at: Pick<Token, 'element' | 'scope'>): number {
  let inner = at.scope;
  for (const element of missingAround(run, at))
    inner = added.get(`${inner} ${element}`) ?? add(run, added, inner, element);
  return inner;
}

/** The scopes between the one that it is in and its element, from outside in. An instance of a loop is in its body. */
function missingAround(run: Run, { element, scope }: Pick<Token, 'element' | 'scope'>): number[] {
  const holder = run.scope(scope).element;
  if (holder === element && elementAt(run.program, element).loop !== undefined) return [];
  const around = scopesAround(run.program, element);
  return around.slice(0, Math.max(0, around.indexOf(holder))).reverse();
}

function add(run: Run, added: Added, scope: number, element: number): number {
  const token = run.spawn(element, scope, null);
  // What is away in it is found without it.
  if (run.scope(scope).size !== undefined) token.stays = true;
  const { id } = beginEmpty(run, token);
  added.set(`${scope} ${element}`, id);
  return id;
}
