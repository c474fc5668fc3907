import { Worker, type WorkerOptions } from 'node:worker_threads';
import { fromThreadError, type Said, type ThreadData, type ToThread } from './thread-service.js';
import { pause, systemTime, type Timers } from './time.js';

/** A thread as whoever started it sees it: it is sent messages, and sends some. */
export interface ThreadPort {
  /** Sends it a message: plain data, copied. Of one that has gone nobody hears. */
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Told once it has gone, with the reason, and all that it had open is closed; it comes with no message after that. */
  onExit(listener: (reason: Error) => void): void;
  /** Whether it keeps the process alive. */
  hold(isHeld: boolean): void;
  /** Ends it wherever it is. Not for one that has SQLite open: it would take the process with it. */
  terminate(): void;
}

interface WorkerThreadOptions extends Pick<WorkerOptions, 'name' | 'resourceLimits'> {
  /** What its module is given to begin with. */
  readonly data?: unknown;
  /** What the reason of its end is called where nothing was thrown. */
  readonly ended?: string;
}

/** A thread of Node's. `module`: exports what it does, as `inThread`. */
export function workerThread(
  module: URL,
  { data, ended = 'the thread has ended', ...options }: WorkerThreadOptions = {},
): ThreadPort {
  const workerData: ThreadData = { module: module.href, data };
  const worker = new Worker(new URL('./thread-entry.js', import.meta.url), { ...options, workerData });
  let reason = new Error(ended);
  // It has not gone yet: what it had open is closed on its way to the exit.
  worker.on('error', (error) => {
    reason = error;
  });
  return {
    post: (message) => worker.postMessage(message),
    onMessage: (listener) => void worker.on('message', listener),
    onExit: (listener) => void worker.on('exit', () => listener(reason)),
    hold: (isHeld) => {
      if (isHeld) worker.ref();
      else worker.unref();
    },
    terminate: () => void worker.terminate(),
  };
}

export interface ThreadOptions<N> {
  /** When it keeps the process alive: always; while an answer is waited for; never. Default: always. */
  readonly holds?: 'always' | 'asked' | 'never';
  /** It can be asked. What was asked before it takes now. */
  readonly started?: () => void;
  /** What it says without being asked. */
  readonly heard?: (news: N) => void;
  /** What its end is called for those who wait for it. Default: the reason itself. */
  readonly lost?: (reason: Error) => Error;
  /** Told once when it has gone, with that; whoever waited is refused by then. */
  readonly gone?: (lost: Error) => void;
  /** What an answer is called that is a failure. Default: what was thrown there. */
  readonly refused?: (thrown: Error) => Error;
}

/** How long an answer may take. */
export interface Patience {
  readonly ms: number;
  readonly late: () => Error;
}

interface Waiting<A> {
  resolve(answer: A): void;
  reject(thrown: Error): void;
}

/** One thread, from its start to its end, which may be asked questions (`Q`) that it answers (`A`), told messages (`M`), and heard (`N`). */
export class Thread<Q, A = void, M = never, N = never> {
  /** Resolves when it has gone. */
  readonly ended: Promise<void>;
  readonly #port: ThreadPort;
  readonly #options: ThreadOptions<N>;
  readonly #waiting = new Map<number, Waiting<A>>();
  #next = 0;
  #lost: Error | null = null;

  constructor(port: ThreadPort, options: ThreadOptions<N> = {}) {
    this.#port = port;
    this.#options = options;
    if ((options.holds ?? 'always') !== 'always') port.hold(false);
    port.onMessage((message) => this.#take(message as Said));
    this.ended = new Promise((resolve) => {
      port.onExit((reason) => {
        resolve();
        this.#lose(reason);
      });
    });
  }

  /** Why it has gone; null: it is there, as far as is known. */
  get lost(): Error | null {
    return this.#lost;
  }

  /** @throws what was thrown there; what its end is called, when it has gone or goes before it answers */
  ask(question: Q, patience?: Patience): Promise<A> {
    if (this.#lost !== null) return Promise.reject(this.#lost);
    const id = this.#next++;
    return new Promise<A>((resolve, reject) => {
      const waiting = { resolve, reject };
      this.#waiting.set(id, patience === undefined ? waiting : this.#patient(id, waiting, patience));
      if (this.#options.holds === 'asked') this.#port.hold(true);
      this.#post({ id, ask: question });
    });
  }

  tell(message: M): void {
    this.#post({ tell: message });
  }

  hold(isHeld: boolean): void {
    this.#port.hold(isHeld);
  }

  /** Whoever waits for an answer waits no more. */
  giveUp(reason: Error): void {
    for (const id of [...this.#waiting.keys()]) this.#settle(id)?.reject(reason);
  }

  /** Tells it to end by itself, behind what it was asked and told before. */
  end(): void {
    this.#post({ end: true });
  }

  /** As {@link end}; resolves when it has gone, or after so many ms. Default: however long it takes. */
  async close(withinMs?: number, time: Timers = systemTime): Promise<void> {
    if (this.#lost !== null) return;
    this.#port.hold(true);
    this.end();
    await (withinMs === undefined ? this.ended : Promise.race([this.ended, pause(time, withinMs)]));
    // One that hangs within SQLite cannot be ended from outside.
    this.#port.hold(false);
  }

  /** Ends it wherever it is. Not for one that has SQLite open. */
  terminate(): void {
    this.#port.terminate();
  }

  #post(message: ToThread): void {
    this.#port.post(message);
  }

  #patient(id: number, { resolve, reject }: Waiting<A>, { ms, late }: Patience): Waiting<A> {
    const timer = systemTime.after(ms, () => this.#settle(id)?.reject(late())).hold();
    return {
      resolve: (answer) => {
        timer.cancel();
        resolve(answer);
      },
      reject: (thrown) => {
        timer.cancel();
        reject(thrown);
      },
    };
  }

  #take(said: Said): void {
    const { started, heard, refused = asIs } = this.#options;
    if ('started' in said) started?.();
    else if ('news' in said) heard?.(said.news as N);
    else if ('error' in said) this.#settle(said.id)?.reject(refused(fromThreadError(said.error)));
    else this.#settle(said.id)?.resolve(said.answer as A);
  }

  #settle(id: number): Waiting<A> | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (this.#options.holds === 'asked' && this.#waiting.size === 0) this.#port.hold(false);
    return waiting;
  }

  #lose(reason: Error): void {
    const { lost = asIs, gone } = this.#options;
    this.#lost = lost(reason);
    this.giveUp(this.#lost);
    gone?.(this.#lost);
  }
}

const asIs = (error: Error): Error => error;
