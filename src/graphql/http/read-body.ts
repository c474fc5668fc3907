import type { IncomingMessage } from 'node:http';
import { log } from '../../shared/log.js';
import type { BodyShare } from './body-budget.js';
import { bodyTooLarge, malformed } from './transport-error.js';

/**
 * The whole body of a request. What has arrived of it counts for its share: a client that announces much and sends little takes little.
 * @throws TransportError 413 beyond `bytesMax`, 503 where there is no room for it now, 400 when the client breaks it off
 */
export async function readBody(request: IncomingMessage, bytesMax: number, share: BodyShare): Promise<Buffer> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > bytesMax) throw bodyTooLarge(bytesMax);
  if (announced > 0 && request.readableLength === announced) return arrivedBody(request, share);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      try {
        if (bytes > bytesMax) throw bodyTooLarge(bytesMax);
        share.arrived(bytes);
        chunks.push(chunk);
      } catch (thrown) {
        request.off('data', onData);
        reject(thrown);
      }
    };
    const onGone = () => {
      log.debug({ bytes, announced }, 'a client went away within the body of its request');
      reject(malformed('expected the whole body, but the connection was closed'));
    };
    request.on('data', onData);
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', () => {}); // told at once by its close
    request.once('close', () => {
      if (!request.complete) onGone();
    });
  });
}

/** The body of a request that is here as a whole, as a small one is that came with its headers: nobody needs to listen for it. */
function arrivedBody(request: IncomingMessage, share: BodyShare): Buffer {
  share.arrived(request.readableLength);
  const body = request.read() as Buffer;
  request.resume(); // to its end, which follows
  return body;
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
