import type { LongJobContext, LongJobType, Sent } from '../../store/index.js';
import type { LargeWork } from '../large-work.js';
import { type DeletedSome, type DeleteSome, deleteSome } from '../operation/delete-some.js';
import type { CountBelow } from '../reader/count-below.js';

/**
 * Deletes what lies at the items, which are paths, one after the other and depth first, with the caller's rights. The first node that cannot be
 * deleted ends it; what was deleted until then stays deleted.
 */
export const deleteJobType = (largeWork: LargeWork): LongJobType => ({
  type: 'delete',
  needsItems: true,
  resume: 'restart',
  throttle: { items: 100, ms: 500 },
  run: (context) => new DeleteRun(largeWork, context).run(),
});

class DeleteRun {
  readonly #largeWork: LargeWork;
  readonly #context: LongJobContext;
  #itemsDeleted: number;

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
      await this.#delete(path);
      progress({ itemsProcessed, checkpoint: itemsProcessed });
    }
  }

  async #delete(path: string): Promise<void> {
    const { partition, signal, progress } = this.#context;
    let step: DeleteSome | null = { path, rootId: null, at: null, isWhole: false };
    while (step !== null) {
      signal.throwIfAborted();
      // What goes at once tells nothing of how much it is.
      const whole = step.isWhole ? await this.#countOf(step) : 0;
      const sent: Sent<DeletedSome> = await partition.send(deleteSome.operation, step, {
        caller: this.#context.caller,
      });
      this.#itemsDeleted += Math.max(sent.answer.deleted, whole);
      progress({ itemsDeleted: this.#itemsDeleted });
      step = sent.answer.next;
    }
  }

  #countOf({ rootId }: DeleteSome): Promise<number> {
    const { partition, caller } = this.#context;
    const query: CountBelow = { nodeId: rootId ?? '' };
    return this.#largeWork.plan<number>(partition.id, 'countBelow', query, caller);
  }
}
