import { unavailable } from '../../shared/errors.js';
import { type Time, within } from '../../shared/time.js';
import { LogBroken } from './log.js';
import type { ReplicaData, ReplicaNews } from './replica-follower.js';
import type { ReplicaAsk } from './replica-requests.js';
import type { Correspondent, ReplicaThread } from './replica-thread.js';

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** How long {@link ReplicaWriter.close} waits for a thread that hangs. */
const CLOSE_MS = 5_000;

interface ReplicaWriterOptions {
  readonly data: ReplicaData;
  readonly thread: ReplicaThread;
  readonly time: Time;
  /** Told when the replica does not follow any more, although nobody has said so. */
  readonly lost: (error: Error) => void;
}

/** Fills a replica from Redis, in the thread that does so for all partitions, and knows how far it is. */
export class ReplicaWriter implements Correspondent {
  readonly #options: ReplicaWriterOptions;
  #reached: (Waiting & { readonly revision: number })[] = [];
  #joined = false;
  #revision = 0;
  /** Why it does not follow; null: it does. */
  #stopped: Error | null = unavailable('the replica does not follow yet');

  constructor(options: ReplicaWriterOptions) {
    this.#options = options;
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
    if (this.#stopped !== null) return Promise.reject(this.#stopped);
    if (revision <= this.#revision) return Promise.resolve();
    return new Promise((resolve, reject) => this.#reached.push({ revision, resolve, reject }));
  }

  /** Whoever waits for a revision waits no more. */
  giveUp(error: Error): void {
    for (const { reject } of this.#reached.splice(0)) reject(error);
  }

  async close(): Promise<void> {
    const { thread, time } = this.#options;
    const late = () => unavailable('the thread of the replica hangs');
    if (this.#joined) await within(time, CLOSE_MS, thread.ask(this, { type: 'close' }), late).catch(() => {});
    thread.leave(this);
    this.#joined = false;
  }

  hear(news: ReplicaNews): void {
    if (news.type === 'at') this.#at(news.revision);
    else this.#fault(news);
  }

  /** The next request opens the replica in another thread. */
  lose(error: Error): void {
    this.#joined = false;
    this.#stop(error);
  }

  async #ask(ask: ReplicaAsk): Promise<void> {
    if (!this.#joined) await this.#join();
    await this.#options.thread.ask(this, ask);
  }

  /** What could not be opened is opened anew by the next request. */
  async #join(): Promise<void> {
    const { thread, data } = this.#options;
    thread.join(this);
    this.#joined = true;
    try {
      await thread.ask(this, { type: 'open', data });
    } catch (thrown) {
      thread.leave(this);
      this.#joined = false;
      throw thrown;
    }
  }

  #at(revision: number): void {
    this.#stopped = null;
    this.#revision = revision;
    const there = this.#reached.filter((one) => one.revision <= revision);
    if (there.length === 0) return;
    this.#reached = this.#reached.filter((one) => one.revision > revision);
    for (const { resolve } of there) resolve();
  }

  #fault({ message, broken }: { message: string; broken: boolean }): void {
    this.#stop(broken ? new LogBroken(message) : unavailable(`the replica cannot follow: ${message}`));
  }

  #stop(error: Error): void {
    this.#stopped = error;
    this.giveUp(error);
    this.#options.lost(error);
  }
}
