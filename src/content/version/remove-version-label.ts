import { contentOperation } from '../tree/content-operation.js';
import { qualifiedName } from '../value/names.js';
import type { VersionAnswer } from './checkin.js';
import { versionHistories } from './version.js';
import { historyOf, managed, versionAt } from './version-history.js';

/** A label that goes. */
export interface RemoveVersionLabelInput {
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
