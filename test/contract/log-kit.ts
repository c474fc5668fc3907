import type { Logs } from '../../src/store/log/logs.js';

/** What the contract must know of a log. A log is added by writing one kit and calling {@link storeContract} with it. */
export interface LogKit {
  /** As the tests name it: `the local log`. */
  readonly name: string;
  /**
   * Whether commits outlast the process and the replica is a file. The one exception from the contract: a log that lasts as long as the
   * process (the memory log, for tests and benches) skips what other threads read from the file, what a restart finds, and what a kill leaves:
   * lists, reader, indexer, projections, read your writes, restart, kill.
   */
  readonly hasFiles: boolean;
  /** How often a log is struck by the kill of the process that writes it, and three others; 0 where nothing outlasts the process that makes the place. */
  readonly kills: number;
  /** How many random histories the tests against a model go through. */
  readonly modelRuns: number;
  /** A new place for logs, with nothing in it. */
  make(): Promise<LogPlace>;
}

/** Where the logs of one test are. */
export interface LogPlace {
  /** The data folder: replicas are `<folder>/<partition>/log.db`. */
  readonly folder: string;
  /** New logs on what is stored here, as a server has after its start. Those given before must be closed. */
  logs(): Logs;
  /** For a process that opens the same logs by `logsOfChild`. */
  readonly child: ChildPlace;
  /** What can be killed beside the process that writes; it comes back by itself. */
  readonly killOther?: () => Promise<void>;
  /** Takes away all that is stored here. */
  remove(): Promise<void>;
}

/** What a process is told of a place: plain data. */
export interface ChildPlace {
  readonly folder: string;
  readonly redisUrl?: string;
}
