import type { State } from '../state.js';
import { type Job, jobs } from './job.js';

/** How many jobs are read at a time. */
const READ = 256;
/** How many that cannot begin are kept before no more are read. */
const KEPT_MAX = 5_000;

/** Answer to an offered job: it is `gone` from here, it must `stay`, or `stop`: neither it nor a later one can begin now. */
export type Offered = 'gone' | 'stay' | 'stop';

/**
 * The jobs of a queue that are due, oldest first. They are read ahead: a look at the queue costs as much as many of them. Of those that were read, one
 * of higher priority comes before the others.
 */
export class DueJobs {
  readonly #queue: 'immediate' | 'timed';
  readonly #state: () => State;
  /** Those that were read and have not begun; each may have changed since. */
  readonly #ahead = new Map<string, Job>();
  /** From where on they were not read yet: due time, ms, and id; null: all that were due at the last look were. */
  #from: Place | null = START;
  #at = 0;
  /** Whether any that was read has a priority. */
  #isRanked = false;

  constructor(queue: 'immediate' | 'timed', state: () => State) {
    this.#queue = queue;
    this.#state = state;
  }

  /** When they were looked at last, ms: of those that were due by then, all are known. */
  get at(): number {
    return this.#at;
  }

  /** There may be some that were not read. */
  renew(): void {
    this.#from = START;
  }

  /** A job waits: one that is due since before the last look is not read again. */
  add(job: Job): void {
    if (job.dueAt > this.#at) return;
    if (this.#ahead.size < KEPT_MAX) this.#keep(job);
    else this.renew();
  }

  /** Offers the jobs one by one; gives whether any are left. */
  offer(now: number, offered: (job: Job) => Offered): boolean {
    if (this.#from === null && now > this.#at) this.#from = [this.#at + 1, ''];
    this.#at = now;
    // One that has become due may come before all that have waited longer.
    if (this.#isRanked && this.#from !== null && this.#ahead.size < KEPT_MAX) this.#read(this.#from, now);
    let next = [...this.#ahead.values()];
    while (this.#offerEach(next, offered)) {
      if (this.#from === null || this.#ahead.size >= KEPT_MAX) return this.#ahead.size > 0;
      next = this.#read(this.#from, now);
    }
    return true;
  }

  /** Whether it came to the end. */
  #offerEach(due: readonly Job[], offered: (job: Job) => Offered): boolean {
    for (const job of this.#isRanked ? due.toSorted(byPriority) : due) {
      const became = offered(job);
      if (became === 'stop') return false;
      if (became === 'gone') this.#ahead.delete(job.id);
    }
    return true;
  }

  #keep(job: Job): void {
    this.#ahead.set(job.id, job);
    if (job.priority !== undefined) this.#isRanked = true;
  }

  #read(from: Place, now: number): Job[] {
    // Behind the last one that is due begins what is not, or the next queue: mostly there is nothing to read.
    const due = this.#due(from, now, 1).length === 0 ? [] : this.#due(from, now, READ);
    const last = due.at(-1);
    this.#from = last === undefined || due.length < READ ? null : [last.dueAt, `${last.id} `];
    const fresh = due.filter(({ id }) => !this.#ahead.has(id));
    for (const job of fresh) this.#keep(job);
    return fresh;
  }

  #due(from: Place, now: number, limit: number): Job[] {
    const read = this.#state().range(jobs, 'queue', [this.#queue, ...from], limit, { skipDamaged: true });
    return read.filter((job) => job.immediate === (this.#queue === 'immediate') && job.dueAt <= now);
  }
}

const byPriority = (a: Job, b: Job): number => (b.priority ?? 0) - (a.priority ?? 0);

type Place = readonly [dueAt: number, id: string];
const START = [0, ''] as const;
