import type { HttpReplyHead, HttpRequestHead } from '../../component/http-front.js';

// Heads of requests and answers as one text each: copying that from thread to thread takes a fraction of what objects take. No part of them can hold the sign between
// parts: neither HTTP nor decoded paths have it, nor have names of users.

const SIGN = '\0';
/** In the place of what is not there, which an empty text is not. */
const NONE = '\u0001';

export function packedRequest(head: HttpRequestHead): string {
  const { method, path, query, url, remoteAddress, userId, parameters, headers } = head;
  const names = Object.keys(parameters);
  let text = `${method}\0${path}\0${query ?? NONE}\0${url}\0${remoteAddress}\0${userId ?? NONE}\0${names.length}`;
  for (const name of names) text += `\0${name}\0${parameters[name] ?? ''}`;
  for (const [name, value] of headers) text += `\0${name}\0${value}`;
  return text;
}

export function unpackedRequest(text: string): HttpRequestHead {
  const [method = '', path = '', query = '', url = '', remoteAddress = '', userId = '', ...pairs] = text.split(SIGN);
  const first = 1 + 2 * Number(pairs[0]);
  const parameters: Record<string, string> = {};
  for (const [name, value] of pairsOf(pairs, 1, first))
    Object.defineProperty(parameters, name, { value, enumerable: true, configurable: true });
  return {
    ...{ method, path, url, remoteAddress, parameters, headers: pairsOf(pairs, first, pairs.length) },
    query: query === NONE ? null : query,
    userId: userId === NONE ? null : userId,
  };
}

export function packedReply({ status, headers }: HttpReplyHead): string {
  let text = String(status);
  for (const [name, value] of headers) text += `\0${name}\0${value}`;
  return text;
}

export function unpackedReply(text: string): HttpReplyHead {
  const [status = '', ...pairs] = text.split(SIGN);
  return { status: Number(status), headers: pairsOf(pairs, 0, pairs.length) };
}

function pairsOf(words: readonly string[], from: number, to: number): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  for (let at = from; at + 1 < to; at += 2) pairs.push([words[at] ?? '', words[at + 1] ?? '']);
  return pairs;
}

/** Bytes as a text, a character each, in which they cross as a head does. */
export const bytesAsText = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');

export const textAsBytes = (text: string): Buffer => Buffer.from(text, 'latin1');
