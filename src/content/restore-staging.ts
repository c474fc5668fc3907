import type { Caller } from '../shared/caller.js';
import { ServiceError } from '../shared/errors.js';
import type { LargeWork } from './large-work.js';
import { linePages } from './line-pages.js';
import { beginFreezing } from './operation/freeze-tree.js';
import { beginRestored, stageRestored } from './operation/stage-restored.js';
import type { RestoredPage, RestoredPageQuery } from './reader/restored-page.js';
import { busyTree, PLAN_ROUNDS_MAX, problemOf, refusalOf } from './rule/large-work.js';
import type { PlannedRestore, RestoreComparison, RestoreQuery, RestoreQuestion } from './rule/planned-restore.js';
import { GIVEN_UP_MS, giveUp } from './staging-end.js';
import { endLater } from './tree-freezing.js';

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
  #stagingId: string | null;
  #freezing = '';

  constructor(work: LargeWork, question: RestoreQuestion, caller: Caller) {
    this.#work = work;
    this.#question = question;
    this.#caller = caller;
    this.#stagingId = question.stagingId;
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
      if (missing === '')
        return { problem: null, freezing: this.#freezing, revision, stamp, stagingId: this.#stagingId, plan: rest };
      await this.#stage(missing);
    }
    throw busyTree(this.#question.nodeId);
  }

  /** @throws what keeps it from being restored */
  async #compared() {
    const { round: _, ...question } = this.#question;
    const query: RestoreQuery = { ...question, stagingId: this.#stagingId };
    const compared = await this.#work.plan<RestoreComparison>(question.partition, 'planRestore', query, this.#caller);
    if (compared.problem !== null) throw refusalOf(compared.problem);
    return compared;
  }

  async #stage(missing: string): Promise<void> {
    const { partition, now } = this.#question;
    this.#stagingId ??= await this.#work.send(partition, beginRestored, null);
    const stagingId = this.#stagingId;
    for (const some of linePages(missing, STAGED_MAX)) {
      let left = some;
      while (left !== '') {
        const query: RestoredPageQuery = { partition, stagingId, missing: left, now };
        const { nodes, count } = await this.#work.plan<RestoredPage>(partition, 'restoredPage', query, this.#caller);
        await this.#work.send(partition, stageRestored, { stagingId, nodes });
        left = left.split('\n').slice(count).join('\n');
      }
    }
  }

  #giveUp(afterMs: number): void {
    if (this.#stagingId !== null) giveUp(this.#work, this.#question.partition, this.#stagingId, afterMs);
  }
}
