import {
  type QueryContext,
  type ReaderQuery,
  snapshotState,
  storedColumns,
  storedText,
  tableOf,
} from '../../store/index.js';
import { ContentView } from '../tree/content-view.js';
import { type ContentNode, nodes } from '../tree/node.js';
import { strongTargets } from '../tree/references.js';
import { type CopyContext, copyOf, leavesList } from './copy.js';
import type { CopiedPage, CopyPage } from './copy-plan.js';

/** A page ends when its copies, as text, or what they refer to are more than this. */
const PAGE_SIZE_MAX = 500_000;
const PAGE_TARGETS_MAX = 200;

/** The copies of some nodes, as the nodes are now. */
export const copyPage: ReaderQuery<CopyPage, CopiedPage> = {
  name: 'copyPage',
  run(context, query) {
    const view = new ContentView(snapshotState(context, query.partition, query.now), context.caller);
    return copiesOf(context, view, query);
  },
};

/** The copies of the first of these nodes, as many as a page holds. */
export function copiesOf(context: QueryContext, view: ContentView, query: Omit<CopyPage, 'partition'>): CopiedPage {
  const copying = contextOf(view, query);
  const copies: ContentNode[] = [];
  const targets = new Set<string>();
  let leavesLists = false;
  let size = 0;
  let count = 0;
  for (const id of query.ids.split('\n')) {
    count++;
    const body = bodyOf(context, id);
    if (body === undefined) continue;
    const node = JSON.parse(body) as ContentNode;
    copies.push(stagedOf(copying, node, query.sourceId));
    leavesLists ||= leavesList(copying, node);
    for (const target of strongTargets(node)) if (!copying.isCopied(target)) targets.add(target);
    size += body.length;
    if (size > PAGE_SIZE_MAX || targets.size > PAGE_TARGETS_MAX) break;
  }
  return { copies, leavesLists, targets: [...targets], count };
}

const BODY = `SELECT ${storedColumns()} FROM ${tableOf(nodes)} WHERE id = ?`;

const bodyOf = ({ log }: QueryContext, id: string): string | undefined => {
  const row = log.prepare(BODY).get(id);
  return row === undefined ? undefined : storedText(nodes, row);
};

/** The topmost one is out of the tree until it is put where it belongs. */
function stagedOf(copying: CopyContext, node: ContentNode, sourceId: string): ContentNode {
  const copy = copyOf(copying, node);
  if (node.id !== sourceId) return copy;
  const { sns: _, ...root } = copy;
  return { ...root, parent: null, order: null };
}

function contextOf(view: ContentView, query: Omit<CopyPage, 'partition'>): CopyContext {
  const { sourceId, withLists, seed, userId, now } = query;
  const known = new Map<string, boolean>([[sourceId, true]]);
  const isCopied = (id: string): boolean => {
    const before = known.get(id);
    if (before !== undefined) return before;
    const node = view.tree.reading.get(nodes, id);
    const isBelow = node?.parent != null && isCopied(node.parent) && view.access.canRead(node);
    known.set(id, isBelow);
    return isBelow;
  };
  const keepsList = (node: ContentNode) => withLists && view.access.has(node, 'jcr:readAccessControl');
  return { types: view.types, seed, userId, now, isCopied, keepsList };
}
