import { Worker } from 'node:worker_threads';
import {
  crashed,
  outOfMemory,
  outOfTime,
  type ScriptFailure,
  type ThreadOptions,
  type ThreadReply,
  type ThreadRequest,
} from './script-run.js';

interface ScriptWorkerOptions {
  /** Where its thread begins. */
  readonly module: URL;
  readonly world: ThreadOptions['world'];
  readonly timeoutMs: number;
  readonly memoryBytes: number;
  /** It has started, or ended a run, and can take the next. */
  onIdle(): void;
  /** It is gone; `failure` when it could not even start. */
  onEnd(failure?: Error): void;
}

/** How long a thread may take to begin a script that it was given, in ms: to read its variables, and to be scheduled at all. */
const BEGIN_MS_MAX = 30_000;

interface Running<D> {
  timer: NodeJS.Timeout;
  resolve(result: D | { readonly error: ScriptFailure }): void;
  reject(thrown: unknown): void;
}

/** One thread for scripts, seen from the main thread: it runs one script at a time, and is ended when that takes too long. */
export class ScriptWorker<D> {
  readonly #options: ScriptWorkerOptions;
  readonly #worker: Worker;
  readonly #begun = new BigInt64Array(new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT));
  #state: 'starting' | 'idle' | 'running' | 'ended' = 'starting';
  #running: Running<D> | undefined;

  constructor(options: ScriptWorkerOptions) {
    this.#options = options;
    const workerData: ThreadOptions = {
      world: options.world,
      memoryBytes: options.memoryBytes,
      begun: this.#begun,
    };
    this.#worker = new Worker(options.module, {
      name: 'millrace-script',
      workerData,
      // Nothing of the server's environment is of use there.
      env: {},
      argv: [],
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16, codeRangeSizeMb: 16, stackSizeMb: 4 },
    });
    this.#worker.on('message', (reply: ThreadReply) => this.#onReply(reply));
    this.#worker.on('error', (error) => this.#onError(error));
    this.#worker.on('exit', () => this.#gone(crashed('its thread ended')));
  }

  get idle(): boolean {
    return this.#state === 'idle';
  }

  get starting(): boolean {
    return this.#state === 'starting';
  }

  /** Runs one script; only while it is idle. */
  run(request: ThreadRequest): Promise<D | { readonly error: ScriptFailure }> {
    this.#state = 'running';
    this.#worker.ref();
    return new Promise((resolve, reject) => {
      Atomics.store(this.#begun, 0, 0n);
      const given = process.hrtime.bigint();
      const timer = setTimeout(() => this.#onTimeout(given), this.#options.timeoutMs);
      this.#running = { timer, resolve, reject };
      this.#worker.postMessage(request);
    });
  }

  /** Ends the thread; a script that runs is rejected with the reason. */
  async end(reason: Error): Promise<void> {
    this.#state = 'ended';
    this.#take()?.reject(reason);
    await this.#worker.terminate();
  }

  #onReply(reply: ThreadReply): void {
    if (this.#state === 'ended') return;
    if (reply.type === 'done') {
      const result = JSON.parse(reply.result) as D | { readonly error: ScriptFailure };
      this.#take()?.resolve(result);
      if (reply.broken) {
        this.#gone();
        return;
      }
    }
    this.#state = 'idle';
    // An idle thread does not keep the process alive.
    this.#worker.unref();
    this.#options.onIdle();
  }

  /**
   * The time is the script's own: it runs from when the thread began it. A reply may lie unread because the main thread itself was late: it is
   * read before the thread is ended.
   */
  #onTimeout(given: bigint): void {
    const running = this.#running;
    const { timeoutMs } = this.#options;
    const begun = Atomics.load(this.#begun, 0);
    const left = begun === 0n ? BEGIN_MS_MAX - msSince(given) : timeoutMs - msSince(begun);
    if (running !== undefined && left > 0) {
      running.timer = setTimeout(() => this.#onTimeout(given), Math.min(Math.ceil(left), timeoutMs));
      return;
    }
    setImmediate(() => {
      if (running === undefined || running !== this.#running) return;
      this.#gone(begun === 0n ? crashed(`it was not begun within ${BEGIN_MS_MAX} ms`) : outOfTime(timeoutMs));
    });
  }

  #onError(error: Error): void {
    const isMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    this.#gone(isMemory ? outOfMemory(this.#options.memoryBytes) : crashed(error.message));
  }

  #gone(failure?: ScriptFailure): void {
    if (this.#state === 'ended') return;
    const hadStarted = this.#state !== 'starting';
    this.#state = 'ended';
    if (failure !== undefined) this.#take()?.resolve({ error: failure });
    void this.#worker.terminate();
    this.#options.onEnd(hadStarted ? undefined : new Error(`the script thread did not start: ${failure?.message}`));
  }

  #take(): Running<D> | undefined {
    const running = this.#running;
    this.#running = undefined;
    clearTimeout(running?.timer);
    return running;
  }
}

const msSince = (begun: bigint): number => Number(process.hrtime.bigint() - begun) / 1e6;
