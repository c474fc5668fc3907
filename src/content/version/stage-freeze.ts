import type { Caller } from '../../shared/caller.js';
import { messageOf, ServiceError } from '../../shared/errors.js';
import { log } from '../../shared/log.js';
import type { ReaderQuery } from '../../store/index.js';
import { busyTree, PLAN_ROUNDS_MAX, problemOf, refusalOf } from '../large/large-work.js';
import type { LargeWork } from '../large/make-ready.js';
import { type FrozenPage, freezePage, planChunks } from './freeze-page.js';
import { beginFreezing, endFreezing, stageFrozen } from './freeze-tree.js';
import type { Chunked } from './frozen-chunks.js';
import { planFreeze } from './plan-freeze.js';
import { type FreezePlan, type FreezeQuestion, PLANNED_MAX, type PlannedTree } from './planned-check-in.js';
import { chunkId, type FrozenChunk, type FrozenEntry, type FrozenLayout } from './version.js';

/** How many nodes one commit stages, and how many chunks: few enough for a decision to be short. */
const NODES_MAX = 200;
const CHUNKS_MAX = 20;

/**
 * Freezes a large tree outside of a decision: the reader compares it with what is frozen already and gives what differs page by page; each page
 * is one commit to which nothing leads. That is done again until only a little has changed meanwhile.
 */
export class TreeFreezing {
  readonly #work: LargeWork;
  readonly #question: FreezeQuestion;
  readonly #caller: Caller;
  #freezing = '';
  #layout: FrozenLayout | null;
  #round = 0;

  constructor(work: LargeWork, question: FreezeQuestion, caller: Caller) {
    this.#work = work;
    this.#question = question;
    this.#caller = caller;
    this.#layout = question.layout;
  }

  /** A refusal is an answer: the decision refuses with it. */
  async run(): Promise<FreezePlan> {
    try {
      const { partition, nodeId, freezing } = this.#question;
      this.#freezing = await this.#work.send(partition, beginFreezing, { nodeId, freezing });
      return await this.#plan();
    } catch (thrown) {
      this.#giveUp();
      if (thrown instanceof ServiceError) return { problem: problemOf(thrown) };
      throw thrown;
    }
  }

  async #plan(): Promise<PlannedTree> {
    for (; this.#round <= PLAN_ROUNDS_MAX; this.#round++) {
      const { revision, changed, gone } = await this.#compared();
      if (changed.length + gone.length <= PLANNED_MAX) {
        const isStaged = this.#round > 0 || this.#question.freezing !== null;
        endLater(this.#work, this.#question.partition, this.#freezing);
        return { problem: null, freezing: this.#freezing, layout: this.#layout, isStaged, revision, changed, gone };
      }
      await this.#stage(changed, gone);
    }
    throw busyTree(this.#question.nodeId);
  }

  async #compared() {
    const { partition, nodeId, now, freezing } = this.#question;
    const isBase = freezing === null && this.#round === 0;
    const plan = await this.#ask(planFreeze, { partition, nodeId, layout: this.#layout, isBase, now });
    if (plan.problem !== null) throw refusalOf(plan.problem);
    return { revision: plan.revision, changed: linesOf(plan.changed), gone: linesOf(plan.gone) };
  }

  async #stage(changed: readonly string[], gone: readonly string[]): Promise<void> {
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
    this.#layout = await this.#stageChunks(await this.#ask(planChunks, query));
  }

  async #stageChunks({ chunks, entries }: Chunked): Promise<FrozenLayout> {
    // No chunk is ever written twice under one name.
    const writer = `${this.#freezing}.${this.#question.round}.${this.#round}`;
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

  #giveUp(): void {
    if (this.#freezing !== '') end(this.#work, this.#question.partition, this.#freezing);
  }
}

/** When a freezing that was not taken up is given up: its command is decided long before. */
const GIVEN_UP_MS = 60_000;

/** Gives a freezing up in a while, unless its command was decided by then. When the server ends before, the next start does. */
export function endLater(work: LargeWork, partition: string, freezing: string): void {
  setTimeout(() => end(work, partition, freezing), GIVEN_UP_MS).unref();
}

function end(work: LargeWork, partition: string, freezing: string): void {
  work.send(partition, endFreezing, { freezing }).catch((thrown: unknown) => {
    log.warn({ reason: messageOf(thrown) }, 'what was frozen of a tree that is not checked in is swept later');
  });
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.split('\n'));

function* pagesOf<T>(all: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size);
}
