import type { Caller } from '../../shared/caller.js';
import type { ReaderQuery } from '../../store/index.js';
import { type LargeWork, preparation, type Staging, stagedInRounds } from '../large/make-ready.js';
import { beginFreezing, endFreezing, stageFrozen } from './freeze-tree.js';
import type { Chunked } from './frozen-chunks.js';
import { type FrozenPage, freezePage, planChunks, planFreeze } from './plan-freeze.js';
import { type FreezeQuestion, freezing, PLANNED_MAX, type PlannedTree } from './planned-check-in.js';
import { chunkId, type FrozenChunk, type FrozenEntry, type FrozenLayout } from './version.js';

/** How many nodes one commit stages, and how many chunks: few enough for a decision to be short. */
const NODES_MAX = 200;
const CHUNKS_MAX = 20;

/** Preparation of large check-ins: the tree is frozen page by page, before the decision. */
export const preparedCheckIns = preparation(
  freezing,
  ({ largeWork }: { readonly largeWork: LargeWork }, question, caller) =>
    stagedInRounds(new TreeFreezing(largeWork, question, caller)),
);

/**
 * A large tree that is frozen outside of a decision: the reader compares it with what is frozen already and gives what differs page by page; each
 * page is one commit to which nothing leads. That is done again until only a little has changed meanwhile.
 */
class TreeFreezing implements Staging<PlannedTree> {
  readonly #work: LargeWork;
  readonly #question: FreezeQuestion;
  readonly #caller: Caller;
  /** Empty: it is not begun yet. */
  #freezing = '';
  #layout: FrozenLayout | null;

  constructor(work: LargeWork, question: FreezeQuestion, caller: Caller) {
    this.#work = work;
    this.#question = question;
    this.#caller = caller;
    this.#layout = question.layout;
  }

  get path(): string {
    return this.#question.nodeId;
  }

  async round(round: number): Promise<PlannedTree | undefined> {
    if (this.#freezing === '') await this.#begin();
    const isFirst = round === 0 && this.#question.freezing === null;
    const { revision, changed, gone } = await this.#compared(isFirst);
    if (changed.length + gone.length <= PLANNED_MAX) {
      const staged = { freezing: this.#freezing, layout: this.#layout, isStaged: !isFirst };
      return { problem: null, ...staged, revision, changed, gone };
    }
    await this.#stage(changed, gone, round);
    return undefined;
  }

  async abandon(): Promise<void> {
    const freezing = this.#freezing;
    if (freezing !== '') await this.#work.send(this.#question.partition, endFreezing, { freezing });
  }

  async #begin(): Promise<void> {
    const { partition, nodeId, freezing } = this.#question;
    this.#freezing = await this.#work.send(partition, beginFreezing, { nodeId, freezing });
  }

  /** @throws what keeps it from being frozen */
  async #compared(isBase: boolean) {
    const { partition, nodeId, now } = this.#question;
    const query = { partition, nodeId, layout: this.#layout, isBase, now };
    const { revision, changed, gone } = await this.#ask(planFreeze, query);
    return { revision, changed: linesOf(changed), gone: linesOf(gone) };
  }

  async #stage(changed: readonly string[], gone: readonly string[], round: number): Promise<void> {
    const { partition, nodeId, now } = this.#question;
    const put: FrozenEntry[] = [];
    const left = [...gone];
    for (const ids of pagesOf(changed, NODES_MAX)) {
      const page = await this.#ask(freezePage, { partition, nodeId, ids, now });
      await this.#send(page.nodes, []);
      put.push(...page.entries);
      left.push(...page.gone);
    }
    const query = { partition, layout: this.#layout, put, gone: left, now };
    this.#layout = await this.#stageChunks(await this.#ask(planChunks, query), round);
  }

  async #stageChunks({ chunks, entries }: Chunked, round: number): Promise<FrozenLayout> {
    // No chunk is ever written twice under one name.
    const writer = `${this.#freezing}.${this.#question.round}.${round}`;
    const history = this.#question.nodeId;
    const staged: FrozenChunk[] = chunks.flatMap((chunk, bucket) =>
      chunk === null ? [] : [{ id: chunkId(writer, bucket), history, ...chunk }],
    );
    for (const some of pagesOf(staged, CHUNKS_MAX)) await this.#send([], some);
    const before = this.#layout;
    return { writers: chunks.map((chunk, at) => (chunk === null ? (before?.writers[at] ?? '') : writer)), entries };
  }

  #ask<A, R>(query: ReaderQuery<A, R>, args: A): Promise<R> {
    return this.#work.plan(this.#question.partition, query, args, this.#caller);
  }

  #send(nodes: FrozenPage['nodes'], chunks: readonly FrozenChunk[]): Promise<null> {
    return this.#work.send(this.#question.partition, stageFrozen, { freezing: this.#freezing, nodes, chunks });
  }
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.split('\n'));

function* pagesOf<T>(all: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size);
}
