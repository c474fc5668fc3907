import type { Caller, Cause } from '../../shared/caller.js';
import { log as serverLog } from '../../shared/log.js';
import { systemTime, type Time, turn } from '../../shared/time.js';
import type { Command, FeedEvent, Write } from '../decision.js';
import { documentOf } from '../document-text.js';
import type { CommitRecord, DocumentRecord } from '../log/log.js';
import { commitBodyOf } from '../log/packed.js';
import type { AnyCollection } from '../log/schema.js';
import { entryOf } from '../overlay.js';
import type { CommitRow, Replica } from '../replica.js';

/**
 * A commit that is durable, as its followers on this server see it: no more than what the log keeps of it, so that one that landed when nobody
 * waited for it any more is told like the others. Documents of such a one are as they are by then.
 */
export interface Committed {
  readonly record: CommitRecord;
  readonly command: Pick<Command, 'id' | 'type' | 'cause'> & { readonly caller: Pick<Caller, 'userId'> };
  readonly events: readonly FeedEvent[];
  readonly writes: readonly Write[];
}

/** A follower of a partition's landed commits. */
export interface CommitFollower {
  /** Collections that concern it: it is told of commits that write to one of them. Default: of all commits. */
  readonly collections?: readonly AnyCollection[];
  /** The commit is durable; its caller has not been answered yet. */
  committed(commit: Committed): void;
  /** The revision up to which it needs the kept commits no more. Default: it needs none. */
  needless?(): number;
  /** What is stored now is not what followed what was told: it is another history, or lacks commits. */
  renewed?(): void;
}

/** The newest commit that followers were told of. */
export interface Told {
  readonly revision: number;
  /** Of this server's life up to there. */
  readonly events: number;
}

export interface LandedCommitsOptions {
  readonly replica: Replica;
  /** Collections of the documents that commits may have written. */
  readonly collections: readonly AnyCollection[];
  /** Default: the machine's. */
  readonly time?: Time;
}

/** How many commits are read at a time, and how many documents, before others have their turn. */
const READ_COMMITS = 100;
const READ_DOCUMENTS = 200;

/**
 * The commits of a partition that have landed, for all that follow them on this server: each once and in order. The decider tells of those that
 * it made. What else has landed is read back from the replica: a recovery finds out which commits did, and whoever asked for one may have been
 * refused by then, or be nobody at all, but a commit that is not told leaves its jobs standing and every stream with a gap.
 */
export class LandedCommits {
  readonly #replica: Replica;
  readonly #time: Time;
  readonly #collections: ReadonlyMap<string, AnyCollection>;
  /** `names`: of the collections that concern it; undefined: all do. */
  readonly #followers: { readonly follower: CommitFollower; readonly names: ReadonlySet<string> | undefined }[] = [];
  /** The newest commit that was told, and the history that it is of. */
  #told: number;
  #epoch: string;
  #events = 0;

  constructor({ replica, collections, time = systemTime }: LandedCommitsOptions) {
    this.#replica = replica;
    this.#time = time;
    this.#collections = new Map(collections.map((collection) => [collection.name, collection]));
    this.#told = replica.revision();
    this.#epoch = this.#epochNow();
  }

  /** How far the followers were told, and of how many events since this server began. */
  get told(): Told {
    return { revision: this.#told, events: this.#events };
  }

  /** The revision up to which no follower needs the kept commits any more. */
  get needless(): number {
    return Math.min(...this.#followers.map(({ follower }) => follower.needless?.() ?? Number.MAX_SAFE_INTEGER));
  }

  /** From now on the follower is told of each commit that concerns it, behind those that follow already. */
  follow(follower: CommitFollower): void {
    const { collections } = follower;
    this.#followers.push({ follower, names: collections && new Set(collections.map(({ name }) => name)) });
  }

  /** The commit has landed. A follower that fails keeps nobody from being answered. */
  tell(committed: Committed): void {
    const { record, writes } = committed;
    this.#told = record.revision;
    this.#events += record.events;
    try {
      for (const { follower, names } of this.#followers) {
        if (names === undefined || writes.some(({ collection }) => names.has(collection.name)))
          follower.committed(committed);
      }
    } catch (thrown) {
      const { revision, id } = record;
      serverLog.error({ err: thrown, revision, commandId: id }, 'a commit could not be told to everybody');
    }
  }

  /**
   * Tells of all that the replica holds beyond what was told, `known` commits as they were decided. Where the history is another one, or has
   * been shortened beyond what was told, nothing of it is told: followers are `renewed`.
   */
  async catchUp(known: ReadonlyMap<number, Committed>): Promise<void> {
    while (this.#told < this.#replica.revision()) {
      const rows = this.#epochNow() === this.#epoch ? this.#replica.commitsBehind(this.#told, READ_COMMITS) : [];
      if (rows[0]?.revision !== this.#told + 1) return this.#renew();
      for (const row of rows) this.tell(known.get(row.revision) ?? (await this.#readBack(row)));
    }
    if (this.#epochNow() !== this.#epoch || this.#told > this.#replica.revision()) this.#renew();
  }

  #renew(): void {
    this.#epoch = this.#epochNow();
    this.#told = this.#replica.revision();
    for (const { follower } of this.#followers) follower.renewed?.();
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
      const body = this.#replica.body(collection, id);
      const document = body === undefined ? null : documentOf(collection, { id, body });
      writes.push({ collection, id, document });
      documents.push({ collection: name, ...entryOf({ collection, id, document }) });
      if ((read + 1) % READ_DOCUMENTS === 0) await turn(this.#time);
    }
    const record = { ...row, events: events.length, outcome: null, documents };
    return { record, command, events: events as readonly FeedEvent[], writes };
  }

  #epochNow(): string {
    return this.#replica.meta('epoch') ?? '';
  }
}
