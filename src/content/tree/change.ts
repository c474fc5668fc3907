import { type Caller, SYSTEM_USER } from '../../shared/caller.js';
import { badRequest, type ErrorInfo, ServiceError } from '../../shared/errors.js';
import type { Privilege } from '../../shared/rights/nodes.js';
import { type Answered, allSteps, type Decision, Draft, type NewJob, type State } from '../../store/documents.js';
import { parseAbsolutePath } from '../value/path.js';
import { isOtherBinary } from '../value/property.js';
import { Access } from './access.js';
import { changeEvents, isStructural, type NodeChange, type Trees } from './change-event.js';
import { requireNoExchange } from './exchange-places.js';
import { HookList } from './hook-list.js';
import { requireNoIdentityChanged } from './identity-nodes.js';
import { type ContentNode, nodes } from './node.js';
import { appendedKey } from './order-key.js';
import { type ChildKind, checkedInOver, foreignLockOver, type HeldLock, isCheckedIn, isIgnored } from './protection.js';
import { typesOf } from './stored-types.js';
import { ChangingTree, mounts, readingBefore, Tree } from './tree.js';
import { ETAG, type Types } from './types.js';

// What one commit does to the tree of nodes: the class `Change`, which every operation on content works with.

/** Part of the input of every change of a node: the version that the client has read. */
export interface ExpectedVersion {
  /** Default: any; the last writer wins. */
  readonly expectedVersion?: number | null;
}

/** A node that is removed although something refers to it, which may go too: that is asked at the end of the commit. */
interface Referred {
  readonly id: string;
  /** Which operation of a transaction removes it. */
  readonly step: number;
  /** @throws CONFLICT something still refers to it, though it is gone */
  readonly check: () => void;
}

/** Hooks that write more to the draft of a commit which changes the tree's structure, once it is sound; `changes`: those that do. */
export const onRestructured = new HookList<(draft: Draft, changes: readonly NodeChange[], trees: Trees) => void>(
  'onRestructured',
);

/**
 * A commit's changes of the tree. An operation finds nodes in it (`at`), asks whether the caller may (`require…`), changes them (`add`, `put`,
 * `remove`), and gives all of it as one `decision`, which checks the types and makes the events. Each step sees what the ones before it did. Rights,
 * locks and types are asked here, so that no operation goes round them.
 */
export class Change {
  readonly draft: Draft;
  readonly caller: Caller;
  readonly tree: ChangingTree;
  types: Types;
  /** Whether it may change nodes that say who somebody is, and what types protect of them. */
  readonly ofIdentity: boolean;
  readonly writesProtected: boolean;
  /** Answers of large work that was planned and staged for this commit. */
  readonly answers: readonly Answered[];
  /** Jobs that go on behind this commit. */
  readonly jobs: NewJob[] = [];
  /** Which of several operations of a transaction is at work. */
  step = 0;
  /** Whether more operations of the same commit may follow: what a node lacks, they may add. */
  isPart = false;
  /** Nodes that are removed although something that may go too refers to them. */
  readonly referred: Referred[] = [];
  readonly #state: State;
  readonly #steps = new Map<string, number>();
  readonly #exempt = new Map<string, Set<string>>();
  #access: Access;
  #appended = 0;
  #isDiscarded = false;

  constructor(state: State, caller: Caller, answers: readonly Answered[] = [], ofIdentity = false) {
    this.#state = state;
    this.ofIdentity = ofIdentity;
    this.writesProtected = ofIdentity || caller.userId === SYSTEM_USER;
    this.answers = answers;
    this.draft = new Draft(state);
    this.caller = caller;
    this.tree = new ChangingTree(this.draft, mounts.all);
    this.types = typesOf(state);
    this.#access = new Access(this.tree, caller);
  }

  get now(): number {
    return this.#state.now;
  }

  get access(): Access {
    return this.#access;
  }

  /** The node at the path, as far as the caller may read it. @throws BAD_REQUEST the path is none */
  find(path: string): ContentNode | undefined {
    const node = this.tree.at(path, () => parseAbsolutePath(path, this.types.namespaces));
    if (node === undefined) requireNoExchange(parseAbsolutePath(path, this.types.namespaces));
    return node !== undefined && this.#access.canRead(node) ? node : undefined;
  }

  /** @throws BAD_REQUEST there is no such node, or the caller may not read it */
  at(path: string, what = 'Node'): ContentNode {
    const node = this.find(path);
    if (node === undefined) throw badRequest(`${what} not found: ${path}`, { reason: 'node_not_found' });
    return node;
  }

  /** The node that an operation is about. @throws BAD_REQUEST as {@link at}; CONFLICT it was changed since the client has read it */
  atVersion({ path, expectedVersion }: { readonly path: string } & ExpectedVersion): ContentNode {
    const node = this.at(path);
    this.requireVersion(node, expectedVersion);
    return node;
  }

  pathOf(node: ContentNode): string {
    return this.tree.pathOf(node) ?? node.name;
  }

  /** What a message to the caller calls the node: its path; of one that the caller may not read, only what it lies below. */
  nameOf(node: ContentNode): string {
    if (this.#access.canRead(node)) return `'${this.pathOf(node)}'`;
    const above = this.tree.chainOf(node)?.findLast((one) => this.#access.canRead(one));
    return `something below '${above === undefined ? '/' : this.pathOf(above)}'`;
  }

  /** The node's id as a refusal may tell it to the caller. */
  resourceOf(node: ContentNode): Pick<ErrorInfo, 'resourceId'> {
    return this.#access.canRead(node) ? { resourceId: node.id } : {};
  }

  /** @throws FORBIDDEN */
  require(node: ContentNode, privilege: Privilege): void {
    if (this.#access.has(node, privilege)) return;
    throw new ServiceError('FORBIDDEN', `expected ${privilege} at ${this.nameOf(node)}, but it is not granted`, {
      reason: 'access_denied',
      ...this.resourceOf(node),
    });
  }

  /** Of a node whose properties or mixins are to change. @throws CONFLICT it is locked by somebody else, or checked in */
  requireChangeable(node: ContentNode): void {
    this.requireUnlocked(node);
    const versionable = this.checkedInOver(node);
    if (versionable !== undefined) throw isCheckedIn(versionable, this.nameOf(node));
  }

  /**
   * Of a node that is to get, lose or order a child. `child`: null where it is not known yet; whether any may come and go is asked then.
   * @throws CONFLICT it is locked by somebody else, or checked in and its versions have the child
   */
  requireOpenFor(node: ContentNode, child: ChildKind | null): void {
    this.requireUnlocked(node);
    const versionable = this.checkedInOver(node);
    if (versionable === undefined) return;
    const effective = this.types.of(node);
    const isOpen =
      child === null
        ? effective.children.some(({ onParentVersion }) => onParentVersion === 'IGNORE')
        : isIgnored(this.types, effective, child);
    if (!isOpen) throw isCheckedIn(versionable, this.nameOf(node));
  }

  /** The checked-in node that keeps the node from being changed: itself, or the next versionable one above it. */
  checkedInOver(node: ContentNode): ContentNode | undefined {
    return checkedInOver(this.tree.chainOf(node) ?? [node], this.types);
  }

  /** Of a node that is to be moved or removed itself. @throws CONFLICT it is locked by somebody else */
  requireUnlocked(node: ContentNode): void {
    const held = foreignLockOver(this.tree.chainOf(node) ?? [node], this.caller, this.now);
    if (held !== undefined) throw this.locked(node, held);
  }

  /** The refusal that the node is locked. */
  locked(node: ContentNode, { holder, lock }: HeldLock): ServiceError {
    // Whoever may not read the node is not told who works there.
    const who = this.#access.canRead(node) ? lock.owner : 'somebody';
    const message = `expected ${this.nameOf(node)} to be unlocked, but ${who} holds a lock`;
    return new ServiceError('CONFLICT', message, { reason: 'locked', ...this.resourceOf(holder) });
  }

  /** @throws CONFLICT the node was changed by somebody else since the client read it */
  requireVersion(node: ContentNode, expected: number | null | undefined): void {
    if (expected == null || expected === this.versionOf(node)) return;
    const message = `expected version ${expected} of '${this.pathOf(node)}', but it has version ${this.versionOf(node)}`;
    throw new ServiceError('CONFLICT', message, { reason: 'version_mismatch', resourceId: node.id });
  }

  /** The revision that changed the node last, its content included. */
  versionOf(node: ContentNode): number {
    return Math.max(node.version, this.contentOf(node).version);
  }

  /** Where the node's properties are: its jcr:content, as far as the caller may read that, or itself. */
  contentOf(node: ContentNode): ContentNode {
    const content = this.tree.child(node, 'jcr:content');
    return content !== undefined && this.#access.canRead(content) ? content : node;
  }

  /** Puts a node without a list of its own whose identifier was made for it. `isFirst`: nothing else in its parent has its name. */
  add(node: ContentNode, isFirst: boolean): ContentNode {
    this.tree.add(node, isFirst);
    this.#steps.set(node.id, this.step);
    if (node.name === 'jcr:content') this.#retagFile(node);
    return node;
  }

  put(node: ContentNode): ContentNode {
    const before = this.draft.get(nodes, node.id);
    const isTagged = node.properties[ETAG] !== undefined || node.name === 'jcr:content';
    const hasNewBytes = isTagged && isOtherBinary(before, node);
    const versioned = { ...(hasNewBytes ? this.types.retagged(this, node) : node), version: this.draft.revision };
    this.draft.put(nodes, versioned);
    this.#steps.set(node.id, this.step);
    const isSeenAsBefore = before?.acl === node.acl && (before === undefined || before.parent === node.parent);
    if (!isSeenAsBefore) this.#access = new Access(this.tree, this.caller);
    if (hasNewBytes && node.name === 'jcr:content') this.#retagFile(versioned);
    return versioned;
  }

  /** A file is one thing with its content. */
  #retagFile(content: ContentNode): void {
    const file = this.tree.parentOf(content);
    if (file === undefined || !this.types.isA(file, 'nt:file')) return;
    const retagged = this.types.retagged(this, file);
    if (retagged !== file) this.put(retagged);
  }

  remove(node: ContentNode): void {
    this.draft.remove(nodes, node.id);
    this.#steps.set(node.id, this.step);
    this.left(node);
  }

  /** Takes a node out of the tree by one write; what lies below it goes with it. */
  detach(node: ContentNode): void {
    const { lock: _lock, sns: _sns, ...rest } = node;
    this.draft.put(nodes, { ...rest, parent: null, order: null, version: this.draft.revision });
    this.left(node);
  }

  /** A child has left its parent, which must still be what its type says. */
  left({ parent }: ContentNode): void {
    if (parent !== null) this.#steps.set(parent, this.step);
  }

  /** Properties that the repository itself has set: protected ones are its own. */
  exempt(id: string, names: readonly string[]): void {
    this.#exempt.set(id, new Set([...(this.#exempt.get(id) ?? []), ...names]));
  }

  exempted(id: string): ReadonlySet<string> {
    return this.#exempt.get(id) ?? NOTHING;
  }

  /** The order key that puts a new child behind its siblings; null where they have no order. */
  lastKey(parent: ContentNode, isSns: boolean): string | null {
    return isSns || this.types.isOrderable(parent) ? appendedKey(this.draft.revision, this.#appended++) : null;
  }

  /** Nothing of it is to happen: its answer says why. */
  discard(): void {
    this.#isDiscarded = true;
  }

  /** All of it as a decision, once what was written is sound. @throws BAD_REQUEST a rule of a type is broken */
  decision<A>(answer: A): Decision<A> {
    return allSteps(this.decisionSteps(answer));
  }

  /** As {@link decision}, node by node. */
  *decisionSteps<A>(answer: A): Generator<void, Decision<A>, void> {
    if (this.#isDiscarded) return { answer };
    for (const { step, check } of this.referred) {
      this.step = step;
      check();
      yield;
    }
    for (const [id, step] of this.#steps) {
      const node = this.draft.get(nodes, id);
      this.step = step;
      if (node !== undefined) this.types.check(this, node);
      yield;
    }
    const changes = this.changes();
    if (!this.ofIdentity) requireNoIdentityChanged(this, changes);
    const trees = this.trees();
    const events = yield* changeEvents(changes, trees, { userId: this.caller.userId, timestamp: this.now });
    const structural = changes.filter(isStructural);
    if (structural.length > 0) for (const follow of onRestructured.all) follow(this.draft, structural, trees);
    return { write: this.draft.writes(), events, jobs: this.jobs, answer };
  }

  /** The nodes that it changes. */
  changes(): readonly NodeChange[] {
    const changed = this.draft.changed(nodes);
    return changed.map((id) => ({ before: this.draft.before(nodes, id), after: this.draft.get(nodes, id) }));
  }

  /** The tree without it, and with it. */
  trees(): Trees {
    const before = new Tree(readingBefore(this.#state, this.draft), mounts.all);
    return { before, after: this.tree, types: this.types };
  }
}

const NOTHING: ReadonlySet<string> = new Set();
