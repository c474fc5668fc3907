import { qualifiedName } from '../model/name.js';
import { addNode } from '../rule/add-node.js';
import { contentOperation, type NodeAnswer } from '../rule/content-operation.js';
import { type ParentOptions, parentAt } from '../rule/parent.js';

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
