import type { Token } from './instance-state.js';
import { waitingAt } from './join.js';
import type { Place } from './prepared.js';
import type { Run } from './run.js';

/**
 * BPMN 2.0 §13.4.1: the gateway goes on once every incoming flow has a token, and consumes one of each: two tokens on one flow do not stand for
 * another flow's. Gives whether the token that arrives goes on; else it waits.
 */
export function joinParallel(run: Run, token: Token, place: Place): boolean {
  const waiting = waitingAt(run, place, token.scope);
  const consumed: Token[] = [];
  for (const flow of place.element.incoming) {
    if (flow === token.via) continue;
    const partner = waiting.get(flow)?.[0];
    if (partner === undefined) {
      token.wait = { kind: 'join' };
      return false;
    }
    consumed.push(partner);
  }
  for (const partner of consumed) run.drop(partner);
  return true;
}
