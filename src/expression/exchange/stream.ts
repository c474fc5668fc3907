import { ExchangeFailure } from './failure.js';
import { Asked } from './language.js';

/** How much of a stream is read into memory, in bytes, where the whole of it is asked for. */
export const STREAM_BYTES_MAX = 134_217_728;

/**
 * A body that comes in pieces, and that can be read as a whole more than once (Camel's StreamCache). What is gone through piece by piece is not kept: it may be of
 * any size, and is then gone.
 */
export class StreamCache {
  /** By which its bytes are text. Absent: UTF-8. */
  readonly charset: string | undefined;
  readonly #source: AsyncIterable<unknown>;
  readonly #bytesMax: number;
  #bytes: Buffer | undefined;
  #reading: Promise<Buffer> | undefined;
  #isGone = false;
  #isHeld = false;

  constructor(source: AsyncIterable<unknown>, { charset, bytesMax = STREAM_BYTES_MAX }: StreamOptions = {}) {
    this.#source = source;
    this.#bytesMax = bytesMax;
    this.charset = charset;
  }

  /** One whose bytes have been read already. */
  static of(bytes: Uint8Array, options: StreamOptions = {}): StreamCache {
    const stream = new StreamCache(NOTHING, options);
    stream.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    stream.#reading = Promise.resolve(stream.#bytes);
    return stream;
  }

  /** Whether somebody reads it behind the end of its exchange. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** It is read behind the end of its exchange, and let go of by whoever does so. */
  hold(): this {
    this.#isHeld = true;
    return this;
  }

  /** All bytes, where they have been read already. */
  get bytes(): Buffer | undefined {
    return this.#bytes;
  }

  /** Reads all of it, once, and keeps it. @throws ExchangeFailure IOException where it is too much for memory */
  read(): Promise<Buffer> {
    if (this.#isGone) return Promise.reject(gone());
    this.#reading ??= readAll(this.#source, this.#bytesMax).then((bytes) => {
      this.#bytes = bytes;
      return bytes;
    });
    return this.#reading;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<unknown> {
    if (this.#reading !== undefined) {
      yield await this.#reading;
      return;
    }
    if (this.#isGone) throw gone();
    this.#isGone = true;
    yield* this.#source;
  }
}

interface StreamOptions {
  readonly charset?: string | undefined;
  /** How much of it is read into memory where the whole of it is asked for. Default: {@link STREAM_BYTES_MAX} */
  readonly bytesMax?: number;
}

const NOTHING: AsyncIterable<unknown> = { async *[Symbol.asyncIterator]() {} };

const gone = () => new ExchangeFailure('java.io.IOException', 'the stream has been read already, piece by piece');

/** All bytes of a stream: at once where they have been read already, else as an {@link Asked}. */
export function streamBytes(stream: AsyncIterable<unknown>): Buffer | Asked {
  if (!(stream instanceof StreamCache)) return new Asked(readAll(stream, STREAM_BYTES_MAX));
  return stream.bytes ?? new Asked(stream.read());
}

/** All text of a stream: at once where its bytes have been read already, else as an {@link Asked}. */
export function streamText(stream: AsyncIterable<unknown>): string | Asked {
  const charset = stream instanceof StreamCache ? stream.charset : undefined;
  return mapped(streamBytes(stream), (bytes) => decodedText(bytes as Buffer, charset)) as string | Asked;
}

const decodedText = (bytes: Buffer, charset: string | undefined): string =>
  charset === undefined ? bytes.toString() : new TextDecoder(charset).decode(bytes);

async function readAll(stream: AsyncIterable<unknown>, bytesMax: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of stream) {
    const bytes = bytesOf(piece) ?? noBytes();
    size += bytes.length;
    if (size > bytesMax) throw tooLarge(bytesMax);
    pieces.push(bytes);
  }
  return Buffer.concat(pieces, size);
}

/** The bytes of a piece, or of a body that is in memory; `undefined`: it is neither bytes nor text. */
export function bytesOf(value: unknown): Buffer | undefined {
  if (typeof value === 'string') return Buffer.from(value);
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return undefined;
}

export const tooLarge = (max: number) =>
  new ExchangeFailure('java.io.IOException', `expected at most ${max} bytes of data, but found more`);

function noBytes(): never {
  throw new ExchangeFailure(
    'java.io.IOException',
    'expected a stream of bytes or texts, but found something else in it',
  );
}

/** `use` with a value, which may have to be waited for. */
export const mapped = (value: unknown, use: (value: unknown) => unknown): unknown =>
  value instanceof Asked ? value.map(use) : use(value);

/** The value in the end, of whatever has to be waited for on the way. */
export async function answered(value: unknown): Promise<unknown> {
  let known = value;
  while (known instanceof Asked) known = known.taken(await known.answer);
  return known;
}
