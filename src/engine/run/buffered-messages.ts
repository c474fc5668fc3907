import { ServiceError } from '../../shared/errors.js';
import { mayStart } from '../../shared/rights/processes.js';
import type { State } from '../../store/index.js';
import {
  aimOf,
  aimValue,
  type BufferedMessage,
  bufferedMessages,
  isHearing,
  jobs,
  type NewJob,
  type ProcessDefinition,
  type ProcessInstance,
  type Subscription,
  subscriptions,
  subscriptionsIn,
} from '../collections.js';
import type { InstanceState, Scope, Variables } from '../element/instance-state.js';
import type { Path } from '../element/large-scope.js';
import type { Changes } from './changes.js';
import { jobNow, jobOfSubscription } from './new-job.js';
import { fits } from './waiting-receivers.js';
import { scopesOf } from './waiting-scopes.js';

/** Input of the job that looks for a message that waits. */
export interface TakeInput {
  readonly subscriptionId: string;
  /** Where its token is, if that is in a large scope. */
  readonly within?: Path;
}

/** Input of the job that looks for who has come to wait while a message was looked for in vain. */
export interface PlaceInput {
  readonly messageId: string;
}

/** Where messages come and go. */
interface BufferScene {
  readonly state: State;
  readonly changes: Changes;
}

/** Keeps a message, and the job that ends it. */
export function buffer({ changes }: BufferScene, message: BufferedMessage): void {
  changes.create(bufferedMessages, message);
  changes.job({ id: message.id, type: 'messageEnd', dueAt: message.expires, input: {} });
}

/** @throws ALREADY_EXISTS: a message of that name and id, and for the same, is known by now */
export function requireNew(state: State, message: BufferedMessage): void {
  const { messageName, messageId } = message;
  if (messageId === null) return;
  const known = state.find(bufferedMessages, 'messageId', [messageId, messageName, ...aimOf(message)]);
  const same = known.find((each) => each.expires > state.now && whomOf(each) === whomOf(message));
  if (same === undefined) return;
  throw new ServiceError(
    'ALREADY_EXISTS',
    `expected a message '${messageName}' that has not come yet, but one with messageId '${messageId}' has`,
    { reason: 'message_exists', resourceId: same.id },
  );
}

/** Whom a message is for. */
const whomOf = ({ instanceId, businessKey, keys, localKeys }: BufferedMessage): string =>
  JSON.stringify([instanceId, businessKey, keys, localKeys]);

/** Somebody has got it: it is gone, but for what knows it again. */
export function taken({ changes }: BufferScene, message: BufferedMessage): void {
  if (message.messageId === null) {
    changes.remove(bufferedMessages, message.id);
    changes.dropJob(message.id);
  } else {
    changes.put(bufferedMessages, withoutPayload(message));
  }
}

/** A message that somebody has got, by which the same one is known again. */
export const withoutPayload = ({ scopeVariables: _, ...message }: BufferedMessage): BufferedMessage => ({
  ...message,
  variables: {},
  localVariables: {},
  taken: true,
});

/** Makes a job that looks whether the message of a new subscription has come before. */
export function lookForBuffered(
  { state, changes }: BufferScene,
  subscription: Subscription,
  cause?: NewJob['cause'],
): void {
  const { id: subscriptionId, eventType, eventName, within } = subscription;
  if (eventType !== 'message' || !isAny(state, eventName)) return;
  const input: TakeInput = { subscriptionId, ...(within && { within }) };
  changes.job({ ...jobOfSubscription(state, subscription, cause), type: 'takeMessage', input });
}

/** How many of those that wait already look once more. */
const AGAIN_MAX = 50;

/**
 * What waited before the run, and still does, looks once more: the variables or the business key by which a message is for it may have changed. `tokens`,
 * `scopes`: those that the run had at hand. Of what rests in large scopes those look that a message is for by what the others see.
 */
export function lookAgain(
  scene: BufferScene & { readonly instance: ProcessInstance },
  here: Pick<InstanceState, 'tokens' | 'scopes'>,
): void {
  const { state, changes, instance } = scene;
  if (instance.away === undefined && !isHearing(here)) return;
  if (instance.endTime !== null || state.range(bufferedMessages, 'waits', [''], 1).length === 0) return;
  const after = { get: (collection, id) => changes.current(state, collection, id) } as Pick<State, 'get'>;
  // What has only just come to wait has looked.
  const waiting = subscriptionsIn(here)
    .slice(0, AGAIN_MAX)
    .flatMap((id) => state.get(subscriptions, id) ?? []);
  for (const each of waiting) {
    if (each.eventType !== 'message' || isLooking(state, each)) continue;
    if (messageFor(state, changes.current(state, subscriptions, each.id) ?? each, instance, after) !== undefined)
      lookForBuffered(scene, each);
  }
  if (instance.away !== undefined) lookInLarge(scene, here.scopes);
}

/** Whether a job of it waits to look, as it does while the instance is suspended. */
const isLooking = (state: State, { id, instanceId }: Subscription): boolean =>
  state.find(jobs, 'instance', [instanceId], { limit: LOOKED_AT_MAX }).some(({ type, actor, input }) => {
    return type === 'takeMessage' && actor.value === 'waiting' && (input as TakeInput).subscriptionId === id;
  });

/** A message that may be for what rests in large scopes looks for it, by a job. */
function lookInLarge(
  { state, changes, instance }: BufferScene & { readonly instance: ProcessInstance },
  all: readonly Scope[],
) {
  const names = state.find(subscriptions, 'instance', [instance.id], { limit: AGAIN_MAX }).map((it) => it.eventName);
  const seen = { locals: {}, all: all.map(({ variables }) => variables) };
  for (const name of new Set(names)) {
    const message = oldest(messagesBy(state, name, instance, seen, ({ expires }) => expires > state.now));
    if (message === undefined) continue;
    const input: PlaceInput = { messageId: message.id };
    changes.job({ ...jobNow(state), type: 'placeMessage', input });
  }
}

/** Whether messages of the name wait. */
export const isAny = (state: State, messageName: string): boolean =>
  state.find(bufferedMessages, 'waits', [messageName], { limit: 1 }).length > 0;

/** How many messages of one aim are looked at; of those with the same business key, or the same first variable. */
const LOOKED_AT_MAX = 200;

/** The oldest message that waits for what waits here. `documents`: the instance as it is by now. */
export function messageFor(
  state: State,
  subscription: Subscription,
  instance: ProcessInstance,
  documents: Pick<State, 'get'> = state,
): BufferedMessage | undefined {
  const isFor = (message: BufferedMessage) =>
    message.expires > state.now &&
    (message.instanceId === null || message.instanceId === instance.id) &&
    (message.businessKey === null || message.businessKey === instance.businessKey) &&
    fits(documents, message, subscription);
  const seen = scopesOf(documents, instance, subscription);
  return oldest(messagesBy(state, subscription.eventName, instance, seen, isFor));
}

/** Of each aim and value that is seen the oldest message. */
const messagesBy = (
  state: State,
  messageName: string,
  instance: ProcessInstance,
  seen: Seen,
  isFor: (message: BufferedMessage) => boolean,
): BufferedMessage[] =>
  aims(state, messageName).flatMap((aim) =>
    valuesOf(aim, instance, seen).flatMap((value) => {
      const some = state.find(bufferedMessages, 'waits', [messageName, aim, aimValue(value)], { limit: LOOKED_AT_MAX });
      return some.find(isFor) ?? [];
    }),
  );

/** The kinds of what messages of the name are for. */
function aims(state: State, messageName: string): string[] {
  const found: string[] = [];
  let from: readonly string[] = [messageName];
  for (;;) {
    const [next] = state.range(bufferedMessages, 'waits', from, 1);
    if (next === undefined || next.taken || next.messageName !== messageName) return found;
    const aim = bufferedMessages.columns.aim?.(next);
    found.push(String(aim));
    from = [messageName, String(aim), BEHIND];
  }
}

/** Sorts behind every value of an aim, which is of hexadecimal digits. */
const BEHIND = '~';

interface Seen {
  readonly locals: Variables;
  readonly all: readonly Variables[];
}

/** Which values of an aim the receiver has. */
function valuesOf(aim: string, { id, businessKey }: ProcessInstance, { locals, all }: Seen): readonly unknown[] {
  if (aim === '') return [null];
  if (aim === 'instance') return [id];
  if (aim === 'business') return [businessKey];
  const [kind = ''] = aim.split(' ', 1);
  const name = aim.slice(kind.length + 1);
  const among = kind === 'local' ? [locals] : all;
  return [...new Set(among.flatMap((variables) => (Object.hasOwn(variables, name) ? [variables[name]?.value] : [])))];
}

const oldest = (messages: readonly BufferedMessage[]): BufferedMessage | undefined =>
  messages.reduce<BufferedMessage | undefined>(
    (first, each) => (first === undefined || isBefore(each, first) ? each : first),
    undefined,
  );

const isBefore = (a: BufferedMessage, b: BufferedMessage): boolean =>
  a.created === b.created ? a.id < b.id : a.created < b.created;

/** The oldest message that may start the definition: one for no instance that runs, whose sender may. */
export function messageToStart(
  state: State,
  messageName: string,
  { candidateStarterUsers: users, candidateStarterGroups: groups }: ProcessDefinition,
): BufferedMessage | undefined {
  const isFor = ({ instanceId, expires, ...sender }: BufferedMessage) =>
    instanceId === null && expires > state.now && mayStart(callerOf(sender), { users, groups });
  return oldest(state.find(bufferedMessages, 'waits', [messageName], { limit: LOOKED_AT_MAX }).filter(isFor));
}

const callerOf = ({ userId, groups, roles }: Pick<BufferedMessage, 'userId' | 'groups' | 'roles'>) => ({
  userId,
  groups,
  roles,
  sessionId: null,
  workspace: '',
  cause: {},
});
