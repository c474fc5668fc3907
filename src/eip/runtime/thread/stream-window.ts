import { messageOf } from '../../../shared/errors.js';
import type { StreamStep } from './messages.js';

/** So many bytes of a stream may be on their way, or wait to be taken, and so many are sent at once. */
const WINDOW_BYTES = 262_144;
const PIECE_BYTES = 65_536;

/** Sends a stream to another thread as fast as it is taken there. */
export class StreamSource {
  readonly #send: (step: StreamStep) => void;
  readonly #iterator: AsyncIterator<Uint8Array>;
  #left = WINDOW_BYTES;
  #isOver = false;
  #wake: (() => void) | undefined;

  constructor(stream: AsyncIterable<Uint8Array>, send: (step: StreamStep) => void) {
    this.#send = send;
    this.#iterator = stream[Symbol.asyncIterator]();
    void this.#run();
  }

  take(step: StreamStep): void {
    if (step.kind === 'taken') this.#left += step.bytes;
    else if (step.kind === 'enough') this.end();
    this.#wake?.();
  }

  /** Nobody takes the rest. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#wake?.();
    void Promise.resolve(this.#iterator.return?.()).catch(() => {});
  }

  async #run(): Promise<void> {
    let failed: string | null = null;
    try {
      for (let next = await this.#iterator.next(); next.done !== true; next = await this.#iterator.next())
        await this.#pass(next.value);
    } catch (thrown) {
      failed = messageOf(thrown);
    }
    if (!this.#isOver) this.#send({ kind: 'end', failed });
    this.#isOver = true;
  }

  async #pass(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      while (this.#left <= 0 && !this.#isOver) await this.#room();
      if (this.#isOver) return;
      // A copy that is no larger than itself: what is sent is the whole memory behind it.
      const piece = new Uint8Array(bytes.subarray(at, at + PIECE_BYTES));
      this.#left -= piece.length;
      this.#send({ kind: 'piece', bytes: piece });
    }
  }

  #room(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = undefined;
        resolve();
      };
    });
  }
}

/** A stream of another thread, which sends as fast as it is taken here. */
export class StreamTarget implements AsyncIterable<Uint8Array> {
  readonly #send: (step: StreamStep) => void;
  readonly #pieces: Uint8Array[] = [];
  #end: { readonly failed: Error | null } | undefined;
  #wake: (() => void) | undefined;

  /** `send`: to where it comes from. */
  constructor(send: (step: StreamStep) => void) {
    this.#send = send;
  }

  take(step: StreamStep): void {
    if (this.#end !== undefined) return;
    if (step.kind === 'piece') this.#pieces.push(step.bytes);
    else if (step.kind === 'end') this.end(step.failed === null ? null : new Error(step.failed));
    this.#wake?.();
  }

  /** Nothing more comes. */
  end(failed: Error | null): void {
    this.#end ??= { failed };
    this.#wake?.();
  }

  /** Nobody reads the rest: whoever does so all the same is told that it is gone. */
  leave(): void {
    this.#pieces.length = 0;
    if (this.#end !== undefined) return;
    this.end(new Error('the rest of it has gone: the request has been answered'));
    this.#send({ kind: 'enough' });
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const piece = this.#pieces.shift();
        if (piece !== undefined) {
          yield piece;
          this.#send({ kind: 'taken', bytes: piece.length });
        } else if (this.#end === undefined) await this.#more();
        else if (this.#end.failed === null) return;
        else throw this.#end.failed;
      }
    } finally {
      this.leave();
    }
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = undefined;
        resolve();
      };
    });
  }
}
