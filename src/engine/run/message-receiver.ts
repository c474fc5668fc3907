import { unavailable } from '../../shared/errors.js';
import type { Answered, Asking, State } from '../../store/index.js';
import { type Subscription, subscriptions } from '../collections.js';
import { noReceiver, severalReceivers } from '../errors.js';
import { isSuspended } from './spread-signal.js';
import {
  byVariables,
  candidates,
  fits,
  isFor,
  type Message,
  type ReceiversPlan,
  type ReceiversQuestion,
} from './waiting-receivers.js';
import { isSought } from './waiting-scopes.js';

/** How many receivers are counted. */
const COUNTED_MAX = 200;
/** At how many subscriptions a decision looks itself where variables are sought; among more the reader looks. */
const LOOKED_AT_MAX = 30;
/** How many of the newest subscriptions are looked at beside those that the reader has found: it has not seen the very last ones. */
const NEWEST_MAX = 50;

/**
 * The one that a message is for: a token that waits for it, else the start event that it triggers (unless an instance is named). A start event
 * takes any business key, which the new instance gets, and any variables. Of several the one that is not suspended.
 * @throws NOT_FOUND (none), CONFLICT (several)
 */
export function receiverOf(state: State, message: Message, answers: readonly Answered[]): Subscription | Asking {
  const receiver = findReceiver(state, message, answers);
  if (receiver === undefined) throw noReceiver(message.messageName, soughtBy(message));
  return receiver;
}

/** As {@link receiverOf}; undefined where there is none. @throws CONFLICT (several) */
export function findReceiver(
  state: State,
  message: Message,
  answers: readonly Answered[] = [],
): Subscription | Asking | undefined {
  const waiting = waitingFor(state, message, answers);
  if ('ask' in waiting) return waiting;
  const isStart = waiting.length === 0 && !message.processInstanceId;
  return only(state, isStart ? startedBy(state, message.messageName) : waiting, message);
}

/**
 * Those that a message which a process throws may be for: other instances with the thrower's business key that wait for it, else the start event that
 * it triggers. None of them is suspended. At most 201.
 */
export function receiversOfThrown(state: State, thrower: string, message: Message): Subscription[] {
  const isOther = ({ instanceId, within }: Subscription) => instanceId !== thrower || within !== undefined;
  const isOpen = (each: Subscription) => isOther(each) && !isSuspended(state, each);
  const waiting = take(candidates(state, message), COUNTED_MAX + 1).filter(isOpen);
  return waiting.length > 0 ? waiting : startedBy(state, message.messageName).filter(isOpen);
}

/** Those of the subscriptions that still wait, of which there may be one. @throws CONFLICT (several) */
export function remainingOf(state: State, ids: readonly string[], message: Message): Subscription | undefined {
  const left = ids.flatMap((id) => state.get(subscriptions, id) ?? []);
  return only(state, left, message);
}

function only(state: State, found: readonly Subscription[], message: Message): Subscription | undefined {
  if (found.length <= 1) return found[0];
  const open = found.filter((each) => !isSuspended(state, each));
  if (open.length <= 1) return open[0] ?? found[0];
  const count = open.length > COUNTED_MAX ? `more than ${COUNTED_MAX}` : open.length;
  throw severalReceivers(message.messageName, soughtBy(message), count);
}

/** The tokens that wait for the message, at most 201; or the ask for them. */
function waitingFor(state: State, message: Message, answers: readonly Answered[]): Subscription[] | Asking {
  if (!isSought(message)) return take(candidates(state, message), COUNTED_MAX + 1);
  const near = nearest(state, message, null);
  if (near !== undefined) return near.filter((each) => fits(state, message, each));
  const plan = plannedReceivers(state, { message, after: null, limit: COUNTED_MAX + 1 }, answers);
  return 'ask' in plan ? plan : stillWaiting(state, message, plan);
}

/** Tokens of one step that wait for a message. */
interface WaitingPage {
  readonly found: readonly Subscription[];
  /** The place of the last one, where there may be more behind it; null: these are all. */
  readonly last: string | null;
}

/** The next of all that wait for the message, behind a subscription; or the ask for them. */
export function waitingPage(
  state: State,
  message: Message,
  { after, size }: { readonly after: string | null; readonly size: number },
  answers: readonly Answered[],
): WaitingPage | Asking {
  if (!isSought(message)) return pageOf(take(candidates(state, message, after), size + 1), size);
  const near = nearest(state, message, after);
  if (near !== undefined) return { found: near.filter((each) => fits(state, message, each)), last: null };
  const plan = plannedReceivers(state, { message, after, limit: size + 1 }, answers);
  if ('ask' in plan) return plan;
  const last = plan.ids.length > size ? (plan.ids[size - 1] ?? null) : null;
  const planned = plan.ids.slice(0, size).flatMap((id) => state.get(subscriptions, id) ?? []);
  return { found: planned.filter((each) => fits(state, message, each)), last };
}

function pageOf(found: readonly Subscription[], size: number): WaitingPage {
  const page = found.slice(0, size);
  return { found: page, last: found.length > size ? (page.at(-1)?.id ?? null) : null };
}

/** Those at which a decision looks itself; undefined: there are too many. */
function nearest(state: State, message: Message, after: string | null): Subscription[] | undefined {
  const first = take(candidates(state, message, after, LOOKED_AT_MAX + 1), LOOKED_AT_MAX + 1);
  if (first.length <= LOOKED_AT_MAX) return first;
  return byVariables(state, message, LOOKED_AT_MAX)?.filter(({ id }) => after === null || id > after);
}

/** What the reader has found, as far as it is still so, and what has come to wait since. */
function stillWaiting(state: State, message: Message, { ids, revision }: ReceiversPlan): Subscription[] {
  const planned = ids.flatMap((id) => state.get(subscriptions, id) ?? []);
  const newest = state
    .find(subscriptions, 'name', ['message', message.messageName, 'instance'], { limit: NEWEST_MAX, descending: true })
    .filter((each) => (each.revision ?? 0) > revision && !ids.includes(each.id) && isFor(state, message, each));
  return [...planned, ...newest].filter((each) => fits(state, message, each));
}

/** The reader's answer, or the ask for it. @throws UNAVAILABLE (the reader failed) */
function plannedReceivers(
  state: State,
  question: Pick<ReceiversQuestion, 'message' | 'after' | 'limit'>,
  answers: readonly Answered[],
): ReceiversPlan | Asking {
  const answered = answers.findLast(({ ask }) => ask.kind === RECEIVERS)?.answer;
  if (answered === undefined) {
    const { partition, now } = state;
    return { ask: { kind: RECEIVERS, question: { ...question, partition, now } satisfies ReceiversQuestion } };
  }
  if ('value' in answered) return answered.value as ReceiversPlan;
  throw unavailable(`expected to find who waits for the message, but that failed: ${answered.error.message}`);
}

/** The kind of the asks for who waits. */
export const RECEIVERS = 'receivers';

function take<T>(from: Iterable<T>, most: number): T[] {
  const taken: T[] = [];
  for (const each of from) {
    taken.push(each);
    if (taken.length === most) break;
  }
  return taken;
}

/** The start events that the message triggers. */
export const startedBy = (state: State, messageName: string): Subscription[] =>
  state.find(subscriptions, 'name', ['message', messageName, 'start']);

function soughtBy(message: Message): string {
  const { businessKey, processInstanceId, executionId } = message;
  const variables = isSought(message) ? ' and the variables that are sought' : '';
  if (executionId) return ` at execution '${executionId}'${variables}`;
  if (processInstanceId) return ` in process instance '${processInstanceId}'${variables}`;
  if (businessKey) return ` with business key '${businessKey}'${variables}`;
  return variables === '' ? '' : ' with the variables that are sought';
}
