import { badRequest } from '../../shared/errors.js';
import {
  type Cursors,
  Keyset,
  type KeysetPage,
  type KeysetRequest,
  type ReaderQuery,
  type State,
  snapshotState,
} from '../../store/documents.js';
import { ContentView } from '../tree/content-view.js';
import type { ContentNode } from '../tree/node.js';
import { type Version, versions } from './version.js';
import { historyOf } from './version-history.js';
import { frozenNodePath } from './version-mount.js';

/** A version as it is shown, in plain JSON. */
export interface VersionView {
  readonly id: string;
  readonly name: string;
  /** ms */
  readonly created: number;
  readonly createdBy: string;
  readonly frozenNodePath: string;
  /** Names; the root version is left out. */
  readonly predecessors: readonly string[];
  readonly successors: readonly string[];
  readonly labels: readonly string[];
}

/** A page of a history as it is shown, in plain JSON. */
export interface HistoryView {
  readonly versionableUuid: string;
  /** Oldest first; the root version is left out. */
  readonly versions: KeysetPage<VersionView>;
  /** The version that the node follows; null: the root version. */
  readonly baseVersion: VersionView | null;
}

type Reading = Pick<State, 'get' | 'find' | 'count'>;

/** The version of the id; undefined: there is none. */
export function versionView(reading: Pick<Reading, 'get'>, id: string): VersionView | undefined {
  const version = reading.get(versions, id);
  if (version === undefined) return undefined;
  return shown(version, { named: namedIn(reading, [version]), labels: labelsOf(reading, version.history) });
}

/** A page of the history of a versionable node. @throws BAD_REQUEST, LIMIT_EXCEEDED (what is asked for) */
function historyView(reading: Reading, { id, versioning }: ContentNode, request: KeysetRequest): HistoryView {
  const keyset = new Keyset(CURSORS, request);
  const from = keyset.after === undefined ? FIRST : Number(keyset.after[0]) + 1;
  const found = reading.find(versions, 'number', [id], { from, limit: keyset.wanted });
  const around = { named: namedIn(reading, found), labels: labelsOf(reading, id) };
  const base = versioning === undefined ? undefined : reading.get(versions, versioning.baseVersion);
  return {
    versionableUuid: id,
    versions: keyset.page(
      found.map((version) => ({ key: [version.number], node: shown(version, around) })),
      () => reading.count(versions, 'number', [id], { from: FIRST }),
    ),
    baseVersion: base === undefined || base.number < FIRST ? null : shown(base, around),
  };
}

/** `version:<i>` in base64, as the original's: the i-th version that was made, from 0. */
const CURSORS: Cursors = {
  encode: ([number]) => Buffer.from(`version:${Number(number) - FIRST}`).toString('base64'),
  decode: (cursor) => {
    const made = /^version:(\d{1,9})$/.exec(Buffer.from(cursor, 'base64').toString())?.[1];
    if (made === undefined) throw badRequest('expected a cursor that this server gave, but it cannot be read');
    return [Number(made) + FIRST];
  },
};

/** The number of the first version behind the root version. */
const FIRST = 1;

/** Versions by id: those of the page are known. */
function namedIn(reading: Pick<Reading, 'get'>, known: readonly Version[]): Around['named'] {
  const byId = new Map(known.map((version) => [version.id, version]));
  return (ids) => ids.flatMap((id) => byId.get(id) ?? reading.get(versions, id) ?? []);
}

/** The labels of each version. */
function labelsOf(reading: Pick<Reading, 'get'>, id: string): ReadonlyMap<string, readonly string[]> {
  const labels = new Map<string, string[]>();
  for (const [label, version] of Object.entries(historyOf(reading, id)?.labels ?? {})) {
    labels.set(version, [...(labels.get(version) ?? []), label]);
  }
  return labels;
}

interface Around {
  readonly named: (ids: readonly string[]) => readonly Version[];
  readonly labels: ReadonlyMap<string, readonly string[]>;
}

function shown(version: Version, { named, labels }: Around): VersionView {
  const { id, name, created, createdBy } = version;
  const namesOf = (ids: readonly string[]) => named(ids).flatMap((one) => (one.number > 0 ? [one.name] : []));
  return {
    id,
    name,
    created,
    createdBy,
    frozenNodePath: frozenNodePath(version),
    predecessors: namesOf(version.predecessors),
    successors: namesOf(version.successors),
    labels: labels.get(id) ?? [],
  };
}

interface VersionsQuery extends KeysetRequest {
  readonly partition: string;
  readonly nodeId: string;
  /** ms, domain clock */
  readonly now: number;
}

/** A page of the history of a node; null: the caller may not read the node, or it is not versionable. */
export const contentVersions: ReaderQuery<VersionsQuery, HistoryView | null> = {
  name: 'contentVersions',
  run(context, { partition, nodeId, now, ...request }) {
    const view = new ContentView(snapshotState(context, partition, now), context.caller);
    const node = view.get(nodeId);
    return node?.versioning === undefined ? null : historyView(view.tree.reading, node, request);
  },
};
