import type { AppDescriptors, ContentApi, ContentJobs, NodeOperations, PendingChunks } from '../content/index.js';
import type {
  EipApi,
  Histories,
  ReadRoutes,
  ReadRoutesQuestion,
  RouteComponent,
  RouteCounters,
  RouteTrials,
} from '../eip/index.js';
import type { Engine, ExternalTask, FetchAndLock, ProgramStore } from '../engine/index.js';
import type { ApiToken, Directory, SessionRecord } from '../identity/index.js';
import type { AuditLog } from '../shared/audit.js';
import type { Caller } from '../shared/caller.js';
import type { Principals } from '../shared/principals.js';
import type { Aside, BlobStore, LongJobOperations, Operation, PartitionPort, Reader } from '../store/index.js';
import type { WorkspaceApi } from '../workspace/index.js';
import type { ApiEngine } from './execution/engine-guard.js';

/** A workspace, as resolvers use it. */
export interface ApiWorkspace {
  readonly partition: PartitionPort;
}

/** How the server's clock is set where it is virtual. */
interface ClockChange {
  /** ISO 8601 duration. */
  readonly by: string | null;
  /** ms */
  readonly to: number | null;
}

/** The servers that share what is kept. */
export interface ClusterFacts {
  readonly enabled: boolean;
  /** The server that answers; null: it is alone. */
  readonly nodeId: string | null;
  readonly members: readonly {
    readonly nodeId: string;
    readonly hostName: string;
    /** ms */
    readonly started: number;
    readonly lastHeartbeat: number;
    readonly alive: boolean;
    readonly self: boolean;
  }[];
}

/** A route to make, as a client describes it. */
export interface NewRoute {
  readonly routeId: string;
  readonly description?: string | null;
  readonly group?: string | null;
  readonly yaml: string;
  readonly autoStart?: boolean | null;
}

/** Input of an update of a route; fields that are not given stay as they are. */
export interface ChangedRoute extends Partial<Pick<NewRoute, 'description' | 'group'>> {
  readonly id: string;
  readonly yaml?: string | null;
}

/** The effect of a mutation of a route on the file that holds it. */
export interface RouteFileEdit {
  readonly path: string;
  readonly moveTo?: string;
  readonly routeId: string;
}

/** The caller of an edit, and the partition whose files are edited. */
export interface EditingPlace {
  readonly partition: PartitionPort;
  readonly caller: Caller;
}

/** Edits the files that routes are in: each gives the input of `operation`, whose answer are the ids of the file's routes. */
export interface RouteEditing {
  // biome-ignore lint/suspicious/noExplicitAny: what is edited how is the editor's
  readonly operation: Operation<any, readonly string[]>;
  created(place: EditingPlace, input: NewRoute): Promise<RouteFileEdit>;
  updated(place: EditingPlace, input: ChangedRoute): Promise<RouteFileEdit>;
  rolledBack(place: EditingPlace, id: string, version: number): Promise<RouteFileEdit>;
  fromTemplate(
    place: EditingPlace,
    input: { readonly templateId: string; readonly routeId: string; readonly parameters: unknown },
  ): Promise<RouteFileEdit>;
  /** Undefined: there is no such route. */
  deleted(place: EditingPlace, id: string): Promise<RouteFileEdit | undefined>;
}

/** Routes, as resolvers use them. */
interface EipApiServices {
  readonly api: EipApi;
  readonly editor: RouteEditing;
  /** Reads a file, and prepares its routes. */
  readonly read: (question: ReadRoutesQuestion) => Promise<ReadRoutes>;
  /** Resolves when the runtime has done what it is to do for the routes, at the latest after `ms`. */
  readonly settled: (partition: string, routeIds: readonly string[], ms: number) => Promise<void>;
  readonly components: readonly RouteComponent[];
  /** What people try in the context of a workspace. @throws UNAVAILABLE where its routes are starting, or off */
  readonly trials: (partition: string) => RouteTrials;
  /** What is counted of the routes of a workspace. @throws UNAVAILABLE as `trials` */
  readonly counters: (partition: string) => Omit<RouteCounters, 'restore' | 'counted'>;
  /** Counts anew: one route, or all. */
  readonly reset: (partition: string, routeId: string | null) => Promise<void>;
  /** Whether each step of each exchange is written to the log. */
  readonly trace: (partition: string, isOn: boolean) => Promise<void>;
}

/** Workers that fetch external tasks. */
export interface WorkerServices {
  /** ms of the clock by which locks end. */
  readonly now: () => number;
  /** Locks tasks as soon as there are some; none when the worker's time is over. */
  fetch(
    worker: FetchingWorker,
    asked: Omit<FetchAndLock, 'now' | 'from'>,
  ): Promise<{ readonly tasks: readonly ExternalTask[]; readonly revision: number }>;
  /** Does what ends a task; where its instance's mailbox is full it waits for room, for up to 10 s. */
  patiently<T>(work: () => Promise<T>): Promise<T>;
}

/** Who fetches, and until when it waits. */
export interface FetchingWorker extends EditingPlace {
  /** How long it waits for work, ms; 0: not at all. */
  readonly waitMs: number;
  /** Aborted when its client is gone: then nothing stays locked. */
  readonly signal?: AbortSignal;
  /** Told when it waits, and when it goes on. */
  readonly aside?: Aside;
}

/** Services of the resolvers, the same for all requests. */
export interface ApiServices {
  readonly reader: Pick<Reader, 'list' | 'query'>;
  readonly principals: Pick<Principals, 'groupsOf' | 'describe'>;
  /** The caller with the groups and roles of this moment. @throws UNAUTHORIZED when the user is disabled or gone */
  readonly callerNow: (caller: Caller) => Caller;
  readonly engine: Pick<Engine, 'api' | 'longJobTypes'>;
  readonly workers: WorkerServices;
  readonly eip: EipApiServices;
  /** Of the server. */
  readonly version: string;
  /** Exchanges of routes that have ended. */
  readonly history: Pick<
    Histories,
    'list' | 'records' | 'find' | 'stats' | 'skipped' | 'routesBetween' | 'firstFrom' | 'follow'
  >;
  readonly identity: IdentityServices;
  readonly audit: AuditLog;
  readonly system: () => PartitionPort;
  /** What is sent to `system` about workspaces. */
  readonly workspaces: WorkspaceApi;
  readonly cluster: () => ClusterFacts;
  /** Whether the engine runs in the open partition. */
  readonly isRunning: (partition: string, engine: ApiEngine) => boolean;
  readonly content: {
    readonly api: ContentApi;
    readonly jobs: ContentJobs;
    readonly nodes: NodeOperations;
    /** The most characters of an export. */
    readonly xmlCharsMax: number;
  };
  readonly blobs: BlobStore;
  /** Chunks of uploads whose commands are on their way. */
  readonly chunks: PendingChunks;
  /** Descriptors of web applications. */
  readonly apps: Pick<AppDescriptors, 'read'>;
  /** What resolvers of long jobs send, by name. */
  readonly longJobs: LongJobOperations;
  /** The programs of the main thread. */
  readonly programs: ProgramStore;
  /** How long a mutation waits for what it set off, in ms. It is durable long before. */
  readonly answerWaitMs: number;
  /** Who deploys the models that are files. */
  readonly deployer: {
    /** The models at or below the paths that cannot be deployed. Null: none are looked for there. */
    refusedAt(
      partition: PartitionPort,
      paths: readonly string[],
      caller: Caller,
    ): Promise<readonly (RefusedModel & { readonly nodeId: string })[]> | null;
  };
  /** The domain clock. */
  readonly now: () => number;
  /** Sets a virtual clock forward and lets run what is due by then; gives the new time, ms. @throws FORBIDDEN, BAD_REQUEST, CONFLICT (the clock is the machine's) */
  readonly advanceClock: (change: ClockChange, caller: Caller) => Promise<number>;
}

/** A file that was stored and is not deployed. */
export interface RefusedModel {
  readonly path: string;
  readonly problem: string;
}

/** Services of the resolvers of users, groups and roles. */
interface IdentityServices {
  readonly directory: Directory;
  /** The hash of a password. @throws UNAVAILABLE, BAD_REQUEST (INVALID_INPUT) */
  readonly hash: (password: string) => Promise<string>;
  /** Whether the password is the user's; one that is not counts as a failed sign-in from the address. @throws RATE_LIMITED, UNAVAILABLE */
  readonly knows: (username: string, password: string, address: string) => Promise<boolean>;
  readonly sessions: {
    get(id: string): SessionRecord | undefined;
    /** Those of the user that are going on, oldest first. */
    ofUser(username: string): readonly SessionRecord[];
    /** The session goes on with another secret, and counts with the password that its user has now. The value of `Set-Cookie` that hands it over. */
    renew(session: SessionRecord): Promise<string>;
  };
  readonly tokens: {
    /** A secret for a new token, with its SHA-256. */
    newSecret(): { readonly secret: string; readonly hash: string };
    /** The present time by the clock that tokens expire by, how long one may last, both ms, and how many a user may have. */
    limits(): { readonly now: number; readonly ageMax: number; readonly perUserMax: number };
    get(id: string): ApiToken | undefined;
    /** Those of the user, oldest first. */
    ofUser(username: string): readonly ApiToken[];
  };
}
