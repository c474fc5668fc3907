import type { Fault as RedisFault } from '../support/redis-model/redis-model.js';
import type { Random } from './random.js';
import type { Scheduler } from './scheduler.js';

/** What happens to a statement: it fails before or behind its effect, or takes its thread with it. */
export type StatementFault = 'fails' | 'fails behind' | 'dies' | 'dies behind';
/** What happens to a message of a thread: the thread ends before it is taken, or behind it with the reply lost, or hangs for so many ms. */
export type MessageFault = 'dies' | 'dies behind' | number;

/** What goes wrong, as the seed has it: nothing before the storm, and nothing behind it. */
export class Faults {
  readonly #scheduler: Scheduler;
  readonly #random: Random;
  /** How often something goes wrong where it can. */
  readonly #rate: number;
  #isStorm = false;
  #noRoomUntil = 0;
  readonly #mends: (() => void)[] = [];

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
    this.#random = scheduler.random;
    this.#rate = this.#random.pick([0, 0.003, 0.01, 0.03, 0.1]);
  }

  begin(): void {
    this.#isStorm = true;
  }

  end(): void {
    this.#isStorm = false;
    this.#noRoomUntil = 0;
    for (const mend of this.#mends.splice(0)) mend();
  }

  /** To be done when the storm is over. */
  onEnd(mend: () => void): void {
    this.#mends.push(mend);
  }

  /** The disk is full for a while. */
  fill(ms: number): void {
    this.#noRoomUntil = this.#scheduler.now + ms;
    this.#scheduler.note(`fault: no room for ${ms} ms`);
  }

  get isFull(): boolean {
    return this.#isStorm && this.#scheduler.now < this.#noRoomUntil;
  }

  statement(sql: string): StatementFault | undefined {
    if (!this.#happens() || sql === 'ROLLBACK') return undefined;
    // What ends a transaction is where most is at stake.
    const fault = this.#random.pick(
      /^COMMIT/.test(sql) ? (['fails', 'fails behind', 'dies', 'dies behind'] as const) : (['fails', 'dies'] as const),
    );
    this.#scheduler.note(`fault: ${fault} at ${sql.slice(0, 40)}`);
    return fault;
  }

  message(): MessageFault | undefined {
    if (!this.#happens()) return undefined;
    const fault = this.#random.pick(['dies', 'dies behind', this.#random.between(50, 4_000)] as const);
    this.#scheduler.note(`fault: a thread ${typeof fault === 'number' ? `hangs for ${fault} ms` : fault}`);
    return fault;
  }

  /** Whether a thread that was asked nothing ends, or one does not start. */
  exit(): boolean {
    return this.#happens();
  }

  redis(words: readonly string[]): RedisFault | undefined {
    if (!this.#happens()) return undefined;
    const refuse = this.#random.pick(['OOM command not allowed', 'MISCONF errors writing to the AOF file']);
    const fault = this.#random.pick(['cut', 'cut after', 'silent', { refuse }] as const);
    this.#scheduler.note(`fault: ${typeof fault === 'string' ? fault : fault.refuse} at ${words[0]}`);
    return fault;
  }

  /** How long a message, a command or a reply is on its way, ms. */
  delay(): number {
    if (this.#isStorm && this.#random.chance(this.#rate)) return this.#random.between(1, 1_000);
    return this.#random.below(3);
  }

  #happens(): boolean {
    return this.#isStorm && this.#random.chance(this.#rate);
  }
}
