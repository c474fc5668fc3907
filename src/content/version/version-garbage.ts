import {
  multiTableOf,
  type QueryContext,
  type ReaderQuery,
  type State,
  snapshotState,
  tableOf,
} from '../../store/index.js';
import { stampOf, type VersionGarbage } from './sweep-versions.js';
import { chunkId, frozenChunks, frozenNodeId, frozenNodes, frozenTrees, versionLitter, versions } from './version.js';

/** How many documents are removed at once. */
const GARBAGE_MAX = 400;

export interface GarbageQuery {
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

/** What the versions of the history have frozen. */
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
