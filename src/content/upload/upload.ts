import { setup } from 'xstate';
import type { Caller } from '../../shared/caller.js';
import { badRequest, refuse, ServiceError } from '../../shared/errors.js';
import { isOwn } from '../../shared/rights/roles.js';
import {
  type ActorOf,
  caused,
  collection,
  type Document,
  type Draft,
  type Performers,
  perform,
  type State,
  step,
} from '../../store/documents.js';

/** Events of an upload. */
type UploadEvent =
  | { type: 'append' }
  /** Its bytes are a blob by now; another chunk breaks that. */
  | { type: 'seal' }
  /** Its bytes have become somebody's: it is spent. */
  | { type: 'complete' }
  /** It is not wanted any more, or its time is over. */
  | { type: 'abort' };

/** Actions of an upload's transitions: it is written, or gone. */
interface UploadAction {
  readonly type: 'store' | 'remove';
  readonly params?: undefined;
}

/** An upload, from its first byte to where it is spent, or given up. */
export const uploadMachine = setup({
  types: { context: {} as Record<string, never>, events: {} as UploadEvent },
  actions: { store: caused, remove: caused },
}).createMachine({
  id: 'upload',
  initial: 'open',
  context: {},
  states: {
    open: {
      on: {
        append: { actions: 'store' },
        seal: { actions: 'store' },
        complete: { target: 'completed', actions: 'remove' },
        abort: { target: 'aborted', actions: 'remove' },
      },
    },
    completed: { type: 'final' },
    aborted: { type: 'final' },
  },
});

/** An upload on its way. Its bytes are staged beside the blobs under its id; only as many of them count as are named here. */
export interface Upload extends Document {
  /** Whoever began it; nobody else may touch it. */
  readonly owner: string;
  /** bytes */
  readonly size: number;
  /** How many pieces it came in so far. */
  readonly chunks: number;
  /** When it is given up, unless another chunk comes. ms, domain clock. */
  readonly expires: number;
  /** SHA-256 of the blob that its bytes were made; null: they were not, or a chunk came since. */
  readonly blob: string | null;
  readonly actor: ActorOf<typeof uploadMachine>;
}

/** Open uploads; one that ends is removed in the same commit. */
export const uploads = collection<Upload>({
  name: 'upload',
  columns: { owner: (it) => it.owner, expires: (it) => it.expires },
  multi: { blob: (it) => (it.blob === null ? [] : [it.blob]) },
  indexes: { owner: { columns: ['owner', 'expires'] }, expires: { columns: ['expires'] } },
  principals: { owner: 'owner' },
  visible: (caller, it) => isOwn(caller, it.owner),
});

/** Takes an open upload through an event, with all that this causes. */
export function moveUpload(draft: Draft, upload: Upload, event: UploadEvent): void {
  const [actor, actions] = step(uploadMachine, upload.actor, event);
  perform(uploadPerformers, actions, { draft, upload: { ...upload, actor } });
}

interface UploadScene {
  readonly draft: Draft;
  /** As it is after the transition. */
  readonly upload: Upload;
}

/** One performer for each action that the upload's machine names. */
export const uploadPerformers: Performers<UploadAction, UploadScene> = {
  store: ({ draft, upload }) => draft.put(uploads, upload),
  remove: ({ draft, upload }) => draft.remove(uploads, upload.id),
};

/** Chunks of one upload are taken one after the other, and its end behind them. */
export const mailboxOfUpload = (uploadId: string): string => `upload/${uploadId}`;

/** Progress of an upload: the bytes that have come by now. */
export interface UploadProgress {
  readonly uploadId: string;
  /** bytes */
  readonly totalSize: number;
}

export const uploadProgress = ({ id, size }: Upload): UploadProgress => ({ uploadId: id, totalSize: size });

/**
 * The caller's open upload. One that never was, is spent, is another's or is over is refused with the same sentence, so that nothing is told
 * about it. @throws BAD_REQUEST
 */
export const openUpload = (state: State, uploadId: string, caller: Caller): Upload =>
  findUpload(state, uploadId, caller) ?? refuse(noUpload(uploadId));

/** As {@link openUpload}; undefined where there is none. */
export function findUpload(state: State, uploadId: string, caller: Caller): Upload | undefined {
  const upload = state.get(uploads, uploadId);
  const isOpen = upload !== undefined && isOwn(caller, upload.owner) && upload.expires > state.now;
  return isOpen ? upload : undefined;
}

const noUpload = (uploadId: string) =>
  new ServiceError('BAD_REQUEST', `expected an open upload of the caller's with id '${uploadId}', but there is none`, {
    reason: 'upload_not_found',
    resourceId: uploadId,
  });

/**
 * Compares bytes with the hash that the caller gave of them, where one was given. `what`: names the bytes in the sentence.
 * @throws BAD_REQUEST when it is no SHA-256 in hex, or another's
 */
export function requireSha256(what: string, given: string | null | undefined, found: string): void {
  if (given === null || given === undefined) return;
  if (!/^[0-9a-f]{64}$/i.test(given)) {
    throw badRequest(`expected 64 hexadecimal digits as 'sha256' of ${what}, but found another text`, {
      reason: 'argument_invalid',
      details: { argument: 'sha256' },
    });
  }
  if (given.toLowerCase() === found) return;
  throw badRequest(`expected ${what} to have the SHA-256 ${given.toLowerCase()}, but it has ${found}`, {
    reason: 'sha256_differs',
    details: { sha256: found },
  });
}
