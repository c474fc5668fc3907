import type { Caller } from '../../../shared/caller.js';
import { limitExceeded, unavailable } from '../../../shared/errors.js';
import {
  type AnyCollection,
  type Collection,
  type CountRange,
  type Document,
  type FindOptions,
  type Operation,
  type Scalar,
  type State,
  StateUpon,
  steppedOperation,
  type Write,
} from '../../../store/index.js';
import { busyTree } from '../../large/large-work.js';
import { beingMade, keptOn } from '../../large/staging.js';
import { knowNamespaces } from '../../registration/namespaces.js';
import { Change } from '../../tree/change.js';
import { type ContentNode, nodes } from '../../tree/node.js';
import { typesStampOf } from '../../tree/stored-types.js';
import { fillNode, type Made, requireSound } from './import-fill.js';
import { ImportPlaces, type Placing, REPLACING_MAX, type UuidBehavior } from './import-place.js';
import type { XmlDocument } from './xml-document.js';
import { stepsAtLine } from './xml-line.js';

/** A node of the XML that is to be put in its place. */
export interface StagedPlacing extends Placing {
  /** Its parent: the identifier of one that has its place; the number of one before it in the same list; null: the import's target. */
  readonly parent: string | number | null;
  readonly line: number;
}

/** Input of `placeXmlNodes`: what one decision places. */
interface PlaceXmlNodes {
  readonly stage: XmlStage;
  readonly places: readonly StagedPlacing[];
}

/**
 * Puts nodes of a staged import in their places, as far as names, types and identifiers go; answers with their identifiers, null for what is left
 * out: what the type of its parent creates by itself and protects, and all below that.
 * @throws as `importXml`, with the line; UNAVAILABLE (given up, or what it rests on has changed)
 */
export const placeXmlNodes = steppedOperation('placeXmlNodes', function* (state, { stage, places }: PlaceXmlNodes) {
  const { change, target, isStaged, writes } = stagedChange(state, stage);
  const placing = new ImportPlaces(change, { target, behavior: stage.behavior }, isStaged);
  const ids: (string | null)[] = [];
  for (const one of places) {
    const parentId = typeof one.parent === 'number' ? ids[one.parent] : one.parent;
    const isLeft = parentId === null && one.parent !== null;
    const parent = parentId == null ? target : change.draft.get(nodes, parentId);
    const node = isLeft ? undefined : yield* stepsAtLine(one.line, placing.place(parent ?? target, one));
    ids.push(node?.id ?? null);
    yield;
  }
  return { write: writes(), answer: ids };
});

/** Input of `fillXmlNodes`: what one decision fills. */
interface FillXmlNodes {
  readonly stage: XmlStage;
  readonly document: Pick<XmlDocument, 'view' | 'renamed'>;
  readonly made: readonly Made[];
  /** Identifiers that these refer to by those of the XML, as [XML's, got]. */
  readonly idOf: readonly (readonly [string, string])[];
}

/**
 * Gives nodes of a staged import, all of which are in their places, what they hold, and asks the types whether they are sound.
 * @throws as {@link placeXmlNodes}
 */
export const fillXmlNodes = steppedOperation('fillXmlNodes', function* (state, input: FillXmlNodes) {
  const { stage, document, made, idOf } = input;
  const { change, writes } = stagedChange(state, stage);
  const filling = { document, idOf: new Map(idOf) };
  for (const one of made) {
    fillNode(change, filling, one);
    yield;
  }
  const own = new Set(made.map(({ id }) => id));
  for (const one of made) {
    requireSound(change, one);
    yield;
  }
  // What the types have created by themselves.
  for (const id of change.draft.changed(nodes)) {
    const node = own.has(id) ? undefined : change.draft.get(nodes, id);
    if (node !== undefined) change.types.check(change, node);
    yield;
  }
  return { write: writes(), answer: null };
});

/** Whether there is a node with one of the identifiers, be it in the tree or not. */
export const hasNodes: Operation<{ readonly ids: readonly string[] }, boolean> = {
  ...steppedOperation('hasNodes', function* (state, { ids }: { readonly ids: readonly string[] }) {
    for (const id of ids) {
      if (state.get(nodes, id) !== undefined) return { answer: true };
      yield;
    }
    return { answer: false };
  }),
  limits: { reads: REPLACING_MAX, writes: 0 },
};

/** How many topmost nodes an import may have: one decision puts them in their place. */
export const IMPORT_TOP_MAX = 400;

export const tooManyOnTop = () =>
  limitExceeded(
    `expected an import of at most ${IMPORT_TOP_MAX} topmost nodes, but found more: put them below one node, or import them in parts`,
    { reason: 'import_too_wide' },
  );

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

/** Change in which a part of an import is made. */
interface StagedChange {
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
function stagedChange(state: State, stage: XmlStage): StagedChange {
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
    const stagedPrefix = this.#stagedPrefix(collection, prefix);
    if (stagedPrefix === undefined) return this.state.find(collection, index, prefix, options);
    const { limit = SIBLINGS_MAX } = options;
    const found = this.state.find(collection, index, prefix, { ...options, limit });
    const more = { ...options, limit: limit - found.length };
    const staged = this.state.find(collection, index, stagedPrefix, more);
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

  /** Where the staged nodes are that belong where the prefix leads. */
  #stagedPrefix(collection: Pick<AnyCollection, 'name'>, [first, ...rest]: readonly Scalar[]) {
    return collection.name === nodes.name && first === this.#targetId ? [this.#rootId, ...rest] : undefined;
  }

  #placed<T extends Document>(collection: Collection<T>, document: T): T {
    const isTop = collection.name === nodes.name && (document as unknown as ContentNode).parent === this.#rootId;
    return isTop ? { ...document, parent: this.#targetId } : document;
  }
}
