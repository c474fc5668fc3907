import type { RouteFault } from '../route-port.js';

/**
 * Nodes and processes of the workspace that a route is of, as the user who deployed the route. Everything that passes is plain data. Whatever it rejects with has
 * a `code` (NOT_FOUND, FORBIDDEN, CONFLICT, BAD_REQUEST, UNAVAILABLE …), as errors of the API have.
 */
export interface WorkspacePort {
  /** Sends a command, once for each key of its origin: sent again under the same one, it answers as before. UNAVAILABLE is sent again by itself for a while. */
  send(command: WorkspaceCommand | BlockCommand | RouteCommand, by: CommandOrigin): Promise<unknown>;
  /** Reads what is there; what was sent by then is in it. */
  read(query: WorkspaceQuery, by: Origin): Promise<unknown>;
  /** Takes bytes that are to become content, piece by piece. */
  stage(step: StageStep): Promise<unknown>;
  /** Follows changes of nodes, from the place where the route has left it. */
  watch(step: WatchStep): Promise<unknown>;
}

export type WatchStep =
  /** Resolves with the next changes, or after a while with none. `after`: null: at once, with the place that is kept, or else that of now. @returns {@link NodeChanges} */
  | { readonly routeId: string; readonly path: string; readonly deep: boolean; readonly after: string | null }
  /** Keeps a place with the route. @returns null */
  | { readonly routeId: string; readonly place: string };

export interface NodeChanges {
  readonly changes: readonly NodeChange[];
  /** Behind all that was looked at. */
  readonly place: string;
  /** What lies between the place that was asked for and this one is not known any more. */
  readonly isAnew: boolean;
}

export interface NodeChange {
  /** `CREATED`, `MODIFIED`, `DELETED`, `MOVED`, `LOCKED` … */
  readonly type: string;
  /** Null: of a node that is no longer shown to the route, and was elsewhere. */
  readonly path: string | null;
  /** Where a moved node was. */
  readonly sourcePath: string | null;
  readonly id: string;
  readonly nodeType: string | null;
  readonly userId: string;
  /** ms */
  readonly timestamp: number;
  /** Behind it. */
  readonly place: string;
}

/** Whose command or query it is: that of a route, or of whoever tries an endpoint. */
export interface Origin {
  /** Null: an exchange that is in no route. */
  readonly routeId: string | null;
  readonly exchangeId: string;
  /** W3C trace context of the exchange. */
  readonly traceparent?: string;
  /** Of an exchange that is in no route: whoever sent it. */
  readonly user?: OriginUser;
}

export interface OriginUser {
  readonly userId: string;
  /** Who that was; null: nobody knew. */
  readonly principalId: string | null;
}

export interface CommandOrigin extends Origin {
  /** The same whenever the same step of the same exchange is tried again. */
  readonly key: string;
}

/** Bytes that are to become content, by a name of whoever stages them. */
export type StageStep =
  /** Resolves when the next piece may come. */
  | { readonly name: string; readonly piece: Uint8Array }
  /** That was the last one. @returns {@link StoredContent} */
  | { readonly name: string; readonly piece: Uint8Array; readonly end: 'seal' }
  | { readonly name: string; readonly end: 'discard' };

/** Content that is stored, and that a command may name. */
export type StoredContent =
  | { readonly blob: string; readonly size: number }
  /** Base64 */
  | { readonly inline: string; readonly size: number };

/** A value of a property: text, number, boolean, Date, bytes, or a list of these. Null removes the property. */
export type PropertyValues = Readonly<Record<string, unknown>>;
/** Variables of a process by their names, with values that JSON has. */
export type VariableValues = Readonly<Record<string, unknown>>;

export type NodeCommand =
  /** @returns {@link WrittenNode} */
  | {
      readonly kind: 'cms.write';
      readonly path: string;
      /** Bytes of a file; absent: the properties alone. */
      readonly content?: StoredContent;
      readonly mimeType?: string;
      /** The node's type where it is not there. Default: `nt:file` with bytes; without, `nt:folder` in a folder, else `nt:unstructured`. */
      readonly nodeType?: string;
      readonly properties: PropertyValues;
      /** Whether folders above are made. */
      readonly createsParents: boolean;
      readonly exists: 'override' | 'fail' | 'ignore';
      /** CONFLICT where the node has another version; 0: where it is there. */
      readonly expectedVersion?: number;
    }
  /** @returns whether it was there */
  | { readonly kind: 'cms.delete'; readonly path: string; readonly expectedVersion?: number };

export type ProcessCommand =
  /** @returns the instance's id */
  | {
      readonly kind: 'bpm.start';
      readonly processDefinitionKey: string;
      readonly businessKey?: string;
      /** The id that it gets. Default: a new one. */
      readonly instanceId?: string;
      readonly variables: VariableValues;
    }
  /** @returns the id of the instance that got it */
  | {
      readonly kind: 'bpm.correlate';
      readonly messageName: string;
      readonly businessKey?: string;
      readonly processInstanceId?: string;
      readonly variables: VariableValues;
    }
  /** @returns null */
  | { readonly kind: 'bpm.complete'; readonly taskId: string; readonly variables: VariableValues }
  /** @returns null */
  | {
      readonly kind: 'bpm.signal';
      readonly signalName: string;
      readonly processInstanceId?: string;
      readonly variables: VariableValues;
    };

/** Takes a route through its life, as the API does. Answered when it is so. @returns null */
export interface RouteCommand {
  readonly kind: 'routes.operate';
  readonly verb: 'start' | 'stop' | 'suspend' | 'resume';
  readonly routeId: string;
  /** Why it counts as failed. */
  readonly failure?: RouteFault;
}

export type WorkspaceCommand = NodeCommand | ProcessCommand;

/** A command within a block, and the route that it is of. */
export interface BlockStep {
  readonly command: WorkspaceCommand;
  readonly routeId: string;
}

export interface ReadVersion {
  readonly path: string;
  /** Null: there was no such node. */
  readonly version: number | null;
}

/** All commands of a block as one: what changes nodes is one commit, and processes are moved behind it, in their order. CONFLICT where a node is not as it was read. @returns null */
export interface BlockCommand {
  readonly kind: 'block';
  readonly steps: readonly BlockStep[];
  readonly reads: readonly ReadVersion[];
}

export interface WrittenNode {
  readonly id: string;
  readonly path: string;
  readonly isNew: boolean;
  readonly version: number;
}

export type RouteQuery =
  /** @returns its state (`Started`), or null where there is none */
  | { readonly kind: 'routes.status'; readonly routeId: string }
  /** Counters of a route, or of all (null), as Camel's XML. @returns null where there is no such route */
  | { readonly kind: 'routes.statistics'; readonly routeId: string | null };

export type NodeQuery =
  /** A node with its content; `pending`: as after what the block has changed by then. @returns {@link ReadNode} */
  | { readonly kind: 'cms.node'; readonly path: string; readonly pending?: readonly BlockStep[] }
  /** A page of the children of a node. @returns {@link NodePage} */
  | {
      readonly kind: 'cms.children';
      readonly path: string;
      readonly limit: number;
      /** Behind which; null: from the first. */
      readonly after: string | null;
      /** What the block has changed by then. Default: nothing. */
      readonly pending?: readonly BlockStep[];
    }
  /** A page of the nodes below one that fit, by their paths; it may have fewer than `limit` and go on. @returns {@link NodePage} */
  | {
      readonly kind: 'cms.query';
      readonly path: string;
      /** A type or mixin, their subtypes with it. */
      readonly nodeType?: string;
      /** `*` stands for any characters, `?` for one. */
      readonly name?: string;
      /** As `name`. */
      readonly mimeType?: string;
      /** Texts of values, one of which a property must have; null: there must be no such property. */
      readonly properties: Readonly<Record<string, string | null>>;
      readonly limit: number;
      /** Behind which; null: from the first. */
      readonly after: string | null;
      /** What the block has changed by then. Default: nothing. */
      readonly pending?: readonly BlockStep[];
    }
  /** Some of the bytes of content that a node was read with. @returns Uint8Array */
  | {
      readonly kind: 'cms.bytes';
      readonly blob: string;
      readonly size: number;
      readonly from: number;
      readonly length: number;
    };

export type WorkspaceQuery = NodeQuery | RouteQuery;

export interface WorkspaceNode {
  readonly id: string;
  readonly path: string;
  readonly name: string;
  readonly nodeType: string;
  readonly version: number;
  /** Texts, numbers, booleans, lists of these; bytes are left out. */
  readonly properties: Readonly<Record<string, unknown>>;
  readonly mimeType: string | null;
  /** ISO 8601. */
  readonly modified: string | null;
  /** Its bytes: all of them, or where they are to be had; null: it has none, or they were not asked for. */
  readonly content: { readonly bytes: Uint8Array } | { readonly blob: string; readonly size: number } | null;
  /** How many those are. */
  readonly size: number | null;
}

export interface ReadNode {
  /** Null: there is none. */
  readonly node: WorkspaceNode | null;
  /** Its version without what is pending; null: there was none. */
  readonly version: number | null;
}

export interface NodePage {
  readonly nodes: readonly WorkspaceNode[];
  /** Where the next page begins; null: there is none. */
  readonly after: string | null;
}
