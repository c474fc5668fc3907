import { addNode } from '../tree/add-node.js';
import { contentOperation, type NodeAnswer } from '../tree/content-operation.js';
import { type ParentOptions, parentAt } from '../tree/parent.js';
import { qualifiedName } from '../value/name.js';

export interface CreateFolderInput extends ParentOptions {
  readonly path: string;
  readonly name: string;
  /** Default: nt:folder. */
  readonly nodeType?: string | null;
}

export const createFolder = contentOperation('createFolder', (change, input: CreateFolderInput): NodeAnswer => {
  const parent = parentAt(change, input.path, input);
  const name = qualifiedName(input.name, change.types.namespaces);
  return { nodeId: addNode(change, parent, { name, type: input.nodeType ?? 'nt:folder', isOnlyOfName: true }).id };
});
