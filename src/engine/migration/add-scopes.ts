import { begin, settle } from '../element/activity.js';
import { waitInside } from '../element/ad-hoc.js';
import { awaitInside } from '../element/event-sub-process.js';
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
  const token: Token = run.spawn(element, scope, null);
  const place = run.place(element);
  begin(run, token, place);
  token.wait = waitInside(place);
  settle(run, token, place);
  awaitInside(run, token);
  const inner = run.innermost(token);
  added.set(`${scope} ${element}`, inner);
  return inner;
}
