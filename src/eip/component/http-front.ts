/** Where HTTP requests for the routes of a workspace come in: the server's front, below `/routes/<workspace>`. */
export interface HttpFront {
  /**
   * Serves requests of a path. Gives what ends that; whoever is served then is answered still. @throws ExchangeFailure where another one serves the same method and path
   */
  mount(mount: HttpMount): () => void;
}

/** A place that a route serves over HTTP, as plain data: path and methods. */
export interface HttpPlace {
  /** Below the workspace's own path: `/orders/{id}`. A name in braces stands for one part of a path; a `*` at the end for all that follow. */
  readonly path: string;
  /** In upper case. Empty: any. */
  readonly methods: readonly string[];
  /** Whoever asks need not say who they are. */
  readonly isOpen: boolean;
  /** The route that serves it. */
  readonly routeId: string;
}

/** A place with the route's answer to its requests. */
export interface HttpMount extends HttpPlace {
  serve(request: HttpRequest): Promise<HttpReply>;
}

/** The head of a request, as plain data. */
export interface HttpRequestHead {
  readonly method: string;
  /** Below the workspace's own path, as it came, without the query: `/orders/a%20b`. */
  readonly path: string;
  /** Behind the question mark, as it came. Null: there is none. */
  readonly query: string | null;
  /** The whole address, as the client wrote it. */
  readonly url: string;
  /** What the names in braces of the mount's path stand for, decoded. */
  readonly parameters: Readonly<Record<string, string>>;
  /** In the order and case in which they came; a name may be there several times. Nothing in them shows the server who somebody is. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The user who asks. Null: nobody knows, and the mount is open. */
  readonly userId: string | null;
  readonly remoteAddress: string;
}

export interface HttpRequest extends HttpRequestHead {
  /** Null: there is none. */
  readonly body: Uint8Array | AsyncIterable<Uint8Array> | null;
}

/** The head of an answer, as plain data. */
export interface HttpReplyHead {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

export interface HttpReply extends HttpReplyHead {
  readonly body: string | Uint8Array | AsyncIterable<Uint8Array> | null;
}
