import { type ActorOf, collection, type Document } from '../../store/documents.js';
import type { RouteWork, routeMachine } from '../machine/route.js';
import type { Deployer, RouteDefinition, RouteEndpoint, RouteFault } from '../route-port.js';
import type { Pieces } from './route-text.js';

/** A route. Id: the route's. */
export interface Route extends Document {
  /** Names its counters and its history: another route of the same id has others. */
  readonly incarnation: string;
  /** Node of the file that defines it, and the file's path: its group. */
  readonly fileId: string;
  readonly file: string;
  /** Place in the file, from 0. */
  readonly place: number;
  readonly description: string | null;
  /** The template that it was made from. */
  readonly template: string | null;
  /** The version that runs, or would. */
  readonly version: number;
  /** The one that its consumer is being handed to. */
  readonly next: number | null;
  /** The newest one: versions are counted on, also behind one that never ran. */
  readonly latest: number;
  readonly deployer: Deployer;
  /** Whether it starts when it is deployed, and with all others. */
  readonly autoStart: boolean;
  /** Null: behind those that have one. */
  readonly startupOrder: number | null;
  /** ms */
  readonly created: number;
  /** When its consumer started to take exchanges; null: it takes none. */
  readonly startedAt: number | null;
  /** What the runtime is to do for it, and the how many-th work that is: what is told of an earlier one counts no more. */
  readonly work: RouteWork | null;
  readonly turn: number;
  /** How long that may wait for exchanges, ms. */
  readonly timeoutMs: number;
  /** Who made it go to where it is, or goes, and why. */
  readonly by: RouteCause;
  /** Why it did not start, or stopped by itself; null: nothing has failed since it started. */
  readonly fault: (RouteFault & { readonly at: number }) | null;
  /** The open incident that says so. */
  readonly incidentId: string | null;
  /** How far it has followed the changes of nodes: a position of the feed. Not given: it follows none. */
  readonly followed?: string;
  /** When runtimes ended, ms, while the route computed: those of the last ten minutes. */
  readonly ends: readonly number[];
  readonly actor: ActorOf<typeof routeMachine>;
}

export interface RouteCause {
  readonly userId: string;
  readonly reason: string | null;
}

export const routes = collection<Route>({
  name: 'route',
  columns: {
    file: (it) => it.file,
    fileId: (it) => it.fileId,
    place: (it) => it.place,
    state: (it) => it.actor.value,
    deployer: (it) => it.deployer.userId,
    routeId: (it) => it.id,
  },
  indexes: {
    id: { columns: ['routeId'], unique: true },
    file: { columns: ['fileId', 'place'] },
    deployer: { columns: ['deployer'] },
  },
  principals: { 'deployer.userId': 'deployer' },
});

/** A version of a route. Id: `<incarnation>:<version>`; its text is a {@link VersionContent}, as JSON. */
export interface RouteVersion extends Document, Pieces {
  readonly routeId: string;
  readonly incarnation: string;
  readonly version: number;
  /** ms */
  readonly created: number;
  /** Of the content. */
  readonly hash: string;
  readonly deployer: Deployer;
  readonly startupOrder: number | null;
  readonly endpoints: readonly RouteEndpoint[];
}

/** Content of a version of a route: the definition that runs, and the text that it was read from. */
export interface VersionContent {
  readonly definition: RouteDefinition;
  readonly source: RouteSource;
}

/** The text of a route: a file with this alone would define it. */
export interface RouteSource {
  readonly format: 'yaml' | 'xml';
  readonly text: string;
}

export const routeVersions = collection<RouteVersion>({
  name: 'routeVersion',
  columns: { incarnation: (it) => it.incarnation, age: (it) => -it.version, deployer: (it) => it.deployer.userId },
  /** Newest first. */
  indexes: { route: { columns: ['incarnation', 'age'], unique: true }, deployer: { columns: ['deployer'] } },
  principals: { 'deployer.userId': 'deployer' },
});

export const versionId = ({ incarnation }: Pick<Route, 'incarnation'>, version: number): string =>
  `${incarnation}:${version}`;
