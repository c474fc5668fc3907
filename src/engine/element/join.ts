import type { Token } from './instance-state.js';
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
