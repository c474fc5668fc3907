import type { Caller } from '../../shared/caller.js';
import { ServiceError } from '../../shared/errors.js';
import { busyTree, PLAN_ROUNDS_MAX, problemOf, refusalOf } from '../large/large-work.js';
import { linePages } from '../large/line-pages.js';
import type { LargeWork } from '../large/make-ready.js';
import { abandonLater, GIVEN_UP_MS } from '../large/staging-end.js';
import { beginFreezing } from './freeze-tree.js';
import { planRestore } from './plan-restore.js';
import type { PlannedRestore, RestoreQuestion } from './planned-restore.js';
import { restoredHolder } from './restored-node.js';
import { restoredPage } from './restored-page.js';
import { endLater } from './stage-freeze.js';
import { abandonRestored, beginRestored, stageRestored } from './stage-restored.js';

/** How many nodes one commit stages: few enough for a decision to be short. */
const STAGED_MAX = 200;

/**
 * Makes a large restore ready outside of a decision: the reader compares the tree with the version; nodes that are gone are made out of the
 * tree, page by page, each a commit to which nothing leads; then it is compared again, until nothing is missing.
 */
export class RestoreStaging {
  readonly #work: LargeWork;
  readonly #question: RestoreQuestion;
  readonly #caller: Caller;
  readonly #stagingId: string;
  /** Null: nothing is made so far. */
  #maker: string | null = null;
  #freezing = '';

  constructor(work: LargeWork, question: RestoreQuestion, caller: Caller) {
    this.#work = work;
    this.#question = question;
    this.#caller = caller;
    this.#stagingId = restoredHolder(question.nodeId);
  }

  /** A refusal is an answer: the decision refuses with it. */
  async run(): Promise<PlannedRestore> {
    const { partition, nodeId } = this.#question;
    try {
      // From here on, what comes or goes in the tree is told to the decision.
      this.#freezing = await this.#work.send(partition, beginFreezing, { nodeId, freezing: null });
      const planned = await this.#staged();
      this.#giveUp(GIVEN_UP_MS);
      return planned;
    } catch (thrown) {
      this.#giveUp(0);
      if (thrown instanceof ServiceError) return { problem: problemOf(thrown) };
      throw thrown;
    } finally {
      if (this.#freezing !== '') endLater(this.#work, partition, this.#freezing);
    }
  }

  async #staged(): Promise<PlannedRestore> {
    for (let round = 0; round <= PLAN_ROUNDS_MAX; round++) {
      const { revision, stamp, plan } = await this.#compared();
      const { missing, ...rest } = plan;
      const isOwn = this.#maker !== null;
      if (missing === '' && (isOwn || plan.attach.length === 0)) {
        const stagingId = isOwn ? this.#stagingId : null;
        return { problem: null, freezing: this.#freezing, revision, stamp, stagingId, plan: rest };
      }
      await this.#stage(missing);
    }
    throw busyTree(this.#question.nodeId);
  }

  /** @throws what keeps it from being restored */
  async #compared() {
    const { round: _, ...query } = this.#question;
    const compared = await this.#work.plan(query.partition, planRestore, query, this.#caller);
    if (compared.problem !== null) throw refusalOf(compared.problem);
    return compared;
  }

  async #stage(missing: string): Promise<void> {
    const { partition, now } = this.#question;
    const stagingId = this.#stagingId;
    this.#maker ??= await this.#work.send(partition, beginRestored, { stagingId });
    for (const some of linePages(missing, STAGED_MAX)) {
      let left = some;
      while (left !== '') {
        const query = { partition, stagingId, missing: left, now };
        const { nodes, count } = await this.#work.plan(partition, restoredPage, query, this.#caller);
        await this.#work.send(partition, stageRestored, { stagingId, nodes });
        left = left.split('\n').slice(count).join('\n');
      }
    }
  }

  #giveUp(afterMs: number): void {
    const stagingId = this.#stagingId;
    const maker = this.#maker;
    if (maker === null) return;
    abandonLater(stagingId, afterMs, () =>
      this.#work.send(this.#question.partition, abandonRestored, { stagingId, maker }),
    );
  }
}
