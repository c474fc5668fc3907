import { limitExceeded, unavailable } from '../shared/errors.js';
import { type ThreadPort, workerThread } from '../shared/thread.js';
import { fromThreadError, type ThreadError } from '../shared/thread-service.js';
import { systemTime, type Timer } from '../shared/time.js';

/** What the thread says: see `serveWork`. */
export type WorkReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly answer: unknown }
  | { readonly kind: 'error'; readonly error: ThreadError };

export interface WorkThreadOptions {
  /** The module that calls `serveWork`. */
  readonly url: URL;
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
  #running: Waiting<Q, A> | null = null;
  #thread: ThreadPort | null = null;
  #ready = false;
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
    if (this.#running !== null || this.#waiting.length === 0 || this.#closed) return;
    this.#thread ??= this.#start();
    if (!this.#ready) return;
    const { thing, budgetMs } = this.#options;
    const tooLong = limitExceeded(`expected a ${thing} that is read within ${budgetMs} ms, but it takes longer`);
    this.#running = this.#waiting.shift() ?? null;
    // The budget is the work's, so it does not run while the thread starts.
    this.#timer = systemTime.after(budgetMs, () => this.#replace(tooLong)).hold();
    this.#thread.post(this.#running?.question);
  }

  #start(): ThreadPort {
    const thread = workerThread(this.#options.url, {
      workerData: this.#options.data,
      resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 },
    });
    thread.onMessage((reply) => this.#answered(thread, reply as WorkReply));
    this.#gone = new Promise((resolve) => {
      thread.onExit((reason) => {
        this.#failed(thread, reason);
        resolve();
      });
    });
    this.#timer = systemTime.after(START_MS, () => this.#failed(thread, this.#isSilent())).hold();
    return thread;
  }

  #answered(thread: ThreadPort, reply: WorkReply): void {
    if (thread !== this.#thread) return;
    if (reply.kind === 'ready') this.#begin();
    else this.#settle(reply);
    this.#next();
  }

  #begin(): void {
    this.#timer?.cancel();
    this.#ready = true;
  }

  #settle(reply: Exclude<WorkReply, { kind: 'ready' }>): void {
    this.#timer?.cancel();
    const running = this.#running;
    this.#running = null;
    if (reply.kind === 'answer') running?.resolve(reply.answer as A);
    else running?.reject(fromThreadError(reply.error));
  }

  #failed(thread: ThreadPort, error: Error): void {
    if (thread !== this.#thread) return;
    const memory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    const { thing } = this.#options;
    const cause = memory ? limitExceeded(`expected a ${thing} that takes less memory to read`) : error;
    // A thread that cannot even start would otherwise be started again and again for those who wait.
    if (!this.#ready) for (const waiting of this.#waiting.splice(0)) waiting.reject(cause);
    this.#replace(cause);
  }

  /** Lets the thread go, refuses what it was doing, and goes on with another one. */
  #replace(cause: Error): void {
    this.#timer?.cancel();
    const [thread, running] = [this.#thread, this.#running];
    this.#thread = null;
    this.#running = null;
    this.#ready = false;
    // Nothing waits for its end: its messages are no longer listened to.
    thread?.terminate();
    running?.reject(cause);
    this.#next();
  }

  #isSilent = () => unavailable(`the parser of ${this.#options.thing}s did not start within ${START_MS} ms`);
  #isClosed = () => unavailable(`expected an open parser of ${this.#options.thing}s, but it is closed`);
}
