import { unavailable } from '../../shared/errors.js';
import type { Time } from '../../shared/time.js';
import type { Accepted, Unreleased } from './accepted.js';

/** A recovery may take this part of the time that a group may, for those who wait: 2 s in all by default. */
const RECOVERED_PART = 3;

/** The commands that were taken and not answered yet. Here alone they are answered, each once. */
export class Unanswered {
  readonly #time: Time;
  readonly #all = new Set<Accepted>();
  #idle: (() => void)[] = [];

  constructor(time: Time) {
    this.#time = time;
  }

  add(accepted: Accepted): void {
    this.#all.add(accepted);
  }

  has(accepted: Accepted): boolean {
    return this.#all.has(accepted);
  }

  /** It waits from now on, if it does not already. */
  waits(accepted: Accepted): Accepted {
    accepted.since = Math.min(accepted.since, this.#time.monotonic());
    return accepted;
  }

  /** A command that was decided, unless it was refused meanwhile. */
  answer({ accepted, revision, result }: Unreleased): void {
    if (!this.#all.delete(accepted)) return;
    if ('error' in result) accepted.reject(result.error);
    else accepted.resolve({ answer: result.answer, revision });
    this.#look();
  }

  /** Without a decision: UNAVAILABLE. */
  refuse(accepted: Accepted, message: string): void {
    if (!this.#all.delete(accepted)) return;
    accepted.reject(unavailable(message));
    this.#look();
  }

  /** Those of the commands that may still be decided when a recovery ends; with the time that the log may take then, the others would wait for too long. */
  inTime(commands: readonly Accepted[], answerMs: number): Accepted[] {
    const from = this.#time.monotonic() - answerMs / RECOVERED_PART;
    return commands.filter((accepted) => {
      if (accepted.since < from) this.refuse(accepted, 'the log had to be recovered');
      return accepted.since >= from;
    });
  }

  refuseAll(message: string): void {
    for (const accepted of this.#all) this.refuse(accepted, message);
  }

  /** For how long the oldest has been waiting to be decided or to be durable, ms; 0: none is. */
  waitedMs(): number {
    let oldest = Number.POSITIVE_INFINITY;
    for (const { since } of this.#all) if (since < oldest) oldest = since;
    return Math.max(0, this.#time.monotonic() - oldest);
  }

  /** Resolves when there is none. */
  async none(): Promise<void> {
    while (this.#all.size > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #look(): void {
    if (this.#all.size > 0 || this.#idle.length === 0) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}
