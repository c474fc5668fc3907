/** A slot, and the attempt that it is for. */
interface Slot {
  readonly exclusive: string | null;
  readonly attempt: number;
}

/** A job that is about to run. */
export interface Candidate {
  readonly id: string;
  readonly exclusive: string | null;
  readonly attempt: number;
  /** Whether it has but one life left: no two of those run at once, so that a server that dies tells which of them ends servers. Default false. */
  readonly lastLife?: boolean;
}

/** How many jobs may wait so: each is in memory with what it calls. */
const LENT_MAX = 10_000;

/** Slots of the jobs that run here, or are about to, and the exclusive names that they hold. */
export class Slots {
  readonly #max: number;
  /** Those of the jobs that only wait for others: they hold their names, and no slot. */
  readonly #lent = new Set<string>();
  readonly #jobs = new Map<string, Slot>();
  readonly #exclusive = new Map<string, Set<string>>();
  /** The jobs that have but one life left. */
  readonly #lastLives = new Set<string>();

  constructor(max: number) {
    this.#max = max;
  }

  get used(): number {
    return this.#jobs.size - this.#lent.size;
  }

  get left(): number {
    return this.#max - this.used;
  }

  /** The job waits for others until {@link regain}: another one may have its slot. Of too many nothing is lent. */
  lend(id: string): boolean {
    if (this.#lent.size >= LENT_MAX || !this.#jobs.has(id)) return false;
    this.#lent.add(id);
    return true;
  }

  /** The job does nothing for a while: another one may have its slot, and its name too, but it does not begin once more. */
  setAside(id: string): void {
    if (!this.lend(id)) return;
    this.#lastLives.delete(id);
    this.#freeName(id, this.#jobs.get(id)?.exclusive ?? null);
  }

  /** It works on, be there a slot left or not. */
  regain(id: string): void {
    this.#lent.delete(id);
  }

  /** Whether this attempt of the job runs here, or is about to. */
  holds(id: string, attempt: number): boolean {
    return this.#jobs.get(id)?.attempt === attempt;
  }

  /** A slot for a job that would begin at once; `ending`: the job whose outcome makes it, which does not stand in its way. */
  reserve(job: Candidate, ending?: string): boolean {
    const holders = job.exclusive === null ? undefined : this.#exclusive.get(job.exclusive);
    const alone = holders === undefined || (holders.size === 1 && ending !== undefined && holders.has(ending));
    if (this.left <= 0 || !alone || this.#jobs.has(job.id)) return false;
    if (job.lastLife && this.#lastLives.size > 0) return false;
    this.hold(job);
    return true;
  }

  hold({ id, exclusive, attempt, lastLife = false }: Candidate): void {
    this.#jobs.set(id, { exclusive, attempt });
    if (lastLife) this.#lastLives.add(id);
    if (exclusive === null) return;
    const holders = this.#exclusive.get(exclusive) ?? new Set();
    this.#exclusive.set(exclusive, holders.add(id));
  }

  /**
   * Whether the job had a slot. `attempt`: of this attempt, or one before; the next may have been decided already when it is told that this one is
   * over. Default any.
   */
  free(id: string, attempt = Number.POSITIVE_INFINITY): boolean {
    const slot = this.#jobs.get(id);
    if (slot === undefined || slot.attempt > attempt) return false;
    this.#jobs.delete(id);
    this.#lent.delete(id);
    this.#lastLives.delete(id);
    this.#freeName(id, slot.exclusive);
    return true;
  }

  #freeName(id: string, exclusive: string | null): void {
    if (exclusive === null) return;
    const holders = this.#exclusive.get(exclusive);
    holders?.delete(id);
    if (holders?.size === 0) this.#exclusive.delete(exclusive);
  }
}
