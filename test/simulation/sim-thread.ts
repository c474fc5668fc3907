import type { ThreadPort } from '../../src/shared/thread.js';
import type { Said, ToThread } from '../../src/shared/thread-service.js';
import type { Faults } from './faults.js';
import type { Life, Scheduler } from './scheduler.js';

/** What runs in a thread. */
export interface Service {
  /** Takes a message. True: it was the last one, and the thread ends. */
  take(message: ToThread): boolean;
  /** All that it has open is closed. */
  end(): void;
}

/** The thread goes where it is. */
export class ThreadDeath extends Error {
  override readonly name = 'ThreadDeath';
}

export interface SimThreadParts {
  readonly scheduler: Scheduler;
  readonly faults: Faults;
  /** Of the process that has started it. */
  readonly life: Life;
  readonly name: string;
  /** What begins in it. `die`: what it is to be told when something takes it away. @throws whatever keeps it from starting */
  readonly begin: (reply: (said: Said) => void, life: Life) => Service;
}

/** A thread without a thread: messages are copied, keep their order, and come when the scheduler lets them. */
export class SimThread implements ThreadPort {
  readonly #parts: SimThreadParts;
  readonly #inner: Life;
  readonly #inbox: unknown[] = [];
  readonly #outbox: (() => void)[] = [];
  #service: Service | null = null;
  #isHanging = false;
  #hear: (message: unknown) => void = () => {};
  #leave: (reason: Error) => void = () => {};

  constructor(parts: SimThreadParts) {
    this.#parts = parts;
    this.#inner = { name: `${parts.life.name}/${parts.name}`, isDead: false };
    this.#later(() => this.#start());
  }

  post(message: unknown): void {
    if (this.#inner.isDead || this.#parts.life.isDead) return;
    this.#inbox.push(structuredClone(message));
    this.#later(() => this.#takeNext());
  }

  onMessage(listener: (message: unknown) => void): void {
    this.#hear = listener;
  }

  onExit(listener: (reason: Error) => void): void {
    this.#leave = listener;
  }

  hold(): void {}

  terminate(): void {
    this.die('it was ended');
  }

  /** With its process: nobody is told. */
  kill(): void {
    this.#inner.isDead = true;
    this.#service?.end();
    this.#service = null;
  }

  /** What it has not told yet may be lost; then its end is told. */
  die(reason: string): void {
    if (this.#inner.isDead) return;
    this.#parts.scheduler.note(`${this.#inner.name} ends: ${reason}`);
    this.kill();
    if (this.#parts.scheduler.random.chance(0.5)) this.#outbox.length = 0;
    this.#tell(() => this.#leave(new Error(reason)));
  }

  #later(run: () => void): void {
    const { scheduler, faults } = this.#parts;
    scheduler.add(this.#inner, faults.delay(), 'takes', run);
  }

  #start(): void {
    if (this.#parts.faults.exit()) return this.die('it could not start');
    try {
      this.#service = this.#parts.begin((message) => this.#reply(message), this.#inner);
    } catch (thrown) {
      return this.die(String(thrown));
    }
    for (const _ of this.#inbox) this.#later(() => this.#takeNext());
  }

  #takeNext(): void {
    if (this.#service === null || this.#inbox.length === 0) return;
    if (this.#isHanging) return;
    const fault = this.#parts.faults.message();
    if (typeof fault === 'number') return this.#hang(fault);
    if (fault === 'dies') return this.die('a fault');
    this.#take(this.#inbox.shift() as ToThread);
    if (fault === 'dies behind' && !this.#inner.isDead) {
      this.#outbox.length = 0;
      this.die('a fault');
    }
  }

  /** Until the storm is over at the latest. */
  #hang(ms: number): void {
    const { scheduler, faults } = this.#parts;
    this.#isHanging = true;
    const goOn = () => {
      if (!this.#isHanging) return;
      this.#isHanging = false;
      for (const _ of this.#inbox) this.#later(() => this.#takeNext());
    };
    scheduler.add(this.#inner, ms, 'goes on', goOn);
    faults.onEnd(goOn);
  }

  #take(message: ToThread): void {
    try {
      if (this.#service?.take(message) === true) this.die('it was asked to');
    } catch (thrown) {
      this.die(String(thrown));
    }
  }

  #reply(message: unknown): void {
    if (this.#inner.isDead) return;
    const copy = structuredClone(message);
    this.#tell(() => this.#hear(copy));
  }

  #tell(what: () => void): void {
    const { scheduler, faults, life } = this.#parts;
    this.#outbox.push(what);
    scheduler.add(life, faults.delay(), `hears ${this.#parts.name}`, () => this.#outbox.shift()?.());
  }
}
