import type { ExpectedVersion } from '../tree/change.js';
import { contentOperation, type NodeAnswer } from '../tree/content-operation.js';
import { moveTo } from '../tree/move.js';

export interface MoveNodeInput extends ExpectedVersion {
  readonly sourcePath: string;
  /** The new parent. */
  readonly destPath: string;
  /** Default: the node's name. */
  readonly name?: string | null;
}

export const moveNode = contentOperation('moveNode', (change, input: MoveNodeInput): NodeAnswer => {
  const node = change.at(input.sourcePath, 'Source node');
  change.requireVersion(node, input.expectedVersion);
  const parent = change.at(input.destPath, 'Destination node');
  return { nodeId: moveTo(change, node, parent, input.name ?? node.name).id };
});
