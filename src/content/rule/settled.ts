import type { Draft } from '../../store/index.js';
import { type FrozenLayout, frozenTrees, type Settled, versionHistories } from '../collection/version.js';
import type { ContentNode } from '../model/node.js';
import type { NodeChange } from './change-event.js';
import { isRestructured, mayRestructure, type Trees } from './restructured.js';
import type { Reading, Tree } from './tree.js';
import { typesStampOf } from './types.js';
import { historyOf } from './version-history.js';

/** Trees of fewer nodes are read faster than what was written since. */
const SETTLED_MIN = 100;

/** What a history says of its tree once the version is made. */
export const settledBy = (draft: Draft, version: string, entries: number): Settled | undefined =>
  entries < SETTLED_MIN ? undefined : { version, revision: draft.revision, types: typesStampOf(draft) };

/** What is frozen of a tree in which no node has come from elsewhere, gone, or been given other types since. */
export interface SettledTree {
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
  return { layout: { writers: tree.writers, entries: tree.entries }, revision: settled.revision };
}

/** Tells the histories of trees in which nodes come, go, or get other types: their next version looks at all nodes. */
export function unsettle(draft: Draft, changes: readonly NodeChange[], trees: Trees): void {
  const [before, after] = [new SettledOver(draft, trees.before), new SettledOver(draft, trees.after)];
  for (const change of changes.filter(mayRestructure)) {
    const over = new Set([...before.of(change.before), ...after.of(change.after)]);
    for (const id of over) if (isRestructured(change, trees, id)) forget(draft, id);
    // Without versions it is not told of what happens in it.
    if (change.before?.versioning !== undefined && change.after?.versioning === undefined)
      forget(draft, change.before.id);
  }
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
