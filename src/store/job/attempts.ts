import { ServiceError } from '../../shared/errors.js';
import { log as serverLog } from '../../shared/log.js';
import { pause, type Time } from '../../shared/time.js';
import type { Operation } from '../decision.js';
import type { Committed } from '../feed/landed-commits.js';
import { type AttemptOperations, attemptOf, attemptOperations } from './attempt-operations.js';
import type { AnyJob, JobClass } from './job-class.js';
import type { Slots } from './slots.js';

/** How long a command waits that could not be taken now, in ms. */
export const UNAVAILABLE_PAUSE_MS = 200;

/** Sends until it is taken; what is UNAVAILABLE is tried again as long as `goesOn`. */
export async function untilAnswered(time: Time, goesOn: () => boolean, send: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await send();
      return;
    } catch (thrown) {
      if (!(thrown instanceof ServiceError) || thrown.code !== 'UNAVAILABLE' || !goesOn()) throw thrown;
      await pause(time, UNAVAILABLE_PAUSE_MS);
    }
  }
}

interface AttemptsOptions<J extends AnyJob, R> {
  readonly of: JobClass<J>;
  readonly slots: Slots;
  readonly time: Time;
  /** Sends a command of the system. */
  readonly send: <I, A>(operation: Operation<I, A>, input: I) => Promise<A>;
  /** Begins the work of an attempt. */
  readonly perform: (job: J) => R;
  /** An attempt is over, and those before it; the next may run already when that is told. `isFreed`: it had a slot. */
  readonly over: (id: string, job: J | null, told: { readonly isLast: boolean; readonly isFreed: boolean }) => void;
  /** Asks an attempt to end: the server drains. Default: it is left to come to its end. */
  readonly stop?: (run: R) => void;
  /** Gives up an attempt that does not end in time; gives what was still to tell of it. */
  readonly giveUp?: (run: R) => Promise<unknown>;
}

/** Attempts of a class of jobs that run here, for one partition: from the commit that took the job to that of its outcome. */
export class Attempts<J extends AnyJob, R> {
  readonly operations: AttemptOperations;
  readonly #options: AttemptsOptions<J, R>;
  readonly #begun = new Map<string, { readonly attempt: number; readonly run: R | undefined }>();
  #isDraining = false;

  constructor(options: AttemptsOptions<J, R>) {
    this.#options = options;
    this.operations = attemptOperations(options.of, options.slots);
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** Runs of the attempts that go on here. */
  get runs(): readonly R[] {
    return [...this.#begun.values()].flatMap(({ run }) => run ?? []);
  }

  runOf(id: string): R | undefined {
    return this.#begun.get(id)?.run;
  }

  /** Whether the job runs here, by this attempt. */
  has({ id, actor }: J): boolean {
    return this.#begun.get(id)?.attempt === actor.context.attempt;
  }

  /** Takes back what a server that died was running. */
  async takeBack(): Promise<void> {
    while ((await this.#options.send(this.operations.recover, {})) > 0);
  }

  /** The history has become another one: what runs by it, and not here, is taken back as soon as commands are taken; `then` is told of it. */
  renew(then: () => void): void {
    this.untilAnswered(() => this.takeBack()).then(then, (thrown: unknown) =>
      serverLog.error({ err: thrown }, 'jobs could not be taken back'),
    );
  }

  /** Takes jobs that have their slots; gives how many still waited. */
  async take(ids: readonly string[]): Promise<number> {
    const left = new Set(ids);
    try {
      const taken = await this.#options.send(this.operations.take, { ids });
      for (const id of taken) left.delete(id);
      return taken.length;
    } finally {
      for (const id of left) this.#options.slots.free(id);
    }
  }

  /** Sees every commit that writes jobs: begins what was taken, ends what is through. */
  committed({ writes }: Committed): void {
    const { of } = this.#options;
    for (const { collection, id, document } of writes) {
      if (collection.name !== of.jobs.name) continue;
      const job = document as unknown as J | null;
      if (job?.actor.value === 'running') this.run(job);
      else if (job === null || !of.isAttempted(job)) this.over(id, job);
    }
  }

  /** Runs the job's attempt, which was taken, or need not be. */
  run(job: J): void {
    if (this.has(job)) return;
    const { slots, perform } = this.#options;
    const { attempt } = job.actor.context;
    slots.hold(attemptOf(job));
    this.#begun.set(job.id, { attempt, run: undefined });
    // One that is taken while the server drains is given back as it is.
    if (this.#isDraining) this.#options.over(job.id, job, { isLast: false, isFreed: slots.free(job.id, attempt) });
    else this.#begun.set(job.id, { attempt, run: perform(job) });
  }

  /** The attempt is over, and those before it. `job`: as it is now; null: it is gone. */
  over(id: string, job: J | null): void {
    const attempt = job?.actor.context.attempt ?? Number.POSITIVE_INFINITY;
    const isLast = (this.#begun.get(id)?.attempt ?? 0) <= attempt;
    if (isLast) this.#begun.delete(id);
    this.#options.over(id, job, { isLast, isFreed: this.#options.slots.free(id, attempt) });
  }

  untilAnswered(send: () => Promise<unknown>): Promise<void> {
    return untilAnswered(this.#options.time, () => !this.#isDraining, send);
  }

  /** Nothing that is taken begins any more; waits until nothing runs (`quiet`), at most so long, then gives back what still does. */
  async drain(quiet: () => Promise<unknown>, waitMs: number): Promise<void> {
    const { time, stop, giveUp, send } = this.#options;
    this.#isDraining = true;
    if (stop !== undefined) for (const run of this.runs) stop(run);
    await new Promise<void>((resolve) => {
      const patience = time.after(waitMs, resolve).hold();
      void quiet().then(() => {
        patience.cancel();
        resolve();
      });
    });
    const left = [...this.#begun].map(async ([id, { attempt, run }]) => ({
      id,
      attempt,
      told: run === undefined ? undefined : await giveUp?.(run),
    }));
    if (left.length > 0) await send(this.operations.release, { jobs: await Promise.all(left) });
  }
}
