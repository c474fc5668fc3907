import type { IncomingMessage } from 'node:http';
import { bodyTooLarge, malformed } from './transport-error.js';

/** The whole body of a request. @throws TransportError 413 beyond `bytesMax`, 400 when the client breaks it off */
export function readBody(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) return Promise.reject(bodyTooLarge(bytesMax));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= bytesMax) chunks.push(chunk);
      else {
        request.off('data', onData);
        reject(bodyTooLarge(bytesMax));
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
