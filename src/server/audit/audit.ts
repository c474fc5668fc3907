import type { AuditEntry, AuditFilter, AuditLog, AuditPage } from '../../shared/audit.js';
import type { Clock } from '../../shared/clock.js';
import { systemTime, type Time } from '../../shared/time.js';
import { CommitRecorder, type PartitionPort, type Records } from '../../store/index.js';
import type { Warning } from '../http/readiness.js';
import { AUDIT_PACKING, addEntry, entryOfUnknown } from './audit-entry.js';
import { Flood } from './flood.js';

export const AUDIT_STREAM = 'audit';

/** A log that cannot be written for so long is a problem of the server. */
const FAILING_MS = 10_000;

/** The audit log of all workspaces: what was done is made of their commits, what was refused is noted beside it. */
export class Audit implements AuditLog {
  readonly #records: Records;
  readonly #clock: Clock;
  readonly #time: Time;
  readonly #flood: Flood;
  readonly #recorders = new Map<string, CommitRecorder>();

  /** `clock`: the domain's. */
  constructor(records: Records, clock: Clock, time: Time = systemTime) {
    this.#records = records;
    this.#clock = clock;
    this.#time = time;
    this.#flood = new Flood(time, (partition, entry) =>
      this.#records.append(partition, AUDIT_STREAM, { at: clock.now(), ...entry }),
    );
  }

  /** Follows the commits of a partition. */
  follower(partition: string): CommitRecorder {
    const recorder = new CommitRecorder(partition, {
      records: this.#records,
      stream: AUDIT_STREAM,
      packing: AUDIT_PACKING,
      addRow: addEntry,
      rowOfUnknown: (commits) => entryOfUnknown(commits, this.#clock.now()),
      time: this.#time,
    });
    this.#recorders.set(partition, recorder);
    return recorder;
  }

  /** Goes on where its entries end. */
  begin({ id, replica }: Pick<PartitionPort, 'id' | 'replica'>): void {
    this.#recorders.get(id)?.begin(replica.feed);
  }

  /** Writes what waits of a partition that is closed, and lets go of its file. */
  async end(partition: string): Promise<void> {
    const recorder = this.#recorders.get(partition);
    this.#recorders.delete(partition);
    await recorder?.close();
    await this.#records.forget(partition);
  }

  /** Whether commits could not be recorded for a while. */
  get problems(): readonly Warning[] {
    const isFailing = [...this.#recorders.values()].some((recorder) => recorder.failingMs() >= FAILING_MS);
    return isFailing ? [BEHIND] : [];
  }

  note(partition: string, entry: Omit<AuditEntry, 'at'>): void {
    this.#flood.note(partition, entry);
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

  /** Removes what is older than is kept. */
  trim(partition: string): Promise<void> {
    return this.#records.trim(partition);
  }

  /** Writes what waits. Called when the store is closed. */
  async close(): Promise<void> {
    this.#flood.flush();
    await Promise.all([...this.#recorders.values()].map((recorder) => recorder.close()));
    await this.#records.close();
  }
}

const BEHIND: Warning = {
  reason: 'audit_behind',
  message: 'the audit log cannot be written: what is done goes into it when it can, as long as the log keeps that',
};
