import type { IncomingMessage } from 'node:http';
import { type BodyShare, UNCOUNTED_BYTES } from './body-budget.js';
import { bodyTooLarge, malformed } from './transport-error.js';

/**
 * The whole body of a request, counted by its share. One that does not say how long it is counts as if it were as long as it may be.
 * @throws TransportError 413 beyond `bytesMax`, 503 where there is no room for it now, 400 when the client breaks it off
 */
export async function readBody(request: IncomingMessage, bytesMax: number, share: BodyShare): Promise<Buffer> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > bytesMax) throw bodyTooLarge(bytesMax);
  share.reserve(announced);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      try {
        if (bytes > bytesMax) throw bodyTooLarge(bytesMax);
        if (bytes > UNCOUNTED_BYTES) share.reserve(bytesMax);
        chunks.push(chunk);
      } catch (thrown) {
        request.off('data', onData);
        reject(thrown);
      }
    };
    request.on('data', onData);
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', reject);
    request.once('close', () => {
      if (!request.complete) reject(malformed('expected the whole body, but the connection was closed'));
    });
  });
}

/**
 * Lets the rest of a body pass by unkept, so that a client that still sends can read the answer. Beyond `bytesMax` the connection goes.
 */
export function discardBody(request: IncomingMessage, bytesMax: number): void {
  if (request.complete) return;
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > bytesMax) request.destroy();
  });
  request.on('error', () => {}); // the client's going away is no one's concern any more
}
