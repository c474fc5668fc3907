import { badRequest, refuse } from '../../shared/errors.js';
import type { Asking } from '../../store/index.js';
import { addNode, type ParentOptions, parentAt, requireFreeFor } from '../tree/add-node.js';
import type { Change, ExpectedVersion } from '../tree/change.js';
import { contentOperation, type NodeAnswer } from '../tree/content-operation.js';
import type { ContentNode } from '../tree/node.js';
import { qualifiedName } from '../value/names.js';
import type { BlobValue, InlineValue, Property } from '../value/property.js';
import { notSealed, type SpendUpload, sealOf, spendUploadAs } from './sealed-upload.js';
import { mailboxOfUpload, openUpload } from './upload.js';

interface CreateFileInput extends ParentOptions {
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
interface NewFile {
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

interface CompleteMultipartUploadInput extends SpendUpload, ExpectedVersion {
  /** The folder; missing ones on the way are made. */
  readonly path: string;
  readonly name: string;
  readonly mimeType: string;
  /** Whether the content of a file that is there is replaced; its media type stays. Default: false. */
  readonly overwrite?: boolean | null;
}

/**
 * Makes a file of the bytes of an upload, which is spent; bytes that are no blob yet are made one before.
 * @throws BAD_REQUEST there is no such upload, or a node of that name that may not be overwritten; CONFLICT its bytes are lost; UNAVAILABLE the
 * disk failed
 */
export const completeMultipartUpload = contentOperation(
  'completeMultipartUpload',
  (change, input: CompleteMultipartUploadInput): NodeAnswer | Asking => {
    const sha256 = sealed(change, input.uploadId);
    if (typeof sha256 !== 'string') return sha256;
    const content = spendUploadAs(change.draft, change.caller, input, sha256);
    const parent = parentAt(change, input.path, {});
    const name = qualifiedName(input.name, change.types.namespaces);
    const present = change.tree.child(parent, name);
    if (present !== undefined && !change.access.canRead(present)) requireFreeFor(change, parent, name);
    if (present !== undefined) return { nodeId: overwrite(change, present, content, input).id };
    return { nodeId: addFile(change, parent, { name, type: 'nt:file', content, mimeType: input.mimeType }).id };
  },
  // Chunks that came before it are part of it.
  undefined,
  (_, { uploadId }) => mailboxOfUpload(uploadId),
);

/** What the upload is sealed as, by now or with this very commit. In a transaction it has been sealed before. */
function sealed({ draft, caller, answers, isPart }: Change, uploadId: string): string | Asking {
  const upload = openUpload(draft, uploadId, caller);
  return upload.blob ?? (isPart ? refuse(notSealed(uploadId)) : sealOf(upload, draft, answers));
}

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
  replaceContent(change, file, { content: data, mimeType: null });
  return file;
}

/** A file that is there gets other bytes, and where it is given another media type. @throws BAD_REQUEST it is no file; FORBIDDEN; CONFLICT it is locked, or checked in */
export function replaceContent(
  change: Change,
  file: ContentNode,
  { content: data, mimeType }: Pick<NewFile, 'content' | 'mimeType'>,
): void {
  const content = change.contentOf(file);
  if (!change.types.isA(file, 'nt:file') || content.id === file.id)
    throw badRequest(`expected ${change.nameOf(file)} to be a file, but it is of type ${file.type}`);
  change.require(content, 'jcr:modifyProperties');
  change.requireChangeable(content);
  const properties: Record<string, Property> = {
    ...content.properties,
    'jcr:data': { type: 'Binary', value: data },
    ...(mimeType && { 'jcr:mimeType': { type: 'String', value: mimeType } as const }),
  };
  change.put(change.types.touched(change, { ...content, properties }));
}
