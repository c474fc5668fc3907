import type { LargeWork } from '../../content/index.js';
import type { Caller } from '../../shared/caller.js';
import { unavailable } from '../../shared/errors.js';
import { type Operation, Reader, type Store, systemCaller } from '../../store/index.js';
import type { Config } from '../settings/config.js';

/** How long one plan may take. */
const PLAN_MS_MAX = 120_000;

/** What the content's large work reaches through: the open store, and a reader of its own, so that no list waits for a plan. */
export class LargeWorkPort implements LargeWork {
  #store: Store | undefined;
  #reader: Reader | undefined;

  /** Once the store is open; gives what closes the reader. */
  connect(store: Store, { dataFolder }: Pick<Config, 'dataFolder'>): () => Promise<void> {
    const modules = [new URL('../../content/reader/reader-module.js', import.meta.url).href];
    const reader = new Reader({ dataFolder, modules, deadlineMs: PLAN_MS_MAX });
    this.#store = store;
    this.#reader = reader;
    return () => reader.close();
  }

  partitionOf(workspace: string): string | undefined {
    return this.#opened(this.#store).partitions.find((one) => one.workspace === workspace)?.id;
  }

  async plan<R>(partition: string, query: string, args: unknown, caller: Caller): Promise<R> {
    const { answer } = await this.#opened(this.#reader).query<R>(partition, query, args, caller);
    return answer;
  }

  async send<I, A>(partition: string, operation: Operation<I, A>, input: I): Promise<A> {
    const found = this.#opened(this.#store).find(partition);
    return (await found.send(operation, input, { caller: systemCaller(found.workspace) })).answer;
  }

  #opened<T>(part: T | undefined): T {
    if (part === undefined) throw unavailable('expected the server to be ready, but it is starting');
    return part;
  }
}
