import type { HttpFront } from './http-front.js';
import type { WorkspacePort } from './workspace-port.js';

/** What the operator lets the components of routes do. */
export interface ComponentLimits {
  /** Directories in which `file:` may read and write, absolute. */
  readonly fileRoots: readonly string[];
  /** Hosts that `http:` may reach: `api.example.com`, `*.example.com`, each with a port where only that one is meant; `*`: all that are public. Those that are named may be private. */
  readonly httpHosts: readonly string[];
  /** How many bytes of an answer or request are kept in memory. */
  readonly bodyMax: number;
}

/** What the server lets the components of a workspace do, and what it gives them to reach. By default nothing. */
export interface ComponentHost extends ComponentLimits {
  /** Routes may operate routes: `controlbus:`. Absent: they may not. */
  readonly routes?: RouteOperations;
  /** Nodes and processes of the workspace: `cms:`, `bpm:`. */
  readonly workspace?: WorkspacePort;
  /** Where HTTP requests for routes come from. */
  readonly front?: HttpFront;
}

/** What `controlbus:` does with routes. */
export interface RouteOperations {
  /** Resolves when it is so. @throws where there is no such route, or it cannot be done */
  operate(action: 'start' | 'stop' | 'suspend' | 'resume' | 'fail', routeId: string): Promise<void>;
  /** Its state, in Camel's words (`Started`). `null`: there is no such route. */
  status(routeId: string): string | null;
  /** Counters of a route, or of all (`null`), as Camel's XML. */
  statistics(routeId: string | null): string;
}

export const NO_HOST: ComponentHost = { fileRoots: [], httpHosts: [], bodyMax: 10_000_000 };
