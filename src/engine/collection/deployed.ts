import { collection, type Document } from '../../store/documents.js';

/** A long text beside its document: whole where it is short, else in that many documents of {@link textPieces}. */
export interface StoredText {
  readonly text: string | null;
  readonly pieces: number;
}

/** A piece of a text that is too long for one document. */
export interface TextPiece extends Document {
  /** The document whose text it is part of. */
  readonly owner: string;
  readonly n: number;
  readonly text: string;
}

export const textPieces = collection<TextPiece>({ name: 'textPiece' });

/** A deployment: files that were deployed together, kept as {@link resources}. */
export interface Deployment extends Document {
  readonly name: string;
  readonly source: string | null;
  /** ms */
  readonly time: number;
  readonly userId: string;
  readonly resources: readonly { readonly id: string; readonly name: string; readonly hash: string }[];
  readonly definitionIds: readonly string[];
  /** Absent: it has none. */
  readonly decisionDefinitionIds?: readonly string[];
  /** Whether it is being deleted: nobody sees it any more. */
  readonly deleting: boolean;
}

export const deployments = collection<Deployment>({
  name: 'deployment',
  columns: { name: (it) => it.name, time: (it) => it.time, age: (it) => -it.time },
  indexes: { time: { columns: ['time'] }, newest: { columns: ['name', 'age'] } },
  visible: (_, it) => !it.deleting,
});

/** A deployed file. Id: `<deployment id>/<name>`. */
export interface Resource extends Document, StoredText {
  readonly deploymentId: string;
  readonly name: string;
  /** Warnings of what its model says that is not executed. Absent where there is nothing. */
  readonly warnings?: readonly ModelWarning[];
}

/** Something in a deployed model that is perhaps not meant so. Line and column from 1; null where the place is not known. */
export interface ModelWarning {
  readonly line: number | null;
  readonly column: number | null;
  readonly elementId: string | null;
  readonly message: string;
  /** The rule that it is about. Absent: a former version wrote it. */
  readonly rule?: string;
}

export const resources = collection<Resource>({
  name: 'resource',
  columns: { deploymentId: (it) => it.deploymentId, name: (it) => it.name },
  indexes: { deployment: { columns: ['deploymentId', 'name'] } },
});

/** The key in a definition's id, which is `key:version:uuid`; no key has a colon. */
export const keyOfDefinition = (id: string): string => id.slice(0, id.indexOf(':'));

/** A version of a process. Id: `key:version:uuid`. */
export interface ProcessDefinition extends Document {
  readonly key: string;
  readonly version: number;
  /** Whether no newer version of the key is deployed. */
  readonly latest: boolean;
  readonly name: string | null;
  readonly description: string | null;
  readonly deploymentId: string;
  readonly deploymentName: string;
  readonly resourceName: string;
  /** Whether no instance may be started. */
  readonly suspended: boolean;
  /** The last order to suspend or activate all instances. Those that it has not reached yet count as if it had. */
  readonly sweep: Sweep | null;
  readonly versionTag: string | null;
  readonly category: string | null;
  readonly startFormKey: string | null;
  readonly candidateStarterUsers: readonly string[];
  readonly candidateStarterGroups: readonly string[];
  /** `camunda:historyTimeToLive`, as written. */
  readonly historyTimeToLive: string | null;
  /** Whether lists of what one may start show it. Absent: true. */
  readonly isStartableInTasklist?: false;
  /** The jobs of its timer start events. */
  readonly timerJobIds: readonly string[];
  readonly deleting: boolean;
}

export interface Sweep {
  readonly id: string;
  readonly event: 'suspend' | 'activate';
}

export const processDefinitions = collection<ProcessDefinition>({
  name: 'processDefinition',
  columns: {
    key: (it) => it.key,
    version: (it) => it.version,
    age: (it) => -it.version,
    name: (it) => it.name,
    latest: (it) => (it.latest ? 1 : null),
    suspended: (it) => (it.suspended ? 1 : 0),
    deploymentId: (it) => it.deploymentId,
    versionTag: (it) => it.versionTag,
    category: (it) => it.category,
    notInTasklist: (it) => (it.isStartableInTasklist === false ? 1 : null),
  },
  multi: { candidateStarter: (it) => [...it.candidateStarterUsers, ...it.candidateStarterGroups] },
  principals: { 'candidateStarterUsers[]': 'candidateStarter', 'candidateStarterGroups[]': 'candidateStarter' },
  indexes: {
    /** Newest first. */
    key: { columns: ['key', 'age'], unique: true },
    latest: { columns: ['latest', 'key'] },
    deployment: { columns: ['deploymentId', 'key'] },
  },
  visible: (_, it) => !it.deleting,
});

/** The compiled program of a definition, as JSON text; its XML is the resource's. Id: the definition's. */
export interface DefinitionModel extends Document, StoredText {
  readonly resourceId: string;
  /** A former version noted so that instances had left it, not which ones: it is kept. Now there is a departure for each of them. */
  readonly left?: true;
}

export const definitionModels = collection<DefinitionModel>({ name: 'definitionModel' });
