/** Nodes and processes of the workspace that a route is of, as the user who deployed the route. Everything that passes is plain data. */
export interface WorkspacePort {
  /**
   * Sends a command. `key` makes it one: sent again under the same key, it is done once, and answers as before. @throws RouteFailure-like errors with a `code`
   * (NOT_FOUND, FORBIDDEN, CONFLICT, BAD_REQUEST, UNAVAILABLE), as the API has them
   */
  send(command: WorkspaceCommand, by: CommandOrigin): Promise<unknown>;
  /** Reads what is there. @throws as above */
  read(query: WorkspaceQuery, by: CommandOrigin): Promise<unknown>;
  /** Tells changes of nodes at and below a path as they come, from the place where it was left. Gives what ends it. */
  watch(watch: NodeWatch): () => void;
}

/** Whose command it is: the route's, and which exchange and step sends it. */
export interface CommandOrigin {
  readonly routeId: string;
  readonly exchangeId: string;
  /** The same for each attempt of the same step of the same exchange. */
  readonly key: string;
}

export type WorkspaceCommand =
  | {
      readonly kind: 'cms.write';
      readonly path: string;
      /** Bytes of a file; absent: the properties alone. */
      readonly content?: Uint8Array;
      readonly mimeType?: string;
      readonly encoding?: string;
      /** The node's type where it is not there. Default: `nt:file` with bytes, else `nt:unstructured`. */
      readonly nodeType?: string;
      readonly properties?: Readonly<Record<string, unknown>>;
      /** Whether folders above are made. */
      readonly createsParents: boolean;
      /** CONFLICT where the node has another version. */
      readonly expectedVersion?: number;
    }
  | { readonly kind: 'cms.delete'; readonly path: string; readonly expectedVersion?: number }
  | {
      readonly kind: 'bpm.start';
      readonly processDefinitionKey: string;
      readonly businessKey?: string;
      readonly variables: Readonly<Record<string, unknown>>;
    }
  | {
      readonly kind: 'bpm.correlate';
      readonly messageName: string;
      readonly businessKey?: string;
      readonly processInstanceId?: string;
      readonly correlationKeys: Readonly<Record<string, unknown>>;
      readonly variables: Readonly<Record<string, unknown>>;
      readonly toAll: boolean;
    }
  | { readonly kind: 'bpm.complete'; readonly taskId: string; readonly variables: Readonly<Record<string, unknown>> }
  | {
      readonly kind: 'bpm.signal';
      readonly signalName: string;
      readonly executionId?: string;
      readonly variables: Readonly<Record<string, unknown>>;
    };

export type WorkspaceQuery =
  /** A node; `content`: with its bytes. @returns a {@link WorkspaceNode}, or null where there is none */
  | { readonly kind: 'cms.node'; readonly path: string; readonly content: boolean }
  /** Children of a node by their names. @returns {@link WorkspaceNode}s */
  | {
      readonly kind: 'cms.children';
      readonly path: string;
      readonly nodeType?: string;
      readonly offset: number;
      readonly limit: number;
    };

export interface WorkspaceNode {
  readonly path: string;
  readonly name: string;
  readonly nodeType: string;
  readonly version: number;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly mimeType?: string;
  readonly size?: number;
  /** ISO 8601. */
  readonly modified?: string;
  /** Its bytes, where they were asked for: at once, or as they come. */
  readonly content?: Uint8Array | AsyncIterable<Uint8Array>;
}

export interface NodeWatch {
  readonly routeId: string;
  readonly path: string;
  readonly deep: boolean;
  /** One change. The next comes when it resolves; rejected: the same one comes again later. */
  changed(change: NodeChange): Promise<void>;
  /** It can go on no more. */
  failed(thrown: unknown): void;
}

export interface NodeChange {
  readonly type: 'CREATED' | 'MODIFIED' | 'DELETED' | 'MOVED';
  readonly path: string;
  readonly oldPath?: string;
  /** Where it stands among all changes of the workspace. */
  readonly position: number;
  readonly userId?: string;
  /** ISO 8601. */
  readonly timestamp: string;
}
