import { timeOfId } from '../../shared/ids.js';
import { mayWork } from '../../shared/rights/processes.js';
import { type ActorOf, collection, type Document } from '../../store/documents.js';
import type { Path } from '../element/large-scope.js';
import type { externalTaskMachine } from '../machine/external-task.js';
import { keyOfDefinition } from './deployed.js';
import { leavingBehind, outermost } from './gone.js';

/** Work that waits for a worker, or that one has taken. Ended ones are removed; the runs of the instance know them. */
export interface ExternalTask extends Document {
  readonly topic: string;
  readonly priority: number;
  readonly instanceId: string;
  readonly definitionId: string;
  readonly definitionKey: string;
  readonly businessKey: string | null;
  readonly elementId: string;
  readonly element: number;
  readonly tokenId: number;
  readonly activity: number;
  /** Where its token is, if that is in a large scope. */
  readonly within?: Path;
  /** ms, domain clock */
  readonly created: number;
  /** Who has it; null: nobody. One that has ended by time stays until the next takes it. */
  readonly lock: Lock | null;
  /** Of an open one: not to be taken before, ms of the system clock; null: at once. */
  readonly notBefore: number | null;
  /** How often it may still be tried; null: nobody has said. */
  readonly retries: number | null;
  /** Why it failed last, and more of it. */
  readonly errorMessage: string | null;
  readonly errorDetails: string | null;
  /** Of a failed one. */
  readonly incidentId: string | null;
  /** Whether its instance is suspended; the instance's own state is what counts. */
  readonly suspended: boolean;
  readonly actor: ActorOf<typeof externalTaskMachine>;
}

/** Lock of a worker. Whoever ends the task shows its token, or the worker's name. */
export interface Lock {
  readonly workerId: string;
  readonly token: string;
  /** ms, system clock */
  readonly until: number;
  /** Who fetched it. */
  readonly userId: string;
}

/** From when on it may be taken, ms of the system clock; 0: at once, null: not as it is. */
const freeFrom = ({ actor, lock, notBefore, suspended }: ExternalTask): number | null => {
  if (suspended || actor.value === 'failed') return null;
  return actor.value === 'locked' ? (lock?.until ?? 0) : (notBefore ?? 0);
};

/** The topic, of one that waits for a worker now. */
const openTopic = (it: ExternalTask): string | null => (freeFrom(it) === 0 ? it.topic : null);

export const externalTasks = collection<ExternalTask>({
  name: 'externalTask',
  packed: true,
  copy: (it) => ({
    id: it.id,
    topic: it.topic,
    priority: it.priority,
    instanceId: it.instanceId,
    definitionId: it.definitionId,
    definitionKey: it.definitionKey,
    businessKey: it.businessKey,
    elementId: it.elementId,
    element: it.element,
    tokenId: it.tokenId,
    activity: it.activity,
    within: it.within,
    created: it.created,
    lock: it.lock,
    notBefore: it.notBefore,
    retries: it.retries,
    errorMessage: it.errorMessage,
    errorDetails: it.errorDetails,
    incidentId: it.incidentId,
    suspended: it.suspended,
    actor: it.actor,
  }),
  implied: {
    priority: () => 0,
    definitionKey: (it) => keyOfDefinition(it.definitionId),
    businessKey: () => null,
    created: (it) => timeOfId(it.id),
    lock: () => null,
    notBefore: () => null,
    retries: () => null,
    errorMessage: () => null,
    errorDetails: () => null,
    incidentId: () => null,
    suspended: () => false,
    actor: () => OPEN,
  },
  steady: ['topic', 'instanceId', 'definitionId', 'definitionKey', 'businessKey', 'created', 'urgency'],
  columns: {
    id: (it) => it.id,
    topic: (it) => it.topic,
    priority: (it) => it.priority,
    urgency: (it) => -it.priority,
    instanceId: (it) => it.instanceId,
    definitionId: (it) => it.definitionId,
    definitionKey: (it) => it.definitionKey,
    businessKey: (it) => it.businessKey,
    elementId: (it) => it.elementId,
    created: (it) => it.created,
    scope: (it) => outermost(it.within),
    state: (it) => it.actor.value,
    workerId: (it) => it.lock?.workerId ?? null,
    openTopic,
    /** The topic, of one that comes to be free by time. */
    heldTopic: (it) => ((freeFrom(it) ?? 0) > 0 ? it.topic : null),
    freeFrom: (it) => freeFrom(it) ?? 0,
  },
  // Thousands may be of one instant: those of a multi-instance.
  indexes: {
    created: { columns: ['created'] },
    instance: { columns: ['instanceId', 'created'] },
    business: { columns: ['businessKey', 'topic'], few: true },
    topic: { columns: ['topic', 'created'] },
    /** What workers fetch: by urgency, or by age alone. */
    urgent: { columns: ['openTopic', 'urgency', 'created'] },
    oldest: { columns: ['openTopic', 'created'] },
    held: { columns: ['heldTopic', 'freeFrom'] },
  },
  visible: mayWork,
  seesAll: mayWork,
  leftBehind: leavingBehind((it) => it),
});

const OPEN: ExternalTask['actor'] = Object.freeze({ value: 'open', context: Object.freeze({}) });
