import { unavailable } from '../../shared/errors.js';
import { type ThreadPort, workerThread } from '../../shared/thread.js';
import type { ReplicaAsk, ReplicaNews, ReplicaReport, ReplicaRequest } from './replica-message.js';

/** Who hears of one replica. */
export interface Correspondent {
  hear(news: ReplicaNews): void;
  /** The thread is gone, with all that was asked of it. */
  lose(error: Error): void;
}

/** The one thread that writes replicas of Redis. It stays for the next partition when the last has left, and is started anew when it has ended. */
export class ReplicaThread {
  readonly #start: () => ThreadPort;
  readonly #correspondents = new Map<number, Correspondent>();
  readonly #numbers = new Map<Correspondent, number>();
  #thread: ThreadPort | null = null;
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

  post(correspondent: Correspondent, id: number, ask: ReplicaAsk): void {
    const replica = this.#numbers.get(correspondent);
    if (replica === undefined) return correspondent.lose(unavailable('the thread of the replica is gone'));
    this.#thread?.post({ ...ask, replica, id } satisfies ReplicaRequest);
  }

  leave(correspondent: Correspondent): void {
    this.#correspondents.delete(this.#numbers.get(correspondent) ?? -1);
    this.#numbers.delete(correspondent);
    if (this.#numbers.size === 0) this.#thread?.hold(false);
  }

  #started(): ThreadPort {
    const thread = this.#start();
    thread.onMessage((message) => {
      const { replica, ...news } = message as ReplicaReport;
      this.#correspondents.get(replica)?.hear(news);
    });
    thread.onExit((reason) => this.#lose(thread, reason));
    return thread;
  }

  #lose(thread: ThreadPort, reason: Error): void {
    if (this.#thread === thread) this.#thread = null;
    const lost = [...this.#numbers.keys()];
    this.#numbers.clear();
    this.#correspondents.clear();
    for (const correspondent of lost)
      correspondent.lose(unavailable(`the thread of the replica is gone: ${reason.message}`));
  }
}

/** The thread of this process. */
export const replicaThread = new ReplicaThread(() =>
  workerThread(new URL('./replica-thread.js', import.meta.url), { name: 'replica' }),
);
