import { operation, remove, type State, type Write } from '../../store/index.js';
import { nodes } from '../tree/node.js';
import {
  freezings,
  frozenChunks,
  frozenNodes,
  frozenTrees,
  versionHistories,
  versionLitter,
  versions,
} from './version.js';
import { historyOf, outOfSight } from './version-history.js';

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
  /** Those of the chunks in which histories of other nodes are named. */
  readonly naming: readonly string[];
  /** Whether there is more of it. */
  readonly isMore: boolean;
}

/**
 * Removes what was found, unless the history has changed since, or its node is being frozen: what is frozen anew may be what was garbage.
 * Histories that outlived their nodes go with what named them. Answers whether it did.
 */
const sweep = operation('sweepVersions', (state, garbage: VersionGarbage) => {
  const { history, isMore } = garbage;
  const stamp = stampOf(state, history);
  if (JSON.stringify(stamp) !== JSON.stringify(garbage.stamp)) return { answer: false };
  if (state.find(freezings, 'node', [history], { limit: 1 }).length > 0) return { answer: false };
  const write: Write[] = [
    ...garbage.nodes.map((id) => remove(frozenNodes, id)),
    ...garbage.chunks.map((id) => remove(frozenChunks, id)),
    ...garbage.trees.map((id) => remove(frozenTrees, id)),
    ...garbage.versions.map((id) => remove(versions, id)),
    ...namedIn(state, garbage.naming).flatMap((id) => forsaken(state, id, new Set(garbage.chunks))),
  ];
  if (!isMore) {
    write.push(remove(versionLitter, history));
    if (stamp?.deleted === true) write.push(remove(versionHistories, history));
  }
  return { write, answer: true };
});

/** What it reads and writes of histories that were named by many chunks. */
export const sweepVersions: typeof sweep = { ...sweep, limits: { reads: 20_000, writes: 2_000 } };

/** Nodes whose histories the chunks name. */
function namedIn(state: State, chunks: readonly string[]): string[] {
  const entries = chunks.flatMap((id) => state.get(frozenChunks, id)?.entries ?? []);
  return [...new Set(entries.filter(({ kind }) => kind === 'history').map(({ id }) => id))];
}

/** What becomes of the history of a node that is gone, if nothing names it but the chunks that go. */
function forsaken(state: State, nodeId: string, gone: ReadonlySet<string>): Write[] {
  const history = historyOf(state, nodeId);
  if (history === undefined || state.get(nodes, nodeId) !== undefined) return [];
  const chunks = state.findMulti(frozenChunks, 'named', nodeId, NAMING_MAX);
  const isNamed = chunks.length === NAMING_MAX || chunks.some(({ id }) => !gone.has(id));
  return isNamed ? [] : outOfSight(history, state.now);
}

/** How many chunks that name a history are looked at; where there are more, it stays until some of them are gone. */
const NAMING_MAX = 50;

export function stampOf(state: Pick<State, 'get'>, id: string): HistoryStamp {
  const history = state.get(versionHistories, id);
  return history === undefined ? null : { revision: history.revision, deleted: history.deleted === true };
}
