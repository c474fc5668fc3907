import type { Caller } from '../../shared/caller.js';
import { badRequest, ServiceError, unavailable } from '../../shared/errors.js';
import { operation, put, remove, type State, steppedOperation, type Write } from '../../store/index.js';
import { Access } from '../tree/access.js';
import { requireFree, requireRoomFor } from '../tree/add-node.js';
import type { Change } from '../tree/change.js';
import { type DetachedTree, detachedTrees, sweeping, Whereabouts } from '../tree/detached.js';
import { type ContentNode, nodes } from '../tree/node.js';
import { typesOf } from '../tree/stored-types.js';
import { mounts, Tree } from '../tree/tree.js';
import type { Types } from '../tree/types.js';
import { repositoryType, validateNode } from '../type/validate-node.js';
import { prefixOf } from '../value/names.js';
import type { Property } from '../value/property.js';
import { workLost } from './large-work.js';

/** Purpose of nodes that are made out of the tree. */
type StagedFor = 'copy' | 'import' | 'restore';

/** Input of `beginStaging`. */
export interface BeginStaging {
  /** What will be the topmost node; of imports and restores what holds the topmost ones until they are in their places. */
  readonly rootId: string;
  readonly purpose: StagedFor;
  /** Node types that it needs. */
  readonly types?: readonly string[];
}

/**
 * Begins a tree out of the tree, or takes over what is left there of a restore that was refused. Answers who makes it from now on.
 * @throws BAD_REQUEST types are missing here, all of which are named
 */
export const beginStaging = operation('beginStaging', (state, { rootId, purpose, types = [] }: BeginStaging) => {
  requireTypes(typesOf(state), types);
  const maker = state.ids.next();
  const kept = purpose === 'restore' ? { keepsHistories: true as const } : {};
  const tree: DetachedTree = { id: rootId, isStaging: true, since: state.now, ...kept, maker };
  const isHeld = purpose !== 'copy' && state.get(nodes, rootId) === undefined;
  const holder = isHeld ? [put(nodes, stagingHolder(rootId, purpose, state.revision))] : [];
  return { write: [put(detachedTrees, tree), ...holder], answer: maker };
});

/** @throws BAD_REQUEST */
function requireTypes({ registry }: Types, types: readonly string[]): void {
  const known = new Set(registry.all().map(({ name }) => name));
  const missing = types.filter((name) => !known.has(name));
  if (missing.length === 0) return;
  throw badRequest(
    `expected this workspace to have the node types of what is copied, but it lacks '${missing.join("', '")}'`,
    { reason: 'node_types_missing', details: { nodeTypes: missing } },
  );
}

/** The node that holds what is staged together until it is in the tree; nobody sees it. `name`: what is made there. */
const stagingHolder = (id: string, name: string, version: number): ContentNode => ({
  id,
  parent: null,
  name,
  order: null,
  type: 'nt:unstructured',
  mixins: [],
  properties: {},
  version,
});

/** Input of `stageNodes`: at most 490 nodes together. */
export interface StageNodes {
  readonly rootId: string;
  readonly purpose: StagedFor;
  readonly nodes: readonly ContentNode[];
  /** What was staged before and does not belong there any more. */
  readonly gone?: readonly string[];
  /** What they refer to by strong references outside of what is staged. */
  readonly targets?: readonly string[];
  /** When they come from another workspace: they are checked against what is here. */
  readonly abroad?: Abroad | null;
}

/** Where nodes of another workspace come from. */
interface Abroad {
  /** The namespaces that are registered there, by prefix. */
  readonly namespaces: Readonly<Record<string, string>>;
  /** Whoever brings them: what they refer to must be readable here. */
  readonly caller: Caller;
}

/**
 * Writes nodes of a tree that is being made. From then on what they refer to stays.
 * @throws BAD_REQUEST a target is missing, or this workspace's types do not allow a node; UNAVAILABLE the tree is being swept, an identifier was taken meanwhile
 */
export const stageNodes = steppedOperation('stageNodes', function* (state, input: StageNodes, { caller }) {
  const { rootId, purpose, nodes: staged, gone = [], targets = [], abroad = null } = input;
  const tree = beingMade(state, rootId, purpose);
  yield* targetsThere(state, targets, abroad?.caller ?? caller);
  const require = requirement(state, input);
  for (const node of staged) {
    require(node);
    yield;
  }
  const version = state.revision;
  const write = staged.map((node) => put(nodes, { ...node, version }));
  return { write: [keptOn(state, tree), ...write, ...gone.map((id) => remove(nodes, id))], answer: null };
});

/** The tree that is being made. @throws UNAVAILABLE it is being swept by now */
export function beingMade(state: Pick<State, 'get'>, rootId: string, purpose: StagedFor): DetachedTree {
  const tree = state.get(detachedTrees, rootId);
  if (tree?.isStaging !== true) throw workLost(purpose);
  return tree;
}

/** A node of a tree that is being made. @throws UNAVAILABLE it is swept by now */
export function stagedNode(change: Change, id: string, purpose: StagedFor): ContentNode {
  const node = change.draft.get(nodes, id);
  if (node === undefined) throw workLost(purpose);
  return node;
}

/** Says that somebody works at it still. */
export const keptOn = (state: State, tree: DetachedTree): Write => put(detachedTrees, { ...tree, since: state.now });

/** @throws BAD_REQUEST */
function* targetsThere(state: State, targets: readonly string[], caller: Caller): Generator<void, void, void> {
  const tree = new Tree(state, mounts.all);
  const access = new Access(tree, caller);
  for (const id of targets) {
    const target = tree.get(id);
    if (target === undefined || !access.canRead(target)) {
      const message = `expected what is copied to refer to nodes of this workspace, but there is none with the identifier '${id}'`;
      throw new ServiceError('BAD_REQUEST', message, { reason: 'reference_target_missing', resourceId: id });
    }
    yield;
  }
}

/** What is asked of each node that is staged: copies have identifiers of their own, and are as the types here allow where they come from here. */
function requirement(state: State, { rootId, purpose, abroad = null }: StageNodes): (node: ContentNode) => void {
  const types = typesOf(state);
  if (purpose === 'import') return ({ id }) => requireUntaken(state, id);
  if (purpose === 'copy')
    return (node) => {
      requireOfContent(types, node);
      if (abroad !== null) requireAllowed(types, node, abroad);
    };
  const whereabouts = new Whereabouts(state, '', rootId);
  return (node) => {
    requireOfContent(types, node);
    requireGone(state, whereabouts, node.id);
    requireAllowedToday(types, node);
  };
}

/** @throws UNAVAILABLE */
function requireUntaken(state: State, id: string): void {
  if (state.get(nodes, id) === undefined) return;
  throw unavailable(`expected identifier '${id}' to be free, but it was taken meanwhile; try again`, {
    reason: 'identifier_taken',
  });
}

/** @throws UNAVAILABLE */
function requireGone(state: State, whereabouts: Whereabouts, id: string): void {
  const present = state.get(nodes, id);
  const where = present === undefined ? 'lost' : whereabouts.of(present);
  if (where === 'lost' || where === 'staged') return;
  throw unavailable(`expected node '${id}' to be gone, but it came back meanwhile; try again`, {
    reason: 'tree_busy',
    resourceId: id,
  });
}

/** Of a node that comes back as it was. @throws BAD_REQUEST the types of today do not allow it */
function requireAllowedToday({ registry }: Types, node: ContentNode): void {
  const [problem] = validateNode(registry, { ...node, path: node.name, typesChanged: true, protectedAllowed: true });
  if (problem !== undefined) throw badRequest(problem.message, { reason: problem.rule, resourceId: node.id });
}

/** @throws BAD_REQUEST the repository alone makes nodes of its type */
function requireOfContent(types: Types, node: ContentNode): void {
  const own = repositoryType(types.of(node));
  if (own === undefined) return;
  throw badRequest(`expected '${node.name}' to have a type of content, but ${own}`, { reason: 'repository_type' });
}

/** Of a node from another workspace. @throws BAD_REQUEST */
function requireAllowed(types: Types, node: ContentNode, { namespaces }: Abroad): void {
  for (const name of [node.name, ...Object.keys(node.properties)]) requireNamespace(types, name, namespaces);
  const facts = { ...node, path: node.name, protectedAllowed: true, targetIsA: () => true };
  const [problem] = validateNode(types.registry, facts);
  if (problem !== undefined) throw badRequest(problem.message, { reason: problem.rule });
}

function requireNamespace({ namespaces }: Types, name: string, abroad: Readonly<Record<string, string>>): void {
  const prefix = prefixOf(name);
  const [here, there] = [namespaces.uriOf(prefix), abroad[prefix]];
  if (here !== undefined && (there === undefined || here === there)) return;
  const found = here === undefined ? 'it has no such prefix' : `it has '${here}'`;
  throw badRequest(`expected this workspace to have '${there}' under the prefix of '${name}', but ${found}`, {
    reason: 'namespace_differs',
  });
}

/** Input of `abandonStaging`. */
interface AbandonStaging {
  readonly rootId: string;
  readonly maker: string;
}

/** Gives up what is being made, unless another one has taken it over: it is swept. What is in the tree by now stays. */
export const abandonStaging = operation('abandonStaging', (state: State, { rootId, maker }: AbandonStaging) => {
  const tree = state.get(detachedTrees, rootId);
  const isOwn = tree?.isStaging === true && tree.maker === maker;
  return isOwn ? { ...sweeping(state, rootId), answer: true } : { answer: false };
});

/** Where a node comes to be among the children of its parent. */
export type Place = Pick<ContentNode, 'parent' | 'name' | 'order' | 'sns'>;

/**
 * The place of a node that comes below a parent, behind its siblings. `isOnlyOfName`: no sibling may have its name, even where the types would
 * let names repeat.
 * @throws CONFLICT (locked, checked in), ALREADY_EXISTS, BAD_REQUEST (the types do not allow it)
 */
export function placeBelow(
  change: Change,
  parent: ContentNode,
  { name, type, mixins }: Pick<ContentNode, 'name' | 'type' | 'mixins'>,
  isOnlyOfName = false,
): Place {
  change.requireOpenFor(parent, { name, type, mixins });
  const { sns } = change.types.childOf(change, parent, { name, type, mixins });
  if (isOnlyOfName) requireFree(change, parent, name);
  else requireRoomFor(change, parent, { name, sns });
  return { parent: parent.id, name, order: change.lastKey(parent, sns), ...(sns && { sns }) };
}

/** Puts a staged node in its place, and with it all that lies below it. @throws as {@link placeBelow} */
export function attachStaged(
  change: Change,
  parent: ContentNode,
  { sns: _, ...staged }: ContentNode,
  isOnlyOfName = false,
): ContentNode {
  const node = { ...staged, ...placeBelow(change, parent, staged, isOnlyOfName) };
  change.exempt(node.id, protectedNames(change.types, node));
  return change.put(node);
}

/** Names of properties that the repository set on a node: protected ones are its own. */
export const protectedNames = (types: Types, node: ContentNode): string[] => {
  const effective = types.of(node);
  const isProtected = ([name, property]: [string, Property]) =>
    effective.governing(name, property).some((it) => it.protected);
  return Object.entries(node.properties)
    .filter(isProtected)
    .map(([name]) => name);
};
