import type { State } from '../../store/index.js';
import {
  hasLarge,
  instanceParts,
  isGone,
  processInstances,
  SOUGHT_SINCE,
  type Subscription,
  soughtBy,
  soughtSince,
  subscriptions,
  subscriptionsIn,
} from '../collections.js';
import type { CorrelationKey } from '../rule/correlation-key.js';
import { hasVariables, isSought, type SoughtVariables } from './waiting-scopes.js';

/** Who is to get a message. */
export interface Message extends SoughtVariables {
  readonly messageName: string;
  /** Only instances with this business key. */
  readonly businessKey?: string | null | undefined;
  /** Only this instance. */
  readonly processInstanceId?: string | null | undefined;
  /** Only this token. */
  readonly executionId?: string | null | undefined;
}

/** What is asked of the reader: who waits for a message and has the variables that it seeks. */
export interface ReceiversQuestion {
  readonly partition: string;
  readonly message: Message;
  /** Only subscriptions behind this one. */
  readonly after: string | null;
  readonly limit: number;
  /** ms, domain clock */
  readonly now: number;
}

/** Subscriptions of tokens that fitted at a revision: a decision looks at each of them again. */
export interface ReceiversPlan {
  readonly revision: number;
  readonly ids: readonly string[];
}

/** Looks for those who wait. `listed`: at whom it looks; a reader's thread knows a faster way to all that may fit. */
export function planReceivers(
  state: State,
  { message, after, limit }: ReceiversQuestion,
  listed: Iterable<Subscription> = candidates(state, message, after),
): ReceiversPlan {
  const ids: string[] = [];
  for (const each of listed) {
    if (!fits(state, message, each)) continue;
    ids.push(each.id);
    if (ids.length === limit) break;
  }
  return { revision: state.revision - 1, ids };
}

/** Whether what waits has the variables that the message seeks. */
export function fits(state: Pick<State, 'get'>, message: SoughtVariables, receiver: Subscription): boolean {
  if (!isSought(message)) return true;
  const instance = receiver.instanceId === null ? undefined : state.get(processInstances, receiver.instanceId);
  return instance?.endTime === null && hasVariables(state, instance, receiver, message);
}

/** Subscriptions that are read at once, by default. */
const PAGE = 201;

/** Tokens that wait for the message, whatever variables they have. `after`: only those behind this subscription. */
export function* candidates(
  state: State,
  message: Message,
  after: string | null = null,
  atOnce = PAGE,
): Generator<Subscription> {
  for (const each of listed(state, message, after, atOnce)) if (isFor(state, message, each)) yield each;
}

/**
 * Tokens that wait for the message, by the first of the variables that at most `most` have; they need not have the others that are sought. Undefined: more have
 * each of them, or waited before instances were found by their variables.
 */
export function byVariables(state: State, message: Message, most: number): Subscription[] | undefined {
  const former = formerReceivers(state, message.messageName, most + 1);
  if (former.length > most) return undefined;
  for (const key of [...(message.keys ?? []), ...(message.localKeys ?? [])]) {
    const found = withVariable(state, message.messageName, key, most - former.length);
    if (found === undefined) continue;
    const all = new Map([...former, ...found].map((each) => [each.id, each]));
    return [...all.values()].filter((each) => isFor(state, message, each)).sort((a, b) => (a.id < b.id ? -1 : 1));
  }
  return undefined;
}

/** Those that came to wait before instances were found by their variables, some of them. */
function formerReceivers(state: State, messageName: string, limit: number): Subscription[] {
  const since = state.get(soughtSince, SOUGHT_SINCE)?.revision ?? Number.POSITIVE_INFINITY;
  const oldest = state.find(subscriptions, 'name', ['message', messageName, 'instance'], { limit });
  return oldest.filter(({ revision = 0 }) => revision < since);
}

/** What waits in instances, and in parts of them, that may have the variable; undefined: more than `most`. */
function withVariable(
  state: State,
  messageName: string,
  { name, value }: CorrelationKey,
  most: number,
): Subscription[] | undefined {
  const found: Subscription[] = [];
  for (const each of soughtBy(name, value)) {
    const having = state.findMulti(processInstances, 'sought', each, most + 1);
    const parts = state.findMulti(instanceParts, 'sought', each, most + 1);
    if (having.length + parts.length > most || parts.some(({ scopes }) => hasLarge(scopes))) return undefined;
    for (const { id } of having)
      found.push(...state.find(subscriptions, 'instance', [id, messageName], { limit: most + 1 }));
    for (const part of parts) found.push(...subscriptionsIn(part).flatMap((id) => state.get(subscriptions, id) ?? []));
    if (found.length > most) return undefined;
  }
  return found;
}

/** What the narrowest index lists. */
function* listed(state: State, message: Message, after: string | null, atOnce: number): Generator<Subscription> {
  const { index, prefix, isOf } = placeOf(message);
  const next = (last: string | null) =>
    state
      .range(subscriptions, index, last === null ? prefix : [...prefix, last], atOnce)
      .filter((each) => isOf(each) && each.id !== last);
  for (let page = next(after); page.length > 0; page = next(page.at(-1)?.id ?? null)) yield* page;
}

/** Where the subscriptions to a message are found: the narrowest index. */
function placeOf({ messageName: name, businessKey, processInstanceId: id }: Message) {
  if (id)
    return {
      index: 'instance',
      prefix: [id, name],
      isOf: (it: Subscription) => it.instanceId === id && it.eventName === name,
    };
  if (businessKey)
    return {
      index: 'business',
      prefix: [businessKey, 'message', name],
      isOf: (it: Subscription) => it.businessKey === businessKey && it.eventType === 'message' && it.eventName === name,
    };
  return {
    index: 'name',
    prefix: ['message', name, 'instance'],
    isOf: (it: Subscription) => it.eventType === 'message' && it.eventName === name && it.instanceId !== null,
  };
}

export const isFor = (state: State, message: Message, it: Subscription): boolean =>
  it.eventType === 'message' &&
  it.eventName === message.messageName &&
  it.instanceId !== null &&
  (!message.businessKey || it.businessKey === message.businessKey) &&
  (!message.processInstanceId || it.instanceId === message.processInstanceId) &&
  (!message.executionId || it.executionId === message.executionId) &&
  isThere(state, it);

/** Whether it was not left behind with a large scope. */
function isThere(state: State, { id, instanceId, within }: Subscription): boolean {
  const instance = within === undefined ? undefined : state.get(processInstances, instanceId ?? '');
  return instance === undefined || !isGone(state, instance, { id, within });
}
