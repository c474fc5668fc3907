import type { State } from '../../store/index.js';
import { type Version, versions } from '../collection/version.js';
import type { ContentNode } from '../model/node.js';
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

/** A history as it is shown, in plain JSON. */
export interface HistoryView {
  readonly versionableUuid: string;
  /** Oldest first; the root version is left out. */
  readonly versions: readonly VersionView[];
  /** The version that the node follows; null: the root version. */
  readonly baseVersion: VersionView | null;
}

type Reading = Pick<State, 'get' | 'find'>;

/** The version of the id; undefined: there is none. */
export function versionView(reading: Reading, id: string): VersionView | undefined {
  const version = reading.get(versions, id);
  if (version === undefined) return undefined;
  const named = (ids: readonly string[]) => ids.flatMap((one) => reading.get(versions, one) ?? []);
  return shown(version, { named, labels: historyOf(reading, version.history)?.labels ?? {} });
}

/** The history of a versionable node. */
export function historyView(reading: Reading, { id, versioning }: ContentNode): HistoryView {
  const all = reading.find(versions, 'number', [id]);
  const byId = new Map(all.map((version) => [version.id, version]));
  const named = (ids: readonly string[]) => ids.flatMap((one) => byId.get(one) ?? []);
  const labels = historyOf(reading, id)?.labels ?? {};
  const shownVersions = all.filter(({ number }) => number > 0).map((version) => shown(version, { named, labels }));
  const baseVersion = shownVersions.find((version) => version.id === versioning?.baseVersion) ?? null;
  return { versionableUuid: id, versions: shownVersions, baseVersion };
}

interface Around {
  readonly named: (ids: readonly string[]) => readonly Version[];
  readonly labels: Readonly<Record<string, string>>;
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
    labels: Object.keys(labels).filter((label) => labels[label] === id),
  };
}
