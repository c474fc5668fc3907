import { badRequest, ServiceError } from '../../shared/errors.js';
import type { AutoCreated } from '../type/auto-created.js';
import { type PathSegment, parseAbsolutePath } from '../value/path.js';
import { type Property, valuesOf } from '../value/property.js';
import type { Change } from './change.js';
import { HookList } from './hook-list.js';
import { type ContentNode, ROOT_ID } from './node.js';
import { requireTarget } from './references.js';

/** A node to be made. */
interface NewNode {
  readonly name: string;
  /** Null: what the parent's type says. */
  readonly type: string | null;
  readonly mixins?: readonly string[];
  readonly properties?: Readonly<Record<string, Property>>;
  /** Default: a new one. */
  readonly id?: string;
  /** Whether no sibling may have its name, even where the types would let names repeat. Default: false. */
  readonly isOnlyOfName?: boolean;
  /** Whether its parent's type creates it, which may protect it. Default: false. */
  readonly isAutoCreated?: boolean;
}

/** Hooks that follow a node which has just got its types; each gives the node as it is then. */
export const onTyped = new HookList<(change: Change, node: ContentNode) => ContentNode>('onTyped');

/**
 * Adds a child, with what its type makes by itself (JCR 2.0 §10.4).
 * @throws FORBIDDEN, CONFLICT (locked, checked in), ALREADY_EXISTS, BAD_REQUEST (the types do not allow it)
 */
export function addNode(change: Change, parent: ContentNode, made: NewNode): ContentNode {
  change.require(parent, 'jcr:addChildNodes');
  change.requireOpenFor(parent, { ...made, mixins: made.mixins ?? [] });
  return placeNode(change, parent, made);
}

/** As {@link addNode}, for what the system adds by itself: rights and locks were asked before. */
export function placeNode(change: Change, parent: ContentNode, made: NewNode): ContentNode {
  const { draft, types } = change;
  const { name, mixins = [], properties = {}, isAutoCreated = false } = made;
  const { type, sns } = types.childOf(change, parent, { name, type: made.type, mixins, isAutoCreated });
  const isOnlyOfName = !sns || made.isOnlyOfName === true;
  if (made.isOnlyOfName === true) requireFree(change, parent, name);
  else requireRoomFor(change, parent, { name, sns });
  const node = {
    id: made.id ?? draft.ids.next(),
    parent: parent.id,
    name,
    order: change.lastKey(parent, sns),
    ...(sns && { sns }),
    type,
    mixins,
    properties,
    version: draft.revision,
  };
  const created = autoCreated(change, node);
  const whole = { ...node, properties: created.properties };
  return completed(change, made.id === undefined ? change.add(whole, isOnlyOfName) : change.put(whole), created);
}

/** Adds what the node's types create by themselves and that is not there yet. */
export function complete(change: Change, node: ContentNode): ContentNode {
  const created = autoCreated(change, node);
  const isWhole = created.missing.length === 0;
  return completed(change, isWhole ? node : change.put({ ...node, properties: created.properties }), created);
}

/** Properties and children that a node's types create of it. */
interface Completion extends AutoCreated {
  /** The names of those of the properties that the node did not have. */
  readonly missing: readonly string[];
}

/** The node's properties with those that its types create, and the children that they create. */
function autoCreated(change: Change, node: ContentNode): Completion {
  const { properties, children } = change.types.autoCreated(node, { userId: change.caller.userId, now: change.now });
  const missing = Object.keys(properties).filter((name) => node.properties[name] === undefined);
  if (missing.length === 0) return { properties: node.properties, children, missing };
  change.exempt(node.id, missing);
  const made = Object.fromEntries(missing.map((name) => [name, properties[name] as Property]));
  return { properties: { ...made, ...node.properties }, children, missing };
}

function completed(change: Change, whole: ContentNode, { children, missing }: Completion): ContentNode {
  requireTargets(change, whole, missing);
  for (const child of children) {
    if (change.tree.child(whole, child.name) === undefined) placeNode(change, whole, { ...child, isAutoCreated: true });
  }
  return onTyped.all.reduce((node, follow) => follow(change, node), whole);
}

/** Defaults are the type's: whether they lead anywhere is not known before. @throws BAD_REQUEST */
function requireTargets(change: Change, node: ContentNode, made: readonly string[]): void {
  for (const name of made) {
    const property = node.properties[name];
    if (property?.type !== 'Reference') continue;
    const what = `property '${name}' of '${change.pathOf(node)}'`;
    for (const id of valuesOf(property)) requireTarget(change, String(id), { what });
  }
}

/**
 * Whether a child may have the name beside those that have it already. `sns`: whether its own definition lets names repeat: that of the others
 * has to, too. @throws ALREADY_EXISTS
 */
export function requireRoomFor(
  change: Change,
  parent: ContentNode,
  { name, sns }: { readonly name: string; readonly sns: boolean },
): void {
  const effective = change.types.of(parent);
  if (sns && effective.childrenNamed(name).every(({ sameNameSiblings }) => sameNameSiblings)) return;
  const other = sns ? change.tree.child(parent, name) : undefined;
  const isShared = other && effective.childDefinition(name, change.types.of(other))?.sameNameSiblings;
  if (isShared !== true) requireFree(change, parent, name);
}

/** Also a node that the caller may not read takes its name, which has to be said. @throws ALREADY_EXISTS */
export function requireFree(change: Change, parent: ContentNode, name: string): void {
  const taken = change.tree.child(parent, name);
  if (taken === undefined) return;
  throw new ServiceError('ALREADY_EXISTS', `there is a node '${name}' in ${change.nameOf(parent)} already`, {
    reason: 'node_exists',
    ...change.resourceOf(taken),
  });
}

export interface ParentOptions {
  /** Whether missing folders on the way are made. Default: true. */
  readonly createParents?: boolean | null;
}

/**
 * The node at the path; missing ones are made as nt:folder.
 * @throws BAD_REQUEST it is missing and must not be made, or is no folder; ALREADY_EXISTS one on the way may not be read; as `addNode`
 */
export function parentAt(change: Change, path: string, { createParents }: ParentOptions): ContentNode {
  const known = change.find(path);
  if (known !== undefined) return known;
  if (createParents === false) return change.at(path, 'Parent node');
  const steps = parseAbsolutePath(path, change.types.namespaces);
  const { node, left } = deepestReadable(change, steps);
  return left.reduce((above, step) => folderIn(change, above, step, path), node);
}

/** The last node on the way that the caller may read, though not all above it; and the steps that are left. */
function deepestReadable(change: Change, steps: readonly PathSegment[]) {
  for (let at = steps.length - 1; at > 0; at--) {
    const node = change.tree.along(steps.slice(0, at))?.at(-1);
    if (node !== undefined && change.access.canRead(node)) return { node, left: steps.slice(at) };
  }
  return { node: change.tree.get(ROOT_ID) ?? change.at('/'), left: steps };
}

function folderIn(change: Change, parent: ContentNode, { name, index }: PathSegment, path: string): ContentNode {
  const child = change.tree.child(parent, name, index);
  // What is there but cannot be read is neither shown nor gone round: only who might make a folder there learns that the name is taken.
  if (child !== undefined && !change.access.canRead(child)) requireFreeFor(change, parent, name);
  if (child !== undefined) return child;
  // A second of its name is no folder on the way: made, it would be the first.
  if (index > 1) throw badRequest(`Parent node not found: ${path}`, { reason: 'node_not_found' });
  return addNode(change, parent, { name, type: 'nt:folder' });
}

/** As when the child would be added: rights and locks first, so that the name says nothing to whoever could not add it. */
export function requireFreeFor(change: Change, parent: ContentNode, name: string): void {
  change.require(parent, 'jcr:addChildNodes');
  change.requireOpenFor(parent, null);
  requireFree(change, parent, name);
}
