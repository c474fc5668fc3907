import type { Caller } from '../../../shared/caller.js';
import { unavailable } from '../../../shared/errors.js';
import {
  type AnyCollection,
  type Collection,
  type CountRange,
  type Document,
  type FindOptions,
  type Scalar,
  type State,
  StateUpon,
  type Write,
} from '../../../store/index.js';
import { busyTree } from '../../large/large-work.js';
import { beingMade, keptOn } from '../../large/staging.js';
import { knowNamespaces } from '../../registration/namespaces.js';
import { Change } from '../../tree/change.js';
import { type ContentNode, nodes } from '../../tree/node.js';
import { typesStampOf } from '../../tree/stored-types.js';
import type { UuidBehavior } from './import-place.js';

/** An import that is made out of the tree: below a node of its own, which holds the topmost ones until they are put in their place. */
export interface XmlStage {
  /** The node that holds them. */
  readonly rootId: string;
  /** Where they belong. */
  readonly targetId: string;
  readonly behavior: UuidBehavior;
  /** Whoever imports. */
  readonly caller: Caller;
  /** The last registration of types, on which all of it rests: {@link typesStampOf}. */
  readonly stamp: string;
  /** Namespaces that it adds. */
  readonly namespaces: Readonly<Record<string, string>>;
}

/** What a part of an import is made in. */
export interface StagedChange {
  readonly change: Change;
  readonly target: ContentNode;
  /** Whether the node is one of the import. */
  readonly isStaged: (id: string) => boolean;
  /** What it comes to: the topmost nodes below their holder. */
  readonly writes: () => Write[];
}

/**
 * A change that sees what is staged as if it were in the tree already, so that the very rules of the tree hold for it.
 * @throws UNAVAILABLE it was given up, or what it rests on has changed meanwhile
 */
export function stagedChange(state: State, stage: XmlStage): StagedChange {
  const { rootId, targetId, caller } = stage;
  const tree = beingMade(state, rootId, 'import');
  if (typesStampOf(state) !== stage.stamp) throw typesChanged();
  const change = new Change(new StagedState(state, rootId, targetId), caller);
  const target = change.draft.get(nodes, targetId);
  if (target === undefined || change.tree.chainOf(target) === undefined) throw busyTree('the target of the import');
  knowNamespaces(change, stage.namespaces);
  const away = (write: Write): Write => {
    const node = write.document as ContentNode | null;
    const isTop = write.collection.name === nodes.name && node?.parent === targetId;
    return isTop ? { ...write, document: { ...node, parent: rootId } as Document } : write;
  };
  return {
    change,
    target,
    isStaged: stagedIn(change, state, stage),
    writes: () => [...change.draft.writes().map(away), keptOn(state, tree)],
  };
}

/** Tells nodes of the import; each node is read once. */
function stagedIn({ draft }: Change, state: State, { rootId, targetId }: XmlStage): (id: string) => boolean {
  const known = new Map<string, boolean>();
  const isStaged = (id: string): boolean => {
    const answer = known.get(id) ?? isWithin(draft.get(nodes, id));
    known.set(id, answer);
    return answer;
  };
  const isWithin = (node: ContentNode | undefined): boolean => {
    if (node === undefined || node.parent === null) return false;
    // Where it is stored tells the import's from the others below the target.
    return node.parent === targetId ? state.get(nodes, node.id)?.parent === rootId : isStaged(node.parent);
  };
  return isStaged;
}

export const typesChanged = () =>
  unavailable('expected the node types and namespaces to rest, but they changed during the import; try again', {
    reason: 'types_changed',
  });

/** How many children are looked at where no one says how many. */
const SIBLINGS_MAX = 200;

/** The state with the staged nodes where they belong. */
class StagedState extends StateUpon {
  readonly #rootId: string;
  readonly #targetId: string;

  constructor(state: State, rootId: string, targetId: string) {
    super(state);
    this.#rootId = rootId;
    this.#targetId = targetId;
  }

  override get<T extends Document>(collection: Collection<T>, id: string): T | undefined {
    const found = this.state.get(collection, id);
    return found === undefined ? undefined : this.#placed(collection, found);
  }

  override find<T extends Document>(
    collection: Collection<T>,
    index: string,
    prefix: readonly Scalar[],
    options: FindOptions = {},
  ): T[] {
    if (collection.name !== nodes.name) return this.state.find(collection, index, prefix, options);
    const { limit = SIBLINGS_MAX } = options;
    const found = this.state.find(collection, index, prefix, { ...options, limit });
    if (prefix[0] !== this.#targetId || found.length >= limit) return found;
    const more = { ...options, limit: limit - found.length };
    const staged = this.state.find(collection, index, [this.#rootId, ...prefix.slice(1)], more);
    return [...found, ...staged.map((one) => this.#placed(collection, one))];
  }

  override count<T extends Document>(
    collection: Collection<T>,
    index: string,
    prefix: readonly Scalar[],
    range: CountRange = {},
  ): number {
    const staged = this.#stagedPrefix(collection, prefix);
    const found = this.state.count(collection, index, prefix, range);
    return staged === undefined ? found : found + this.state.count(collection, index, staged, range);
  }

  override nth<T extends Document>(
    collection: Collection<T>,
    index: string,
    prefix: readonly Scalar[],
    n: number,
  ): T | undefined {
    const staged = this.#stagedPrefix(collection, prefix);
    const present = staged === undefined ? n + 1 : this.state.count(collection, index, prefix);
    if (n < present || staged === undefined) return this.state.nth(collection, index, prefix, n);
    const found = this.state.nth(collection, index, staged, n - present);
    return found && this.#placed(collection, found);
  }

  /** Where the staged nodes are that belong where the prefix leads. */
  #stagedPrefix(collection: Pick<AnyCollection, 'name'>, [first, ...rest]: readonly Scalar[]) {
    return collection.name === nodes.name && first === this.#targetId ? [this.#rootId, ...rest] : undefined;
  }

  #placed<T extends Document>(collection: Collection<T>, document: T): T {
    const isTop = collection.name === nodes.name && (document as unknown as ContentNode).parent === this.#rootId;
    return isTop ? { ...document, parent: this.#targetId } : document;
  }
}
