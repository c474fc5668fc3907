import type { Time, Timer } from '../../src/shared/time.js';
import type { Random } from './random.js';

/** A callback of a port that is to run. */
interface Entry {
  readonly at: number;
  readonly order: number;
  readonly label: string;
  run: (() => void) | null;
}

/** A process in a simulation: what belongs to it happens no more when it is dead. */
export interface Life {
  readonly name: string;
  isDead: boolean;
}

/** When a simulation begins, ms since 1970. */
const BEGIN = Date.UTC(2030, 0, 1);
/** How many seeds are told apart by their first digits, which count them. */
const SEEDS = 0xf_ffff;

/**
 * The one place that decides what happens next: of all callbacks whose time has come the seed picks one; where there is none, time goes on to the
 * next. Between two callbacks all promises that are settled run on.
 */
export class Scheduler {
  readonly random: Random;
  /** What has happened, a line each; null: nobody wants to know. */
  readonly trace: string[] | null;
  #now = 0;
  #order = 0;
  #seeds = 0;
  #steps = 0;
  #ready: Entry[] = [];
  /** A heap: the earliest first. */
  #later: Entry[] = [];

  constructor(random: Random, trace: string[] | null) {
    this.random = random;
    this.trace = trace;
  }

  /** ms since the begin. */
  get now(): number {
    return this.#now;
  }

  get steps(): number {
    return this.#steps;
  }

  note(what: string): void {
    this.trace?.push(`${this.#now.toFixed(1).padStart(9)} ${what}`);
  }

  add(life: Life, ms: number, label: string, run: () => void): Timer {
    const entry: Entry = {
      at: this.#now + ms,
      order: this.#order++,
      label: `${life.name} ${label}`,
      run: () => {
        if (!life.isDead) run();
      },
    };
    this.#push(entry);
    const timer: Timer = {
      cancel: () => {
        entry.run = null;
      },
      hold: () => timer,
    };
    return timer;
  }

  /** The time port of a process. Each look at its clock takes a moment, now and then a long one. */
  time(life: Life): Time {
    const monotonic = () => {
      this.#now += this.random.chance(1 / 128) ? this.random.between(1, 4) : 0.002;
      return this.#now;
    };
    const every = (ms: number, run: () => void): Timer => {
      let next: Timer;
      const again = () => {
        next = this.add(life, ms, 'every', () => {
          again();
          run();
        });
      };
      again();
      const timer: Timer = { cancel: () => next.cancel(), hold: () => timer };
      return timer;
    };
    return {
      now: () => BEGIN + Math.floor(this.#now),
      monotonic,
      soon: (run) => void this.add(life, 0, 'soon', run),
      after: (ms, run) => this.add(life, Math.max(1, ms), 'after', run),
      every,
      seed: () => {
        this.#seeds = (this.#seeds + 1) & SEEDS;
        return this.#seeds.toString(16).padStart(5, '0') + this.random.hex(32).slice(5);
      },
    };
  }

  /** Runs until the work is done. @throws when that takes longer than `maxMs` of its time, or nothing is left to happen */
  async run<T>(work: Promise<T>, maxMs: number): Promise<T> {
    let isOver = false;
    const over = () => {
      isOver = true;
    };
    work.then(over, over);
    await new Promise<void>((resolve, reject) => {
      const step = () => {
        if (isOver) return resolve();
        if (this.#now > maxMs) return reject(new Error(`it is not over after ${maxMs} ms`));
        try {
          if (!this.#next()) return reject(new Error('it is not over, and nothing is left to happen'));
        } catch (thrown) {
          return reject(thrown);
        }
        // A tick comes behind all microtasks, those that come of these included, when it is a microtask that asks for it.
        queueMicrotask(() => process.nextTick(step));
      };
      step();
    });
    return work;
  }

  /** Whether there was a callback. */
  #next(): boolean {
    for (;;) {
      this.#gather();
      if (this.#ready.length === 0) {
        const [first] = this.#later;
        if (first === undefined) return false;
        this.#now = first.at;
        continue;
      }
      const at = this.random.below(this.#ready.length);
      const entry = this.#ready[at] as Entry;
      const last = this.#ready.pop() as Entry;
      if (last !== entry) this.#ready[at] = last;
      if (entry.run === null) continue;
      this.#steps++;
      if (this.trace !== null) this.note(entry.label);
      entry.run();
      return true;
    }
  }

  #gather(): void {
    for (let first = this.#later[0]; first !== undefined && first.at <= this.#now; first = this.#later[0]) {
      this.#pop();
      if (first.run !== null) this.#ready.push(first);
    }
  }

  #push(entry: Entry): void {
    const heap = this.#later;
    let at = heap.push(entry) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent] as Entry;
      if (!isBefore(entry, above)) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = entry;
  }

  #pop(): void {
    const heap = this.#later;
    const last = heap.pop() as Entry;
    if (heap.length === 0) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Entry, heap[child] as Entry)) child++;
      if (!isBefore(heap[child] as Entry, last)) break;
      heap[at] = heap[child] as Entry;
      at = child;
    }
    heap[at] = last;
  }
}

const isBefore = (a: Entry, b: Entry): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);
