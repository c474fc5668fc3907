import { unavailable } from '../../shared/errors.js';
import { LogBroken } from './log.js';
import type { ReplicaAsk, ReplicaData, ReplicaNews } from './replica-message.js';
import type { Correspondent, ReplicaThread } from './replica-worker.js';

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** Fills a replica from Redis, in the thread that does so for all partitions, and knows how far it is. */
export class ReplicaWriter implements Correspondent {
  readonly #data: ReplicaData;
  readonly #thread: ReplicaThread;
  readonly #asked = new Map<number, Waiting>();
  #reached: (Waiting & { readonly revision: number })[] = [];
  #joined = false;
  #revision = 0;
  #next = 0;
  #broken: Error | null = null;

  constructor(data: ReplicaData, thread: ReplicaThread) {
    this.#data = data;
    this.#thread = thread;
  }

  /** The replica writes what the stream says from where it is, until it is told otherwise. */
  follow(): Promise<void> {
    return this.#ask({ type: 'follow' });
  }

  /** Makes the replica anew out of Redis, then follows; what it held before goes to `copyTo`. */
  load(copyTo: string | null): Promise<void> {
    return this.#ask({ type: 'load', copyTo });
  }

  trim(revision: number, outcomesBefore: number): Promise<void> {
    return this.#ask({ type: 'trim', revision, outcomesBefore });
  }

  /** Resolves when the replica holds the revision. Rejects when it cannot come to hold it, or when {@link giveUp} is called. */
  reached(revision: number): Promise<void> {
    if (this.#broken !== null) return Promise.reject(this.#broken);
    if (revision <= this.#revision) return Promise.resolve();
    return new Promise((resolve, reject) => this.#reached.push({ revision, resolve, reject }));
  }

  /** Whoever waits for a revision waits no more. */
  giveUp(error: Error): void {
    for (const { reject } of this.#reached.splice(0)) reject(error);
  }

  async close(): Promise<void> {
    if (this.#joined) await this.#ask({ type: 'close' }).catch(() => {});
    this.#thread.leave(this);
    this.#joined = false;
  }

  hear(news: ReplicaNews): void {
    if (news.type === 'at') this.#at(news.revision);
    else if (news.type === 'fault') this.#fault(news);
    else {
      const { id, error } = news;
      const asked = this.#asked.get(id);
      this.#asked.delete(id);
      if (error === undefined) asked?.resolve();
      else asked?.reject(unavailable(`the replica could not be written: ${error}`));
    }
  }

  /** The next request opens the replica in another thread. */
  lose(error: Error): void {
    this.#joined = false;
    this.giveUp(error);
    for (const { reject } of this.#asked.values()) reject(error);
    this.#asked.clear();
  }

  async #ask(ask: ReplicaAsk): Promise<void> {
    if (!this.#joined) {
      this.#thread.join(this);
      this.#joined = true;
      await this.#post({ type: 'open', data: this.#data });
    }
    await this.#post(ask);
  }

  #post(ask: ReplicaAsk): Promise<void> {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#asked.set(id, { resolve, reject });
      this.#thread.post(this, id, ask);
    });
  }

  /** A port hands over many messages at once: the event loop gets its turn before what they set off. */
  #at(revision: number): void {
    this.#revision = revision;
    const there = this.#reached.filter((one) => one.revision <= revision);
    if (there.length === 0) return;
    this.#reached = this.#reached.filter((one) => one.revision > revision);
    setImmediate(() => {
      for (const { resolve } of there) resolve();
    });
  }

  #fault({ message, broken }: { message: string; broken: boolean }): void {
    if (broken) this.#broken = new LogBroken(message);
    this.giveUp(this.#broken ?? unavailable(`the replica cannot follow: ${message}`));
  }
}
