import type { LongJobContext, LongJobType, Sent } from '../../store/index.js';
import { type DeletedSome, type DeleteSome, deleteSome, deleteTogether, TOGETHER_MAX } from './delete-some.js';
import type { LargeWork } from './make-ready.js';
import { countBelow } from './plan-delete.js';

/**
 * Deletes what lies at the items, which are paths, one after the other and depth first, with the caller's rights. What something refers to waits
 * for the others, and goes with them. The first node that cannot be deleted ends it; what was deleted until then stays deleted.
 */
export const deleteJobType = (largeWork: LargeWork): LongJobType => ({
  type: 'delete',
  needsItems: true,
  resume: 'restart',
  throttle: { items: 100, ms: 500 },
  run: (context) => new DeleteRun(largeWork, context).run(),
});

/** An item that something refers to. */
interface Waiting {
  readonly path: string;
  readonly nodeId: string;
}

class DeleteRun {
  readonly #largeWork: LargeWork;
  readonly #context: LongJobContext;
  #itemsDeleted: number;
  #waiting: Waiting[] = [];

  constructor(largeWork: LargeWork, context: LongJobContext) {
    this.#largeWork = largeWork;
    this.#context = context;
    this.#itemsDeleted = context.job.figures.itemsDeleted ?? 0;
  }

  async run(): Promise<undefined> {
    const { items, job, signal, progress } = this.#context;
    const done = typeof job.checkpoint === 'number' ? job.checkpoint : 0;
    let itemsProcessed = 0;
    for await (const path of items) {
      signal.throwIfAborted();
      itemsProcessed++;
      if (itemsProcessed <= done) continue;
      progress({ currentPath: path, itemsDeleted: this.#itemsDeleted });
      await this.#tryDelete(path);
      // A run that begins again must come to those that wait.
      progress({ itemsProcessed, ...(this.#waiting.length === 0 && { checkpoint: itemsProcessed }) });
    }
    await this.#deleteWaiting();
  }

  /** Those that only others of the job refer to: one after the other as long as some can go, and together where none can. */
  async #deleteWaiting(): Promise<void> {
    while (this.#waiting.length > 0) {
      // What refers to something comes behind it, mostly: the other way round most of them go at once.
      const again = this.#waiting.reverse();
      this.#waiting = [];
      for (const { path } of again) await this.#tryDelete(path);
      if (this.#waiting.length === again.length) await this.#deleteTogether(this.#waiting.slice(0, TOGETHER_MAX));
    }
  }

  /** Those that refer to each other. @throws CONFLICT something else refers to them, or they are more than one commit takes */
  async #deleteTogether(some: readonly Waiting[]): Promise<void> {
    const { partition, signal, progress, caller } = this.#context;
    signal.throwIfAborted();
    let count = 0;
    for (const { nodeId } of some) count += await this.#countOf(nodeId);
    const paths = some.map(({ path }) => path);
    await partition.send(deleteTogether.operation, { paths }, { caller });
    this.#waiting = this.#waiting.slice(some.length);
    this.#itemsDeleted += count;
    progress({ itemsDeleted: this.#itemsDeleted });
  }

  async #tryDelete(path: string): Promise<void> {
    const { partition, signal, progress } = this.#context;
    let step: DeleteSome | null = { path, rootId: null, at: null, isWhole: false };
    while (step !== null) {
      signal.throwIfAborted();
      // What goes at once tells nothing of how much it is.
      const whole = step.isWhole ? await this.#countOf(step.rootId ?? '') : 0;
      const sent: Sent<DeletedSome> = await partition.send(deleteSome.operation, step, {
        caller: this.#context.caller,
      });
      const { deleted, next, referredId } = sent.answer;
      this.#itemsDeleted += referredId === null ? Math.max(deleted, whole) : deleted;
      progress({ itemsDeleted: this.#itemsDeleted });
      if (referredId !== null) this.#waiting.push({ path, nodeId: referredId });
      step = next;
    }
  }

  #countOf(nodeId: string): Promise<number> {
    const { partition, caller } = this.#context;
    return this.#largeWork.plan(partition.id, countBelow, { nodeId }, caller);
  }
}
