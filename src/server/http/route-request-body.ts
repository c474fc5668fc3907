import type { IncomingMessage, ServerResponse } from 'node:http';
import { TransportError } from '../../graphql/index.js';
import { replyError } from './reply.js';

/** Bodies up to this come to routes in one piece; the number of connections bounds them. */
const WHOLE_BYTES = 16_384;

/**
 * The body of a request: whole where it is small, else as it comes; null where there is none. Behind so many bytes it breaks off, and the request is answered 413.
 * @throws TransportError 413 where it says itself that it is longer
 */
export async function requestBody(
  req: IncomingMessage,
  res: ServerResponse,
  bytesMax: number,
): Promise<Uint8Array | AsyncIterable<Uint8Array> | null> {
  const announced = Number(req.headers['content-length'] ?? 0);
  if (announced > bytesMax) throw tooLarge(bytesMax);
  if (announced === 0 && req.headers['transfer-encoding'] === undefined) return null;
  if (announced > 0 && req.readableLength === announced && announced <= WHOLE_BYTES) {
    const whole = req.read() as Buffer;
    req.resume(); // to its end, which follows
    return whole;
  }
  const pieces = req.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
  const first: Buffer[] = [];
  let bytes = 0;
  while (bytes <= WHOLE_BYTES) {
    const { done, value } = await pieces.next();
    if (done === true) return Buffer.concat(first, bytes);
    first.push(value);
    bytes += value.length;
  }
  return rest({ first, bytes, pieces }, bytesMax, () => replyError(res, tooLarge(bytesMax)));
}

interface Begun {
  readonly first: readonly Buffer[];
  readonly bytes: number;
  readonly pieces: AsyncIterator<Buffer>;
}

async function* rest({ first, bytes, pieces }: Begun, bytesMax: number, exceeded: () => void) {
  let size = bytes;
  try {
    yield* first;
    for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) {
      size += next.value.length;
      if (size > bytesMax) {
        exceeded();
        throw tooLarge(bytesMax);
      }
      yield next.value;
    }
  } finally {
    await pieces.return?.();
  }
}

/** So much of a request that nobody reads passes by, so that its connection can be used again; with more it goes. */
const PASSING_BYTES = 1_048_576;

/** Discards the rest of a request that has been answered: up to 1 MiB is read, so that its connection can be used again; with more, it is cut. */
export function letPass(req: IncomingMessage): void {
  if (req.complete || req.destroyed) return;
  let left = PASSING_BYTES;
  req.on('data', (piece: Buffer) => {
    left -= piece.length;
    if (left < 0) req.destroy();
  });
  req.resume();
}

const tooLarge = (bytesMax: number) =>
  new TransportError(413, 'LIMIT_EXCEEDED', `expected a request of at most ${bytesMax} bytes, but it is larger`);
