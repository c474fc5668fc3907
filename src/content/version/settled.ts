import type { Draft } from '../../store/index.js';
import type { NodeChange, Trees } from '../tree/change-event.js';
import type { ContentNode } from '../tree/node.js';
import { typesStampOf } from '../tree/stored-types.js';
import type { Reading, Tree } from '../tree/tree.js';
import { isOfSameTypes, type Types } from '../tree/types.js';
import { type FrozenLayout, freezings, frozenTrees, type Settled, versionHistories } from './version.js';
import { historyOf } from './version-history.js';

/** Trees of fewer nodes are read faster than what was written since. */
const SETTLED_MIN = 100;
/** How many deleted nodes a history knows. */
const GONE_MAX = 300;

/** Note in a history that its tree is settled, once the version is made. */
export const settledBy = (draft: Draft, version: string, entries: number): Settled | undefined =>
  entries < SETTLED_MIN ? undefined : { version, gone: [], revision: draft.revision, types: typesStampOf(draft) };

/** Frozen part of a tree in which no node has come from elsewhere, left, or been given other types since. */
interface SettledTree {
  /** What of it was deleted since. */
  readonly gone: readonly string[];
  readonly layout: FrozenLayout;
  /** Whatever differs from it was written at this revision or later. */
  readonly revision: number;
}

/** The tree of the node's base version, if it has rested since that was made; undefined: it has not, or that is not known. */
export function settledSince(state: Pick<Reading, 'get'>, { id, versioning }: ContentNode): SettledTree | undefined {
  const settled = historyOf(state, id)?.settled;
  if (settled === undefined || settled.version !== versioning?.baseVersion) return undefined;
  const tree = state.get(frozenTrees, settled.version);
  if (tree === undefined || settled.types !== typesStampOf(state)) return undefined;
  const { revision, gone } = settled;
  return { layout: { writers: tree.writers, entries: tree.entries }, revision, gone };
}

/** Tells the histories of trees in which nodes come, leave, or get other types: their next version looks at all nodes. */
export function unsettle(draft: Draft, changes: readonly NodeChange[], trees: Trees): void {
  const [before, after] = [new SettledOver(draft, trees.before), new SettledOver(draft, trees.after)];
  for (const change of changes) {
    const over = new Set([...before.of(change.before), ...after.of(change.after)]);
    for (const id of over) note(draft, id, effectOn(change, trees, id), change.before?.id ?? '');
    // Without versions it is not told of what happens in it.
    if (change.before?.versioning !== undefined && change.after?.versioning === undefined)
      forget(draft, change.before.id);
  }
}

type Effect = 'none' | 'gone' | 'unsettled';

function note(draft: Draft, id: string, effect: Effect, nodeId: string): void {
  if (effect === 'unsettled') forget(draft, id);
  if (effect === 'gone') noteGone(draft, id, nodeId);
}

function effectOn(change: NodeChange, trees: Trees, rootId: string): Effect {
  const { before, after } = change;
  if (before === undefined || !isRestructured(change, trees, rootId)) return 'none';
  if (after === undefined) return before.id === rootId ? 'unsettled' : 'gone';
  const { types } = trees;
  // What lies below a node that stays a part of the version does so too.
  const isPart = isCopied(trees.before, types, before, rootId) && isCopied(trees.after, types, after, rootId);
  return isOfSameTypes(before, after) && isPart ? 'none' : 'unsettled';
}

/** Whether a version of the root has the node as it is, with what lies below it. */
function isCopied(tree: Tree, types: Types, node: ContentNode, rootId: string): boolean {
  let at = node;
  while (at.id !== rootId) {
    const parent = tree.parentOf(at);
    if (parent === undefined) return false;
    const type = types.of(at);
    const action = types.of(parent).childDefinition(at.name, type)?.onParentVersion ?? 'COPY';
    if (action !== 'COPY' && (action !== 'VERSION' || type.isA('mix:versionable'))) return false;
    at = parent;
  }
  return true;
}

function noteGone(draft: Draft, id: string, nodeId: string): void {
  const history = draft.get(versionHistories, id);
  if (history?.settled === undefined) return;
  const { settled } = history;
  if (settled.gone.length >= GONE_MAX) forget(draft, id);
  else draft.put(versionHistories, { ...history, settled: { ...settled, gone: [...settled.gone, nodeId] } });
}

function forget(draft: Draft, id: string): void {
  const history = draft.get(versionHistories, id);
  if (history?.settled === undefined) return;
  const { settled: _, ...rest } = history;
  draft.put(versionHistories, rest);
}

/** The settled trees that a node lies in; what is above a node is looked up once. */
class SettledOver {
  readonly #draft: Draft;
  readonly #tree: Tree;
  readonly #known = new Map<string, readonly string[]>();

  constructor(draft: Draft, tree: Tree) {
    this.#draft = draft;
    this.#tree = tree;
  }

  /** Itself included. */
  of(node: ContentNode | undefined): readonly string[] {
    const path: ContentNode[] = [];
    let at = node;
    while (at !== undefined && !this.#known.has(at.id)) {
      path.push(at);
      at = this.#tree.parentOf(at);
    }
    let found = this.#known.get(at?.id ?? '') ?? NONE;
    for (const { id, versioning } of path.reverse()) {
      const isSettled = versioning !== undefined && historyOf(this.#draft, id)?.settled !== undefined;
      if (isSettled) found = [...found, id];
      this.#known.set(id, found);
    }
    return found;
  }
}

const NONE: readonly string[] = [];

/**
 * Whether the change takes a node out of the tree below `rootId`, brings one in that was elsewhere, or gives one types that treat its children
 * in another way: what looks at each node by itself would miss what lies below it.
 */
export function isRestructured({ before, after }: NodeChange, trees: Trees, rootId: string): boolean {
  if (before === undefined) return false;
  if (after?.parent === before.parent && !isTreatedAnew(before, after, trees, rootId)) return false;
  return trees.before.isWithin(before, rootId) || (after !== undefined && trees.after.isWithin(after, rootId));
}

function isTreatedAnew(before: ContentNode, after: ContentNode, trees: Trees, rootId: string): boolean {
  const isRetyped = !isOfSameTypes(before, after);
  if (!isRetyped && before.name === after.name) return false;
  if (after.id !== rootId && isFrozenAnew(before, after, trees)) return true;
  return isRetyped && isDefinedAnew(before, after, trees, rootId);
}

/** Whether its parent has another on-parent-version for what it is now. */
function isFrozenAnew(before: ContentNode, after: ContentNode, { after: tree, types }: Trees): boolean {
  const parent = tree.parentOf(after);
  if (parent === undefined) return false;
  const [was, is] = [before, after].map((node) => types.of(parent).childDefinition(node.name, types.of(node)));
  return was?.onParentVersion !== is?.onParentVersion;
}

function isDefinedAnew(before: ContentNode, after: ContentNode, { types }: Trees, rootId: string): boolean {
  const [was, is] = [types.of(before), types.of(after)];
  // A node that has become versionable has a history of its own, and is no more a part of the frozen tree.
  const isDivided = was.isA('mix:versionable') !== is.isA('mix:versionable') && after.id !== rootId;
  return isDivided || JSON.stringify(was.children) !== JSON.stringify(is.children);
}

/** How many trees may be frozen at once that a change is compared with. */
const FREEZINGS_MAX = 50;

/** Tells trees that are being frozen that nodes in them have come or gone: they are planned anew. */
export function breakFreezings(draft: Draft, changes: readonly NodeChange[], trees: Trees): void {
  for (const freezing of draft.range(freezings, 'started', [0], FREEZINGS_MAX)) {
    if (freezing.broken || !changes.some((change) => isRestructured(change, trees, freezing.node))) continue;
    draft.put(freezings, { ...freezing, broken: true });
  }
}
