import { badRequest } from '../../shared/errors.js';
import type { Asking } from '../../store/index.js';
import { withMixin } from '../edit/mixins.js';
import type { ExpectedVersion } from '../tree/change.js';
import { contentOperation, isAsking, type NodeAnswer } from '../tree/content-operation.js';
import { FREEZE_LIMITS, makeVersion } from './check-in.js';
import { managed } from './version-history.js';

/** What most operations on versions are told. */
export interface VersionedNodeInput extends ExpectedVersion {
  readonly path: string;
}

/** Makes a node versionable (mix:versionable) and checks it in: its first version is `1.0`. @throws BAD_REQUEST it is versionable already */
export const addVersionControl = contentOperation(
  'addVersionControl',
  (change, input: VersionedNodeInput): NodeAnswer | Asking => {
    const node = change.atVersion(input);
    if (change.types.isA(node, 'mix:versionable')) {
      const message = `expected '${input.path}' not to be versionable yet, but it is`;
      throw badRequest(message, { reason: 'versionable_already', resourceId: node.id });
    }
    const version = makeVersion(change, managed(change, withMixin(change, node, 'mix:versionable')));
    return isAsking(version) ? version : { nodeId: node.id };
  },
  FREEZE_LIMITS,
);
