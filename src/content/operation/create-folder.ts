import { addNode } from '../rule/add-node.js';
import { contentOperation, type NodeAnswer } from '../rule/content-operation.js';
import { type ParentOptions, parentAt, requireNoChild } from '../rule/parent.js';

export interface CreateFolderInput extends ParentOptions {
  readonly path: string;
  readonly name: string;
  /** Default: nt:folder. */
  readonly nodeType?: string | null;
}

export const createFolder = contentOperation('createFolder', (change, input: CreateFolderInput): NodeAnswer => {
  const parent = parentAt(change, input.path, input);
  requireNoChild(change, parent, input.name);
  return { nodeId: addNode(change, parent, { name: input.name, type: input.nodeType ?? 'nt:folder' }).id };
});
