import type { Caller } from '../../../src/shared/caller.js';
import { isLockedFor } from './model-locks.js';
import {
  detach,
  type FrozenModelNode,
  isThere,
  isWithin,
  type ModelHistory,
  type ModelNode,
  type ModelVersion,
  type ModelVersioning,
  type World,
  within,
} from './model-tree.js';
import { isA } from './model-types.js';

const EMPTY: ModelHistory = { versions: [], labels: new Map(), isGone: false };

/** What a node has that becomes versionable: it goes on with the versions that it had. */
export function begun(world: World, { key }: ModelNode): ModelVersioning {
  const history = world.histories.get(key) ?? { ...EMPTY, versions: [{ created: world.now, frozen: null }] };
  world.histories.set(key, history);
  return { checkedOut: true, base: history.versions.length - 1 };
}

/** Histories of deleted nodes go, but for those that a version of another node names, as that brings the node back. */
export function forgetHistories(world: World, deleted: readonly number[]): void {
  const going = new Set(deleted);
  const isNamed = (key: number): boolean =>
    [...world.histories].some(
      ([other, { versions, isGone }]) =>
        !isGone && !going.has(other) && versions.some(({ frozen: kept }) => kept !== null && names(kept, key)),
    );
  const kept = (): number[] => [...going].filter(isNamed);
  for (let stays = kept(); stays.length > 0; stays = kept()) for (const key of stays) going.delete(key);
  for (const key of going) {
    const history = world.histories.get(key);
    if (history !== undefined) world.histories.set(key, { ...history, labels: new Map(), isGone: true });
  }
}

const names = ({ children }: FrozenModelNode, key: number): boolean =>
  children.some((child) => (child.isHistory && child.key === key) || names(child, key));

export function historyOf(world: World, { key }: Pick<ModelNode, 'key'>): ModelHistory {
  const history = world.histories.get(key);
  return history === undefined || history.isGone ? EMPTY : history;
}

/** One more version. */
export function addVersion(world: World, node: ModelNode, checkedOut: boolean): void {
  const history = historyOf(world, node);
  const version: ModelVersion = { created: world.now, frozen: frozen(node) };
  world.histories.set(node.key, { ...history, versions: [...history.versions, version] });
  node.versioning = { checkedOut, base: history.versions.length };
}

function frozen(node: ModelNode): FrozenModelNode {
  const { key, name, type, place, mixins, properties, children, versioning } = node;
  const kept = new Map(properties);
  if (isA(node, 'mix:referenceable')) kept.delete('jcr:uuid');
  return {
    ...{ key, name, type, place, mixins: [...mixins], properties: kept, isHistory: false },
    base: versioning?.base ?? null,
    children: children.map((child) => frozenChild(node, child)),
  };
}

/** A child with versions of its own is not kept again, but the content of a file is. */
function frozenChild(parent: ModelNode, child: ModelNode): FrozenModelNode {
  const isCopied = parent.type === 'nt:file' && child.name === 'jcr:content';
  const isHistory = !isCopied && isA(child, 'mix:versionable') && child.versioning !== null;
  return isHistory ? { ...frozen(child), isHistory, children: [] } : frozen(child);
}

/** A node that a restore puts somewhere. */
export interface Placed {
  readonly frozen: FrozenModelNode;
  readonly parent: number | null;
  /** It is made as it was frozen; else it stays as it is. */
  readonly isWritten: boolean;
  /** Of a node with a history: the version that it now follows. */
  readonly base: number | null;
  readonly isTaken: boolean;
}

/** What a restore of a node to a version does (JCR 2.0 §15.7). */
export interface ModelRestore {
  readonly placed: readonly Placed[];
  /** Keys of nodes that go with what lies below them. */
  readonly left: readonly number[];
  /** A child with versions of its own is gone that has none to come back as. */
  readonly isLost: boolean;
}

export function planOf(world: World, root: ModelNode, number: number): ModelRestore {
  const live = new Map(world.all().map((node) => [node.key, node]));
  const seen = new Set([root.key]);
  const placed: Placed[] = [];
  const left: number[] = [];
  const gone: { frozen: FrozenModelNode; parent: number }[] = [];
  const version = world.histories.get(root.key)?.versions[number];

  const visit = (one: FrozenModelNode, parent: number | null, base: number | null): void => {
    const present = live.get(one.key);
    const isTaken = present !== undefined && !isWithin(present, root);
    placed.push({ frozen: one, parent, isWritten: true, base, isTaken });
    const kept = new Set(one.children.map(({ key }) => key));
    left.push(...(present?.children ?? []).filter(({ key }) => !kept.has(key)).map(({ key }) => key));
    for (const child of one.children) {
      if (seen.has(child.key)) continue;
      seen.add(child.key);
      const there = live.get(child.key);
      if (!child.isHistory) visit(child, one.key, null);
      else if (there === undefined) gone.push({ frozen: child, parent: one.key });
      else
        placed.push({ frozen: child, parent: one.key, isWritten: false, base: null, isTaken: !isWithin(there, root) });
    }
  };

  if (version?.frozen)
    visit({ ...version.frozen, name: root.name, place: root.place }, root.parent?.key ?? null, number);
  let isLost = false;
  for (let next = gone.shift(); next !== undefined; next = gone.shift()) {
    const made = historyOf(world, next.frozen).versions;
    const before = made.filter(({ created, frozen: kept }) => kept !== null && created <= (version?.created ?? 0));
    const back = before.at(-1) ?? made[1];
    const { name, place } = next.frozen;
    if (!back?.frozen) isLost = true;
    else visit({ ...back.frozen, name, place }, next.parent, made.indexOf(back));
  }
  return { placed, left, isLost };
}

export interface Restored {
  readonly gone: ReadonlySet<ModelNode>;
  /** A node would have to begin a history whose former one is not swept yet. */
  readonly isBusy: boolean;
  /** Somebody else's lock protects something that goes. */
  readonly isLocked: boolean;
}

/** Does it. */
export function doRestore(world: World, { placed, left }: ModelRestore, caller: Caller): Restored {
  const before = new Map(world.all().map((node) => [node.key, node]));
  let isBusy = false;
  const written: ModelNode[] = [];
  for (const one of placed) {
    const node = before.get(one.frozen.key) ?? recreated(one.frozen);
    if (one.isWritten) {
      written.push(node);
      isBusy = !write(world, node, one) || isBusy;
    }
    const { name, place } = one.frozen;
    Object.assign(node, { name, place });
    if (one.base !== null && node.parent?.key === one.parent) continue;
    put(node, before.get(one.parent ?? 0) ?? written.find(({ key }) => key === one.parent));
  }
  for (const { frozen: one } of placed)
    reorder(
      written.find(({ key }) => key === one.key),
      one,
    );
  const now = new Set(placed.map(({ frozen: one }) => one.key));
  const removed = left.flatMap((key) => (now.has(key) ? [] : (before.get(key) ?? [])));
  const gone = new Set(removed.flatMap((node) => [...within(node)]));
  const isLocked = [...gone].some((node) => isLockedFor(node, caller, world.now));
  for (const node of removed) if (isThere(world, node)) detach(node);
  return { gone, isBusy, isLocked };
}

function put(node: ModelNode, parent: ModelNode | undefined): void {
  if (parent === undefined) return;
  if (node.parent?.children.includes(node)) detach(node);
  node.parent = parent;
  parent.children.push(node);
}

/** Children are in the order in which they were frozen. */
function reorder(node: ModelNode | undefined, { children }: FrozenModelNode): void {
  const at = new Map(children.map(({ key }, i) => [key, i]));
  node?.children.sort((a, b) => (at.get(a.key) ?? 0) - (at.get(b.key) ?? 0));
}

const recreated = ({ key, name, type, place }: FrozenModelNode): ModelNode => ({
  ...{ key, name, type, place, parent: null, children: [], mixins: [], properties: new Map(), acl: [] },
  ...{ lock: null, versioning: null },
});

/** False: its former history is not swept yet. */
function write(world: World, node: ModelNode, { frozen: kept, base }: Placed): boolean {
  const isKeptLockable = node.lock !== null && !isA(kept, 'mix:lockable');
  node.type = kept.type;
  node.mixins = [...kept.mixins, ...(isKeptLockable ? ['mix:lockable'] : [])];
  node.properties = new Map(kept.properties);
  if (isA(node, 'mix:referenceable'))
    node.properties.set('jcr:uuid', { type: 'String', multiple: false, values: [{ $id: node.key }] });
  if (base !== null) node.versioning = { checkedOut: false, base };
  else if (!isA(kept, 'mix:versionable')) node.versioning = null;
  else if (node.versioning === null) {
    const history = world.histories.get(node.key);
    if (history?.isGone === true) return false;
    node.versioning = kept.base === null ? begun(world, node) : { checkedOut: false, base: kept.base };
  }
  return true;
}

/** Whether a present node would be another than it is: certainly, perhaps (its place alone may be another), or not at all. */
export function changeOf(node: ModelNode, { frozen: kept, parent, isWritten, base }: Placed): 'yes' | 'perhaps' | 'no' {
  const isMoved = node.parent?.key !== parent || node.name !== kept.name;
  const hasContent = !isWritten || (node.type === kept.type && isSameContent(node, kept));
  if (isMoved || !hasContent || base !== null) return 'yes';
  return node.place === kept.place ? 'no' : 'perhaps';
}

function isSameContent(node: ModelNode, kept: FrozenModelNode): boolean {
  const properties = new Map(node.properties);
  if (isA(kept, 'mix:referenceable')) properties.delete('jcr:uuid');
  const facts = (mixins: readonly string[], all: FrozenModelNode['properties']) =>
    JSON.stringify([mixins, [...all].sort(([a], [b]) => (a < b ? -1 : 1))]);
  return facts(node.mixins, properties) === facts(kept.mixins, kept.properties);
}
