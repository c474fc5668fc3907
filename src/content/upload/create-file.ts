import { addNode } from '../tree/add-node.js';
import type { Change } from '../tree/change.js';
import { contentOperation, type NodeAnswer } from '../tree/content-operation.js';
import type { ContentNode } from '../tree/node.js';
import { type ParentOptions, parentAt } from '../tree/parent.js';
import { qualifiedName } from '../value/name.js';
import type { BlobValue, InlineValue, Property } from '../value/property.js';

export interface CreateFileInput extends ParentOptions {
  readonly path: string;
  readonly name: string;
  /** Default: application/octet-stream. */
  readonly mimeType?: string | null;
  readonly content: BlobValue | InlineValue;
  /** Default: nt:file. */
  readonly nodeType?: string | null;
}

export const createFile = contentOperation('createFile', (change, input: CreateFileInput): NodeAnswer => {
  const parent = parentAt(change, input.path, input);
  const name = qualifiedName(input.name, change.types.namespaces);
  const { content, mimeType } = input;
  return { nodeId: addFile(change, parent, { name, type: input.nodeType ?? 'nt:file', content, mimeType }).id };
});

/** A file to be made. */
export interface NewFile {
  readonly name: string;
  readonly type: string;
  readonly content: BlobValue | InlineValue;
  readonly mimeType: string | null | undefined;
}

/** Adds an nt:file with its jcr:content. Who makes a file by name means that name: nothing else may have it. */
export function addFile(change: Change, parent: ContentNode, { name, type, content, mimeType }: NewFile): ContentNode {
  const file = addNode(change, parent, { name, type, isOnlyOfName: true });
  const properties: Record<string, Property> = {
    'jcr:mimeType': { type: 'String', value: mimeType || 'application/octet-stream' },
    'jcr:data': { type: 'Binary', value: content },
  };
  addNode(change, file, { name: 'jcr:content', type: 'nt:resource', properties });
  return file;
}
