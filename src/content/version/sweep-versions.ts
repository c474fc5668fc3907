import {
  multiTableOf,
  operation,
  type QueryContext,
  type ReaderQuery,
  remove,
  type State,
  snapshotState,
  tableOf,
  type Write,
} from '../../store/documents.js';
import { nodes } from '../tree/node.js';
import {
  chunkId,
  freezings,
  frozenChunks,
  frozenNodeId,
  frozenNodes,
  frozenTrees,
  versionHistories,
  versionLitter,
  versions,
} from './version.js';
import { historyOf, outOfSight } from './version-history.js';

/** How a history was when it was looked at; null: there was none. */
type HistoryStamp = { readonly revision: number; readonly deleted: boolean } | null;

/** Documents of a history that nothing leads to, as they were found. Input of `sweepVersions`: at most 500 ids. */
interface VersionGarbage {
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

/** The sweep of histories, with room for one that many chunks name. */
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

function stampOf(state: Pick<State, 'get'>, id: string): HistoryStamp {
  const history = state.get(versionHistories, id);
  return history === undefined ? null : { revision: history.revision, deleted: history.deleted === true };
}

/** How many documents are removed at once. */
const GARBAGE_MAX = 400;

interface GarbageQuery {
  readonly partition: string;
  /** ms, domain clock */
  readonly now: number;
  /** Histories that are left alone. */
  readonly except: readonly string[];
}

const HISTORIES_MAX = 500;

/** Something that is left of a history and that nothing leads to; null: there is no more. */
export const versionGarbage: ReaderQuery<GarbageQuery, VersionGarbage | null> = {
  name: 'versionGarbage',
  run(context, { partition, now, except }) {
    const state = snapshotState(context, partition, now);
    const found = state
      .range(versionLitter, 'since', [0], HISTORIES_MAX, { skipDamaged: true })
      .find(({ id }) => !except.includes(id));
    return found === undefined ? null : garbageOf(context, state, found.id);
  },
};

function garbageOf(context: QueryContext, state: State, history: string): VersionGarbage {
  const stamp = stampOf(state, history);
  const all = (collection: { readonly name: string }) => idsOf(context, collection, history);
  const isGone = stamp === null || stamp.deleted;
  const reached = isGone ? NOTHING : reachedIn(state, history);
  const garbage = {
    nodes: all(frozenNodes).filter((id) => !reached.nodes.has(id)),
    chunks: all(frozenChunks).filter((id) => !reached.chunks.has(id)),
    trees: isGone ? all(frozenTrees) : [],
    versions: isGone ? all(versions) : [],
  };
  let left = GARBAGE_MAX;
  const some = (ids: readonly string[]): string[] => {
    const taken = ids.slice(0, left);
    left -= taken.length;
    return taken;
  };
  const going = chunksToGo(context, garbage.chunks);
  const chunks = some([...going.keys()]);
  const total = Object.values(garbage).reduce((sum, ids) => sum + ids.length, 0);
  return {
    history,
    stamp,
    nodes: some(garbage.nodes),
    chunks,
    trees: some(garbage.trees),
    versions: some(garbage.versions),
    naming: chunks.filter((id) => going.get(id) !== 0),
    isMore: total > GARBAGE_MAX || chunks.length < garbage.chunks.length,
  };
}

/** How many histories the chunks name that go at once, but for the first one. */
const NAMED_MAX = 200;

/** The first chunks, with how many histories each of them names. */
function chunksToGo({ log }: QueryContext, chunks: readonly string[]): ReadonlyMap<string, number> {
  const named = log.prepare(`SELECT count(*) AS total FROM ${multiTableOf(frozenChunks, 'named')} WHERE id = ?`);
  const going = new Map<string, number>();
  let all = 0;
  for (const id of chunks.slice(0, GARBAGE_MAX)) {
    const count = Number(named.get(id)?.total ?? 0);
    all += count;
    if (all > NAMED_MAX && going.size > 0) break;
    going.set(id, count);
  }
  return going;
}

const NOTHING = { nodes: new Set<string>(), chunks: new Set<string>() };

function idsOf({ log }: QueryContext, collection: { readonly name: string }, history: string): string[] {
  const rows = log.prepare(`SELECT id FROM ${tableOf(collection)} WHERE "c_history" = ?`).all(history);
  return rows.map(({ id }) => String(id));
}

/** Chunks and nodes that the versions of the history have frozen. */
function reachedIn(state: State, history: string): typeof NOTHING {
  const chunks = new Set<string>();
  const nodes = new Set<string>();
  for (const { writers } of state.find(frozenTrees, 'history', [history])) {
    writers.forEach((writer, bucket) => {
      chunks.add(chunkId(writer, bucket));
    });
  }
  for (const id of chunks) {
    for (const entry of state.get(frozenChunks, id)?.entries ?? []) nodes.add(frozenNodeId(history, entry));
  }
  return { nodes, chunks };
}
