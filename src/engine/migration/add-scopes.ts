import { beginEmpty } from '../element/begin-within.js';
import type { Token } from '../element/instance-state.js';
import type { Run } from '../element/run.js';
import { elementAt, scopesAround } from '../model/elements.js';
import type { Moving } from './moving.js';

/**
 * Sub-processes that are around an activity in the new program, and were not in the former one: they begin, one for all that was together in the scope
 * around, and what migrates into them is in them.
 */
export function addScopes({ run, tokens }: Moving): void {
  const added = new Map<string, number>();
  for (const token of tokens) {
    if (!run.state.tokens.includes(token)) continue;
    let inner = token.scope;
    for (const element of missingAround(run, token))
      inner = added.get(`${inner} ${element}`) ?? add(run, added, inner, element);
    if (inner === token.scope) continue;
    token.scope = inner;
    if (token.opens !== undefined) run.scope(token.opens).parent = inner;
  }
}

/** The scopes between the one that the token is in and its element, from outside in. An instance of a loop is in its body. */
function missingAround(run: Run, { element, scope }: Token): number[] {
  const holder = run.scope(scope).element;
  if (holder === element && elementAt(run.program, element).loop !== undefined) return [];
  const around = scopesAround(run.program, element);
  return around.slice(0, Math.max(0, around.indexOf(holder))).reverse();
}

function add(run: Run, added: Map<string, number>, scope: number, element: number): number {
  const { id } = beginEmpty(run, run.spawn(element, scope, null));
  added.set(`${scope} ${element}`, id);
  return id;
}
