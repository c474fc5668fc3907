import { mayAdminister } from '../../shared/rights/roles.js';
import { documentOf, type Scalar, smallColumns, smallText, tableOf } from '../../store/index.js';
import { ChildOrder, type ChildrenPage, isMounted } from './children.js';
import type { ContentView, SmallReads } from './content-view.js';
import { type ContentNode, nodes } from './node.js';

/** A page of children, as a connection is made from it: cursors are made when they are asked for. */
interface SmallPage {
  readonly rows: readonly { readonly node: ContentNode; readonly cursor: string }[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly totalCount: number | null;
}

/** Longer pages are a reader's. */
const FIRST_MAX = 100;
/** More children are counted by a reader. */
const COUNTED_MAX = 1_000;

/**
 * One page of a node's children, read by this thread as it is small. Undefined: a reader is to be asked, as it is large, or something in it is
 * hidden or damaged.
 * @throws BAD_REQUEST a cursor of another list
 */
export function smallChildren(view: ContentView, parent: ContentNode, page: ChildrenPage): SmallPage | undefined {
  const { first, after, count } = page;
  const isShort = Number.isInteger(first) && first >= 0 && first <= FIRST_MAX;
  if (view.reads === undefined || !isShort || !showsPlain(view, parent)) return undefined;
  const order = new ChildOrder(view, parent);
  const from = order.behind(after);
  const found = nodesIn(view, parent, view.reads.prepare(`${order.sql(smallColumns(), from)} LIMIT ? + 0`), [
    ...(from ?? []),
    first + 1,
  ]);
  if (found === undefined) return undefined;
  const rows = found.slice(0, first).map((node) => new Row(node, order));
  const hasNextPage = found.length > first;
  const isAll = from === null && !hasNextPage;
  const totalCount = !count ? null : isAll ? rows.length : counted(view.reads, view, parent);
  return totalCount === undefined ? undefined : { rows, hasNextPage, hasPreviousPage: from !== null, totalCount };
}

/** Whether children without lists of their own are stored and may be read. */
const showsPlain = (view: ContentView, parent: ContentNode): boolean =>
  !isMounted(view, parent) && view.access.canReadBelow(parent, undefined);

/** The children that the statement gives; undefined: one of them is not to be shown as it is. */
function nodesIn(
  view: ContentView,
  parent: ContentNode,
  statement: ReturnType<SmallReads['prepare']>,
  values: readonly Scalar[],
): readonly ContentNode[] | undefined {
  const found: ContentNode[] = [];
  for (const row of statement.all(parent.id, ...values)) {
    const body = smallText(row);
    if (body === undefined) return undefined;
    const node = documentOf(nodes, { id: String(row.id), body });
    if (node.acl !== undefined && !view.access.canReadBelow(parent, node.acl)) return undefined;
    view.reads?.onRead?.(body.length);
    found.push(node);
  }
  return found;
}

const OWN = `SELECT 1 AS own FROM ${tableOf(nodes)} WHERE "c_ownAcl" = ? LIMIT 1`;
const FIRST = `SELECT count(*) AS total FROM (SELECT 1 FROM ${tableOf(nodes)} WHERE "c_parent" = ? LIMIT ${COUNTED_MAX + 1})`;

/** How many children the caller may read; undefined: there are many, or some of them may be hidden. */
function counted(reads: SmallReads, { caller }: ContentView, { id }: ContentNode): number | undefined {
  const total = Number(reads.prepare(FIRST).all(id)[0]?.total);
  const mayHide = !mayAdminister(caller) && reads.prepare(OWN).all(id).length > 0;
  return total > COUNTED_MAX || mayHide ? undefined : total;
}

class Row {
  readonly node: ContentNode;
  readonly #order: ChildOrder;

  constructor(node: ContentNode, order: ChildOrder) {
    this.node = node;
    this.#order = order;
  }

  get cursor(): string {
    return this.#order.cursorOf(this.node);
  }
}
