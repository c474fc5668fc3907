import type { ExternalTask } from '../../engine/index.js';
import type { Time, Timer } from '../../shared/time.js';

/** Workers of a partition that wait for work, in a line for each topic. */
export class TopicLines {
  /** The workspace's name. */
  readonly workspace: string;
  readonly #time: Time;
  readonly #topics = new Map<string, TopicLine>();
  readonly #waiters = new Set<Waiter>();

  constructor(workspace: string, time: Time) {
    this.workspace = workspace;
    this.#time = time;
  }

  get isEmpty(): boolean {
    return this.#waiters.size === 0;
  }

  /** A worker that looks for work of these topics, until it leaves. */
  enter(topics: readonly string[]): Waiter {
    const lines = [...new Set(topics)].map((topic) => {
      const line = this.#topics.get(topic) ?? new TopicLine(topic, this.#time);
      this.#topics.set(topic, line);
      line.workers++;
      return line;
    });
    const waiter = new Waiter(lines, this.#time);
    this.#waiters.add(waiter);
    return waiter;
  }

  leave(waiter: Waiter): void {
    this.#waiters.delete(waiter);
    for (const line of waiter.lines) {
      line.workers--;
      if (line.workers > 0) continue;
      line.close();
      this.#topics.delete(line.topic);
    }
  }

  /** Tasks were written: some may be taken now, others come to be free by time. */
  committed(written: readonly ExternalTask[]): void {
    const opened = new Map<TopicLine, number>();
    for (const task of written) {
      const line = this.#topics.get(task.topic);
      if (line === undefined || task.suspended || task.actor.value === 'failed') continue;
      const at = task.actor.value === 'locked' ? task.lock?.until : task.notBefore;
      if (at == null) opened.set(line, (opened.get(line) ?? 0) + 1);
      else line.freeAt(at);
    }
    for (const [line, count] of opened) line.open(count);
  }

  wakeAll(): void {
    for (const line of this.#topics.values()) line.open(Number.POSITIVE_INFINITY);
  }

  /** Nobody waits any longer. */
  end(): void {
    for (const waiter of this.#waiters) waiter.end();
  }
}

/** How long a timer may be. */
const TIMER_MAX = 2_147_483_647;

/** The line of one topic. */
class TopicLine {
  readonly topic: string;
  /** Those that look for its work, waiting or not. */
  workers = 0;
  /** Counts what has come to be free since the line began. */
  version = 0;
  /** In the order in which they came. */
  readonly waiting = new Set<Waiter>();
  readonly #time: Time;
  #next: { readonly at: number; readonly timer: Timer } | undefined;

  constructor(topic: string, time: Time) {
    this.topic = topic;
    this.#time = time;
  }

  /** So many tasks may be taken now: as many look for them. */
  open(count: number): void {
    this.version++;
    let left = count;
    for (const waiter of this.waiting) {
      if (left-- <= 0) return;
      waiter.wake();
    }
  }

  /** There may be more than who was woken has taken: the next one that has not looked since is woken. */
  pass(): void {
    for (const waiter of this.waiting) {
      if (waiter.hasSeen(this)) continue;
      waiter.wake();
      return;
    }
  }

  /** A task may be taken from this time on, ms of the system clock. */
  freeAt(at: number): void {
    if (this.#next !== undefined && this.#next.at <= at) return;
    this.close();
    const due = () => {
      this.#next = undefined;
      if (this.#time.now() < at) this.freeAt(at);
      else this.open(1);
    };
    this.#next = { at, timer: this.#time.after(Math.min(TIMER_MAX, Math.max(0, at - this.#time.now())), due) };
  }

  close(): void {
    this.#next?.timer.cancel();
    this.#next = undefined;
  }
}

/** How long a worker waits. */
interface Waiting {
  readonly ms: number;
  /** When something of its topics comes to be free, ms of the system clock; null: nothing does by time. */
  readonly nextAt: number | null;
  readonly signal?: AbortSignal | undefined;
}

/** One worker that looks for work. */
export class Waiter {
  readonly lines: readonly TopicLine[];
  readonly #time: Time;
  #goOn: (() => void) | undefined;
  #seen: readonly number[] = [];
  #isEnded = false;

  constructor(lines: readonly TopicLine[], time: Time) {
    this.lines = lines;
    this.#time = time;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** It looks now. */
  look(): void {
    this.#seen = this.lines.map(({ version }) => version);
  }

  /** Whether it has looked since anything came to be free in the line. */
  hasSeen(line: TopicLine): boolean {
    return this.#seen[this.lines.indexOf(line)] === line.version;
  }

  /** It has got work; there may be more. */
  took(): void {
    for (const line of this.lines) line.pass();
  }

  /** It found nothing. Resolves when there may be something, or its time is over, or its client is gone. */
  async wait({ ms, nextAt, signal }: Waiting): Promise<void> {
    if (nextAt !== null) for (const line of this.lines) line.freeAt(nextAt);
    if (this.#isEnded || !this.lines.every((line) => this.hasSeen(line))) return;
    // What it was woken for may be for another one.
    for (const line of this.lines) line.pass();
    await new Promise<void>((resolve) => {
      const patience = this.#time.after(Math.min(ms, TIMER_MAX), () => this.#goOn?.()).hold();
      const gone = () => this.#goOn?.();
      signal?.addEventListener('abort', gone);
      this.#goOn = () => {
        this.#goOn = undefined;
        patience.cancel();
        signal?.removeEventListener('abort', gone);
        for (const line of this.lines) line.waiting.delete(this);
        resolve();
      };
      for (const line of this.lines) line.waiting.add(this);
      if (signal?.aborted === true) gone();
    });
  }

  wake(): void {
    this.#goOn?.();
  }

  end(): void {
    this.#isEnded = true;
    this.#goOn?.();
  }
}
