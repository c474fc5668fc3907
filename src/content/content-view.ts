import type { Caller } from '../shared/caller.js';
import { badRequest } from '../shared/errors.js';
import { type Collection, type Document, KnownCounts, type State } from '../store/index.js';
import { nodes } from './collections.js';
import { type ContentNode, ROOT_ID } from './model/node.js';
import { parseAbsolutePath } from './model/path.js';
import { Access } from './rule/access.js';
import { checkedInOver } from './rule/checked-in.js';
import { foreignLockOver, lockOver } from './rule/locking.js';
import { contentMounts } from './rule/mounts.js';
import { type Reading, Tree } from './rule/tree.js';
import { type Types, typesOf } from './rule/types.js';

/** The tree as one caller sees it, for reading. What it has read stays as it was. */
export class ContentView {
  readonly caller: Caller;
  readonly tree: Tree;
  readonly types: Types;
  readonly access: Access;
  readonly now: number;
  readonly state: State;
  readonly rootId = ROOT_ID;
  readonly #contents = new Map<string, ContentNode>();

  constructor(state: State, caller: Caller) {
    this.caller = caller;
    this.now = state.now;
    this.state = state;
    this.tree = new Tree(remembering(state), contentMounts);
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
    if (node === undefined) throw badRequest(`Node not found: ${path}`, { reason: 'node_not_found' });
    return node;
  }

  /** Where the node's properties are: its jcr:content, as far as the caller may read that, or itself. */
  contentOf(node: ContentNode): ContentNode {
    let content = this.#contents.get(node.id);
    if (content === undefined) {
      content = this.readable(this.tree.child(node, 'jcr:content')) ?? node;
      this.#contents.set(node.id, content);
    }
    return content;
  }

  /** Whether the caller may read one of the node's children; undefined where that takes a longer look. */
  hasChildren(node: ContentNode): boolean | undefined {
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

/** How many children are looked at before a reader is asked. */
const CHILDREN_LOOKED_AT = 5;

/** Reads each document once: a page of siblings asks for the same nodes above them again and again. */
function remembering(state: State): Reading {
  const known = new Map<string, Document | undefined>();
  const counts = new KnownCounts(state);
  const keyOf = ({ name }: Pick<Collection<Document>, 'name'>, id: string) => `${name}/${id}`;
  return {
    get<T extends Document>(collection: Collection<T>, id: string): T | undefined {
      const key = keyOf(collection, id);
      if (!known.has(key)) known.set(key, state.get(collection, id));
      return known.get(key) as T | undefined;
    },
    find(collection, ...asked) {
      const found = state.find(collection, ...asked);
      for (const document of found) known.set(keyOf(collection, document.id), document);
      return found;
    },
    findMulti: (...asked) => state.findMulti(...asked),
    count: (...asked) => counts.count(...asked),
    nth: (...asked) => state.nth(...asked),
  };
}
