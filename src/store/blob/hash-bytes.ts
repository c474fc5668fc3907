import { createHash, webcrypto } from 'node:crypto';

/** Bytes up to this many are hashed where they are asked for: to hand them to a thread takes as long. */
const HERE_MAX = 65_536;

/** SHA-256 of the bytes, 64 lower-case hex digits. Many of them are hashed by a thread of Node's, as the main one would stand still for 1 ms per MB. */
export async function hashBytes(bytes: Uint8Array): Promise<string> {
  if (bytes.byteLength <= HERE_MAX) return createHash('sha256').update(bytes).digest('hex');
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes)).toString('hex');
}
