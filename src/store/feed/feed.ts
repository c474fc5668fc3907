import type { Cause } from '../../shared/caller.js';
import { ServiceError } from '../../shared/errors.js';
import { systemTime, type Time, turn } from '../../shared/time.js';
import type { FeedEvent } from '../decision.js';
import { commitBodyOf } from '../log/packed.js';
import type { Replica } from '../replica.js';
import type { CommitFollower, Committed } from './landed-commits.js';
import { COMMIT_END, encodePosition, type Place } from './position.js';

/** An event where it stands in the feed. */
export interface FeedEntry {
  readonly event: FeedEvent;
  /** ms, domain clock */
  readonly at: number;
  readonly userId: string;
  readonly revision: number;
  readonly index: number;
  /** The token behind this event. */
  readonly position: string;
}

/** A commit as the log keeps it. */
export interface KeptCommit {
  /** ms, domain clock */
  readonly at: number;
  /** The command's. */
  readonly type: string;
  readonly userId: string;
  readonly cause: Cause;
  readonly events: readonly FeedEvent[];
  /** Collection and id of each document: `task/…`. */
  readonly written: readonly string[];
}

/** How many commits with events are kept in memory for followers that are nearly up to date: several times what is in flight at once. */
const RECENT_COMMITS_MAX = 250;
const READ_COMMITS = 100;
/** After so many events others have their turn, however many more there are. */
const PAUSE_ENTRIES = 200;

/** One in so many events that a follower wants none of is given to it all the same. */
const OTHERS = 1_000;

/** How many followers look at the feed in one turn of the event loop. */
const WAKES_PER_TURN = 250;

interface Recent {
  /** The history that it is of; another may have begun since it was read. */
  readonly epoch: string;
  readonly revision: number;
  readonly at: number;
  readonly userId: string;
  readonly events: readonly FeedEvent[];
  /** Whether what is stored of it is not what was written: there are no events then. */
  readonly isDamaged?: boolean;
}

/** Options of following a feed: which events are given, and up to where. */
export interface FollowOptions {
  /** Gives events of these types, and one in a thousand of the others, so that whoever keeps its place comes along. Default: all events. */
  readonly types?: readonly string[];
  /** Gives only the events that are durable already. Default: false. */
  readonly toEnd?: boolean;
  /** Goes on behind a commit that is damaged, for those who look at the state anyway. Default: whoever follows is told to read anew. */
  readonly passDamaged?: boolean;
}

/** The ordered record of what happened in a partition, for followers on this server. */
export class Feed implements CommitFollower {
  readonly partition: string;
  readonly #replica: Replica;
  readonly #time: Time;
  #recent: Recent[] = [];
  /** Everything after this revision is in `#recent`. */
  #recentAfter: number;
  readonly #wakes = new Set<() => void>();
  /** Those that are being woken. */
  readonly #woken: (() => void)[] = [];
  #epoch: string;
  #ended: ServiceError | undefined;

  constructor(partition: string, replica: Replica, time: Time = systemTime) {
    this.partition = partition;
    this.#replica = replica;
    this.#time = time;
    this.#epoch = replica.meta('epoch') ?? '';
    this.#recentAfter = replica.revision();
  }

  /** Which history this is. */
  get epoch(): string {
    return this.#epoch;
  }

  /** What is stored is another history, or lacks commits: whoever follows is told to read anew, or goes on with what is there. */
  renewed(): void {
    this.#epoch = this.#replica.meta('epoch') ?? '';
    this.#recent = [];
    this.#recentAfter = this.#replica.revision();
    this.#wake();
  }

  /** The token behind everything that is durable up to `revision` (default: now). */
  position(revision: number = this.newest()): string {
    return encodePosition([{ partition: this.partition, epoch: this.#epoch, revision, index: COMMIT_END }]);
  }

  /** The revision from which on events are kept. */
  oldest(): number {
    this.#requireOpen();
    return Number(this.#replica.meta('trimmed') ?? 0);
  }

  /** The commits that are kept after `revision`, those without events too, oldest first. Null stands for one that is damaged. */
  keptCommits(
    revision: number,
    limit: number,
  ): readonly { readonly revision: number; readonly commit: KeptCommit | null }[] {
    return this.#replica.commitsAfter(revision, limit, 'all').map((row) => {
      if (row.damage !== undefined) return { revision: row.revision, commit: null };
      const { type, userId, cause = {}, events, docs } = commitBodyOf(row.body);
      const written = docs.map(([name, id]) => `${name}/${id}`);
      const facts = {
        at: row.at,
        type,
        userId,
        cause: cause as Cause,
        events: events as readonly FeedEvent[],
        written,
      };
      return { revision: row.revision, commit: facts };
    });
  }

  /** The newest revision that is durable here. */
  newest(): number {
    this.#requireOpen();
    return this.#replica.revision();
  }

  /** A commit is durable: followers go on. */
  committed({ record, events, command }: Committed): void {
    if (events.length === 0) return;
    const { revision, at } = record;
    this.#recent.push({ epoch: this.#epoch, revision, at, userId: command.caller.userId, events });
    if (this.#recent.length > 2 * RECENT_COMMITS_MAX) {
      this.#recent = this.#recent.slice(-RECENT_COMMITS_MAX);
      this.#recentAfter = (this.#recent[0]?.revision ?? 1) - 1;
    }
    this.#wake();
  }

  /** There is nothing to be read any more: whoever follows is told why, and whoever would. */
  end(why: ServiceError): void {
    this.#ended = why;
    this.#recent = [];
    this.#wake();
  }

  /** All that wait now; thousands in several turns of the event loop, as each looks at the feed at once. */
  #wake(): void {
    const isUnderWay = this.#woken.length > 0;
    this.#woken.push(...this.#wakes);
    this.#wakes.clear();
    if (!isUnderWay) this.#wakeNext();
  }

  #wakeNext(): void {
    for (const wake of this.#woken.splice(0, WAKES_PER_TURN)) wake();
    if (this.#woken.length > 0) this.#time.soon(() => this.#wakeNext());
  }

  /**
   * Events behind the place, then each new one as it becomes durable, until `signal` aborts. Without a place: from now on.
   * @throws RESYNC_REQUIRED when the place is of another history, or older than what is kept, or a commit behind it is damaged; what the feed
   * {@link end}ed with
   */
  async *follow(
    after: Place | null,
    signal: AbortSignal,
    { types, toEnd = false, passDamaged = false }: FollowOptions = {},
  ): AsyncGenerator<FeedEntry> {
    this.check(after);
    const epoch = this.#epoch;
    let revision = after?.revision ?? this.#replica.revision();
    if (after !== null && after.index !== COMMIT_END) yield* this.#rest(after, passDamaged);
    const isGiven = choice(types);
    while (!signal.aborted) {
      const commits = this.#read(revision, epoch);
      yield* this.#paced(commits, isGiven, passDamaged);
      revision = commits.at(-1)?.revision ?? revision;
      if (commits.length > 0) continue;
      if (toEnd) return;
      await this.#more(revision, signal);
    }
  }

  /** Whoever takes them at once would take those of a large commit without a pause. */
  async *#paced(commits: readonly Recent[], isGiven: Choice, passDamaged: boolean): AsyncGenerator<FeedEntry> {
    let seen = 0;
    for (const commit of commits) {
      if (commit.isDamaged && !passDamaged) throw resyncRequired('commit_damaged');
      for (const [index, event] of commit.events.entries()) {
        if (isGiven(event)) yield this.#entry(commit, event, index);
        if (++seen % PAUSE_ENTRIES === 0) await turn(this.#time);
      }
    }
  }

  /** What follows the place within its own commit. It is stored, but need not have been told yet: whoever was far behind may have been shown it. */
  *#rest({ revision, index }: Place, passDamaged: boolean): Generator<FeedEntry> {
    for (const commit of this.#stored(revision - 1, 1, this.#epoch)) {
      if (commit.revision !== revision) return;
      if (commit.isDamaged && !passDamaged) throw resyncRequired('commit_damaged');
      for (const [i, event] of commit.events.entries()) if (i > index) yield this.#entry(commit, event, i);
    }
  }

  /** @throws RESYNC_REQUIRED as {@link follow} */
  check(after: Place | null): void {
    this.#requireOpen();
    if (after === null) return;
    if (after.epoch !== this.epoch || after.revision < this.oldest() || after.revision > this.#replica.revision()) {
      throw resyncRequired();
    }
  }

  /** Commits with events after `revision`; from memory where they are all there. @throws RESYNC_REQUIRED when some of them are gone: a follower may have stood still for long */
  #read(revision: number, epoch = this.#epoch): readonly Recent[] {
    this.#requireOpen();
    if (epoch !== this.#epoch) throw resyncRequired();
    if (revision >= this.#recentAfter) {
      const first = this.#recent.findLastIndex((commit) => commit.revision <= revision) + 1;
      return this.#recent.slice(first, first + READ_COMMITS);
    }
    return this.#stored(revision, READ_COMMITS, epoch);
  }

  #requireOpen(): void {
    if (this.#ended !== undefined) throw this.#ended;
  }

  #stored(after: number, limit: number, epoch: string): readonly Recent[] {
    if (after < this.oldest()) throw resyncRequired();
    return this.#replica.commitsAfter(after, limit).map((row) => {
      if (row.damage !== undefined)
        return { epoch, revision: row.revision, at: row.at, userId: '', events: [], isDamaged: true };
      const { events, userId } = commitBodyOf(row.body);
      return { epoch, revision: row.revision, at: row.at, userId, events: events as readonly FeedEvent[] };
    });
  }

  #more(revision: number, signal: AbortSignal): Promise<void> {
    if (this.#read(revision).length > 0) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        signal.removeEventListener('abort', wake);
        this.#wakes.delete(wake);
        resolve();
      };
      this.#wakes.add(wake);
      signal.addEventListener('abort', wake);
    });
  }

  #entry(commit: Recent, event: FeedEvent, index: number): FeedEntry {
    const last = index === commit.events.length - 1;
    const { epoch, at, userId, revision } = commit;
    const place = { partition: this.partition, epoch, revision, index: last ? COMMIT_END : index };
    return {
      ...{ event, at, userId, revision, index },
      // Reactions ask for none.
      get position() {
        return encodePosition([place]);
      },
    };
  }
}

type Choice = (event: FeedEvent) => boolean;

/** Which events a follower that wants these types is given. */
function choice(types: readonly string[] | undefined): Choice {
  let others = 0;
  return ({ type }) => types === undefined || types.includes(type) || ++others % OTHERS === 0;
}

const resyncRequired = (reason?: string) =>
  new ServiceError(
    'RESYNC_REQUIRED',
    reason === undefined
      ? 'the position is older than what is kept, or of another history: read anew'
      : 'a commit behind the position is damaged: read anew',
    reason === undefined ? {} : { reason },
  );
