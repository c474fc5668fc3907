import { finish } from './activity.js';
import type { Token } from './instance-state.js';
import { complete } from './leave.js';
import type { Place } from './prepared.js';
import type { Run } from './run.js';

/** The tokens that wait at the joining gateway within the scope, by the flow on which they came, the oldest first. */
export function waitingAt(run: Run, place: Place, scope: number): Map<number, Token[]> {
  const waiting = new Map<number, Token[]>();
  for (const token of run.state.tokens) {
    if (token.element !== place.index || token.scope !== scope || token.wait?.kind !== 'join') continue;
    const flow = token.via ?? -1;
    const others = waiting.get(flow);
    if (others === undefined) waiting.set(flow, [token]);
    else others.push(token);
  }
  return waiting;
}

/**
 * The gateway has the tokens that it needs. As in Camunda each of them has an activity of its own there, since it came: all of these are complete
 * now, the partners are consumed, and the token goes on.
 */
export function join(run: Run, token: Token, place: Place, partners: readonly Token[]): void {
  for (const partner of partners) {
    finish(run, partner, place);
    run.close(partner);
    run.drop(partner);
  }
  token.wait = undefined;
  complete(run, token, place);
}
