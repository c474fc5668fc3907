import { limitExceeded, unavailable } from '../shared/errors.js';
import { Thread, workerThread } from '../shared/thread.js';
import { systemTime, type Timer } from '../shared/time.js';

export interface WorkThreadOptions {
  /** What the thread runs: it exports `inThread`, which gives what answers the questions. */
  readonly module: URL;
  /** What the thread is given to begin with. */
  readonly data?: unknown;
  /** How long one piece of work may take, in ms. */
  readonly budgetMs: number;
  /** How many pieces may wait. Default 100. */
  readonly waitingMax?: number;
  /** What is worked at, for messages: `model`. */
  readonly thing: string;
}

/** How long a thread may take to start. */
const START_MS = 30_000;

interface Waiting<Q, A> {
  readonly question: Q;
  readonly resolve: (answer: A) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Does work in a thread of its own, one piece after the other. The thread starts with the first piece; one that takes too long, or too much memory,
 * is ended and replaced, and the pieces that wait go on.
 */
export class WorkThread<Q, A> {
  readonly #options: WorkThreadOptions;
  readonly #waiting: Waiting<Q, A>[] = [];
  #thread: Thread<Q, A> | null = null;
  #state: 'starting' | 'idle' | 'busy' = 'starting';
  #timer: Timer | undefined;
  #closed = false;
  #gone: Promise<void> = Promise.resolve();

  constructor(options: WorkThreadOptions) {
    this.#options = options;
  }

  /** @throws whatever the work is refused with; LIMIT_EXCEEDED (longer than the budget, too much memory), UNAVAILABLE (too many wait, or closed) */
  ask(question: Q): Promise<A> {
    const { thing, waitingMax = 100 } = this.#options;
    if (this.#closed) return Promise.reject(this.#isClosed());
    if (this.#waiting.length >= waitingMax)
      return Promise.reject(unavailable(`expected fewer than ${waitingMax} ${thing}s to wait for the parser`));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ question, resolve, reject });
      this.#next();
    });
  }

  /** Ends the thread; what is not done is refused. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const waiting of this.#waiting.splice(0)) waiting.reject(this.#isClosed());
    this.#replace(this.#isClosed());
    await this.#gone;
  }

  #next(): void {
    if (this.#waiting.length === 0 || this.#closed) return;
    const thread = this.#thread ?? this.#start();
    if (this.#state !== 'idle') return;
    const next = this.#waiting.shift();
    if (next !== undefined) void this.#work(thread, next);
  }

  async #work(thread: Thread<Q, A>, { question, resolve, reject }: Waiting<Q, A>): Promise<void> {
    const { thing, budgetMs } = this.#options;
    const tooLong = limitExceeded(`expected a ${thing} that is read within ${budgetMs} ms, but it takes longer`);
    this.#state = 'busy';
    // The budget is the work's, so it does not run while the thread starts.
    this.#timer = systemTime.after(budgetMs, () => this.#replace(tooLong)).hold();
    await thread.ask(question).then(resolve, reject);
    if (thread !== this.#thread) return;
    this.#timer?.cancel();
    this.#state = 'idle';
    this.#next();
  }

  #start(): Thread<Q, A> {
    const { module, data } = this.#options;
    const limits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };
    const thread = new Thread<Q, A>(workerThread(module, { data, resourceLimits: limits }), {
      started: () => this.#started(thread),
      lost: (reason) => this.#causeOf(reason),
      gone: (cause) => this.#failed(thread, cause),
    });
    this.#thread = thread;
    this.#state = 'starting';
    this.#gone = thread.ended;
    this.#timer = systemTime.after(START_MS, () => this.#failed(thread, this.#isSilent())).hold();
    return thread;
  }

  #started(thread: Thread<Q, A>): void {
    if (thread !== this.#thread) return;
    this.#timer?.cancel();
    this.#state = 'idle';
    this.#next();
  }

  #causeOf(reason: Error): Error {
    const memory = 'code' in reason && reason.code === 'ERR_WORKER_OUT_OF_MEMORY';
    return memory ? limitExceeded(`expected a ${this.#options.thing} that takes less memory to read`) : reason;
  }

  #failed(thread: Thread<Q, A>, cause: Error): void {
    if (thread !== this.#thread) return;
    // A thread that cannot even start would otherwise be started again and again for those who wait.
    if (this.#state === 'starting') for (const waiting of this.#waiting.splice(0)) waiting.reject(cause);
    this.#replace(cause);
  }

  /** Lets the thread go, refuses what it was doing, and goes on with another one. */
  #replace(cause: Error): void {
    this.#timer?.cancel();
    const thread = this.#thread;
    this.#thread = null;
    // Nothing waits for its end.
    thread?.terminate();
    thread?.giveUp(cause);
    this.#next();
  }

  #isSilent = () => unavailable(`the parser of ${this.#options.thing}s did not start within ${START_MS} ms`);
  #isClosed = () => unavailable(`expected an open parser of ${this.#options.thing}s, but it is closed`);
}
