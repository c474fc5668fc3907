import { limitExceeded } from '../../shared/errors.js';
import type { Answered, Asking } from '../../store/index.js';
import { processDefinitions, type Subscription } from '../collections.js';
import { requireStartRight } from '../rule/rights.js';
import { deliveryTo } from './delivery.js';
import { carried, type MessagePayload, startedWith } from './message-payload.js';
import { startedBy, waitingPage } from './message-receiver.js';
import { jobNow } from './new-job.js';
import { isSuspended } from './spread-signal.js';
import type { RunScene } from './told-context.js';
import type { Message } from './waiting-receivers.js';

/** Correlation of a message: its receivers. */
export interface Correlation {
  /** At most the first 200. */
  readonly receivers: readonly CorrelatedReceiver[];
  /** Whether it goes on to more than those. */
  readonly hasMore: boolean;
  /** The message that waits, as nobody has got it yet; null: it does not. */
  readonly bufferedId: string | null;
}

/** A token that has got a message, or an instance that the message has started. */
export interface CorrelatedReceiver {
  readonly instanceId: string;
  readonly isStarted: boolean;
  /** What waited for it. */
  readonly activityId: string;
  /** Null: the message has started the instance. */
  readonly executionId: string | null;
}

/** A message on its way to all that wait for it. */
export interface SpreadMessage extends MessagePayload {
  readonly message: Message;
  /** The revision that it was sent with: who begins to wait with it, or later, does not get it. */
  readonly revision: number;
  /** The subscription up to which it was spread; null: it has just been sent. */
  readonly after: string | null;
}

/** Receivers of one decision. */
const MESSAGE_PAGE = 200;

/** Characters of JSON: the job of every receiver holds them, or the message while it waits. */
const MESSAGE_VARIABLES_MAX = 16_384;

/**
 * Makes a delivery of its own for each that waits and is not suspended, and a job for what is left beyond the first 200. Start events get it with the first of
 * them. @throws LIMIT_EXCEEDED, FORBIDDEN (a start)
 */
export function spreadMessage(
  scene: RunScene,
  spread: SpreadMessage,
  answers: readonly Answered[],
): Correlation | Asking {
  const { state, changes } = scene;
  const { message, after, revision } = spread;
  requireSmall(message.messageName, spread);
  const page = waitingPage(state, message, { after, size: MESSAGE_PAGE }, answers);
  if ('ask' in page) return page;
  const isOpen = (each: Subscription) => (each.revision ?? 0) < revision && !isSuspended(state, each);
  const receivers = [
    ...page.found.filter(isOpen).map((each) => deliver(scene, each, spread)),
    ...(after === null && !message.processInstanceId ? startAll(scene, spread) : []),
  ];
  if (page.last !== null) {
    const input: SpreadMessage = { ...spread, after: page.last };
    changes.job({ ...jobNow(state), type: 'spreadMessage', input });
  }
  return { receivers, hasMore: page.last !== null, bufferedId: null };
}

function deliver({ state, changes }: RunScene, receiver: Subscription, spread: SpreadMessage): CorrelatedReceiver {
  changes.job(deliveryTo(state, receiver, { businessKey: null, ...carried(spread) }));
  const { instanceId, elementId: activityId, executionId } = receiver;
  return { instanceId: instanceId ?? '', isStarted: false, activityId, executionId };
}

function startAll({ state, changes, context }: RunScene, spread: SpreadMessage): CorrelatedReceiver[] {
  const { message } = spread;
  const starts = startedBy(state, message.messageName).filter((each) => !isSuspended(state, each));
  return starts.map((start) => {
    const definition = state.get(processDefinitions, start.definitionId);
    if (definition !== undefined) requireStartRight(context.caller, definition);
    const instanceId = state.ids.next();
    const { businessKey = null } = message;
    const event = { instanceId, businessKey, variables: startedWith(spread) };
    changes.job(deliveryTo(state, start, event));
    return { instanceId, isStarted: true, activityId: start.elementId, executionId: null };
  });
}

/** @throws LIMIT_EXCEEDED: more variables than a job should hold, or a message that waits */
export function requireSmall(messageName: string, payload: MessagePayload): void {
  const { variables, localVariables, scopeVariables } = payload;
  if (JSON.stringify([variables, localVariables, scopeVariables]).length <= MESSAGE_VARIABLES_MAX) return;
  throw limitExceeded(
    `expected at most ${MESSAGE_VARIABLES_MAX} characters of variables with message '${messageName}' where it waits or is for all, but found more`,
  );
}
