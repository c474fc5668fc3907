/** Where HTTP requests for the routes of a workspace come in: the server's front, below `/routes/<workspace>`. */
export interface HttpFront {
  /**
   * Serves requests of a path. Gives what ends that; whoever is served then is answered still. @throws ExchangeFailure where another one serves the same method and path
   */
  mount(mount: HttpMount): () => void;
}

/** What serves requests. */
export interface HttpMount {
  /** Below the workspace's own path: `/orders/{id}`. A name in braces stands for one part of a path; a `*` at the end for all that follow. */
  readonly path: string;
  /** In upper case. Empty: any. */
  readonly methods: readonly string[];
  /** Whoever asks need not say who they are. */
  readonly isOpen: boolean;
  serve(request: HttpRequest): Promise<HttpReply>;
}

export interface HttpRequest {
  readonly method: string;
  /** Below the workspace's own path, decoded. */
  readonly path: string;
  /** Behind the question mark, as it came. */
  readonly query: string;
  /** The whole address, as the client wrote it. */
  readonly url: string;
  /** In the order and case in which they came; a name may be there several times. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The user who asks. Absent: nobody knows, and the mount is open. */
  readonly userId?: string;
  readonly remoteAddress?: string;
  readonly body: AsyncIterable<Uint8Array>;
}

export interface HttpReply {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | Uint8Array | AsyncIterable<Uint8Array> | null;
}
