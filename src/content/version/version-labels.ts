import { badRequest, limitExceeded, ServiceError } from '../../shared/errors.js';
import { contentOperation } from '../tree/content-operation.js';
import { qualifiedName } from '../value/names.js';
import type { VersionAnswer } from './check-in.js';
import { versionHistories } from './version.js';
import { historyOf, managed, versionAt } from './version-history.js';

/** A label for a version. */
interface AddVersionLabelInput {
  readonly path: string;
  readonly versionName: string;
  readonly label: string;
  /** Whether it is taken from the version that has it. Default: false. */
  readonly moveLabel?: boolean | null;
}

/** How many labels a history may have. */
const LABELS_MAX = 1_000;

/** Gives a version a label, which one version of a history has at most (JCR 2.0 §15.4). @throws BAD_REQUEST, NOT_FOUND, ALREADY_EXISTS, LIMIT_EXCEEDED */
export const addVersionLabel = contentOperation(
  'addVersionLabel',
  (change, { path, versionName, label, moveLabel }: AddVersionLabelInput): VersionAnswer => {
    const node = managed(change, change.at(path));
    const version = versionAt(change, node, { name: versionName });
    if (version.number === 0) throw badRequest(`'${version.name}' takes no labels`, { reason: 'root_version' });
    const name = qualifiedName(label, change.types.namespaces, 'label');
    const history = historyOf(change.draft, node.id);
    const holder = history?.labels[name];
    if (history === undefined || holder === version.id) return { versionId: version.id };
    if (holder !== undefined && moveLabel !== true)
      throw new ServiceError('ALREADY_EXISTS', `another version of '${path}' has the label '${name}' already`, {
        reason: 'label_exists',
        resourceId: holder,
      });
    const labels = { ...history.labels, [name]: version.id };
    if (Object.keys(labels).length > LABELS_MAX)
      throw limitExceeded(`expected at most ${LABELS_MAX} labels in the history of '${path}', but there are more`);
    change.draft.put(versionHistories, { ...history, labels, revision: change.draft.revision });
    return { versionId: version.id };
  },
);

/** A label that goes. */
interface RemoveVersionLabelInput {
  readonly path: string;
  readonly label: string;
}

/** Takes a label from the version that has it, which is answered. @throws BAD_REQUEST it is not versionable; NOT_FOUND no version has the label */
export const removeVersionLabel = contentOperation(
  'removeVersionLabel',
  (change, { path, label }: RemoveVersionLabelInput): VersionAnswer => {
    const node = managed(change, change.at(path));
    const name = qualifiedName(label, change.types.namespaces, 'label');
    const version = versionAt(change, node, { label: name });
    const history = historyOf(change.draft, node.id);
    if (history === undefined) return { versionId: version.id };
    const { [name]: _, ...labels } = history.labels;
    change.draft.put(versionHistories, { ...history, labels, revision: change.draft.revision });
    return { versionId: version.id };
  },
);
