import { Worker } from 'node:worker_threads';
import { unavailable } from '../../shared/errors.js';
import type { ReplicaAsk, ReplicaNews, ReplicaReport, ReplicaRequest } from './replica-message.js';

/** Who hears of one replica. */
export interface Correspondent {
  hear(news: ReplicaNews): void;
  /** The thread is gone, with all that was asked of it. */
  lose(error: Error): void;
}

/** The one thread of this process that writes replicas of Redis. It stays for the next partition when the last has left. */
export class ReplicaThread {
  static #present: ReplicaThread | null = null;
  readonly #worker: Worker;
  readonly #correspondents = new Map<number, Correspondent>();
  readonly #numbers = new Map<Correspondent, number>();
  #next = 0;

  private constructor() {
    this.#worker = new Worker(new URL('./replica-thread.js', import.meta.url), { name: 'replica' });
    this.#worker.on('message', ({ replica, ...news }: ReplicaReport) => this.#correspondents.get(replica)?.hear(news));
    this.#worker.on('error', (error) => this.#lose(error.message));
    this.#worker.on('exit', () => this.#lose('it ended'));
  }

  /** The thread, started where it is not there; a process does not end while somebody has joined it. */
  static join(correspondent: Correspondent): ReplicaThread {
    ReplicaThread.#present ??= new ReplicaThread();
    const thread = ReplicaThread.#present;
    const number = thread.#next++;
    thread.#correspondents.set(number, correspondent);
    thread.#numbers.set(correspondent, number);
    thread.#worker.ref();
    return thread;
  }

  post(correspondent: Correspondent, id: number, ask: ReplicaAsk): void {
    const replica = this.#numbers.get(correspondent);
    if (replica === undefined) return correspondent.lose(unavailable('the thread of the replica is gone'));
    this.#worker.postMessage({ ...ask, replica, id } satisfies ReplicaRequest);
  }

  leave(correspondent: Correspondent): void {
    this.#correspondents.delete(this.#numbers.get(correspondent) ?? -1);
    this.#numbers.delete(correspondent);
    if (this.#numbers.size === 0) this.#worker.unref();
  }

  #lose(message: string): void {
    if (ReplicaThread.#present === this) ReplicaThread.#present = null;
    const lost = [...this.#numbers.keys()];
    this.#numbers.clear();
    this.#correspondents.clear();
    for (const correspondent of lost) correspondent.lose(unavailable(`the thread of the replica is gone: ${message}`));
  }
}
