import { type Exchange, ExchangeFailure } from '../../../expression/routes.js';

/** An exchange in a queue, and whom to tell when a route is through with it. */
export interface Entry {
  readonly exchange: Exchange;
  readonly ended?: (exchange: Exchange) => void;
}

/** Whoever takes from a queue when there is something. */
export interface Taker {
  /** Something has come. */
  wake(): void;
}

/** The default size, as Camel's. */
const QUEUE_SIZE = 1000;

/** Exchanges that wait for a route, in order, and no more than its size; behind them those who wait for room. */
export class Queue {
  readonly name: string;
  readonly size: number;
  /** As its consumers say it. */
  multipleConsumers = false;
  readonly takers = new Set<Taker>();
  readonly #entries: Entry[] = [];
  readonly #forRoom: (() => void)[] = [];
  readonly #forEntry: ((entry: Entry) => void)[] = [];

  constructor(name: string, size: number) {
    this.name = name;
    this.size = size;
  }

  get length(): number {
    return this.#entries.length;
  }

  /** Whether there was room for it. */
  offer(entry: Entry): boolean {
    const polled = this.#forEntry.shift();
    if (polled !== undefined) {
      polled(entry);
      return true;
    }
    if (this.#entries.length >= this.size) return false;
    this.#entries.push(entry);
    for (const taker of this.takers) taker.wake();
    return true;
  }

  take(): Entry | undefined {
    const entry = this.#entries.shift();
    if (entry !== undefined) this.#forRoom.shift()?.();
    return entry;
  }

  /** Takes an exchange out that nobody waits for any more. */
  withdraw(exchange: Exchange): void {
    const at = this.#entries.findIndex((entry) => entry.exchange === exchange);
    if (at < 0) return;
    this.#entries.splice(at, 1);
    this.#forRoom.shift()?.();
  }

  purge(): void {
    while (this.take() !== undefined);
  }

  /** Calls `work` once, when there is room for one. Gives what takes that back. */
  whenRoom(work: () => void): () => void {
    return waiting(this.#forRoom, work);
  }

  /** Calls `work` with what comes next. Gives what takes that back. */
  whenEntry(work: (entry: Entry) => void): () => void {
    return waiting(this.#forEntry, work);
  }
}

function waiting<T>(line: T[], work: T): () => void {
  line.push(work);
  return () => {
    const at = line.indexOf(work);
    if (at >= 0) line.splice(at, 1);
  };
}

/** The queue of a name: the first who asks for it says its size. @throws where another one was asked for before */
export function queueOf(queues: Map<string, Queue>, name: string, size: number | undefined): Queue {
  const known = queues.get(name);
  if (known === undefined) {
    const made = new Queue(name, size ?? QUEUE_SIZE);
    queues.set(name, made);
    return made;
  }
  // The default is never asked for explicitly: a queue of it is any queue.
  if (size !== undefined && size !== QUEUE_SIZE && size !== known.size)
    throw new ExchangeFailure(
      'java.lang.IllegalArgumentException',
      `Cannot use existing queue ${name} as the existing queue size ${known.size} does not match given queue size ${size}`,
    );
  return known;
}
