import { unavailable } from '../../shared/errors.js';
import { Thread, type ThreadPort, workerThread } from '../../shared/thread.js';
import type { ReplicaNews } from './replica-follower.js';
import type { ReplicaAsk, ReplicaReport, ReplicaRequest } from './replica-requests.js';

/** The writer of one replica, to whom the thread tells news of it. */
export interface Correspondent {
  hear(news: ReplicaNews): void;
  /** The thread is gone, with all that was asked of it. */
  lose(error: Error): void;
}

type Replicas = Thread<ReplicaRequest, void, never, ReplicaReport>;

/** The one thread that writes replicas of Redis. It stays for the next partition when the last has left, and is started anew when it has ended. */
export class ReplicaThread {
  readonly #start: () => ThreadPort;
  readonly #correspondents = new Map<number, Correspondent>();
  readonly #numbers = new Map<Correspondent, number>();
  #thread: Replicas | null = null;
  #next = 0;

  constructor(start: () => ThreadPort) {
    this.#start = start;
  }

  /** A process does not end while somebody has joined. */
  join(correspondent: Correspondent): void {
    this.#thread ??= this.#started();
    const number = this.#next++;
    this.#correspondents.set(number, correspondent);
    this.#numbers.set(correspondent, number);
    this.#thread.hold(true);
  }

  async ask(correspondent: Correspondent, ask: ReplicaAsk): Promise<void> {
    const replica = this.#numbers.get(correspondent);
    if (replica !== undefined) return this.#thread?.ask({ ...ask, replica });
    const gone = unavailable('the thread of the replica is gone');
    correspondent.lose(gone);
    throw gone;
  }

  leave(correspondent: Correspondent): void {
    this.#correspondents.delete(this.#numbers.get(correspondent) ?? -1);
    this.#numbers.delete(correspondent);
    if (this.#numbers.size === 0) this.#thread?.hold(false);
  }

  #started(): Replicas {
    const thread: Replicas = new Thread(this.#start(), {
      heard: ({ replica, ...news }) => this.#correspondents.get(replica)?.hear(news),
      refused: ({ message }) => unavailable(`the replica could not be written: ${message}`),
      lost: ({ message }) => unavailable(`the thread of the replica is gone: ${message}`),
      gone: (error) => this.#lose(thread, error),
    });
    return thread;
  }

  #lose(thread: Replicas, error: Error): void {
    if (this.#thread === thread) this.#thread = null;
    const lost = [...this.#numbers.keys()];
    this.#numbers.clear();
    this.#correspondents.clear();
    for (const correspondent of lost) correspondent.lose(error);
  }
}

/** The thread that all partitions of this process share. */
export const replicaThread = new ReplicaThread(() =>
  workerThread(new URL('./replica-requests.js', import.meta.url), { name: 'replica' }),
);
