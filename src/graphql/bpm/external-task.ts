import {
  type ApiOperations,
  type ExternalTask,
  executionOf,
  externalTaskEventData,
  externalTaskOperations,
  externalTaskProperties,
  externalTasks,
  presentInstance,
  presentTask,
  tokenVariables,
} from '../../engine/index.js';
import { badRequest } from '../../shared/errors.js';
import { mayWork } from '../../shared/rights/processes.js';
import type { Operation } from '../../store/index.js';
import type { ApiContext } from '../api-context.js';
import { follow } from '../feed-iterator.js';
import type {
  ExternalTaskEventType,
  ExternalTaskResolvers,
  FetchAndLockInput,
  FetchTopicInput,
  MutationResolvers,
  QueryResolvers,
  SubscriptionResolvers,
} from '../generated/schema.js';
import { connectionOf, equal, listQuery } from '../list-field.js';
import { mutate, mutateAndSettle } from '../mutate.js';
import type { ExternalTaskView } from '../views.js';
import { variableList } from './variables.js';

export const externalTaskResolvers: ExternalTaskResolvers = {
  state: ({ actor }) => actor.value,
  workerId: ({ lock }) => lock?.workerId ?? null,
  lockToken: ({ lock }, _, { caller }) => (lock?.userId === caller.userId ? lock.token : null),
  lockedUntil: ({ lock }) => lock?.until ?? null,
  activityId: ({ elementId }) => elementId,
  activityInstanceId: ({ instanceId, activity }) => `${instanceId}:${activity}`,
  executionId: executionOf,
  processInstanceId: ({ instanceId }) => instanceId,
  extensionProperties: (task, _, { services, reading }) => externalTaskProperties(services.programs, reading, task),
  variables: ({ instanceId, tokenId, within, shown }, { names }, context) => {
    const instance = presentInstance(context.reading, instanceId);
    if (instance === undefined) return [];
    const wanted = names ?? shown;
    const { visible } = tokenVariables(context.reading, instance, { tokenId, within });
    const all = variableList(visible);
    return wanted == null ? all : all.filter(({ name }) => wanted.includes(name));
  },
  availableOperations: (task, _, { services }) => externalTaskOperations(task, services.workers.now()),
};

type ExternalQueries = Required<Pick<QueryResolvers, 'externalTask' | 'externalTasks'>>;

export const externalQueries: ExternalQueries = {
  externalTask(_, { id }, context) {
    const task = context.find(externalTasks, id);
    return task === undefined ? null : (presentTask(context.reading, task) ?? null);
  },

  async externalTasks(_, args, context, info) {
    const where = [
      ...equal('topic', args.topic),
      ...equal('state', args.inState),
      ...equal('workerId', args.workerId),
      ...equal('instanceId', args.processInstanceId),
      ...equal('definitionId', args.definitionId),
      ...equal('definitionKey', args.definitionKey),
      ...equal('elementId', args.activityId),
    ];
    const list = { collection: externalTasks, where, order: [{ column: 'created' }], first: 50 };
    const page = await context.list(listQuery(list, args, info));
    const shown = (task: ExternalTask): ExternalTaskView | undefined => presentTask(context.reading, task);
    return connectionOf(externalTasks, page, context.leavingOut(info, shown));
  },
};

type ExternalMutations = Required<
  Pick<
    MutationResolvers,
    | 'completeExternalTask'
    | 'extendExternalTaskLock'
    | 'externalTaskBpmnError'
    | 'failExternalTask'
    | 'fetchAndLock'
    | 'setExternalTaskRetries'
    | 'unlockExternalTask'
  >
>;

type Info = Parameters<typeof mutate>[1];
type Chosen<I> = (api: ApiOperations) => Operation<I, ExternalTask>;

/** The resolver that sends its arguments, or their `input`, with the time of the machine's clock, by which locks end. */
const sends =
  <I extends object>(chosen: Chosen<I>) =>
  async (_: unknown, args: object, context: ApiContext, info: Info): Promise<ExternalTaskView> => {
    const given = 'input' in args ? (args.input as object) : args;
    const input = { ...given, now: context.services.workers.now() } as unknown as I;
    const sent = await context.services.workers.patiently(() =>
      mutate(context, info, chosen(context.services.engine.api), input, given),
    );
    return sent.answer;
  };

/** As {@link sends}, for what moves an instance: answers when no call or continuation is running that it set off. */
const ends =
  <I>(chosen: Chosen<I>) =>
  async (_: unknown, { input }: { readonly input: I }, context: ApiContext, info: Info): Promise<ExternalTaskView> => {
    const { services } = context;
    const operation = chosen(services.engine.api);
    return (await services.workers.patiently(() => mutateAndSettle(context, info, operation, input))).answer;
  };

export const externalMutations: ExternalMutations = {
  async fetchAndLock(_, { input }, context, { path }) {
    const { workspace, caller, services, aside } = context;
    const waitMs = input.waitMs ?? 0;
    if (waitMs < 0 || waitMs > WAIT_MAX) throw unfit('waitMs', `milliseconds from 0 to ${WAIT_MAX}`, waitMs);
    const signal = waitMs > 0 ? context.gone?.() : undefined;
    const worker = { partition: workspace.partition, caller, waitMs, aside, ...(signal && { signal }) };
    const { tasks, revision } = await services.workers.fetch(worker, {
      workerId: input.workerId,
      maxTasks: input.maxTasks ?? 1,
      usePriority: input.usePriority ?? true,
      topics: input.topics.map((topic) => topicOf(topic, input)),
    });
    context.committed(path);
    context.changed(revision);
    const shown = new Map(input.topics.map(({ topic, variables }) => [topic, variables ?? input.variables ?? null]));
    return tasks.map((task) => ({ ...task, shown: shown.get(task.topic) ?? null }));
  },
  extendExternalTaskLock: sends((api) => api.extendExternalTaskLock),
  unlockExternalTask: sends((api) => api.unlockExternalTask),
  setExternalTaskRetries: sends((api) => api.setExternalTaskRetries),
  failExternalTask: sends((api) => api.failExternalTask),
  completeExternalTask: ends((api) => api.completeExternalTask),
  externalTaskBpmnError: ends((api) => api.externalTaskBpmnError),
};

const WAIT_MAX = 1_800_000;
const LOCK_MS = 60_000;

const topicOf = (
  { topic: topicName, lockDurationMs, businessKey, definitionIds, definitionKeys, withVariables }: FetchTopicInput,
  input: FetchAndLockInput,
) => ({
  topicName,
  lockDurationMs: lockDurationMs ?? input.lockDurationMs ?? LOCK_MS,
  businessKey: businessKey ?? null,
  definitionIds: definitionIds ?? null,
  definitionKeys: definitionKeys ?? null,
  seen: seenValues(withVariables),
});

function seenValues(given: unknown): Readonly<Record<string, unknown>> | null {
  if (given === null || given === undefined) return null;
  if (typeof given === 'object' && !Array.isArray(given)) return given as Record<string, unknown>;
  throw unfit('withVariables', 'an object', given);
}

const unfit = (argument: string, expected: string, found: unknown) =>
  badRequest(`expected ${expected} as '${argument}', but found ${JSON.stringify(found).slice(0, 100)}`, {
    reason: 'argument_invalid',
    details: { argument },
  });

const EVENTS: Readonly<Record<string, ExternalTaskEventType>> = {
  'externalTask.opened': 'OPENED',
  'externalTask.updated': 'UPDATED',
  'externalTask.ended': 'ENDED',
};

export const externalSubscriptions: Required<Pick<SubscriptionResolvers, 'externalTaskUpdated'>> = {
  externalTaskUpdated: {
    subscribe: (_, { topicNames, eventTypes, after }, context) =>
      follow(context, 'externalTaskUpdated', after, (event) => {
        const eventType = EVENTS[event.type];
        if (eventType === undefined || (eventTypes != null && !eventTypes.includes(eventType))) return undefined;
        if (topicNames != null && !topicNames.includes(event.ids.topic ?? '')) return undefined;
        if (!mayWork(context.caller)) return undefined;
        const { externalTask, at } = externalTaskEventData(event);
        return { eventType, externalTask, timestamp: at };
      }),
  },
};
