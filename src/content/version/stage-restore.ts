import type { Caller } from '../../shared/caller.js';
import {
  byLines,
  type LargeWork,
  NodeStaging,
  preparation,
  type Staging,
  stagedInRounds,
} from '../large/make-ready.js';
import { beginFreezing, endFreezing } from './freeze-tree.js';
import { planRestore, restoredPage } from './plan-restore.js';
import { type PlannedRestore, type RestoreComparison, type RestoreQuestion, restoring } from './planned-restore.js';
import { restoredHolder } from './restored-node.js';

/** How many nodes one commit stages: few enough for a decision to be short. */
const STAGED_MAX = 200;

/** Preparation of large restores: nodes that are gone are made page by page, before the decision. */
export const preparedRestores = preparation(
  restoring,
  ({ largeWork }: { readonly largeWork: LargeWork }, question, caller) =>
    stagedInRounds(new RestoreStaging(largeWork, question, caller)),
);

/**
 * A large restore that is made ready outside of a decision: the reader compares the tree with the version; nodes that are gone are made out of
 * the tree, page by page, each a commit to which nothing leads; then it is compared again, until nothing is missing.
 */
export class RestoreStaging implements Staging<PlannedRestore> {
  readonly #work: LargeWork;
  readonly #question: RestoreQuestion;
  readonly #caller: Caller;
  readonly #made: NodeStaging;
  /** Empty: it is not begun yet. */
  #freezing = '';

  constructor(work: LargeWork, question: RestoreQuestion, caller: Caller) {
    this.#work = work;
    this.#question = question;
    this.#caller = caller;
    this.#made = new NodeStaging(work, question.partition, restoredHolder(question.nodeId));
  }

  get path(): string {
    return this.#question.nodeId;
  }

  async round(): Promise<PlannedRestore | undefined> {
    const { partition, nodeId } = this.#question;
    // From here on, what comes or goes in the tree is told to the decision.
    if (this.#freezing === '')
      this.#freezing = await this.#work.send(partition, beginFreezing, { nodeId, freezing: null });
    const { revision, stamp, plan } = await this.#compared();
    const { missing, ...rest } = plan;
    const isOwn = this.#made.isBegun;
    if (missing === '' && (isOwn || plan.attach.length === 0)) {
      const stagingId = isOwn ? this.#made.rootId : null;
      return { problem: null, freezing: this.#freezing, revision, stamp, stagingId, plan: rest };
    }
    await this.#stage(missing);
    return undefined;
  }

  async abandon(): Promise<void> {
    const freezing = this.#freezing;
    if (freezing !== '') await this.#work.send(this.#question.partition, endFreezing, { freezing });
    await this.#made.abandon();
  }

  /** @throws what keeps it from being restored */
  #compared(): Promise<RestoreComparison> {
    const { round: _, ...query } = this.#question;
    return this.#work.plan(query.partition, planRestore, query, this.#caller);
  }

  async #stage(lines: string): Promise<void> {
    const { partition, now } = this.#question;
    const { rootId: stagingId } = this.#made;
    if (!this.#made.isBegun) await this.#made.begin({ purpose: 'restore' });
    await byLines(lines, STAGED_MAX, async (missing) => {
      const query = { partition, stagingId, missing, now };
      const { nodes, count } = await this.#work.plan(partition, restoredPage, query, this.#caller);
      await this.#made.stage({ purpose: 'restore', nodes });
      return count;
    });
  }
}
