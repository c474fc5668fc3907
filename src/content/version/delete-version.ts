import { badRequest, ServiceError } from '../../shared/errors.js';
import type { Change } from '../tree/change.js';
import { contentOperation } from '../tree/content-operation.js';
import { nodes } from '../tree/node.js';
import { frozenTrees, type Version, versionHistories, versionLitter, versions } from './version.js';
import { historyOf, managed, versionAt } from './version-history.js';

/** A version to be deleted. */
interface DeleteVersionInput {
  readonly path: string;
  readonly versionName: string;
}

/**
 * Removes a version with its labels; those before and behind it follow each other (JCR 2.0 §15.8). What it alone has frozen is swept later.
 * @throws BAD_REQUEST, NOT_FOUND; CONFLICT the node follows it, or a reference points at it
 */
export const deleteVersion = contentOperation('deleteVersion', (change, input: DeleteVersionInput): true => {
  const node = managed(change, change.at(input.path));
  const version = versionAt(change, node, { name: input.versionName });
  if (version.number === 0) throw badRequest(`'${version.name}' cannot be deleted`, { reason: 'root_version' });
  if (node.versioning.baseVersion === version.id) throw inUse(version, `'${input.path}' follows it`);
  if (change.draft.findMulti(nodes, 'strong', version.id, 1).length > 0) throw inUse(version, 'a node refers to it');
  for (const id of version.predecessors)
    relink(change, id, (one) => ({ ...one, successors: spliced(one.successors, version.id, version.successors) }));
  for (const id of version.successors)
    relink(change, id, (one) => ({
      ...one,
      predecessors: spliced(one.predecessors, version.id, version.predecessors),
    }));
  change.draft.remove(versions, version.id);
  change.draft.remove(frozenTrees, version.id);
  const history = historyOf(change.draft, node.id);
  if (history !== undefined) {
    const labels = Object.fromEntries(Object.entries(history.labels).filter(([, id]) => id !== version.id));
    change.draft.put(versionHistories, { ...history, labels, revision: change.draft.revision });
  }
  change.draft.put(versionLitter, { id: node.id, since: change.now });
  return true;
});

function relink(change: Change, id: string, linked: (version: Version) => Version): void {
  const version = change.draft.get(versions, id);
  if (version !== undefined) change.draft.put(versions, linked(version));
}

/** The ids with others in the place of one. */
const spliced = (ids: readonly string[], gone: string, others: readonly string[]): string[] => [
  ...new Set(ids.flatMap((id) => (id === gone ? others : [id]))),
];

const inUse = ({ id, name }: Version, why: string) =>
  new ServiceError('CONFLICT', `version '${name}' cannot be deleted: ${why}`, {
    reason: 'version_in_use',
    resourceId: id,
  });
