import type { Entry } from '../entries.js';

/** A commit as the log makes it durable. Plain data: it crosses threads. */
export interface CommitRecord {
  /** Dense: one more than the commit before. */
  readonly revision: number;
  readonly id: string;
  /** ms, domain clock */
  readonly at: number;
  /** How many events the body holds. */
  readonly events: number;
  /** Text of a {@link CommitBody}. */
  readonly body: string;
  /** What a client's command is to be answered again; null where the id is not a client's. */
  readonly outcome: { readonly id: string; readonly body: string } | null;
  readonly documents: readonly DocumentRecord[];
}

/** One document of a commit, under its collection's name. */
export interface DocumentRecord extends Omit<Entry, 'revision' | 'document'> {
  readonly collection: string;
}

/** The body of a commit's row: the feed's part and what changed. */
export interface CommitBody {
  readonly type: string;
  readonly userId: string;
  readonly events: readonly unknown[];
  /** Written documents, and those that were removed, with a null behind their id. */
  readonly docs: readonly (readonly [collection: string, id: string, gone?: null])[];
  readonly cause?: unknown;
}

/** How large a group may become. */
export const GROUP_COMMITS_MAX = 32;
export const GROUP_DOCUMENTS_MAX = 600;
export const GROUP_BYTES_MAX = 1_048_576;

/**
 * Makes durable, in order, what one decider hands to it. Every log passes the same contract suite.
 */
export interface Log {
  /** What it stores in, as telemetry names it (`db.system.name`). Default `other_sql`. */
  readonly system?: string;
  /**
   * Appends a group: all of it is durable, and visible to the replica, when the promise resolves. When it rejects, the decider must
   * {@link recover} before it decides again: the group may or may not be there.
   */
  append(group: readonly CommitRecord[]): Promise<void>;
  /** How many groups it takes at once, each before the one before is durable. Default 1. */
  readonly inFlightMax?: number;
  /** Makes the log usable again after a failure; rejects while it is not. Afterwards nothing sent earlier can land. */
  recover(): Promise<void>;
  /** Resolves when the log takes writes; what proves it does not stay. @throws UNAVAILABLE */
  probe(): Promise<void>;
  /** Says who is told when the log is found to be gone although nothing was asked of it. A log that cannot go by itself has none. */
  onLost?(listener: (error: Error) => void): void;
  /** Removes commits up to `revision` from the feed, and outcomes kept since before `outcomesBefore` (ms). */
  trim(revision: number, outcomesBefore: number): Promise<void>;
  close(): Promise<void>;
}

/** A fault of the log that a retry cannot mend: what was decided contradicts what is stored. The partition stops. */
export class LogBroken extends Error {
  override readonly name = 'LogBroken';
}
