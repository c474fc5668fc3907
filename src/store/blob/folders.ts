import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from '../data-folder.js';

interface Sync {
  readonly running: Promise<void>;
  /** Of those that came meanwhile: what they did to the folder may be too late for the one that is running. */
  next: Promise<void> | undefined;
}

/** Folders whose entries are to be durable; whoever waits for the same folder shares one call of the disk. */
export class Folders {
  readonly #syncs = new Map<string, Sync>();
  /** Folders that were made, or are being made, whose own entries may not be durable yet. */
  readonly #fresh = new Set<string>();

  /** Resolves when whatever was done to the folder's entries before this call is durable, and that there is the folder. */
  async sync(path: string): Promise<void> {
    const waits = [this.#sync(path)];
    for (let at = path; at !== dirname(at); at = dirname(at)) if (this.#fresh.has(at)) waits.push(this.#settle(at));
    // Together: a disk that writes one of them writes them all.
    await Promise.all(waits);
  }

  /** Does work in a folder, which is made where there is none, with those above it. They are durable with the next {@link sync}. */
  async within<T>(path: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT') throw thrown;
      await this.#make(path);
      return work();
    }
  }

  async #make(path: string): Promise<void> {
    // Said before: another may find the folder before this goes on.
    this.#fresh.add(path);
    try {
      await this.within(dirname(path), () => mkdir(path));
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown;
    }
  }

  /** Of a folder that is there. */
  async #settle(path: string): Promise<void> {
    await this.#sync(dirname(path));
    this.#fresh.delete(path);
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
