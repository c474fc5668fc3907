import type { State } from '../../store/index.js';
import { type Subscription, subscriptions } from '../collections.js';
import { noReceiver, severalReceivers } from '../errors.js';
import { presentSubscription } from './present.js';
import { isSuspended } from './spread-signal.js';

/** Who is to get a message. */
export interface Message {
  readonly messageName: string;
  /** Only instances with this business key. */
  readonly businessKey?: string | null;
  /** Only this instance. */
  readonly processInstanceId?: string | null;
}

/** How many receivers are counted. */
const COUNTED_MAX = 200;

/**
 * The one that a message is for: a token that waits for it, else the start event that it triggers (unless an instance is named). A start event
 * takes any business key: the new instance gets it.
 * @throws NOT_FOUND (none), CONFLICT (several)
 */
export function receiverOf(state: State, message: Message): Subscription {
  const receiver = findReceiver(state, message);
  if (receiver === undefined) throw noReceiver(message.messageName, soughtBy(message));
  return receiver;
}

/**
 * Those that a message which a process throws may be for: other instances with the thrower's business key that wait for it, else the start event that
 * it triggers. None of them is suspended. At most 201.
 */
export function receiversOfThrown(state: State, thrower: string, message: Message): Subscription[] {
  const isOther = ({ instanceId, within }: Subscription) => instanceId !== thrower || within !== undefined;
  const isOpen = (each: Subscription) => isOther(each) && !isSuspended(state, each);
  const waiting = waitingFor(state, message).filter(isOpen);
  return waiting.length > 0 ? waiting : startedBy(state, message.messageName).filter(isOpen);
}

/** Those of the subscriptions that still wait, of which there may be one. @throws CONFLICT (several) */
export function remainingOf(state: State, ids: readonly string[], message: Message): Subscription | undefined {
  return only(
    ids.flatMap((id) => state.get(subscriptions, id) ?? []),
    message,
  );
}

/** As {@link receiverOf}; undefined where there is none. @throws CONFLICT (several) */
export function findReceiver(state: State, message: Message): Subscription | undefined {
  const waiting = waitingFor(state, message);
  return only(
    waiting.length > 0 || message.processInstanceId ? waiting : startedBy(state, message.messageName),
    message,
  );
}

function only(found: readonly Subscription[], message: Message): Subscription | undefined {
  if (found.length > 1) {
    const count = found.length > COUNTED_MAX ? `more than ${COUNTED_MAX}` : found.length;
    throw severalReceivers(message.messageName, soughtBy(message), count);
  }
  return found[0];
}

function waitingFor(state: State, { messageName, businessKey, processInstanceId }: Message): Subscription[] {
  const fits = (it: Subscription) =>
    it.eventType === 'message' &&
    it.eventName === messageName &&
    it.instanceId !== null &&
    (!businessKey || it.businessKey === businessKey) &&
    (!processInstanceId || it.instanceId === processInstanceId) &&
    presentSubscription(state, it) !== undefined;
  const limit = COUNTED_MAX + 1;
  if (processInstanceId) {
    return state.range(subscriptions, 'instance', [processInstanceId, messageName], limit).filter(fits);
  }
  if (businessKey)
    return state.range(subscriptions, 'business', [businessKey, 'message', messageName], limit).filter(fits);
  return state.range(subscriptions, 'name', ['message', messageName, 'instance'], limit).filter(fits);
}

const startedBy = (state: State, messageName: string): Subscription[] =>
  state.find(subscriptions, 'name', ['message', messageName, 'start']);

function soughtBy({ businessKey, processInstanceId }: Message): string {
  if (processInstanceId) return ` in process instance '${processInstanceId}'`;
  return businessKey ? ` with business key '${businessKey}'` : '';
}
