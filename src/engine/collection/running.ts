import { timeOfId } from '../../shared/ids.js';
import { mayManageInstance } from '../../shared/rights/processes.js';
import { maySupervise } from '../../shared/rights/roles.js';
import { type ActorOf, collection, type Document } from '../../store/documents.js';
import type { InstanceState, TypedValue } from '../element/instance-state.js';
import type { Path } from '../element/large-scope.js';
import type { processInstanceMachine } from '../machine/process-instance.js';
import { keyOfDefinition, type StoredText } from './deployed.js';
import { soughtValues } from './sought-values.js';

/** A process instance, running or ended. */
export interface ProcessInstance extends Document {
  readonly definitionId: string;
  readonly definitionKey: string;
  readonly businessKey: string | null;
  readonly startUserId: string;
  /** ms */
  readonly startTime: number;
  readonly endTime: number | null;
  /** Why it was cancelled. */
  readonly deleteReason: string | null;
  readonly incidentCount: number;
  /** The call activity that called it; null: it was started by itself. */
  readonly calledBy: CalledBy | null;
  /** It is suspended because its caller is, and goes on with that one. Absent: it is not. */
  readonly heldByCaller?: true | undefined;
  /** How many commands it has taken: the number of its newest {@link runs}. */
  readonly runs: number;
  /** The last sweep of its definition that it has taken. */
  readonly sweep: string | null;
  readonly actor: ActorOf<typeof processInstanceMachine>;
  /** Tokens, scopes and small variables. */
  readonly state: InstanceState;
  /** The variables that are documents of their own. */
  readonly spilled: readonly SpilledVariable[];
  /** How many tokens are away ({@link instanceParts}), by the number of the outermost large scope, and by element. Absent: none is. */
  readonly away?: Away;
  /** The number of the newest of its runs that brought something to another definition. Absent: none did. */
  readonly migrated?: number;
}

export type Away = Readonly<Record<string, Readonly<Record<string, number>>>>;
/** Place of a call activity. */
export interface CalledBy {
  /** Where its token is, if that is in a large scope. */
  readonly within?: Path;
  readonly instanceId: string;
  readonly activityId: string;
  readonly executionId: string;
}

export interface SpilledVariable {
  readonly scope: number;
  readonly name: string;
  /** What its type does not say; absent: it says all. */
  readonly info?: TypedValue['info'];
}

export const processInstances = collection<ProcessInstance>({
  name: 'processInstance',
  mutable: true, // The interpreter moves the tokens where they are.
  packed: true,
  // Incidents, a suspension, an end and its reason can be written however much the runs have filled.
  counted: ({ state, spilled, away }) => ({ state, spilled, away }),
  copy: (it) => ({
    id: it.id,
    definitionId: it.definitionId,
    definitionKey: it.definitionKey,
    businessKey: it.businessKey,
    startUserId: it.startUserId,
    startTime: it.startTime,
    endTime: it.endTime,
    deleteReason: it.deleteReason,
    incidentCount: it.incidentCount,
    calledBy: it.calledBy,
    heldByCaller: it.heldByCaller,
    runs: it.runs,
    sweep: it.sweep,
    actor: it.actor,
    state: it.state,
    spilled: it.spilled,
    away: it.away,
    migrated: it.migrated,
  }),
  implied: {
    definitionKey: (it) => keyOfDefinition(it.definitionId),
    businessKey: () => null,
    startTime: (it) => timeOfId(it.id),
    endTime: () => null,
    deleteReason: () => null,
    incidentCount: () => 0,
    calledBy: () => null,
    sweep: () => null,
    actor: () => RUNNING,
    spilled: () => [],
  },
  steady: ['definitionId', 'definitionKey', 'businessKey', 'startTime', 'starter'],
  principals: { startUserId: 'starter' },
  columns: {
    id: (it) => it.id,
    definitionId: (it) => it.definitionId,
    definitionKey: (it) => it.definitionKey,
    businessKey: (it) => it.businessKey,
    startTime: (it) => it.startTime,
    endTime: (it) => it.endTime,
    state: (it) => it.actor.value,
    active: (it) => (it.endTime === null ? 1 : 0),
    suspended: (it) => (it.actor.value === 'suspended' ? 1 : 0),
    withIncidents: (it) => (it.incidentCount > 0 ? 1 : null),
    starter: (it) => it.startUserId,
    caller: (it) => it.calledBy?.instanceId ?? null,
    /** Whether there are documents that hang on it and are gone, or may be: it is being cleared of what it has left, or followed. */
    leaving: (it) => (isLeaving(it.state) ? 1 : null),
    /** The definition, while the instance runs. */
    runningOf: (it) => (it.endTime === null ? it.definitionId : null),
  },
  /** Its variables, where a message may come for one of its tokens. */
  multi: { sought: (it) => soughtValues(it.state, it.spilled, it.away !== undefined) },
  indexes: {
    started: { columns: ['startTime'], seldomTied: true },
    active: { columns: ['active', 'startTime'], seldomTied: true },
    definition: { columns: ['definitionId', 'startTime'], seldomTied: true },
    key: { columns: ['definitionKey', 'startTime'], seldomTied: true },
    business: { columns: ['businessKey', 'startTime'], seldomTied: true, few: true },
    incidents: { columns: ['withIncidents', 'startTime'], seldomTied: true },
    ended: { columns: ['endTime'], seldomTied: true },
    starter: { columns: ['starter'] },
    caller: { columns: ['caller', 'startTime'], seldomTied: true },
    /** For work over all instances of a definition, page by page. */
    running: { columns: ['runningOf', 'startTime'], seldomTied: true },
    leaving: { columns: ['leaving'] },
  },
  visible: mayManageInstance,
  seesAll: maySupervise,
});

/** Whether something in large scopes was left that is still to be cleared away, or is still to follow. */
const isLeaving = ({ scopes, moves }: InstanceState): boolean =>
  moves !== undefined || scopes.some(({ abandoned }) => abandoned !== undefined);

const RUNNING: ProcessInstance['actor'] = Object.freeze({
  value: 'active',
  context: Object.freeze({ started: true }),
});

/** A variable too large for its instance's document. Id: `<instance>/<scope>/<name>`. */
export interface LargeVariable extends Document, StoredText {
  readonly instanceId: string;
  readonly type: TypedValue['type'];
}

export const largeVariables = collection<LargeVariable>({
  name: 'variable',
  columns: { instanceId: (it) => it.instanceId },
  indexes: { instance: { columns: ['instanceId'] } },
});

/** The instance of an execution, `<instance>:<token>`; an instance's own id is an execution, too. */
export const instanceOfExecution = (executionId: string): string => executionId.split(':', 1)[0] ?? '';

interface Meant {
  readonly processInstanceId?: string | null | undefined;
  readonly executionId?: string | null | undefined;
}

/** The instance that a call names, itself or by an execution of it; null: it names none. */
export const instanceMeant = ({ processInstanceId, executionId }: Meant): string | null =>
  processInstanceId || (executionId ? instanceOfExecution(executionId) : null);
