import type { Committed } from '../feed/landed-commits.js';
import { type Job, jobs } from './job.js';

/** Knows which commands still have calls and continuations running that they set off. */
export class Quiet {
  readonly #rootOf = new Map<string, string>();
  readonly #running = new Map<string, Set<string>>();
  readonly #waiting = new Map<string, (() => void)[]>();

  committed({ writes }: Committed): void {
    for (const { collection, id, document } of writes) {
      if (collection.name !== jobs.name) continue;
      const job = document as Job | null;
      if (job !== null && goesOn(job)) this.#add(job);
      else this.#remove(id);
    }
    this.#wake();
  }

  /** The history has become another one: what runs by it is told of as it is taken. */
  renew(): void {
    this.#rootOf.clear();
    this.#running.clear();
    this.#wake();
  }

  isRunning(commandId: string): boolean {
    return this.#running.has(commandId);
  }

  /** Resolves when nothing that the command set off is running. */
  of(commandId: string): Promise<void> {
    if (!this.isRunning(commandId)) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting.set(commandId, [...(this.#waiting.get(commandId) ?? []), resolve]);
    });
  }

  #add(job: Job): void {
    const root = job.cause.commandId ?? '';
    this.#rootOf.set(job.id, root);
    this.#running.set(root, (this.#running.get(root) ?? new Set()).add(job.id));
  }

  #remove(id: string): void {
    const root = this.#rootOf.get(id);
    if (root === undefined) return;
    this.#rootOf.delete(id);
    const running = this.#running.get(root);
    running?.delete(id);
    if (running?.size === 0) this.#running.delete(root);
  }

  #wake(): void {
    for (const [commandId, waiting] of this.#waiting) {
      if (this.#running.has(commandId)) continue;
      this.#waiting.delete(commandId);
      for (const resolve of waiting) resolve();
    }
  }
}

/** A retry that waits for its time is not running: whoever asked is answered. */
const goesOn = (job: Job): boolean =>
  job.immediate && !job.suspended && (job.actor.value === 'running' || job.actor.value === 'waiting');
