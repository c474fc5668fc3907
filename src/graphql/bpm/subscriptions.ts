import {
  type ProcessInstanceView,
  processEventData,
  processInstances,
  taskEventData,
  tasks,
} from '../../engine/index.js';
import type { Caller } from '../../shared/caller.js';
import type { Collection, Document, FeedEvent } from '../../store/index.js';
import type { ApiContext } from '../api-context.js';
import { type FeedIterator, follow } from '../feed-iterator.js';
import type { ProcessEventType, SubscriptionResolvers, TaskEventType } from '../generated/schema.js';
import type { InstanceView, TaskView } from '../views.js';

type BpmSubscriptions = Required<
  Pick<
    SubscriptionResolvers,
    'taskAssigned' | 'taskCompleted' | 'taskUpdated' | 'processStarted' | 'processEnded' | 'processUpdated'
  >
>;

/** Events carry what they are about: it can be delivered when it is gone. */
export const bpmSubscriptions: BpmSubscriptions = {
  taskAssigned: {
    subscribe: (_, { assignee, candidateGroup, after }, context) =>
      followTasks(context, 'taskAssigned', after, ({ type, ids }) => {
        const isMeant = assignee == null ? candidateGroup == null : ids.assignee === assignee;
        return type === 'task.assigned' && isMeant;
      }),
  },
  taskCompleted: {
    subscribe: (_, { processInstanceId, after }, context) =>
      followTasks(
        context,
        'taskCompleted',
        after,
        (event) => event.type === 'task.completed' && isOf(event, { processInstanceId }),
      ),
  },
  taskUpdated: {
    subscribe: (_, { taskId, after }, context) =>
      followTasks(context, 'taskUpdated', after, (event) => isOf(event, { taskId })),
  },
  processStarted: {
    subscribe: (_, { definitionKey, after }, context) =>
      followProcesses(
        context,
        'processStarted',
        after,
        (event) => event.type === 'process.started' && isOf(event, { definitionKey }),
      ),
  },
  processEnded: {
    subscribe: (_, { definitionKey, after }, context) =>
      followProcesses(
        context,
        'processEnded',
        after,
        (event) => event.type === 'process.ended' && isOf(event, { definitionKey }),
      ),
  },
  processUpdated: {
    subscribe: (_, { processInstanceId, definitionKey, after }, context) =>
      followProcesses(
        context,
        'processUpdated',
        after,
        (event) => isOf(event, { processInstanceId, definitionKey }),
        (name, { actor }) => (actor.value === 'cancelled' ? 'CANCELLED' : name),
      ),
  },
};

const TASK_EVENTS: Readonly<Record<string, TaskEventType>> = {
  'task.created': 'CREATED',
  'task.assigned': 'ASSIGNED',
  'task.completed': 'COMPLETED',
  'task.updated': 'UPDATED',
  'task.deleted': 'DELETED',
};

const PROCESS_EVENTS: Readonly<Record<string, ProcessEventType>> = {
  'process.started': 'STARTED',
  'process.suspended': 'SUSPENDED',
  'process.activated': 'ACTIVATED',
  'process.ended': 'ENDED',
};

type Matches = (event: FeedEvent) => boolean;

interface TaskPayload {
  readonly eventType: TaskEventType;
  readonly task: TaskView;
  readonly timestamp: number;
}

function followTasks<F extends string>(
  context: ApiContext,
  field: F,
  after: string | null | undefined,
  matches: Matches,
): FeedIterator<Record<F, TaskPayload>> {
  return follow(context, field, after, (event) => {
    const eventType = TASK_EVENTS[event.type];
    if (eventType === undefined || !matches(event)) return undefined;
    const { task, processInstance, at } = taskEventData(event);
    if (!sees(context.caller, tasks, task)) return undefined;
    return { eventType, task: { ...task, processInstance }, timestamp: at };
  });
}

interface ProcessPayload {
  readonly eventType: ProcessEventType;
  readonly processInstance: InstanceView;
  readonly timestamp: number;
}

function followProcesses<F extends string>(
  context: ApiContext,
  field: F,
  after: string | null | undefined,
  matches: Matches,
  named = (name: ProcessEventType, _instance: ProcessInstanceView): ProcessEventType => name,
): FeedIterator<Record<F, ProcessPayload>> {
  return follow(context, field, after, (event) => {
    const name = PROCESS_EVENTS[event.type];
    if (name === undefined || !matches(event)) return undefined;
    const { processInstance, at } = processEventData(event);
    if (!sees(context.caller, processInstances, { ...processInstance, ...WITHOUT_TOKENS })) return undefined;
    return { eventType: named(name, processInstance), processInstance, timestamp: at };
  });
}

const WITHOUT_TOKENS = { state: { next: 0, scopes: [], tokens: [] }, spilled: [] };

/** Whether all of the ids that are given are the event's. */
const isOf = ({ ids }: FeedEvent, wanted: Readonly<Record<string, string | null | undefined>>): boolean =>
  Object.entries(wanted).every(([name, id]) => id == null || ids[name] === id);

const sees = <T extends Document>(caller: Caller, { visible }: Collection<T>, document: T): boolean =>
  visible?.(caller, document) ?? true;
