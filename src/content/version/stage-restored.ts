import { badRequest, unavailable } from '../../shared/errors.js';
import { operation, put, type State } from '../../store/index.js';
import { stagingHolder } from '../large/staging-holder.js';
import { type DetachedTree, detachedTrees, sweeping, Whereabouts } from '../tree/detached.js';
import { type ContentNode, nodes } from '../tree/node.js';
import { typesOf } from '../tree/stored-types.js';
import type { Types } from '../tree/types.js';
import { validateNode } from '../type/validate-node.js';

/** Input of `beginRestored`. */
export interface BeginRestored {
  /** Of the node that is restored. */
  readonly stagingId: string;
}

/**
 * Begins a tree out of the tree for nodes that are restored, or takes over what is left there of a restore that was refused. Answers who makes
 * it from now on.
 */
export const beginRestored = operation('beginRestored', (state, { stagingId: id }: BeginRestored) => {
  const maker = state.ids.next();
  const tree: DetachedTree = { id, isStaging: true, since: state.now, keepsHistories: true, maker };
  const holder = state.get(nodes, id) ?? stagingHolder(id, 'restore', state.revision);
  return { write: [put(detachedTrees, tree), put(nodes, holder)], answer: maker };
});

/** Input of `abandonRestored`. */
export interface AbandonRestored extends BeginRestored {
  readonly maker: string;
}

/** Gives up what was made, unless another restore has taken it over: it is swept. */
export const abandonRestored = operation('abandonRestored', (state, { stagingId, maker }: AbandonRestored) => {
  const tree = state.get(detachedTrees, stagingId);
  const isOwn = tree?.isStaging === true && tree.maker === maker;
  return isOwn ? { ...sweeping(state, stagingId), answer: true } : { answer: false };
});

/** Input of `stageRestored`: at most 490 nodes. */
export interface StageRestored {
  /** What holds those whose parents are in the tree. */
  readonly stagingId: string;
  readonly nodes: readonly ContentNode[];
}

/**
 * Makes nodes anew that are gone, under the identifiers that they had. Nobody sees them until they are put in their place.
 * @throws UNAVAILABLE they are being swept, or came back meanwhile; BAD_REQUEST the types of today do not allow one
 */
export const stageRestored = operation('stageRestored', (state, { stagingId, nodes: made }: StageRestored) => {
  const staging = state.get(detachedTrees, stagingId);
  if (staging?.isStaging !== true)
    throw unavailable('expected the restore to be under way, but it took too long; try again', {
      reason: 'restore_lost',
    });
  const whereabouts = new Whereabouts(state, '', stagingId);
  const types = typesOf(state);
  for (const node of made) {
    requireFree(state, whereabouts, node.id);
    requireAllowed(types, node);
  }
  const write = made.map((node) => put(nodes, { ...node, version: state.revision }));
  return { write: [put(detachedTrees, { ...staging, since: state.now }), ...write], answer: null };
});

/** @throws UNAVAILABLE */
function requireFree(state: Pick<State, 'get'>, whereabouts: Whereabouts, id: string): void {
  const present = state.get(nodes, id);
  const where = present === undefined ? 'lost' : whereabouts.of(present);
  if (where === 'lost' || where === 'staged') return;
  throw unavailable(`expected node '${id}' to be gone, but it came back meanwhile; try again`, {
    reason: 'tree_busy',
    resourceId: id,
  });
}

/** @throws BAD_REQUEST */
function requireAllowed({ registry }: Types, node: ContentNode): void {
  const [problem] = validateNode(registry, { ...node, path: node.name, typesChanged: true, protectedAllowed: true });
  if (problem !== undefined) throw badRequest(problem.message, { reason: problem.rule, resourceId: node.id });
}
