import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from './sync-folder.js';

interface Sync {
  readonly running: Promise<void>;
  /** Of those that came meanwhile: what they did to the folder may be too late for the one that is running. */
  next: Promise<void> | undefined;
}

/** Folders whose entries are to be durable; whoever waits for the same folder shares one call of the disk. */
export class Folders {
  readonly #syncs = new Map<string, Sync>();
  readonly #making = new Map<string, Promise<void>>();

  /**
   * Resolves when whatever was done to the folder's entries before this call is durable, and the folder itself, if it was made by
   * {@link within}.
   */
  async sync(path: string): Promise<void> {
    await Promise.all([this.#sync(path), this.#making.get(path)]);
  }

  /** Does work in a folder, which is made where there is none, with those above it. */
  async within<T>(path: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT') throw thrown;
      await this.#make(path);
      return work();
    }
  }

  /** Resolves when the folder is there and its entry durable. */
  #make(path: string): Promise<void> {
    let making = this.#making.get(path);
    if (making === undefined) {
      making = this.#makeOne(path).finally(() => this.#making.delete(path));
      this.#making.set(path, making);
    }
    return making;
  }

  async #makeOne(path: string): Promise<void> {
    try {
      await this.within(dirname(path), () => mkdir(path));
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown;
      return;
    }
    await this.sync(dirname(path));
  }

  #sync(path: string): Promise<void> {
    const sync = this.#syncs.get(path);
    if (sync === undefined) return this.#begin(path);
    const next = () => this.#begin(path);
    sync.next ??= sync.running.then(next, next);
    return sync.next;
  }

  #begin(path: string): Promise<void> {
    const sync: Sync = { running: syncFolder(path), next: undefined };
    this.#syncs.set(path, sync);
    const end = () => {
      if (this.#syncs.get(path) === sync && sync.next === undefined) this.#syncs.delete(path);
    };
    sync.running.then(end, end);
    return sync.running;
  }
}
