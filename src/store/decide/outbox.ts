import { unavailable } from '../../shared/errors.js';
import { storeGroupSize, storeOperationDuration } from '../../shared/metrics.js';
import type { Time } from '../../shared/time.js';
import { errorType, isCollected, isTracing, recordSpan, SpanKind } from '../../shared/trace.js';
import { type CommitRecord, GROUP_BYTES_MAX, GROUP_COMMITS_MAX, GROUP_DOCUMENTS_MAX, type Log } from '../log/log.js';
import type { Unreleased } from './accepted.js';

/** So long may the log take for a group of commits, ms: callers are to be answered within 2 s, whatever becomes of it. */
const LOG_ANSWER_MS = 1_500;

/** Patience with the log: how long it is waited for. While a server starts nobody else waits, so the start does, and goes on when the log is there. */
export class LogPatience {
  readonly #answerMs: number;
  readonly #startMs: number;
  #isStarting: boolean;

  /** `startMs`: how long the log may take until {@link started}; 0: no longer than later. */
  constructor(answerMs = LOG_ANSWER_MS, startMs = 0) {
    this.#answerMs = answerMs;
    this.#startMs = startMs;
    this.#isStarting = startMs > answerMs;
  }

  /** How long the log may take for a group of commits, ms; then whoever waits is refused, and the log is recovered. */
  get answerMs(): number {
    return this.#isStarting ? this.#startMs : this.#answerMs;
  }

  /** Whether a log that fails is waited for, as one that does not answer is. */
  get isStarting(): boolean {
    return this.#isStarting;
  }

  started(): void {
    this.#isStarting = false;
  }
}

/** For whoever has waited before, the log may take less, but this part of the time at least. */
const LEAST_PART = 3;

/** Events of the groups of commits that were sent to the log. */
export interface OutboxEvents {
  /** The group is durable. */
  landed(group: readonly Unreleased[]): void;
  /** A group may or may not be durable: recover. */
  failed(error: Error): void;
}

export interface OutboxOptions extends OutboxEvents {
  readonly log: Log;
  readonly time: Time;
  readonly patience: LogPatience;
}

interface Sent {
  readonly group: Unreleased[];
  /** By when the log must have answered, monotonic ms. */
  readonly until: number;
  isDurable: boolean;
}

/** Decisions that an outbox gave back, in order. */
export interface TakenBack {
  /** The log had it: it may be durable. */
  readonly sent: readonly Unreleased[];
  readonly pending: readonly Unreleased[];
}

/**
 * Decisions that wait for the log, in order. A group goes as soon as the log takes one, so under load groups grow by themselves and
 * share one fsync. A log that takes several at once may answer them in any order; they land in the order in which they were decided.
 */
export class Outbox {
  readonly #log: Log;
  readonly #options: OutboxOptions;
  #pending: Unreleased[] = [];
  #sent: Sent[] = [];
  #scheduled = false;
  #isWatching = false;

  constructor(options: OutboxOptions) {
    this.#log = options.log;
    this.#options = options;
  }

  push(unreleased: Unreleased): void {
    this.#pending.push(unreleased);
    if (this.#scheduled || this.#isBusy) return;
    this.#scheduled = true;
    // What is decided in the same turn of the event loop goes in one group: the commands of all requests that have arrived by now.
    this.#options.time.soon(() => {
      this.#scheduled = false;
      this.#send();
    });
  }

  /** Takes everything back that was not confirmed; what was sent is forgotten. */
  takeBack(): TakenBack {
    const taken = { sent: this.#sent.flatMap(({ group }) => group), pending: this.#pending };
    this.#sent = [];
    this.#pending = [];
    return taken;
  }

  get #isBusy(): boolean {
    return this.#sent.length >= (this.#log.inFlightMax ?? 1);
  }

  #send(): void {
    while (!this.#isBusy && this.#pending.length > 0) this.#sendOne();
  }

  #sendOne(): void {
    const { group, records, documents, bytes } = this.#takeGroup();
    const { time, patience } = this.#options;
    const { answerMs } = patience;
    const now = time.monotonic();
    // A commit that is larger than a group goes alone, and may take as long as so many groups.
    const groups = Math.max(1, Math.ceil(bytes / GROUP_BYTES_MAX), Math.ceil(documents / GROUP_DOCUMENTS_MAX));
    const waited = now - Math.min(now, ...group.map(({ accepted }) => accepted.since));
    const until = now + groups * Math.max(answerMs - waited, answerMs / LEAST_PART);
    const sent: Sent = { group, until, isDurable: false };
    this.#sent.push(sent);
    if (!this.#isWatching) this.#watch(until);
    const system = this.#log.system ?? 'other_sql';
    const ended = watchGroup({ group, size: records.length, bytes, system }, time);
    const durable = records.length === 0 ? Promise.resolve() : this.#log.append(records);
    durable.then(
      () => {
        ended();
        sent.isDurable = true;
        if (this.#pending.length === 0) return this.#land();
        // A port hands over up to 1,000 messages before the event loop goes on, those that came meanwhile included: what is sent in answer to
        // one would keep timers and sockets waiting for as long as there is work.
        time.soon(() => {
          this.#land();
          this.#send();
        });
      },
      (error: Error) => {
        ended(error);
        if (this.#sent.includes(sent)) this.#options.failed(error);
      },
    );
  }

  /** A log that neither answers nor fails has failed: nobody is to wait for it. */
  #watch(until: number): void {
    const { time, patience } = this.#options;
    this.#isWatching = true;
    time.after(until - time.monotonic(), () => {
      this.#isWatching = false;
      const [first] = this.#sent;
      if (first === undefined) return;
      if (first.until > time.monotonic()) this.#watch(first.until);
      else this.#options.failed(unavailable(`the log did not answer within ${patience.answerMs} ms`));
    });
  }

  /** Tells of what is durable, as far as everything decided before is too. */
  #land(): void {
    for (let first = this.#sent[0]; first?.isDurable === true; first = this.#sent[0]) {
      this.#sent.shift();
      this.#options.landed(first.group);
    }
  }

  #takeGroup(): { group: Unreleased[]; records: CommitRecord[]; documents: number; bytes: number } {
    const records: CommitRecord[] = [];
    let documents = 0;
    let bytes = 0;
    let size = 0;
    for (const { commit } of this.#pending) {
      if (commit !== null) {
        const more = sizeOf(commit.record);
        const all = documents + commit.record.documents.length;
        const full = records.length >= GROUP_COMMITS_MAX || all > GROUP_DOCUMENTS_MAX || bytes + more > GROUP_BYTES_MAX;
        if (full && records.length > 0) break;
        documents = all;
        bytes += more;
        records.push(commit.record);
      }
      size++;
    }
    return { group: this.#pending.splice(0, size), records, documents, bytes };
  }
}

const sizeOf = ({ body, documents }: CommitRecord): number =>
  documents.reduce((sum, document) => sum + (document.body?.length ?? 0), body.length);

/** A group of commits on its way to the log, as it is measured. */
interface HandedOver {
  readonly group: readonly Unreleased[];
  /** How many of them are commits. */
  readonly size: number;
  /** Their text, in UTF-16 units. */
  readonly bytes: number;
  /** What the log stores in: `sqlite`. */
  readonly system: string;
}

/** Measures how long a group takes from here until it is durable, or has failed; each commit's span is a child of its command's. */
function watchGroup(handed: HandedOver, time: Time): (error?: unknown) => void {
  if (handed.size === 0 || !isCollected()) return () => {};
  const startTime = time.now();
  const from = time.monotonic();
  return (error) => {
    const tookMs = time.monotonic() - from;
    const system = { 'db.system.name': handed.system };
    const failure = error === undefined ? {} : { 'error.type': errorType(error) };
    storeOperationDuration.record(tookMs / 1000, { ...system, 'db.operation.name': 'commit', ...failure });
    storeGroupSize.record(handed.size, system);
    if (isTracing()) recordCommits(handed, { startTime, endTime: startTime + tookMs, error });
  };
}

function recordCommits(
  { group, size, bytes, system }: HandedOver,
  times: { readonly startTime: number; readonly endTime: number; readonly error: unknown },
): void {
  const common = {
    'db.system.name': system,
    'db.operation.name': 'commit',
    'db.operation.batch.size': size,
    'app.commit.group.bytes': bytes,
  };
  for (const { accepted, commit } of group) {
    if (commit === null) continue;
    const { traceparent } = accepted.command.cause;
    const own = { 'app.revision': commit.record.revision, 'app.commit.documents': commit.record.documents.length };
    recordSpan('commit', { ...times, kind: SpanKind.CLIENT, traceparent, attributes: { ...common, ...own } });
  }
}
