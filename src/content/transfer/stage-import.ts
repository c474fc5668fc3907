import { unavailable } from '../../shared/errors.js';
import { put, remove, type State, steppedOperation } from '../../store/index.js';
import { stagingHolder } from '../large/staging-holder.js';
import { type DetachedTree, detachedTrees } from '../tree/detached.js';
import { type ContentNode, nodes } from '../tree/node.js';

/** Input of `stageImport`: some hundred nodes of an import, out of the tree. */
export interface StageImport {
  /** What holds them together until they are in the tree. */
  readonly holderId: string;
  /** Whether these are the first ones. */
  readonly isFirst: boolean;
  readonly nodes: readonly ContentNode[];
}

/** Writes nodes that nobody sees. @throws UNAVAILABLE they are being swept; an identifier was taken meanwhile */
export const stageImport = steppedOperation(
  'stageImport',
  function* (state: State, { holderId, isFirst, nodes: staged }: StageImport) {
    const known = state.get(detachedTrees, holderId);
    if (!isFirst && known?.isStaging !== true) throw importLost();
    for (const { id } of staged) {
      yield;
      if (state.get(nodes, id) === undefined) continue;
      throw unavailable(`expected identifier '${id}' to be free, but it was taken meanwhile; try again`, {
        reason: 'identifier_taken',
      });
    }
    const tree: DetachedTree = { id: holderId, isStaging: true, since: state.now };
    const version = state.revision;
    const holder = isFirst ? [put(nodes, stagingHolder(holderId, 'import', version))] : [];
    const write = staged.map((node) => put(nodes, { ...node, version }));
    return { write: [put(detachedTrees, tree), ...holder, ...write], answer: null };
  },
);

export const importLost = () =>
  unavailable('expected the import to be under way, but what it had written was swept; try again', {
    reason: 'import_lost',
  });

/** What is published holds nothing together any more. */
export const withoutHolder = (holderId: string) => [remove(nodes, holderId), remove(detachedTrees, holderId)];
