import { happen } from './boundary-event.js';
import { happenBehind } from './event-based-gateway.js';
import type { Armed, InstanceState, Token, Variables, Wait } from './instance-state.js';
import { complete } from './leave.js';
import type { Run } from './run.js';
import { assignAll } from './variables.js';

/** A token with what it waits for. */
export interface Waiting {
  readonly token: Token;
  readonly wait: Wait;
  /** The boundary event, or the event behind an event-based gateway, that waits; absent where the token itself does. */
  readonly armed?: Armed;
}

/** The token that waits for the task, the job or the subscription of this id. */
export function waitOf(state: InstanceState, id: string): Waiting | undefined {
  for (const token of state.tokens) {
    if (token.wait !== undefined && isFor(token.wait, id)) return { token, wait: token.wait };
    const armed = token.boundaries?.find(({ wait }) => isFor(wait, id));
    if (armed !== undefined) return { token, wait: armed.wait, armed };
  }
  return undefined;
}

const isFor = (wait: Wait, id: string) => 'id' in wait && wait.id === id;

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
