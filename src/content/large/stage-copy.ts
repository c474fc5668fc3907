import type { Caller } from '../../shared/caller.js';
import { badRequest } from '../../shared/errors.js';
import { newId } from '../../shared/ids.js';
import { requireScope } from '../../shared/scope.js';
import { copyIdOf } from './copy.js';
import { type CopyQuestion, copying, type StagedCopy } from './copy-node.js';
import { byLines, type LargeWork, NodeStaging, preparation, type Staging, stagedInRounds } from './make-ready.js';
import { type CopiedPage, type CopyPlan, copyPage, type PlanCopy, planCopy, STAGED_MAX } from './plan-copy.js';

/** Makes a copy out of the tree. */
export const preparedCopies = preparation(
  copying,
  ({ largeWork }: { readonly largeWork: LargeWork }, question, caller) =>
    stagedInRounds(new CopyStaging(largeWork, question, caller)),
);

/**
 * A copy that is made out of the tree: the reader says what is copied, and gives it page by page; each page is one commit. What changed meanwhile
 * is done again, until the copy is as the source was at one revision.
 */
class CopyStaging implements Staging<StagedCopy> {
  readonly #work: LargeWork;
  readonly #question: CopyQuestion;
  readonly #caller: Caller;
  /** Makes this copy another one than the last. */
  readonly #seed: string;
  #copy: NodeStaging | undefined;
  #leavesLists = false;
  #plan: CopyPlan | undefined;

  constructor(work: LargeWork, question: CopyQuestion, caller: Caller) {
    this.#work = work;
    this.#question = question;
    this.#caller = { ...caller, workspace: question.sourceWorkspace ?? caller.workspace };
    this.#seed = newId(question.now);
  }

  get path(): string {
    return this.#question.sourcePath;
  }

  async round(): Promise<StagedCopy | undefined> {
    const source = this.#sourcePartition();
    const plan = await this.#nextPlan(source);
    const copy = this.#copy ?? (await this.#begin(plan));
    await byLines(plan.gone, STAGED_MAX, async (some) => {
      const gone = some.split('\n');
      await copy.stage({ purpose: 'copy', nodes: [], gone: gone.map((id) => this.#copyIdOf(id)) });
      return gone.length;
    });
    if (plan.page !== null) await this.#stage(copy, plan.page, plan.namespaces);
    // What was staged is as the source was at the plan's revision.
    if (plan.page !== null || plan.changed === '')
      return { problem: null, rootId: copy.rootId, leavesLists: this.#leavesLists };
    await this.#stagePages(copy, source, plan);
    return undefined;
  }

  async abandon(): Promise<void> {
    await this.#copy?.abandon();
  }

  async #begin({ sourceId, types }: CopyPlan): Promise<NodeStaging> {
    const copy = new NodeStaging(this.#work, this.#question.partition, this.#copyIdOf(sourceId));
    await copy.begin({ purpose: 'copy', types });
    this.#copy = copy;
    return copy;
  }

  #copyIdOf(id: string): string {
    return copyIdOf({ seed: this.#seed, now: this.#question.now }, id);
  }

  #sourcePartition(): string {
    const { partition, sourceWorkspace } = this.#question;
    if (sourceWorkspace === null) return partition;
    const found = this.#work.partitionOf(sourceWorkspace);
    requireScope(this.#caller, { access: 'READ', workspace: found, domain: 'CONTENT' });
    if (found !== undefined) return found;
    throw badRequest(`expected an open workspace, but there is none with the name '${sourceWorkspace}'`, {
      reason: 'workspace_not_found',
    });
  }

  /** @throws what keeps it from being copied */
  async #nextPlan(source: string): Promise<CopyPlan> {
    const { now, sourcePath, expectedVersion, sourceWorkspace, withLists } = this.#question;
    const known = this.#plan;
    const query: PlanCopy = {
      partition: source,
      path: sourcePath,
      expectedVersion,
      last: known === undefined ? null : { revision: known.revision, ids: known.ids },
      isAbroad: sourceWorkspace !== null,
      withLists,
      seed: this.#seed,
      userId: this.#caller.userId,
      now,
    };
    const plan = await this.#work.plan(source, planCopy, query, this.#caller);
    // Namespaces and types are told once.
    this.#plan = known === undefined ? plan : { ...plan, namespaces: known.namespaces };
    return this.#plan;
  }

  #stagePages(copy: NodeStaging, source: string, { changed, sourceId, namespaces }: CopyPlan): Promise<void> {
    const { now, withLists } = this.#question;
    const { userId } = this.#caller;
    return byLines(changed, STAGED_MAX, async (ids) => {
      const query = { partition: source, sourceId, ids, withLists, seed: this.#seed, userId, now };
      const page = await this.#work.plan(source, copyPage, query, this.#caller);
      await this.#stage(copy, page, namespaces);
      return page.count;
    });
  }

  #stage(copy: NodeStaging, page: CopiedPage, namespaces: CopyPlan['namespaces']): Promise<void> {
    const { copies, targets, leavesLists } = page;
    this.#leavesLists ||= leavesLists;
    const abroad = this.#question.sourceWorkspace === null ? null : { namespaces, caller: this.#caller };
    return copy.stage({ purpose: 'copy', nodes: copies, targets, abroad });
  }
}
