import '../../../src/content/repository.js';
import { Change } from '../../../src/content/tree/change.js';
import { type ContentNode, nodes } from '../../../src/content/tree/node.js';
import { ensureStandardTree } from '../../../src/content/tree/standard-tree.js';
import { typePacks, typeStamps } from '../../../src/content/tree/stored-types.js';
import { readCnd } from '../../../src/content/type/cnd.js';
import { builtInNamespaces } from '../../../src/content/value/names.js';
import { systemCaller } from '../../../src/shared/caller.js';
import type { FeedEvent, NewJob, Operation, Write } from '../../../src/store/index.js';
import { MemoryDocuments, MemoryState } from '../../support/memory-state.js';

const caller = { ...systemCaller('test'), userId: 'admin' };

/** A repository in memory, whose commits have revisions. */
export class MemoryRepository {
  readonly documents = new MemoryDocuments();
  /** Of the last commit. */
  events: readonly FeedEvent[] = [];
  /** Of the last commit. */
  jobs: readonly NewJob[] = [];
  /** Of the last commit. */
  writes: readonly Write[] = [];
  #revision = 0;

  constructor() {
    this.do(ensureStandardTree, null, systemCaller('test'));
  }

  /** `readMax`: how many documents may be read from it. Default: as many as a decision may. */
  state(readMax?: number): MemoryState & { revision: number } {
    return new MemoryState(this.documents, `s${this.#revision}`, 1_000 + this.#revision, this.#revision, readMax);
  }

  do<I, A>({ decide, limits }: Operation<I, A>, input: I, by = caller): A {
    this.#revision++;
    const decision = decide(this.state(limits?.reads), input, { caller: by, commandId: '', seed: '', answers: [] });
    if ('ask' in decision) throw new Error('expected a decision, but it asks');
    this.writes = decision.write ?? [];
    this.documents.apply(this.writes);
    this.events = decision.events ?? [];
    this.jobs = decision.jobs ?? [];
    return decision.answer;
  }

  /** The identifier of `/content`. */
  get baseId(): string {
    const found = this.documents.all(nodes).find(({ name }) => name === 'content');
    if (found === undefined) throw new Error('expected the standard tree');
    return found.id;
  }

  /** Stores nodes as they are, without a commit. */
  store(...stored: readonly ContentNode[]): void {
    for (const node of stored) this.documents.put(nodes, node);
  }

  change<A>(work: (change: Change) => A): A {
    const decide = (state: MemoryState) => {
      const change = new Change(state, caller);
      return change.decision(work(change));
    };
    return this.do({ name: 'change', decide: (state) => decide(state as MemoryState) }, null);
  }

  /** Registers node types. */
  register(cnd: string): void {
    const { types } = readCnd(cnd, builtInNamespaces);
    this.documents.put(typePacks, { id: 'registered', types });
    this.documents.put(typeStamps, { id: 'types', stamp: cnd, namespaces: {} });
  }

  /** The tree below a node, without what only tells when it was written. */
  tree(rootId: string): object[] {
    const all = this.documents.all(nodes);
    const isBelow = (node: ContentNode): boolean => {
      const parent = all.find(({ id }) => id === node.parent);
      return parent !== undefined && (parent.id === rootId || isBelow(parent));
    };
    const shown = all.filter((node) => node.id === rootId || isBelow(node));
    return shown
      .map(({ id, parent, name, order, properties }) => ({ id, parent, name, order, properties }))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
  }
}
