import type { Histories, OpenWorkspace, RouteCall, RouteReply } from '../../eip/index.js';
import type { Directory, Passwords } from '../../identity/index.js';
import type { Principals } from '../../shared/principals.js';
import type {
  BlobDamage,
  CommitFollower,
  Domain,
  DomainModule,
  PartitionPort,
  Reader,
  Store,
} from '../../store/index.js';
import type { EngineName, Engines } from '../../workspace/index.js';
import type { RecurringWork } from '../maintenance/recurring.js';
import type { ExternalUsers } from '../provider/external-users.js';
import type { ApiTokens } from '../session/api-tokens.js';
import type { SystemSessions } from '../session/system-sessions.js';
import type { Config } from '../settings/config.js';

/** A domain of the server: what it is while nothing is open, and how it is opened. */
export interface ServerDomain<Opened extends OpenDomain = OpenDomain> {
  readonly module: DomainModule;
  /** Nothing is left open where it fails. */
  open(needs: DomainNeeds): Opened | Promise<Opened>;
}

/** Parts of the server that a domain is opened with. */
export interface DomainNeeds {
  readonly config: Config;
  readonly principals: Principals;
  readonly identity: IdentityNeeds;
  readonly reader: Reader;
  /** The open store. @throws UNAVAILABLE the server is starting */
  readonly store: () => Store;
  /** Resolves when every request of the API is over that goes on now. */
  readonly requestsOver: () => Promise<void>;
  /** Which engines run where. */
  readonly engines: Pick<Engines, 'isRunning'>;
  /** The domain clock. */
  readonly now: () => number;
  /** What is kept of exchanges of routes. */
  readonly histories: Histories;
  /** Calls a route of a workspace, and gives its reply. @throws UNAVAILABLE the server is starting, or the integration engine is off there */
  readonly callRoute: (workspaceId: string, call: RouteCall) => Promise<RouteReply>;
  /** Opens a partition for the routes of one thread. @throws UNAVAILABLE the server is starting */
  readonly openWorkspace: (partition: string) => OpenWorkspace;
  /** To be told of blobs that are damaged, or whole again. */
  readonly blobDamage: (damage: BlobDamage) => void;
}

/** A user that is made when the server starts, unless it is there. */
export interface FirstUser {
  readonly userId: string;
  /** Default: none. */
  readonly displayName?: string;
  /** Without one nobody signs in as the user. */
  readonly password?: string;
  /** Beside `everyone`. Made where they are missing. */
  readonly groups?: readonly string[];
  /** Made where they are missing. */
  readonly roles?: readonly string[];
}

/** Services and first users with which the identity domain is opened. */
export interface IdentityNeeds {
  readonly directory: Directory;
  readonly passwords: Passwords;
  readonly sessions: SystemSessions;
  readonly tokens: ApiTokens;
  readonly externalUsers: ExternalUsers;
  /** Where a former version kept sessions. */
  readonly sessionFile: string;
  /** As the operator has set it, or as it was made at the first start. */
  readonly adminPassword: string;
  readonly users: readonly FirstUser[];
}

/** A domain with its threads and files. What it has none of, it leaves out. */
export interface OpenDomain {
  readonly domain: Domain;
  /** The engine that it is of: where that is off, the domain is at rest. Default: it is of none, and works everywhere. */
  readonly engine?: EngineName;
  /** Resolves when its threads work at full speed. */
  readonly warm?: Promise<void>;
  /** Reads what it keeps in memory of a partition, before anything is decided there. */
  opening?(partition: Pick<PartitionPort, 'id' | 'replica'>): void;
  /** Makes in a partition that takes commands what must be before anything else is made there. Called also where the domain is at rest, as `prepare` is. */
  beginning?(partition: PartitionPort): Promise<void>;
  /** Prepares a partition behind that: it may be read and sent to, and answers nobody yet; none of its jobs, timers and reactions has begun. */
  prepare?(partition: PartitionPort): Promise<void>;
  /** Begins what it does by itself in a partition that is prepared, its jobs and reactions apart. Not called where it is at rest. */
  opened?(partition: PartitionPort): Promise<void>;
  /** Ends that, before the partition takes no commands any more; `opened` may not have been called. */
  closing?(partition: PartitionPort): Promise<void>;
  /** Lets go of what it keeps of a partition that is closed. */
  closed?(partition: string): void;
  /** Its followers of the durable commits of a partition. */
  followers?(partition: string): readonly CommitFollower[];
  /** What it does by itself once the workspaces are open. */
  readonly recurring?: readonly RecurringWork[];
  /** Closes its threads and files; the store is closed by then. */
  close?(): Promise<void>;
}

/** Things to be closed, in the order in which they were opened. */
export type Opened = (() => unknown)[];

/** All domains as one, as a store takes them in. */
export const togetherOf = (domains: readonly Domain[]) => ({
  collections: domains.flatMap(({ collections }) => collections),
  operations: domains.flatMap(({ operations }) => operations),
  evaluators: Object.assign({}, ...domains.map(({ evaluators }) => evaluators)) as Required<Domain>['evaluators'],
  jobTypes: domains.flatMap(({ jobTypes = [] }) => jobTypes),
  jobSubject: domains.find(({ jobSubject }) => jobSubject !== undefined)?.jobSubject,
  longJobTypes: domains.flatMap(({ longJobTypes = [] }) => longJobTypes),
  reactions: domains.flatMap(({ reactions = [] }) => reactions),
  nameChangers: domains.flatMap(({ nameChangers = [] }) => nameChangers),
});
