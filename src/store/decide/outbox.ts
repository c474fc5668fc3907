import { type CommitRecord, GROUP_BYTES_MAX, GROUP_COMMITS_MAX, GROUP_DOCUMENTS_MAX, type Log } from '../log/log.js';
import type { Unreleased } from './accepted.js';
import { watchGroup } from './group-watch.js';

/** What the decider hears of its groups. */
export interface OutboxEvents {
  /** The group is durable. */
  landed(group: readonly Unreleased[]): void;
  /** The group may or may not be durable: recover. */
  failed(error: Error): void;
}

interface Sent {
  readonly group: Unreleased[];
  isDurable: boolean;
}

/**
 * What was decided and waits for the log, in order. A group goes as soon as the log takes one, so under load groups grow by themselves and
 * share one fsync. A log that takes several at once may answer them in any order; they land in the order in which they were decided.
 */
export class Outbox {
  readonly #log: Log;
  readonly #events: OutboxEvents;
  #pending: Unreleased[] = [];
  #sent: Sent[] = [];
  #scheduled = false;

  constructor(log: Log, events: OutboxEvents) {
    this.#log = log;
    this.#events = events;
  }

  get isEmpty(): boolean {
    return this.#sent.length === 0 && this.#pending.length === 0;
  }

  push(unreleased: Unreleased): void {
    this.#pending.push(unreleased);
    if (this.#scheduled || this.#isBusy) return;
    this.#scheduled = true;
    // What is decided in the same turn of the event loop goes in one group: the commands of all requests that have arrived by now.
    setImmediate(() => {
      this.#scheduled = false;
      this.#send();
    });
  }

  /** Takes everything back that was not confirmed; what was sent is forgotten. */
  takeBack(): Unreleased[] {
    const all = [...this.#sent.flatMap(({ group }) => group), ...this.#pending];
    this.#sent = [];
    this.#pending = [];
    return all;
  }

  get #isBusy(): boolean {
    return this.#sent.length >= (this.#log.inFlightMax ?? 1);
  }

  #send(): void {
    while (!this.#isBusy && this.#pending.length > 0) this.#sendOne();
  }

  #sendOne(): void {
    const { group, records, bytes } = this.#takeGroup();
    const sent: Sent = { group, isDurable: false };
    this.#sent.push(sent);
    const ended = watchGroup({ group, size: records.length, bytes, system: this.#log.system ?? 'other_sql' });
    const durable = records.length === 0 ? Promise.resolve() : this.#log.append(records);
    durable.then(
      () => {
        ended();
        sent.isDurable = true;
        this.#land();
      },
      (error: Error) => {
        ended(error);
        if (this.#sent.includes(sent)) this.#events.failed(error);
      },
    );
  }

  /** Tells of what is durable, as far as everything decided before is too. */
  #land(): void {
    for (let first = this.#sent[0]; first?.isDurable === true; first = this.#sent[0]) {
      this.#sent.shift();
      this.#events.landed(first.group);
    }
    this.#send();
  }

  #takeGroup(): { group: Unreleased[]; records: CommitRecord[]; bytes: number } {
    const records: CommitRecord[] = [];
    let documents = 0;
    let bytes = 0;
    let size = 0;
    for (const { commit } of this.#pending) {
      if (commit !== null) {
        const more = sizeOf(commit.record);
        documents += commit.record.documents.length;
        const full =
          records.length >= GROUP_COMMITS_MAX || documents > GROUP_DOCUMENTS_MAX || bytes + more > GROUP_BYTES_MAX;
        if (full && records.length > 0) break;
        bytes += more;
        records.push(commit.record);
      }
      size++;
    }
    return { group: this.#pending.splice(0, size), records, bytes };
  }
}

const sizeOf = ({ body, documents }: CommitRecord): number =>
  documents.reduce((sum, document) => sum + (document.body?.length ?? 0), body.length);
