import { mayManageInstance } from '../../shared/rights/processes.js';
import { maySupervise } from '../../shared/rights/roles.js';
import { collection, type Document } from '../../store/documents.js';
import type { EvaluatedDecision } from '../decision/outcome.js';
import type { TypedValue, Variables } from '../element/typed-value.js';
import type { StoredText } from './deployed.js';

/** A version of a decision. Id: `key:version:uuid`. */
export interface DecisionDefinition extends Document {
  readonly key: string;
  readonly version: number;
  /** Whether no newer version of the key is deployed. */
  readonly latest: boolean;
  readonly name: string | null;
  readonly deploymentId: string;
  readonly deploymentName: string;
  readonly resourceName: string;
  /** The compiled file that it is in. */
  readonly modelId: string;
  /** The name of the file's definitions. */
  readonly requirementsName: string | null;
  readonly versionTag: string | null;
  /** `camunda:historyTimeToLive`, as written. */
  readonly historyTimeToLive: string | null;
  readonly deleting: boolean;
}

export const decisionDefinitions = collection<DecisionDefinition>({
  name: 'decisionDefinition',
  columns: {
    key: (it) => it.key,
    version: (it) => it.version,
    age: (it) => -it.version,
    name: (it) => it.name,
    latest: (it) => (it.latest ? 1 : null),
    deploymentId: (it) => it.deploymentId,
    versionTag: (it) => it.versionTag,
  },
  indexes: {
    /** Newest first. */
    key: { columns: ['key', 'age'], unique: true },
    latest: { columns: ['latest', 'key'] },
    deployment: { columns: ['deploymentId', 'key'] },
  },
  visible: (_, it) => !it.deleting,
});

/** A compiled DMN file, as JSON text. Id: `<deployment id>/<name>`. */
export interface StoredDecisionModel extends Document, StoredText {
  readonly deploymentId: string;
}

export const decisionModels = collection<StoredDecisionModel>({ name: 'decisionModel' });

/** An evaluation of a decision, with all that it required: history. */
export interface DecisionInstance extends Document {
  readonly definitionId: string;
  readonly definitionKey: string;
  readonly definitionName: string | null;
  /** ms */
  readonly time: number;
  /** Who asked for it. */
  readonly userId: string;
  /** Whose it is to see: who asked, or who started the process instance. */
  readonly startUserId: string;
  /** Of a process: where it was evaluated. */
  readonly instanceId: string | null;
  readonly processDefinitionId: string | null;
  readonly activityId: string | null;
  readonly activityInstanceId: string | null;
  readonly result: TypedValue;
  readonly rows: readonly Variables[];
  /** What was evaluated, what is required before what requires it. */
  readonly evaluated: readonly EvaluatedDecision[];
  readonly notes: readonly string[];
  /** When it goes, ms, where no process instance keeps it and its decision says for how long; absent: as the server keeps history. */
  readonly ends?: number;
  /** Whether values were left out, because they are too large to be kept. */
  readonly shortened: boolean;
}

export const decisionInstances = collection<DecisionInstance>({
  name: 'decisionInstance',
  seldomRead: true,
  steady: ['definitionId', 'definitionKey', 'instanceId', 'time', 'starter'],
  principals: { startUserId: 'starter' },
  columns: {
    definitionId: (it) => it.definitionId,
    definitionKey: (it) => it.definitionKey,
    instanceId: (it) => it.instanceId,
    activityId: (it) => it.activityId,
    time: (it) => it.time,
    starter: (it) => it.startUserId,
    /** When, where neither a process instance keeps it nor its decision says for how long. */
    alone: (it) => (it.instanceId === null && it.ends === undefined ? it.time : null),
    ends: (it) => it.ends ?? null,
  },
  indexes: {
    time: { columns: ['time'], seldomTied: true },
    definition: { columns: ['definitionId', 'time'], seldomTied: true },
    key: { columns: ['definitionKey', 'time'], seldomTied: true },
    instance: { columns: ['instanceId', 'time'], seldomTied: true },
    starter: { columns: ['starter'] },
    alone: { columns: ['alone'], seldomTied: true },
    ends: { columns: ['ends'], seldomTied: true },
  },
  visible: mayManageInstance,
  seesAll: maySupervise,
});
