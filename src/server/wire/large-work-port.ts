import { contentModule, type LargeWork } from '../../content/index.js';
import type { Caller } from '../../shared/caller.js';
import { type Operation, Reader, type Store } from '../../store/index.js';

/** How long one plan may take. */
const PLAN_MS_MAX = 120_000;

/** What the content's large work reaches through: the open store, and a reader of its own, so that no list waits for a plan. */
export class LargeWorkPort implements LargeWork {
  readonly #store: () => Store;
  readonly #reader: Reader;

  constructor(dataFolder: string, store: () => Store) {
    this.#store = store;
    this.#reader = new Reader({ dataFolder, modules: [contentModule.reader.href], deadlineMs: PLAN_MS_MAX });
  }

  partitionOf(workspace: string): string | undefined {
    return this.#store().partitions.find((one) => one.workspace === workspace)?.id;
  }

  async plan<R>(partition: string, query: string, args: unknown, caller: Caller): Promise<R> {
    const { answer } = await this.#reader.query<R>(partition, query, args, caller);
    return answer;
  }

  async send<I, A>(partition: string, operation: Operation<I, A>, input: I): Promise<A> {
    return this.#store().find(partition).sendAsSystem(operation, input);
  }

  close(): Promise<void> {
    return this.#reader.close();
  }
}
