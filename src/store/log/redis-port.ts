/** A connection to Redis. */
export interface RedisLink {
  readonly isOpen: boolean;
  /**
   * Sends a command; gives its reply in the forms of RESP 2: null, numbers, texts, and lists of them. Commands are done, and answered, in the order
   * in which they are sent. Rejects with what Redis refuses, and when the connection is lost: then it may be done or not.
   */
  send(words: readonly string[]): Promise<unknown>;
  /** Ends it at once; whoever waits is told. */
  close(): void;
}

/** A connection that is being made. */
export interface OpeningLink extends RedisLink {
  /** Resolves when commands may be sent; rejects when there will be no connection. */
  readonly opened: Promise<void>;
}

/** A Redis server, as a log reaches it. */
export interface RedisPort {
  /** Where it is, as messages may show it. */
  readonly name: string;
  /** Loads what connections need of this machine: of the time that Redis may take, nothing is spent on that. */
  load(): Promise<void>;
  /** A connection for commits: nothing is sent twice, and when it is lost it stays so. */
  connect(): OpeningLink;
}

/** A Redis server, as the thread of the replicas reaches it. */
export interface RedisStreamsPort {
  /**
   * A connection for reading, which may wait for what is not there yet. It is made by what is first sent; with `comesBack` a lost one is made again,
   * for as long as it takes, and what was asked is asked again.
   */
  reader(comesBack: boolean): RedisLink;
}
