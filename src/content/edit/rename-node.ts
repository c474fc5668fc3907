import { badRequest } from '../../shared/errors.js';
import type { ExpectedVersion } from '../tree/change.js';
import { contentOperation, type NodeAnswer } from '../tree/content-operation.js';
import { moveTo } from '../tree/move.js';

export interface RenameNodeInput extends ExpectedVersion {
  readonly path: string;
  readonly name: string;
}

export const renameNode = contentOperation('renameNode', (change, input: RenameNodeInput): NodeAnswer => {
  const node = change.at(input.path);
  change.requireVersion(node, input.expectedVersion);
  const parent = change.tree.parentOf(node);
  if (parent === undefined) throw badRequest('the root cannot be renamed');
  return { nodeId: moveTo(change, node, parent, input.name).id };
});
