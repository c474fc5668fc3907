import { badRequest, limitExceeded } from '../../shared/errors.js';
import { mayAdminister } from '../../shared/rights/roles.js';
import {
  type DamagedPlace,
  decodeCursor,
  encodeCursor,
  PAGE_MAX,
  type Page,
  type PageRow,
  type QueryContext,
  type ReaderQuery,
  type Scalar,
  snapshotState,
  soundText,
  storedColumns,
  tableOf,
} from '../../store/documents.js';
import { ContentView } from './content-view.js';
import { type ContentNode, nodes } from './node.js';
import type { Mount } from './tree.js';

interface ChildrenQuery {
  readonly parentId: string;
  readonly first: number;
  readonly after: string | null;
  readonly partition: string;
  /** ms, domain clock */
  readonly now: number;
  /** Whether the total is wanted. */
  readonly count: boolean;
}

/** One page of a node's children that the caller may read; rows are nodes. The parent was found by the caller, so it is readable. */
export const contentChildren: ReaderQuery<ChildrenQuery, Page> = {
  name: 'contentChildren',
  run(context, query) {
    const view = new ContentView(snapshotState(context, query.partition, query.now), context.caller);
    const parent = view.get(query.parentId);
    if (parent === undefined) throw badRequest('Node not found', { reason: 'node_not_found' });
    requirePage(query.first);
    if (isMounted(view, parent)) return mountedPage(context, view, parent, query);
    return new Children(context, view, parent).page(query);
  },
};

/** Requires a whole number of rows, from 0 to {@link PAGE_MAX}. @throws BAD_REQUEST, LIMIT_EXCEEDED */
export function requirePage(first: number): void {
  if (!Number.isInteger(first) || first < 0)
    throw badRequest(`expected 'first' to be a whole number from 0 to ${PAGE_MAX}, but it is ${first}`);
  if (first > PAGE_MAX) throw limitExceeded(`expected 'first' to be at most ${PAGE_MAX}, but it is ${first}`);
}

/** A child, and its place among the children. */
interface Child extends Omit<PageRow, 'cursor'> {
  readonly key: readonly Scalar[];
}

/** The order of a node's children, and how places in it are told. */
export class ChildOrder {
  readonly #hash: string;
  /** Columns of an index that begins with the parent. */
  readonly #sort: readonly [string, string];

  constructor({ types }: ContentView, parent: ContentNode) {
    this.#sort = types.isOrderable(parent) ? ['c_order', 'id'] : ['c_name', 'c_sibling'];
    this.#hash = `${parent.id}/${this.#sort[0]}`;
  }

  cursor(key: readonly Scalar[]): string {
    return encodeCursor(this.#hash, key);
  }

  cursorOf({ id, name, order, sns }: ContentNode): string {
    return this.cursor(this.#sort[1] === 'id' ? [order, id] : [name, sns === true ? order : '']);
  }

  /** The place that the cursor tells. @throws BAD_REQUEST */
  behind(after: string | null): readonly Scalar[] | null {
    return after === null ? null : decodeCursor(this.#hash, 2, after);
  }

  /** The columns that a child's place is read from. */
  get key(): string {
    return `"${this.#sort[0]}" AS k0, "${this.#sort[1]}" AS k1`;
  }

  /** The statement that gives the children of a parent in their order, all or those behind a place. */
  sql(columns: string, from: readonly Scalar[] | null): string {
    const [first, second] = this.#sort;
    const behind = from === null ? '' : `AND ("${first}", "${second}") > (?, ?)`;
    return `SELECT ${columns} FROM ${tableOf(nodes)} WHERE "c_parent" = ? ${behind} ORDER BY "${first}", "${second}"`;
  }
}

class Children {
  readonly #context: QueryContext;
  readonly #view: ContentView;
  readonly #parent: ContentNode;
  readonly #order: ChildOrder;

  constructor(context: QueryContext, view: ContentView, parent: ContentNode) {
    this.#context = context;
    this.#view = view;
    this.#parent = parent;
    this.#order = new ChildOrder(view, parent);
  }

  page({ first, after, count }: ChildrenQuery): Page {
    const from = this.#order.behind(after);
    const found: Child[] = [];
    for (const child of this.#readable(from)) {
      this.#context.room.take(child.body);
      found.push(child);
      if (found.length > first) break;
    }
    const rows = found.slice(0, first).map(({ key, ...child }) => ({ ...child, cursor: this.#order.cursor(key) }));
    return {
      rows,
      hasNextPage: found.length > first,
      hasPreviousPage: from !== null,
      totalCount: count ? this.#count() : null,
      revision: this.#context.revision,
    };
  }

  /** The children behind the key, in order, as far as the caller may read them. */
  *#readable(from: readonly Scalar[] | null): Generator<Child> {
    const sql = this.#order.sql(`${storedColumns()}, "c_ownAcl" IS NOT NULL AS own, ${this.#order.key}`, from);
    for (const row of this.#context.log.prepare(sql).iterate(this.#parent.id, ...(from ?? []))) {
      const [id, body, key] = [String(row.id), soundText(row), [row.k0 as Scalar, row.k1 as Scalar]];
      if (body === undefined) yield { id, body: '', key, damage: this.#damaged(id) };
      else if (row.own === 0 || this.#isReadable(JSON.parse(body) as ContentNode)) yield { id, body, key };
    }
  }

  /** Who may read it nobody can tell any more: an administrator is told which it is. */
  #damaged(id: string): DamagedPlace {
    return { what: nodes.name, id: mayAdminister(this.#view.caller) ? id : null };
  }

  #isReadable({ acl }: ContentNode): boolean {
    return this.#view.access.canReadBelow(this.#parent, acl);
  }

  /** All children less those with a list that hides them. */
  #count(): number {
    const { log } = this.#context;
    const own = log
      .prepare(`SELECT ${storedColumns()} FROM ${tableOf(nodes)} WHERE "c_ownAcl" = ?`)
      .all(this.#parent.id);
    const shown = own.map(soundText).filter((body) => body === undefined || this.#isReadable(JSON.parse(body))).length;
    const all = log.prepare(`SELECT count(*) AS total FROM ${tableOf(nodes)} WHERE "c_parent" = ?`);
    return Number(all.get(this.#parent.id)?.total ?? 0) - own.length + shown;
  }
}

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
function mountedPage(
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
