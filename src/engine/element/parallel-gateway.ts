import type { Token } from './instance-state.js';
import { join, waitingAt } from './join.js';
import type { Place } from './prepared.js';
import type { Run } from './run.js';

/**
 * BPMN 2.0 §13.4.1: the gateway goes on once every incoming flow has a token, and consumes one of each: two tokens on one flow do not stand for
 * another flow's. Until then the token that arrives waits.
 */
export function joinParallel(run: Run, token: Token, place: Place): void {
  const waiting = waitingAt(run, place, token.scope);
  const partners: Token[] = [];
  for (const flow of place.element.incoming) {
    if (flow === token.via) continue;
    const partner = waiting.get(flow)?.[0];
    if (partner === undefined) {
      token.wait = { kind: 'join' };
      return;
    }
    partners.push(partner);
  }
  join(run, token, place, partners);
}
