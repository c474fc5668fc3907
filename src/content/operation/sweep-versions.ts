import { operation, remove, type State, type Write } from '../../store/index.js';
import {
  freezings,
  frozenChunks,
  frozenNodes,
  frozenTrees,
  versionHistories,
  versionLitter,
  versions,
} from '../collection/version.js';

/** How a history was when it was looked at; null: there was none. */
export type HistoryStamp = { readonly revision: number; readonly deleted: boolean } | null;

/** What nothing leads to, as it was found. Input of `sweepVersions`: at most 500 ids. */
export interface VersionGarbage {
  readonly history: string;
  readonly stamp: HistoryStamp;
  readonly nodes: readonly string[];
  readonly chunks: readonly string[];
  readonly trees: readonly string[];
  readonly versions: readonly string[];
  /** Whether there is more of it. */
  readonly isMore: boolean;
}

/**
 * Removes what was found, unless the history has changed since, or its node is being frozen: what is frozen anew may be what was garbage.
 * Answers whether it did.
 */
export const sweepVersions = operation('sweepVersions', (state, garbage: VersionGarbage) => {
  const { history, isMore } = garbage;
  const stamp = stampOf(state, history);
  if (JSON.stringify(stamp) !== JSON.stringify(garbage.stamp)) return { answer: false };
  if (state.find(freezings, 'node', [history], { limit: 1 }).length > 0) return { answer: false };
  const write: Write[] = [
    ...garbage.nodes.map((id) => remove(frozenNodes, id)),
    ...garbage.chunks.map((id) => remove(frozenChunks, id)),
    ...garbage.trees.map((id) => remove(frozenTrees, id)),
    ...garbage.versions.map((id) => remove(versions, id)),
  ];
  if (!isMore) {
    write.push(remove(versionLitter, history));
    if (stamp?.deleted === true) write.push(remove(versionHistories, history));
  }
  return { write, answer: true };
});

export function stampOf(state: Pick<State, 'get'>, id: string): HistoryStamp {
  const history = state.get(versionHistories, id);
  return history === undefined ? null : { revision: history.revision, deleted: history.deleted === true };
}
