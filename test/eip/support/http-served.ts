import type { HttpMount, HttpReply } from '../../../src/eip/component/http-front.js';
import { MountTable } from '../../../src/eip/component/mount-table.js';

/** A request as the server's front would hand it on. */
export interface Sent {
  readonly method?: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array> | null;
  readonly userId?: string | null;
}

export interface Served {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly text: string;
}

/** The front of a workspace without a server. */
export class ServedRoutes {
  readonly table = new MountTable<HttpMount>();

  /** `url`: path and query. */
  async call(url: string, sent: Sent = {}): Promise<Served> {
    const { method = 'GET', headers = [], body = null, userId = null } = sent;
    const [path = '', query = null] = url.split('?');
    const names = path.split('/').filter((part) => part !== '');
    const found = this.table.find(method, names.map(decodeURIComponent));
    if (found === undefined) return { status: 404, headers: {}, text: '' };
    if ('allowed' in found) return { status: 405, headers: { allow: found.allowed }, text: '' };
    const reply = await found.mount.serve({
      ...{ method, path, query, url: `http://localhost${url}`, headers, userId, remoteAddress: '10.0.0.9' },
      parameters: found.parameters,
      body: typeof body === 'string' ? Buffer.from(body) : body,
    });
    return served(reply);
  }
}

async function served({ status, headers, body }: HttpReply): Promise<Served> {
  const known: Record<string, string | readonly string[]> = {};
  for (const [name, value] of headers) known[name] = name in known ? [known[name] ?? [], value].flat() : value;
  const pieces: Uint8Array[] = [];
  if (typeof body === 'string' || body instanceof Uint8Array) pieces.push(Buffer.from(body as string));
  else if (body !== null) for await (const piece of body) pieces.push(piece);
  return { status, headers: known, text: Buffer.concat(pieces).toString() };
}
