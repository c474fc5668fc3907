import type { Cause } from '../../shared/caller.js';
import { log as serverLog } from '../../shared/log.js';
import { turn } from '../../shared/time.js';
import type { Committed } from '../decide/commit.js';
import type { DeciderOptions } from '../decide/decider-options.js';
import type { FeedEvent, Write } from '../decision.js';
import { documentOf } from '../document-text.js';
import { commitBodyOf } from '../log/commit-text.js';
import type { DocumentRecord } from '../log/log.js';
import type { AnyCollection } from '../log/schema.js';
import { entryOf } from '../overlay.js';
import type { CommitRow } from '../replica.js';

export type TellerOptions = Pick<DeciderOptions, 'replica' | 'collections' | 'time' | 'committed' | 'renewed'>;

/** How many commits are read at a time, and how many documents, before others have their turn. */
const READ_COMMITS = 100;
const READ_DOCUMENTS = 200;

/**
 * Tells observers of every durable commit, once and in order. A recovery finds out what landed; whoever asked for it may have been refused by then,
 * or be nobody at all, but a commit that is not told leaves its jobs standing and every stream with a gap.
 */
export class Teller {
  readonly #options: TellerOptions;
  readonly #collections: ReadonlyMap<string, AnyCollection>;
  /** The newest commit that was told, and the history that it is of. */
  #told: number;
  #epoch: string;

  constructor(options: TellerOptions) {
    this.#options = options;
    this.#collections = new Map(options.collections.map((collection) => [collection.name, collection]));
    this.#told = options.replica.revision();
    this.#epoch = this.#epochNow();
  }

  /** An observer that fails keeps nobody from being answered. */
  tell(committed: Committed): void {
    this.#told = committed.record.revision;
    try {
      this.#options.committed(committed);
    } catch (thrown) {
      const { revision, id } = committed.record;
      serverLog.error({ err: thrown, revision, commandId: id }, 'a commit could not be told to everybody');
    }
  }

  /**
   * Tells of all that the replica holds beyond what was told, `known` commits as they were decided. Where the history is another one, or has
   * been shortened beyond what was told, nothing of it is told: it is `renewed`.
   */
  async catchUp(known: ReadonlyMap<number, Committed>): Promise<void> {
    const { replica } = this.#options;
    while (this.#told < replica.revision()) {
      const rows = this.#epochNow() === this.#epoch ? replica.commitsBehind(this.#told, READ_COMMITS) : [];
      if (rows[0]?.revision !== this.#told + 1) return this.#renew();
      for (const row of rows) this.tell(known.get(row.revision) ?? (await this.#readBack(row)));
    }
    if (this.#epochNow() !== this.#epoch || this.#told > replica.revision()) this.#renew();
  }

  #renew(): void {
    this.#epoch = this.#epochNow();
    this.#told = this.#options.replica.revision();
    this.#options.renewed();
  }

  /** A commit as the log keeps it. Documents of collections that are not known here are passed over. */
  async #readBack(row: CommitRow): Promise<Committed> {
    const { type, userId, events, docs, cause = {} } = commitBodyOf(row.body);
    const command = { id: row.id, type, cause: cause as Cause, caller: { userId } };
    const documents: DocumentRecord[] = [];
    const writes: Write[] = [];
    for (const [read, [name, id]] of docs.entries()) {
      const collection = this.#collections.get(name);
      if (collection === undefined) continue;
      const body = this.#options.replica.body(collection, id);
      const document = body === undefined ? null : documentOf(collection, { id, body });
      writes.push({ collection, id, document });
      documents.push({ collection: name, ...entryOf({ collection, id, document }, row.revision) });
      if ((read + 1) % READ_DOCUMENTS === 0) await turn(this.#options.time);
    }
    const record = { ...row, events: events.length, outcome: null, documents };
    return { record, command, events: events as readonly FeedEvent[], writes };
  }

  #epochNow(): string {
    return this.#options.replica.meta('epoch') ?? '';
  }
}
