/** Something that somebody did, or was refused. It holds names alone: neither secrets nor values. */
export interface AuditEntry {
  /** ms, domain clock. */
  readonly at: number;
  /** Who, as it was signed in; what was typed, where a sign-in failed. */
  readonly userId: string;
  /** The mutation, or another root field; `signIn`, `signOut`, `request`; the type of a long job that has ended. */
  readonly type: string;
  /** What it was about: paths of nodes, or `task/…`. The first ten. */
  readonly targets: readonly string[];
  /** `DONE`, or the code of the refusal; of long jobs also `FAILED` and `ABORTED`, of exchanges that were sent `FAILED`. */
  readonly outcome: string;
  /** Where from, of sign-ins and requests. */
  readonly address?: string;
  /** How many of its kind it stands for. Default 1. */
  readonly count?: number;
}

/** Which entries are wanted. What is not given is not looked at. */
export interface AuditFilter {
  readonly userId?: string | undefined;
  readonly type?: string | undefined;
  /** `from <= at < to`, ms. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** Which part of the entries is wanted, newest first. */
export interface AuditPage {
  readonly limit: number;
  /** Behind which place. */
  readonly behind?: string | undefined;
}

/** Who did what. */
export interface AuditLog {
  /** Notes what did not become a commit. */
  note(partition: string, entry: Omit<AuditEntry, 'at'>): void;
  /** @throws BAD_REQUEST a place that is none; UNAVAILABLE */
  read(
    partition: string,
    filter: AuditFilter,
    page: AuditPage,
  ): Promise<readonly { readonly row: AuditEntry; readonly place: string }[]>;
}
