import { type Operation, operation, type State } from '../../store/index.js';
import { type ExternalTask, processDefinitions } from '../collections.js';
import { badArgument, missingArgument } from '../errors.js';
import { bounded } from '../rule/given-value.js';
import { requireWorker } from '../rule/rights.js';
import { Changes } from '../run/changes.js';
import { moveExternalTask } from '../run/external-task-changes.js';
import { type FreeTasks, freeTasks, type TopicPlace } from '../run/free-tasks.js';
import { presentInstance } from '../run/instance-changes.js';
import { presentTask } from '../run/present.js';
import { tokenVariables } from '../run/seen-variables.js';

/** Work that a worker can do. */
export interface FetchedTopic {
  readonly topicName: string;
  /** How long nobody else is given what is fetched, ms; at least 1. */
  readonly lockDurationMs: number;
  /** Only of instances with this business key. */
  readonly businessKey?: string | null;
  /** Only of one of these definitions, or keys. */
  readonly definitionIds?: readonly string[] | null;
  readonly definitionKeys?: readonly string[] | null;
  /** Only of definitions with this version tag. */
  readonly versionTag?: string | null;
  /** Only where variables that the task sees have exactly these values. */
  readonly seen?: Readonly<Record<string, unknown>> | null;
}

/** Input of `fetchAndLock`. */
export interface FetchAndLock {
  readonly workerId: string;
  /** From 1 to 500. */
  readonly maxTasks: number;
  /** Whether tasks of higher priority come first. Default true. */
  readonly usePriority?: boolean | null;
  /** Which come first of those of one priority. Default: the oldest. */
  readonly newestFirst?: boolean | null;
  readonly topics: readonly FetchedTopic[];
  /** ms, system clock */
  readonly now: number;
  /** Where an earlier round stopped, by topic. Default: at the beginning. */
  readonly from?: Readonly<Record<string, TopicPlace>>;
}

/** What was fetched. */
export interface Fetched {
  readonly locked: readonly ExternalTask[];
  /** Where the next round begins: so many were looked at that are not wanted. null: there are no more. */
  readonly from: Readonly<Record<string, TopicPlace>> | null;
  /** When the next one of the topics comes to be free by time, ms of the system clock; null: none does. */
  readonly nextAt: number | null;
}

/** Tasks that one decision locks at most. */
export const FETCHED_MAX = 500;
/** Tasks that one decision looks at. */
const LOOKED_AT_MAX = 1_000;

/**
 * Locks tasks of the topics for a worker, the most urgent ones first, those of one priority by age; writes nothing but them. Allowed to workers,
 * supervisors and administrators. @throws FORBIDDEN, BAD_REQUEST (no worker, no topic, a duration)
 */
export const fetchAndLock: Operation<FetchAndLock, Fetched> = {
  ...operation<FetchAndLock, Fetched>('fetchAndLock', (state, input, { caller }) => {
    requireWorker(caller, 'fetch external tasks');
    const { now } = input;
    const workerId = requireWorkerId(input.workerId);
    const topics = requireTopics(input);
    const changes = new Changes();
    const free = freeTasks(state, {
      ...{ now, topics: [...topics.values()], from: input.from ?? {}, wanted: input.maxTasks },
      ...{ byPriority: input.usePriority ?? true, newestFirst: input.newestFirst ?? false },
    });
    const locked: ExternalTask[] = [];
    for (let looked = 0; looked < LOOKED_AT_MAX && locked.length < input.maxTasks; looked++) {
      const task = free.next();
      if (task === undefined) break;
      const topic = topics.get(task.topic);
      if (topic === undefined || !isWanted(state, task, topic)) continue;
      const lock = { workerId, token: state.ids.next(), until: now + topic.lockDurationMs, userId: caller.userId };
      const taken = { ...task, lock, notBefore: null };
      locked.push(moveExternalTask({ changes, state }, taken, { type: 'lock', isFree: true }));
    }
    return changes.decision({ locked, ...rest(free, locked.length < input.maxTasks) });
  }),
  limits: { reads: 10_000, writes: 1_000 },
};

function rest(free: FreeTasks, wantsMore: boolean): Pick<Fetched, 'from' | 'nextAt'> {
  const from = wantsMore ? free.place() : null;
  return { from, nextAt: wantsMore && from === null ? free.nextAt() : null };
}

/** By name; of one that is named twice the last counts. @throws BAD_REQUEST */
function requireTopics({ topics, maxTasks }: FetchAndLock): ReadonlyMap<string, FetchedTopic> {
  if (!Number.isInteger(maxTasks) || maxTasks < 1 || maxTasks > FETCHED_MAX)
    throw badArgument('maxTasks', `a whole number from 1 to ${FETCHED_MAX}`, maxTasks);
  if (topics.length === 0 || topics.length > TOPICS_MAX)
    throw badArgument('topics', `1 to ${TOPICS_MAX} topics`, topics.length);
  for (const { topicName, lockDurationMs } of topics) {
    if ((bounded('topicName', topicName, 'eventName') ?? '') === '') throw missingArgument('topicName', 'a topic');
    requireDuration(lockDurationMs);
  }
  return new Map(topics.map((topic) => [topic.topicName, topic]));
}

const TOPICS_MAX = 100;
const DURATION_MAX = 31_536_000_000;

/** Requires a lock duration, in ms, from 1 to those of a year. @throws BAD_REQUEST */
export function requireDuration(ms: number): void {
  if (Number.isSafeInteger(ms) && ms >= 1 && ms <= DURATION_MAX) return;
  throw badArgument('lockDurationMs', 'milliseconds from 1 to those of a year', ms);
}

/** Requires the id of a worker. @throws BAD_REQUEST */
export function requireWorkerId(workerId: string | null | undefined): string {
  const id = bounded('workerId', workerId, 'name') ?? '';
  if (id === '') throw missingArgument('workerId', "the worker's name");
  return id;
}

function isWanted(state: State, task: ExternalTask, topic: FetchedTopic): boolean {
  const { businessKey, definitionIds, definitionKeys, versionTag } = topic;
  if (businessKey != null && task.businessKey !== businessKey) return false;
  if (definitionIds != null && !definitionIds.includes(task.definitionId)) return false;
  if (definitionKeys != null && !definitionKeys.includes(task.definitionKey)) return false;
  const definition = state.get(processDefinitions, task.definitionId);
  if (versionTag != null && definition?.versionTag !== versionTag) return false;
  // Suspending counts at once, also where it has not been written to each.
  if (presentTask(state, task)?.suspended !== false) return false;
  return topic.seen == null || seesAll(state, task, topic.seen);
}

function seesAll(
  state: State,
  { instanceId, tokenId, within }: ExternalTask,
  wanted: Readonly<Record<string, unknown>>,
): boolean {
  const instance = presentInstance(state, instanceId);
  if (instance === undefined) return false;
  const { visible } = tokenVariables(state, instance, { tokenId, within });
  return Object.entries(wanted).every(
    ([name, value]) => Object.hasOwn(visible, name) && JSON.stringify(visible[name]?.value) === JSON.stringify(value),
  );
}
