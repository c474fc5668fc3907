import { decodeCursor, encodeCursor, type Page, type PageRow, type QueryContext } from '../../store/index.js';
import type { ContentView } from './content-view.js';
import { type ContentNode, nodes } from './node.js';
import type { Mount } from './tree.js';

/** Which page of a node's children. */
export interface ChildrenPage {
  readonly first: number;
  readonly after: string | null;
  /** Whether the total is wanted. */
  readonly count: boolean;
}

/** How many children are looked at together. */
const LOOKED_AT = 200;

/** Whether the node's children are shown by a mount: it is where one begins, or is shown itself. */
export function isMounted(view: ContentView, parent: ContentNode): boolean {
  return mountsOf(view, parent).length > 0;
}

function mountsOf({ tree }: ContentView, parent: ContentNode): readonly Mount[] {
  const isStored = tree.reading.get(nodes, parent.id) !== undefined;
  return tree.mounts.filter(({ rootId, get }) =>
    isStored ? rootId === parent.id : get(tree.reading, parent.id) !== undefined,
  );
}

/** One page of children that a mount shows, in its order, as far as the caller may read them. */
export function mountedPage(
  { revision, room }: QueryContext,
  view: ContentView,
  parent: ContentNode,
  { first, after, count }: ChildrenPage,
): Page {
  const hash = `${parent.id}/mounted`;
  const from = after === null ? null : String(decodeCursor(hash, 1, after)[0]);
  const found: PageRow[] = [];
  for (const { node, segment } of readable(view, parent, from)) {
    const body = JSON.stringify(node);
    room.take(body);
    found.push({ id: node.id, body, cursor: encodeCursor(hash, [segment]) });
    if (found.length > first) break;
  }
  return {
    rows: found.slice(0, first),
    hasNextPage: found.length > first,
    hasPreviousPage: from !== null,
    totalCount: count ? [...readable(view, parent, null)].length : null,
    revision,
  };
}

/** The first `limit` children that a mount shows, in its order, whoever may read them. */
export const mountedChildren = (view: ContentView, parent: ContentNode, limit: number): ContentNode[] =>
  mountsOf(view, parent).flatMap((mount) => mount.children(view.tree.reading, parent, null, limit));

function* readable(view: ContentView, parent: ContentNode, from: string | null) {
  for (const mount of mountsOf(view, parent)) {
    for (const child of shownBy(mount, view, parent, from)) {
      if (view.readable(child.node) !== undefined) yield child;
    }
  }
}

function* shownBy(mount: Mount, { tree }: ContentView, parent: ContentNode, from: string | null) {
  let last = from;
  for (;;) {
    const some = mount.children(tree.reading, parent, last, LOOKED_AT);
    for (const node of some) {
      last = tree.segmentOf(node);
      yield { node, segment: last };
    }
    if (some.length < LOOKED_AT) return;
  }
}
