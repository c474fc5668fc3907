import {
  type Asking,
  type Blob,
  type CommandContext,
  remove,
  type State,
  step,
  type Write,
} from '../../store/index.js';
import { uploads } from '../collection/upload.js';
import { uploadMachine } from '../machine/upload.js';
import { noUpload, openUpload, stagedAnswer } from '../rule/open-upload.js';
import { requireSha256 } from '../rule/sha256.js';

/** Which upload is spent. */
export interface SpendUpload {
  readonly uploadId: string;
  /** The SHA-256 of the whole as the caller knows it, in hex. Default: it is not compared. */
  readonly sha256?: string | null | undefined;
}

/** The bytes of an upload that is spent. They are durable: the decision may name them. */
export interface SpentUpload {
  /** SHA-256, 64 lower-case hex digits. */
  readonly blob: string;
  /** bytes */
  readonly size: number;
  /** Belongs to the decision that names the blob: with it the upload is gone. */
  readonly write: Write;
}

/** Asked with the kind `completeUpload`; answered with the {@link Blob} of the upload's bytes. */
export interface CompleteQuestion {
  readonly partition: string;
  readonly uploadId: string;
  readonly size: number;
}

/** Where uploads are spent by one decision: each once. */
export class UploadSpending {
  readonly #state: State;
  readonly #context: Pick<CommandContext, 'caller' | 'answers'>;
  readonly #spent = new Map<string, SpentUpload>();

  constructor(state: State, context: Pick<CommandContext, 'caller' | 'answers'>) {
    this.#state = state;
    this.#context = context;
  }

  /** The removals that belong to the decision, of all uploads spent so far. */
  get writes(): Write[] {
    return [...this.#spent.values()].map(({ write }) => write);
  }

  /**
   * Spends an upload of the caller's; while its bytes are no blob yet, what the operation has to ask for that.
   * @throws BAD_REQUEST (no such upload, or spent already; another SHA-256), CONFLICT (its bytes are lost), UNAVAILABLE (the disk failed)
   */
  spend({ uploadId, sha256 }: SpendUpload): SpentUpload | Asking {
    if (this.#spent.has(uploadId)) throw noUpload(uploadId);
    const upload = openUpload(this.#state, uploadId, this.#context.caller);
    if (step(uploadMachine, upload.actor, { type: 'complete' }) === undefined) throw noUpload(uploadId);
    const { size } = upload;
    const question: CompleteQuestion = { partition: this.#state.partition, uploadId, size };
    const answer = this.#answerTo(question);
    if (answer === undefined) return { ask: { kind: 'completeUpload', question } };
    const blob = stagedAnswer(answer, uploadId) as Blob;
    requireSha256(`upload '${uploadId}'`, sha256, blob.sha256);
    const spent = { blob: blob.sha256, size, write: remove(uploads, uploadId) };
    this.#spent.set(uploadId, spent);
    return spent;
  }

  /** A chunk may have come while the bytes were made a blob; then they are made one anew. */
  #answerTo({ uploadId, size }: CompleteQuestion) {
    return this.#context.answers.findLast(({ ask: { kind, question } }) => {
      if (kind !== 'completeUpload') return false;
      const asked = question as CompleteQuestion;
      return asked.uploadId === uploadId && asked.size === size;
    })?.answer;
  }
}
