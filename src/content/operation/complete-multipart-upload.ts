import { badRequest } from '../../shared/errors.js';
import { qualifiedName } from '../model/name.js';
import type { ContentNode } from '../model/node.js';
import type { BlobValue } from '../model/property.js';
import type { Change } from '../rule/change.js';
import { contentOperation, type ExpectedVersion, type NodeAnswer } from '../rule/content-operation.js';
import { parentAt, requireFreeFor } from '../rule/parent.js';
import { type SpendUpload, spendUpload } from '../rule/spend-upload.js';
import { addFile } from './create-file.js';

export interface CompleteMultipartUploadInput extends SpendUpload, ExpectedVersion {
  /** The folder; missing ones on the way are made. */
  readonly path: string;
  readonly name: string;
  readonly mimeType: string;
  /** Whether the content of a file that is there is replaced; its media type stays. Default: false. */
  readonly overwrite?: boolean | null;
}

/** Makes a file of the bytes of an upload, which is spent. @throws BAD_REQUEST there is a node of that name, and it may not be overwritten */
export const completeMultipartUpload = contentOperation(
  'completeMultipartUpload',
  (change, input: CompleteMultipartUploadInput): NodeAnswer => {
    const content = spendUpload(change.draft, change.caller, input);
    const parent = parentAt(change, input.path, {});
    const name = qualifiedName(input.name, change.types.namespaces);
    const present = change.tree.child(parent, name);
    if (present !== undefined && !change.access.canRead(present)) requireFreeFor(change, parent, name);
    if (present !== undefined) return { nodeId: overwrite(change, present, content, input).id };
    return { nodeId: addFile(change, parent, { name, type: 'nt:file', content, mimeType: input.mimeType }).id };
  },
);

function overwrite(
  change: Change,
  file: ContentNode,
  data: BlobValue,
  { path, name, overwrite: isAllowed, expectedVersion }: CompleteMultipartUploadInput,
): ContentNode {
  if (isAllowed !== true) {
    throw badRequest(
      `expected no node '${name}' in '${path}', but there is one: 'overwrite' would replace its content`,
      {
        reason: 'node_exists',
      },
    );
  }
  change.requireVersion(file, expectedVersion);
  const content = change.contentOf(file);
  if (!change.types.isA(file, 'nt:file') || content.id === file.id)
    throw badRequest(`expected '${name}' in '${path}' to be a file, but it is of type ${file.type}`);
  change.require(content, 'jcr:modifyProperties');
  change.requireChangeable(content);
  const properties = { ...content.properties, 'jcr:data': { type: 'Binary', value: data } as const };
  change.put(change.types.touched(change, { ...content, properties }));
  return file;
}
