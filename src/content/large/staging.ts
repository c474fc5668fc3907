import type { Caller } from '../../shared/caller.js';
import { badRequest, ServiceError, unavailable } from '../../shared/errors.js';
import { operation, put, remove, type State, steppedOperation } from '../../store/index.js';
import { Access } from '../tree/access.js';
import { type DetachedTree, detachedTrees, sweeping } from '../tree/detached.js';
import { type ContentNode, nodes } from '../tree/node.js';
import { typesOf } from '../tree/stored-types.js';
import { mounts, Tree } from '../tree/tree.js';
import type { Types } from '../tree/types.js';
import { repositoryType, validateNode } from '../type/validate-node.js';
import { prefixOf } from '../value/names.js';

/** Input of `beginStaging`. */
export interface BeginStaging {
  /** What will be the topmost node. */
  readonly rootId: string;
  /** Node types that it needs. */
  readonly types: readonly string[];
}

/** Begins a tree out of the tree. @throws BAD_REQUEST types are missing here, all of which are named */
export const beginStaging = operation('beginStaging', (state, { rootId, types }: BeginStaging) => {
  const { registry } = typesOf(state);
  const known = new Set(registry.all().map(({ name }) => name));
  const missing = types.filter((name) => !known.has(name));
  if (missing.length > 0) {
    throw badRequest(
      `expected this workspace to have the node types of what is copied, but it lacks '${missing.join("', '")}'`,
      {
        reason: 'node_types_missing',
        details: { nodeTypes: missing },
      },
    );
  }
  const tree: DetachedTree = { id: rootId, isStaging: true, since: state.now };
  return { write: [put(detachedTrees, tree)], answer: null };
});

/** Input of `stageNodes`: at most 500 nodes together. */
export interface StageNodes {
  readonly rootId: string;
  readonly nodes: readonly ContentNode[];
  /** What was staged before and does not belong there any more. */
  readonly gone: readonly string[];
  /** What they refer to by strong references outside of what is staged. */
  readonly targets: readonly string[];
  /** When they come from another workspace: they are checked against what is here. */
  readonly abroad: Abroad | null;
}

/** Where nodes of another workspace come from. */
export interface Abroad {
  /** The namespaces that are registered there, by prefix. */
  readonly namespaces: Readonly<Record<string, string>>;
  /** Whoever brings them: what they refer to must be readable here. */
  readonly caller: Caller;
}

/**
 * Writes nodes of a tree that is being made. From then on what they refer to stays.
 * @throws BAD_REQUEST a target is missing, or this workspace's types do not allow a node; UNAVAILABLE the tree is being swept
 */
export const stageNodes = steppedOperation('stageNodes', function* (state, input: StageNodes, { caller }) {
  const staging = state.get(detachedTrees, input.rootId);
  if (staging?.isStaging !== true)
    throw unavailable('expected the copy to be under way, but it took too long; try again', { reason: 'copy_lost' });
  const tree = new Tree(state, mounts.all);
  const { abroad } = input;
  const access = new Access(tree, abroad?.caller ?? caller);
  for (const id of input.targets) {
    requireTarget(tree, access, id);
    yield;
  }
  if (abroad !== null) {
    const types = typesOf(state);
    for (const node of input.nodes) {
      requireAllowed(types, node, abroad);
      yield;
    }
  }
  const version = state.revision;
  const write = input.nodes.map((node) => put(nodes, { ...node, version }));
  const swept = input.gone.map((id) => remove(nodes, id));
  return { write: [put(detachedTrees, { ...staging, since: state.now }), ...write, ...swept], answer: null };
});

function requireTarget(tree: Tree, access: Access, id: string): void {
  const target = tree.get(id);
  if (target !== undefined && access.canRead(target)) return;
  const message = `expected what is copied to refer to nodes of this workspace, but there is none with the identifier '${id}'`;
  throw new ServiceError('BAD_REQUEST', message, { reason: 'reference_target_missing', resourceId: id });
}

/** @throws BAD_REQUEST */
function requireAllowed(types: Types, node: ContentNode, { namespaces }: Abroad): void {
  for (const name of [node.name, ...Object.keys(node.properties)]) requireNamespace(types, name, namespaces);
  const facts = { ...node, path: node.name, protectedAllowed: true, targetIsA: () => true };
  const own = repositoryType(types.of(node));
  if (own !== undefined)
    throw badRequest(`expected '${node.name}' to have a type of content, but ${own}`, { reason: 'repository_type' });
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

/** Gives up what is being made: it is swept. What is in the tree by now stays. */
export const abandonStaging = operation('abandonStaging', (state: State, { rootId }: { readonly rootId: string }) =>
  state.get(detachedTrees, rootId)?.isStaging === true
    ? { ...sweeping(state, rootId), answer: true }
    : { answer: false },
);
