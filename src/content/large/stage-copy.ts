import type { Caller } from '../../shared/caller.js';
import { badRequest, ServiceError } from '../../shared/errors.js';
import { copyIdOf } from './copy.js';
import { copyPage } from './copy-page.js';
import {
  type CopiedPage,
  type CopyPage,
  type CopyPlan,
  type CopyQuestion,
  type PlanCopy,
  STAGED_MAX,
  type StagedCopy,
} from './copy-plan.js';
import { busyTree, PLAN_ROUNDS_MAX, problemOf, refusalOf } from './large-work.js';
import { linePages } from './line-pages.js';
import type { LargeWork } from './make-ready.js';
import { planCopy } from './plan-copy.js';
import { beginStaging, stageNodes } from './staging.js';
import { GIVEN_UP_MS, giveUp } from './staging-end.js';

/** Who copies, and what makes this copy another one than the last. */
export interface CopyFacts {
  readonly caller: Caller;
  readonly seed: string;
}

/**
 * Makes a copy out of the tree: the reader says what is copied, and gives it page by page; each page is one commit. What changed meanwhile is
 * done again, until the copy is as the source was at one revision.
 */
export class CopyStaging {
  readonly #work: LargeWork;
  readonly #question: CopyQuestion;
  readonly #caller: Caller;
  readonly #seed: string;
  #source = '';
  #rootId = '';
  #leavesLists = false;
  #plan: CopyPlan | undefined;

  constructor(work: LargeWork, question: CopyQuestion, { caller, seed }: CopyFacts) {
    this.#work = work;
    this.#question = question;
    this.#caller = { ...caller, workspace: question.sourceWorkspace ?? caller.workspace };
    this.#seed = seed;
  }

  /** A refusal is an answer: the decision refuses with it. */
  async run(): Promise<StagedCopy> {
    try {
      this.#source = this.#sourcePartition();
      await this.#stage();
      this.#giveUp(GIVEN_UP_MS);
      return { rootId: this.#rootId, leavesLists: this.#leavesLists, problem: null };
    } catch (thrown) {
      this.#giveUp(0);
      if (thrown instanceof ServiceError) return { problem: problemOf(thrown) };
      throw thrown;
    }
  }

  #sourcePartition(): string {
    const { partition, sourceWorkspace } = this.#question;
    if (sourceWorkspace === null) return partition;
    const found = this.#work.partitionOf(sourceWorkspace);
    if (found !== undefined) return found;
    throw badRequest(`expected an open workspace, but there is none with the name '${sourceWorkspace}'`, {
      reason: 'workspace_not_found',
    });
  }

  async #stage(): Promise<void> {
    const { partition, now, sourcePath } = this.#question;
    for (let round = 0; round <= PLAN_ROUNDS_MAX; round++) {
      const plan = await this.#nextPlan();
      if (round === 0) {
        const rootId = copyIdOf({ seed: this.#seed, now }, plan.sourceId);
        await this.#work.send(partition, beginStaging, { rootId, types: plan.types });
        this.#rootId = rootId;
      }
      await this.#remove(plan);
      if (plan.page !== null) await this.#send(plan.page, [], plan.namespaces);
      // What was staged is as the source was at the plan's revision.
      if (plan.page !== null || plan.changed === '') return;
      await this.#stagePages(plan);
    }
    throw busyTree(sourcePath);
  }

  /** @throws what keeps it from being copied */
  async #nextPlan(): Promise<CopyPlan> {
    const { now, sourcePath, expectedVersion, sourceWorkspace, withLists } = this.#question;
    const known = this.#plan;
    const query: PlanCopy = {
      partition: this.#source,
      path: sourcePath,
      expectedVersion,
      last: known === undefined ? null : { revision: known.revision, ids: known.ids },
      isAbroad: sourceWorkspace !== null,
      withLists,
      seed: this.#seed,
      userId: this.#caller.userId,
      now,
    };
    const plan = await this.#work.plan(this.#source, planCopy, query, this.#caller);
    if (plan.problem !== null) throw refusalOf(plan.problem);
    // Namespaces and types are told once.
    this.#plan = known === undefined ? plan : { ...plan, namespaces: known.namespaces };
    return this.#plan;
  }

  async #remove({ gone, namespaces }: CopyPlan): Promise<void> {
    for (const some of linePages(gone, STAGED_MAX)) {
      const ids = some.split('\n').map((id) => copyIdOf({ seed: this.#seed, now: this.#question.now }, id));
      await this.#send({ copies: [], leavesLists: false, targets: [], count: 0 }, ids, namespaces);
    }
  }

  async #stagePages({ changed, sourceId, namespaces }: CopyPlan): Promise<void> {
    const { now, withLists } = this.#question;
    for (const some of linePages(changed, STAGED_MAX)) {
      let left = some;
      while (left !== '') {
        const query: CopyPage = {
          partition: this.#source,
          sourceId,
          ids: left,
          withLists,
          seed: this.#seed,
          userId: this.#caller.userId,
          now,
        };
        const page = await this.#work.plan(this.#source, copyPage, query, this.#caller);
        await this.#send(page, [], namespaces);
        left = left.split('\n').slice(page.count).join('\n');
      }
    }
  }

  async #send(page: CopiedPage, gone: readonly string[], namespaces: CopyPlan['namespaces']) {
    const { copies, targets, leavesLists } = page;
    this.#leavesLists ||= leavesLists;
    const { partition, sourceWorkspace } = this.#question;
    const abroad = sourceWorkspace === null ? null : { namespaces, caller: this.#caller };
    await this.#work.send(partition, stageNodes, { rootId: this.#rootId, nodes: copies, gone, targets, abroad });
  }

  #giveUp(afterMs: number): void {
    if (this.#rootId !== '') giveUp(this.#work, this.#question.partition, this.#rootId, afterMs);
  }
}
