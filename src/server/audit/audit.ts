import { NODE_CHANGED } from '../../content/index.js';
import type { AuditEntry, AuditFilter, AuditLog, AuditPage } from '../../shared/audit.js';
import { SYSTEM_USER } from '../../shared/caller.js';
import type { Clock } from '../../shared/clock.js';
import {
  CommitRecorder,
  type FeedEvent,
  type KeptCommit,
  LONG_JOB_PROGRESSED,
  type LongJobProgress,
  type PartitionPort,
  type Records,
} from '../../store/index.js';

export const AUDIT_STREAM = 'audit';

const PERIOD_MS = 10_000;
const LOCKED_OUT_MAX = 20;

/** How many targets an entry names. */
const TARGETS_MAX = 10;

/** The audit log of all workspaces: what was done is made of their commits, what was refused is noted beside it. */
export class Audit implements AuditLog {
  readonly #records: Records;
  readonly #clock: Clock;
  #lockedOut = { period: 0, noted: 0 };
  readonly #recorders = new Map<string, CommitRecorder>();

  /** `clock`: the domain's. */
  constructor(records: Records, clock: Clock) {
    this.#records = records;
    this.#clock = clock;
  }

  /** Follows the commits of a partition. */
  follower(partition: string): CommitRecorder {
    const recorder = new CommitRecorder(partition, { records: this.#records, stream: AUDIT_STREAM, rowOf: entryOf });
    this.#recorders.set(partition, recorder);
    return recorder;
  }

  /** Goes on where its entries end. */
  begin({ id, replica }: Pick<PartitionPort, 'id' | 'replica'>): void {
    this.#recorders.get(id)?.begin(replica.feed);
  }

  /** Tries to sign in while the name or the network is locked out are a flood: of those some are noted in each period. */
  noteSignIn(partition: string, entry: Omit<AuditEntry, 'at'>): void {
    if (entry.outcome === 'RATE_LIMITED') {
      const period = Math.floor(this.#clock.now() / PERIOD_MS);
      this.#lockedOut = { period, noted: period === this.#lockedOut.period ? this.#lockedOut.noted + 1 : 1 };
      if (this.#lockedOut.noted > LOCKED_OUT_MAX) return;
    }
    this.note(partition, entry);
  }

  note(partition: string, entry: Omit<AuditEntry, 'at'>): void {
    this.#records.append(partition, AUDIT_STREAM, { at: this.#clock.now(), ...entry });
  }

  read(partition: string, { userId, type, from, to }: AuditFilter, { limit, behind }: AuditPage) {
    const match = { ...(userId !== undefined && { userId }), ...(type !== undefined && { type }) };
    const times = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
    const place = behind === undefined ? {} : { behind };
    return this.#records.page<AuditEntry>(partition, AUDIT_STREAM, {
      ...{ match, limit, newestFirst: true },
      ...times,
      ...place,
    });
  }

  /** Writes what waits. Called when the store is closed. */
  async close(): Promise<void> {
    await Promise.all([...this.#recorders.values()].map((recorder) => recorder.close()));
    await this.#records.close();
  }
}

/** What the commit says of who did what; undefined: nobody asked for it, or a job did it on behalf of whoever had. */
export function entryOf(commit: KeptCommit | null, revision: number): AuditEntry | undefined {
  if (commit === null)
    return { at: 0, userId: '', type: 'unknown', targets: [`commit/${revision}`], outcome: 'DATA_DAMAGED' };
  const { at, userId, type, cause } = commit;
  if (userId === SYSTEM_USER || cause.jobId !== undefined) return undefined;
  return { at, userId, type, targets: targetsOf(commit), outcome: 'DONE' };
}

/** What the events are about; where there are none, what was written. */
function targetsOf({ events, written }: KeptCommit): readonly string[] {
  const targets = new Set<string>();
  for (const event of events) {
    if (targets.size === TARGETS_MAX) break;
    const target = targetOf(event);
    if (target !== undefined) targets.add(target);
  }
  return targets.size > 0 ? [...targets] : written.slice(0, TARGETS_MAX);
}

function targetOf({ type, ids, data }: FeedEvent): string | undefined {
  const path = type === NODE_CHANGED ? (data as { readonly path?: string | null }).path : undefined;
  if (path != null) return path;
  const workspace = type === LONG_JOB_PROGRESSED ? (data as LongJobProgress).targetWorkspace : ids.workspace;
  if (workspace != null) return `workspace/${workspace}`;
  const [first] = Object.entries(ids).filter(([name, id]) => name.endsWith('Id') && id !== null);
  return first && `${first[0].slice(0, -2)}/${first[1]}`;
}
