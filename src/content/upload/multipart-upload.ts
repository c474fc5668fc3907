import { badRequest, limitExceeded, ServiceError } from '../../shared/errors.js';
import {
  type Asking,
  type CommandContext,
  type Decision,
  Draft,
  operation,
  type State,
  start,
} from '../../store/index.js';
import {
  type ChunkName,
  type ChunkQuestion,
  stagedAnswer,
  type UploadLimits,
  type UploadServices,
} from './staged-bytes.js';
import {
  findUpload,
  mailboxOfUpload,
  moveUpload,
  openUpload,
  requireSha256,
  type Upload,
  type UploadProgress,
  uploadMachine,
  uploadProgress,
  uploads,
} from './upload.js';

/** Begins an upload of the caller's, of no bytes yet. What of the caller's own is over is cleared away. @throws RATE_LIMITED (too many are open) */
export const initiateMultipartUpload = ({ uploads: limits }: UploadServices) =>
  operation<object, UploadProgress>('initiateMultipartUpload', (state, _, { caller }) => {
    const own = state.find(uploads, 'owner', [caller.userId]);
    const over = own.filter((upload) => upload.expires <= state.now);
    if (own.length - over.length >= limits.openMax) throw tooManyUploads(limits.openMax);
    const upload: Upload = {
      id: state.ids.next(),
      owner: caller.userId,
      size: 0,
      chunks: 0,
      expires: state.now + limits.keptMs,
      blob: null,
      actor: start(uploadMachine, {}),
    };
    const draft = new Draft(state);
    for (const one of over) moveUpload(draft, one, { type: 'abort' });
    draft.add(uploads, upload);
    return { write: draft.writes(), answer: uploadProgress(upload) };
  });

const tooManyUploads = (max: number) =>
  new ServiceError('RATE_LIMITED', `expected fewer than ${max} open uploads of the caller's; complete or abort one`, {
    reason: 'too_many_uploads',
    details: { max },
  });

/** Input of `appendMultipartUploadChunk`. */
interface AppendMultipartUploadChunk {
  readonly uploadId: string;
  /** The decoded bytes. */
  readonly chunk: ChunkName;
  /** Where the chunk belongs, bytes; null: behind what is there. */
  readonly offset: number | string | null;
  /** The SHA-256 of the chunk as the caller knows it. */
  readonly sha256: string | null;
}

/**
 * Adds a chunk to an upload of the caller's; its time begins anew. With `offset` a chunk that was taken already is taken no second time.
 * Safe to repeat with an offset. The bytes are durable before the size that counts them, so a crash in between costs nothing.
 * @throws BAD_REQUEST (no such upload; empty; another SHA-256), CONFLICT (bytes are missing before it, or others are there),
 * LIMIT_EXCEEDED, UNAVAILABLE (the disk failed)
 */
export const appendMultipartUploadChunk = ({ uploads: limits }: UploadServices) =>
  operation<AppendMultipartUploadChunk, UploadProgress>(
    'appendMultipartUploadChunk',
    (state, input, context) => {
      const upload = openUpload(state, input.uploadId, context.caller);
      requireChunk(input, limits);
      const offset = offsetIn(upload, input.offset);
      if (offset < upload.size) return again({ state, context, upload, offset, chunk: input.chunk });
      return append({ state, context, upload, offset, chunk: input.chunk }, limits);
    },
    (_, { uploadId }) => mailboxOfUpload(uploadId),
  );

interface Scene {
  readonly state: State;
  readonly context: CommandContext;
  readonly upload: Upload;
  readonly offset: number;
  readonly chunk: ChunkName;
}

function append(scene: Scene, limits: UploadLimits): Decision<UploadProgress> | Asking {
  const { state, upload, chunk } = scene;
  const size = upload.size + chunk.size;
  if (size > limits.bytesMax) {
    throw limitExceeded(`expected an upload of at most ${limits.bytesMax} bytes, but it would have ${size}`, {
      reason: 'upload_too_large',
      resourceId: upload.id,
    });
  }
  const question = questionOf(scene);
  const answered = answerTo(scene, 'writeChunk', question);
  if (answered === undefined) return { ask: { kind: 'writeChunk', question } };
  stagedAnswer(answered, upload.id);
  const expires = state.now + limits.keptMs;
  const after = { ...upload, size, chunks: upload.chunks + 1, expires, blob: null };
  const draft = new Draft(state);
  moveUpload(draft, after, { type: 'append' });
  return { write: draft.writes(), answer: uploadProgress(after) };
}

/** A chunk whose place is filled: the client may not have heard that it was taken. */
function again(scene: Scene): Decision<UploadProgress> | Asking {
  const { upload, offset, chunk } = scene;
  if (offset + chunk.size > upload.size) throw otherBytes(upload, offset);
  const question = questionOf(scene);
  const answered = answerTo(scene, 'compareChunk', question);
  if (answered === undefined) return { ask: { kind: 'compareChunk', question } };
  if (stagedAnswer(answered, upload.id) !== true) throw otherBytes(upload, offset);
  return { answer: uploadProgress(upload) };
}

const questionOf = ({ state, upload, offset, chunk }: Scene): ChunkQuestion => ({
  partition: state.partition,
  uploadId: upload.id,
  offset,
  sha256: chunk.sha256,
});

/** An answer counts for the very place that it was given for: after a recovery that may be another. */
const answerTo = ({ context }: Scene, kind: string, { offset }: ChunkQuestion) =>
  context.answers.findLast(({ ask }) => ask.kind === kind && (ask.question as ChunkQuestion).offset === offset)?.answer;

function requireChunk({ chunk, sha256, uploadId }: AppendMultipartUploadChunk, { chunkBytesMax }: UploadLimits): void {
  const info = { reason: 'argument_invalid', resourceId: uploadId, details: { argument: 'data' } };
  if (chunk.size === 0) throw badRequest("expected at least one byte as 'data', but found none", info);
  if (chunk.size > chunkBytesMax) {
    throw limitExceeded(`expected a chunk of at most ${chunkBytesMax} bytes, but found ${chunk.size}`, {
      reason: 'chunk_too_large',
      resourceId: uploadId,
    });
  }
  requireSha256('the chunk', sha256, chunk.sha256);
}

function offsetIn({ id, size }: Upload, given: AppendMultipartUploadChunk['offset']): number {
  if (given === null) return size;
  if (!Number.isSafeInteger(given) || Number(given) < 0) {
    throw badRequest(`expected a number of bytes as 'offset', but found ${given}`, {
      reason: 'argument_invalid',
      details: { argument: 'offset' },
    });
  }
  if (Number(given) <= size) return Number(given);
  throw new ServiceError(
    'CONFLICT',
    `expected a chunk at offset ${size} of upload '${id}', but found one at ${given}`,
    {
      reason: 'upload_gap',
      resourceId: id,
      details: { totalSize: size },
    },
  );
}

const otherBytes = ({ id, size }: Upload, offset: number) =>
  new ServiceError('CONFLICT', `expected the bytes that upload '${id}' has at offset ${offset}, but found others`, {
    reason: 'upload_overlap',
    resourceId: id,
    details: { totalSize: size },
  });

/** Gives up an upload of the caller's. Answers whether there was one; nothing is told about another's. */
export const abortMultipartUpload = operation<AbortMultipartUpload, boolean>(
  'abortMultipartUpload',
  (state, { uploadId }, { caller }) => {
    const upload = findUpload(state, uploadId, caller);
    if (upload === undefined) return { answer: false };
    const draft = new Draft(state);
    moveUpload(draft, upload, { type: 'abort' });
    return { write: draft.writes(), answer: true };
  },
  (_, { uploadId }) => mailboxOfUpload(uploadId),
);

/** Input of `abortMultipartUpload`. */
interface AbortMultipartUpload {
  readonly uploadId: string;
}

/** Uploads that one decision removes. */
const UPLOADS_MAX = 100;

/** Removes uploads whose time is over. Answers whether there may be more. */
export const expireUploads = operation<object, boolean>('expireUploads', (state) => {
  const oldest = state.range(uploads, 'expires', [0], UPLOADS_MAX, { skipDamaged: true });
  const over = oldest.filter(({ expires }) => expires <= state.now);
  const draft = new Draft(state);
  for (const upload of over) moveUpload(draft, upload, { type: 'abort' });
  return { write: draft.writes(), answer: over.length === UPLOADS_MAX };
});
