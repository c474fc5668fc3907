import type { Caller } from '../../shared/caller.js';
import { badRequest } from '../../shared/errors.js';
import {
  documentOf,
  RememberedState,
  type Scalar,
  type State,
  smallColumns,
  smallText,
  tableOf,
} from '../../store/documents.js';
import { parseAbsolutePath } from '../value/path.js';
import { Access } from './access.js';
import { requireNoExchange } from './exchange-places.js';
import { type ContentNode, nodes, ROOT_ID } from './node.js';
import { checkedInOver, foreignLockOver, lockOver } from './protection.js';
import { typesOf } from './stored-types.js';
import { type Mount, mounts, Tree } from './tree.js';
import type { Types } from './types.js';

/** How many children of a node are looked at before a reader is asked. */
const CHILDREN_LOOKED_AT = 5;

/** The tree as one caller sees it, for reading. What it has read stays as it was. */
export class ContentView {
  readonly caller: Caller;
  readonly tree: Tree;
  readonly types: Types;
  readonly access: Access;
  readonly now: number;
  readonly state: State;
  readonly rootId = ROOT_ID;
  /** What is small is read by them at once; not given: by the state alone. */
  readonly reads: SmallReads | undefined;
  readonly #remembered: RememberedState;
  readonly #contents = new Map<string, ContentNode>();
  readonly #siblings = new Map<string, Siblings>();

  /** `shown`: what shows for this caller alone, beside what every tree shows. */
  constructor(state: State, caller: Caller, reads?: SmallReads, shown: readonly Mount[] = []) {
    this.caller = caller;
    this.reads = reads;
    this.#remembered = new RememberedState(state);
    this.now = state.now;
    this.state = state;
    this.tree = new Tree(this.#remembered, [...mounts.all, ...shown], true);
    this.types = typesOf(state);
    this.access = new Access(this.tree, caller);
  }

  /** The node at the path; undefined when there is none that the caller may read. @throws BAD_REQUEST the path is none */
  at(path: string): ContentNode | undefined {
    return this.readable(this.tree.along(parseAbsolutePath(path, this.types.namespaces))?.at(-1));
  }

  /** The node with the identifier; undefined when there is none in the tree that the caller may read. */
  get(id: string): ContentNode | undefined {
    return this.readable(this.tree.get(id));
  }

  parentOf(node: ContentNode): ContentNode | undefined {
    return this.readable(this.tree.parentOf(node));
  }

  /** As {@link at}. @throws BAD_REQUEST there is none */
  require(path: string): ContentNode {
    const node = this.at(path);
    if (node === undefined) requireNoExchange(parseAbsolutePath(path, this.types.namespaces));
    if (node === undefined) throw badRequest(`Node not found: ${path}`, { reason: 'node_not_found' });
    return node;
  }

  /** Where the node's properties are: its jcr:content, as far as the caller may read that, or itself. */
  contentOf(node: ContentNode): ContentNode {
    let content = this.#contents.get(node.id);
    if (content === undefined) {
      const known = this.#siblings.get(node.id)?.contentOf(node);
      const found = known === undefined ? this.tree.child(node, 'jcr:content') : known;
      content = (found && this.readable(found)) ?? node;
      this.#contents.set(node.id, content);
    }
    return content;
  }

  /** Children of one node, none of them shown by a mount, of which the same will be asked. */
  together(siblings: readonly ContentNode[]): void {
    for (const node of siblings) this.#remembered.know(nodes, node.id, node);
    if (this.reads === undefined) return;
    for (const [id, group] of siblingsOf(this.reads, siblings)) this.#siblings.set(id, group);
  }

  /** Whether the caller may read one of the node's children; undefined where that takes a longer look. */
  hasChildren(node: ContentNode): boolean | undefined {
    const hasPlain = this.#siblings.get(node.id)?.hasPlainChild(node);
    if (hasPlain === false || (hasPlain === true && this.access.canReadBelow(node, undefined))) return hasPlain;
    for (const limit of [1, CHILDREN_LOOKED_AT]) {
      const first = this.state.find(nodes, 'name', [node.id], { limit });
      if (first.some((child) => this.readable(child) !== undefined)) return true;
      if (first.length < limit) return false;
    }
    return undefined;
  }

  /** The lock that protects the node, its own or one above it. */
  lockOver(node: ContentNode): ReturnType<typeof lockOver> {
    return lockOver(this.tree.chainOf(node) ?? [node], this.now);
  }

  /** The checked-in node that keeps the node from being changed: itself, or the next versionable one above it. */
  checkedInOver(node: ContentNode): ContentNode | undefined {
    return checkedInOver(this.tree.chainOf(node) ?? [node], this.types);
  }

  /** Whether the caller may change the node's properties. */
  isWritable(node: ContentNode): boolean {
    const chain = this.tree.chainOf(node) ?? [node];
    const isCheckedIn = checkedInOver(chain, this.types) !== undefined;
    const isFree = !isCheckedIn && foreignLockOver(chain, this.caller, this.now) === undefined;
    return isFree && this.access.has(node, 'jcr:modifyProperties');
  }

  readable(node: ContentNode | undefined): ContentNode | undefined {
    return node !== undefined && this.access.canRead(node) ? node : undefined;
  }
}

/** Statements that read the durable tree on the caller's thread. */
export interface SmallReads {
  prepare(sql: string): { all(...values: Scalar[]): readonly Readonly<Record<string, Scalar>>[] };
  /** Told how many characters each document has that is read. What it throws reaches whoever reads. */
  onRead?(characters: number): void;
}

/** How many of them are looked below at once. */
const TOGETHER_MAX = 50;

const CONTENTS = `SELECT ${smallColumns()}, "c_parent" AS parent FROM ${tableOf(nodes)}
  WHERE "c_parent" IN (SELECT value FROM json_each(?)) AND "c_name" = 'jcr:content'`;
/** `own`: whether all of the first children have lists of their own; null: there are none. */
const CHILDREN = `SELECT value AS id, (SELECT min("c_ownAcl" IS NOT NULL) FROM
  (SELECT "c_ownAcl" FROM ${tableOf(nodes)} WHERE "c_parent" = value LIMIT ${CHILDREN_LOOKED_AT})) AS own FROM json_each(?)`;

/** Nodes of one page, of which the same will be asked: what lies below one of them is read for all of them at once. */
class Siblings {
  readonly #reads: SmallReads;
  readonly #ids: readonly string[];
  #contents: ReadonlyMap<string, ContentNode | undefined> | undefined;
  #children: ReadonlyMap<string, boolean> | undefined;

  constructor(reads: SmallReads, ids: readonly string[]) {
    this.#reads = reads;
    this.#ids = ids;
  }

  /** The node's jcr:content, null: there is none; undefined: it is to be read by itself. */
  contentOf({ id }: ContentNode): ContentNode | null | undefined {
    this.#contents ??= this.#readContents();
    return this.#contents.has(id) ? this.#contents.get(id) : null;
  }

  /** Whether the node has a child without a list of its own; undefined: that is to be looked at by itself. */
  hasPlainChild({ id }: ContentNode): boolean | undefined {
    this.#children ??= this.#readChildren();
    return this.#children.get(id);
  }

  #readContents(): ReadonlyMap<string, ContentNode | undefined> {
    const found = new Map<string, ContentNode | undefined>();
    for (const row of this.#reads.prepare(CONTENTS).all(JSON.stringify(this.#ids))) {
      const [parent, text] = [String(row.parent), smallText(row)];
      // Of several the first is meant.
      const isOne = text !== undefined && !found.has(parent);
      if (isOne) this.#reads.onRead?.(text.length);
      found.set(parent, isOne ? documentOf(nodes, { id: String(row.id), body: text }) : undefined);
    }
    return found;
  }

  #readChildren(): ReadonlyMap<string, boolean> {
    const rows = this.#reads.prepare(CHILDREN).all(JSON.stringify(this.#ids));
    return new Map(rows.filter(({ own }) => own !== 1).map(({ id, own }) => [String(id), own === 0]));
  }
}

/** The nodes in groups that are looked below at once, each by its id. */
function siblingsOf(reads: SmallReads, siblings: readonly ContentNode[]): Map<string, Siblings> {
  const groups = new Map<string, Siblings>();
  for (let rest = siblings.map(({ id }) => id); rest.length > 0; rest = rest.slice(TOGETHER_MAX)) {
    const ids = rest.slice(0, TOGETHER_MAX);
    const group = new Siblings(reads, ids);
    for (const id of ids) groups.set(id, group);
  }
  return groups;
}
