import type { HttpFront } from './http-front.js';
import type { WorkspacePort } from './workspace-port.js';

/** Limits that the operator sets for the components of routes: files, hosts, memory. */
export interface ComponentLimits {
  /** Directories in which `file:` may read and write, absolute. */
  readonly fileRoots: readonly string[];
  /** Hosts that `http:` may reach: `api.example.com`, `*.example.com`, each with a port where only that one is meant; `*`: all that are public. Those that are named may be private. */
  readonly httpHosts: readonly string[];
  /** How many bytes of an answer or request are kept in memory. */
  readonly bodyMax: number;
  /** Routes may operate routes: `controlbus:`. */
  readonly controlsRoutes: boolean;
}

/** Surroundings of the components of a workspace: their limits, and the parts of the server that they reach. By default nothing. */
export interface ComponentHost extends ComponentLimits {
  /** Nodes and processes of the workspace: `cms:`, `bpm:`. */
  readonly workspace?: WorkspacePort;
  /** Where HTTP requests for routes come from. */
  readonly front?: HttpFront;
}

export const NO_HOST: ComponentHost = { fileRoots: [], httpHosts: [], bodyMax: 10_000_000, controlsRoutes: false };
