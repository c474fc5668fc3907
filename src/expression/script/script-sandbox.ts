import { seedOf } from '../../shared/ids.js';
import { sandboxClosed, tooManyScripts } from '../errors.js';
import type { PreludeInput } from './prelude.js';
import type { ScriptResult, ScriptRun, ThreadRequest } from './script-run.js';
import { ScriptWorker } from './script-worker.js';

/** How long a script may run, in ms. */
const SCRIPT_TIMEOUT_MS = 1000;
/** How much memory a script may use, in bytes. */
export const SCRIPT_MEMORY_BYTES = 64 * 1024 * 1024;
/** How many scripts may wait for a thread. */
const SCRIPTS_WAITING_MAX = 1000;

export interface ScriptSandboxOptions {
  /** How long a script may run, in ms. Default 1000. */
  readonly timeoutMs?: number;
  /** How much memory a script may use, in bytes. Default 64 MB. */
  readonly memoryBytes?: number;
  /** How many scripts run at the same time. Default 1. */
  readonly threads?: number;
}

interface Waiting {
  readonly request: ThreadRequest;
  resolve(result: ScriptResult): void;
  reject(thrown: unknown): void;
}

/**
 * Runs JavaScript of models apart from the server: QuickJS in WebAssembly in a thread, each run in a fresh context without any way to the
 * host. A run that takes too long or too much memory is ended from outside with its thread, and another thread takes its place; neither that
 * nor a thread's start counts as a script's time. Threads start with the first run, or with {@link warmUp}.
 */
export class ScriptSandbox {
  readonly #timeoutMs: number;
  readonly #memoryBytes: number;
  readonly #threadsMax: number;
  readonly #threads = new Set<ScriptWorker>();
  readonly #waiting: Waiting[] = [];
  #closed = false;

  constructor(options: ScriptSandboxOptions = {}) {
    this.#timeoutMs = options.timeoutMs ?? SCRIPT_TIMEOUT_MS;
    this.#memoryBytes = options.memoryBytes ?? SCRIPT_MEMORY_BYTES;
    this.#threadsMax = options.threads ?? 1;
  }

  /** Starts a thread ahead of the first script, and resolves when it can take one. @throws why it cannot start; the first script tries again */
  async warmUp(): Promise<void> {
    await this.run(NOTHING);
  }

  /**
   * Runs a script. Whatever the script does is an answer, failures included. @throws UNAVAILABLE when 1,000 scripts wait already, or after
   * {@link close}; nothing was run then, so a retry is safe
   */
  async run(script: ScriptRun): Promise<ScriptResult> {
    if (this.#closed) throw sandboxClosed();
    if (this.#waiting.length >= SCRIPTS_WAITING_MAX) throw tooManyScripts(SCRIPTS_WAITING_MAX);
    const request = requestOf(script);
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

  #give(thread: ScriptWorker, { request, resolve, reject }: Waiting): void {
    thread.run(request).then(resolve, reject);
  }

  #start(): void {
    const thread = new ScriptWorker({
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

const NOTHING: ScriptRun = {
  source: '',
  variables: {},
  now: 0,
  seed: '',
  execution: {
    id: '',
    processInstanceId: '',
    processDefinitionId: '',
    processBusinessKey: null,
    currentActivityId: null,
  },
};

function requestOf({ source, variables, own = [], now, seed, execution, task }: ScriptRun): ThreadRequest {
  const words = seedOf(seed).match(/.{8}/g) ?? [];
  const input: PreludeInput = {
    variables,
    own,
    now,
    seed: words.map((word) => Number.parseInt(word, 16)),
    execution,
    task: task ?? null,
  };
  return { source, input: JSON.stringify(input) };
}
