import { happen } from './boundary-event.js';
import { happenBehind } from './event-based-gateway.js';
import type { Variables } from './instance-state.js';
import { complete } from './leave.js';
import type { Run } from './run.js';
import { assignAll } from './variables.js';
import type { Waiting } from './waiting.js';

/** An event came: for the token itself, for one of its boundary events, or for one behind its gateway. */
export function trigger(run: Run, { token, wait, armed }: Waiting, variables: Variables): void {
  if (armed !== undefined) {
    if (token.wait?.kind === 'events') happenBehind(run, token, armed, variables);
    else happen(run, token, armed, variables);
    return;
  }
  if (wait.kind === 'subscription') run.effects.push({ type: 'unsubscribe', subscriptionId: wait.id });
  token.wait = undefined;
  assignAll(run, run.innermost(token), variables);
  complete(run, token, run.place(token.element));
}
