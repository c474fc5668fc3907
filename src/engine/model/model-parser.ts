import { Worker } from 'node:worker_threads';
import { type ErrorCode, type ErrorInfo, limitExceeded, ServiceError, unavailable } from '../../shared/errors.js';
import type { ParsedModel } from './compile-model.js';
import { MODEL_LIMITS, type ModelLimits } from './scan-xml.js';

/** What the thread says. */
export type ThreadAnswer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'model'; readonly model: ParsedModel }
  | { readonly kind: 'refusal'; readonly code: ErrorCode; readonly message: string; readonly info: ErrorInfo }
  | { readonly kind: 'bug'; readonly message: string };

export interface ModelParserOptions {
  /** How long one model may take, in ms. Default 2,000. */
  readonly budgetMs?: number;
  /** How many models may wait. Default 100. */
  readonly waitingMax?: number;
  /** Default {@link MODEL_LIMITS}. */
  readonly limits?: ModelLimits;
}

interface Waiting {
  readonly xml: string;
  readonly resolve: (model: ParsedModel) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Compiles models in a thread of its own, one after the other. The thread starts with the first model; one that takes too long, or too much
 * memory, is ended and replaced, and the models that wait go on.
 */
export class ModelParser {
  readonly #budgetMs: number;
  readonly #waitingMax: number;
  readonly #limits: ModelLimits;
  readonly #waiting: Waiting[] = [];
  #running: Waiting | null = null;
  #thread: Worker | null = null;
  #ready = false;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor({ budgetMs = 2_000, waitingMax = 100, limits = MODEL_LIMITS }: ModelParserOptions = {}) {
    this.#limits = limits;
    this.#budgetMs = budgetMs;
    this.#waitingMax = waitingMax;
  }

  /**
   * Compiles a model; its problems are in the result.
   * @throws BAD_REQUEST (a DTD, a foreign entity, a reserved id), LIMIT_EXCEEDED (too large, or longer than the budget), UNAVAILABLE (too
   * many wait, or closed)
   */
  parse(xml: string): Promise<ParsedModel> {
    if (this.#closed) return Promise.reject(closed());
    if (xml.length > this.#limits.bytes) {
      return Promise.reject(limitExceeded(`expected a model of at most ${this.#limits.bytes} bytes, but found more`));
    }
    if (this.#waiting.length >= this.#waitingMax) {
      return Promise.reject(unavailable(`expected fewer than ${this.#waitingMax} models to wait for the parser`));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ xml, resolve, reject });
      this.#next();
    });
  }

  /** Ends the thread; models that are not done are refused. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const waiting of this.#waiting.splice(0)) waiting.reject(closed());
    const thread = this.#thread;
    this.#replace(closed());
    await thread?.terminate();
  }

  #next(): void {
    if (this.#running !== null || this.#waiting.length === 0 || this.#closed) return;
    this.#thread ??= this.#start();
    if (!this.#ready) return;
    this.#running = this.#waiting.shift() ?? null;
    // The budget is the model's, so it does not run while the thread starts.
    this.#timer = setTimeout(() => this.#replace(tooLong(this.#budgetMs)), this.#budgetMs);
    this.#thread.postMessage(this.#running?.xml);
  }

  #start(): Worker {
    const thread = new Worker(new URL('./model-thread.js', import.meta.url), {
      workerData: this.#limits,
      resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 },
    });
    thread.on('message', (answer: ThreadAnswer) => this.#answered(thread, answer));
    thread.on('error', (error) => this.#failed(thread, error));
    return thread;
  }

  #answered(thread: Worker, answer: ThreadAnswer): void {
    if (thread !== this.#thread) return;
    if (answer.kind === 'ready') this.#ready = true;
    else this.#settle(answer);
    this.#next();
  }

  #settle(answer: Exclude<ThreadAnswer, { kind: 'ready' }>): void {
    clearTimeout(this.#timer);
    const running = this.#running;
    this.#running = null;
    if (answer.kind === 'model') running?.resolve(answer.model);
    else if (answer.kind === 'refusal') running?.reject(new ServiceError(answer.code, answer.message, answer.info));
    else running?.reject(new Error(answer.message));
  }

  #failed(thread: Worker, error: unknown): void {
    if (thread !== this.#thread) return;
    const memory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    const cause = memory ? limitExceeded('expected a model that takes less memory to read') : asError(error);
    // A thread that cannot even start would otherwise be started again and again for those who wait.
    if (!this.#ready) for (const waiting of this.#waiting.splice(0)) waiting.reject(cause);
    this.#replace(cause);
  }

  /** Lets the thread go, refuses what it was doing, and goes on with another one. */
  #replace(cause: Error): void {
    clearTimeout(this.#timer);
    const [thread, running] = [this.#thread, this.#running];
    this.#thread = null;
    this.#running = null;
    this.#ready = false;
    // Nothing waits for its end: its messages are no longer listened to.
    void thread?.terminate();
    running?.reject(cause);
    this.#next();
  }
}

const closed = () => unavailable('expected an open parser of models, but it is closed');
const tooLong = (ms: number) => limitExceeded(`expected a model that is read within ${ms} ms, but it takes longer`);
const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));
