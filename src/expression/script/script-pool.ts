import { sandboxClosed, tooManyScripts } from '../errors.js';
import type { ScriptFailure, ThreadOptions, ThreadRequest } from './script-run.js';
import { ScriptWorker } from './script-worker.js';

/** How long a script may run, in ms. */
const SCRIPT_TIMEOUT_MS = 1000;
/** How much memory a script may use, in bytes. */
export const SCRIPT_MEMORY_BYTES = 64 * 1024 * 1024;
/** How many scripts may wait for a thread. */
const SCRIPTS_WAITING_MAX = 1000;

const SCRIPT_THREAD = new URL('./script-thread.js', import.meta.url);

export interface ScriptSandboxOptions {
  /** How long a script may run, in ms. Default 1000. */
  readonly timeoutMs?: number;
  /** How much memory a script may use, in bytes. Default 64 MB. */
  readonly memoryBytes?: number;
  /** How many scripts run at the same time. Default 1. */
  readonly threads?: number;
}

interface Waiting<D> {
  readonly request: ThreadRequest;
  resolve(result: D | { readonly error: ScriptFailure }): void;
  reject(thrown: unknown): void;
}

/**
 * Threads that answer one request after the other. A run that takes too long or too much memory is ended from outside with its thread, and another thread takes
 * its place; neither that nor a thread's start counts as a run's time. Threads start with the first request.
 */
export class ScriptPool<D> {
  readonly #module: URL;
  readonly #world: ThreadOptions['world'];
  readonly #timeoutMs: number;
  readonly #memoryBytes: number;
  readonly #threadsMax: number;
  readonly #threads = new Set<ScriptWorker<D>>();
  readonly #waiting: Waiting<D>[] = [];
  #closed = false;

  /** `module`: where its threads begin. */
  constructor(options: ScriptSandboxOptions, world: ThreadOptions['world'], module = SCRIPT_THREAD) {
    this.#module = module;
    this.#world = world;
    this.#timeoutMs = options.timeoutMs ?? SCRIPT_TIMEOUT_MS;
    this.#memoryBytes = options.memoryBytes ?? SCRIPT_MEMORY_BYTES;
    this.#threadsMax = options.threads ?? 1;
  }

  /**
   * The answer of a thread, or why it has none. @throws UNAVAILABLE when 1,000 requests wait already, or after {@link close}; nothing was run then, so a retry is
   * safe
   */
  async ask(request: ThreadRequest): Promise<D | { readonly error: ScriptFailure }> {
    if (this.#closed) throw sandboxClosed();
    if (this.#waiting.length >= SCRIPTS_WAITING_MAX) throw tooManyScripts(SCRIPTS_WAITING_MAX);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, resolve, reject });
      this.#assign();
    });
  }

  /** Ends the threads. Scripts that run or wait are refused with UNAVAILABLE. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { reject } of this.#waiting.splice(0)) reject(sandboxClosed());
    await Promise.all([...this.#threads].map((thread) => thread.end(sandboxClosed())));
  }

  #assign(): void {
    const idle = [...this.#threads].find((thread) => thread.idle);
    if (idle !== undefined) {
      const next = this.#waiting.shift();
      if (next !== undefined) this.#give(idle, next);
      return;
    }
    const starting = [...this.#threads].filter((thread) => thread.starting).length;
    if (this.#waiting.length > starting && this.#threads.size < this.#threadsMax) this.#start();
  }

  #give(thread: ScriptWorker<D>, { request, resolve, reject }: Waiting<D>): void {
    thread.run(request).then(resolve, reject);
  }

  #start(): void {
    const thread = new ScriptWorker<D>({
      module: this.#module,
      world: this.#world,
      timeoutMs: this.#timeoutMs,
      memoryBytes: this.#memoryBytes,
      onIdle: () => this.#assign(),
      onEnd: (failure) => {
        this.#threads.delete(thread);
        if (this.#closed) return;
        // A thread that cannot even start would fail for ever: whoever waits is told so, and the next run tries again.
        if (failure === undefined) this.#start();
        else for (const { reject } of this.#waiting.splice(0)) reject(failure);
      },
    });
    this.#threads.add(thread);
  }
}
