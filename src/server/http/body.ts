import type { IncomingMessage } from 'node:http';
import { type BodyBudget, readBody, TransportError } from '../../graphql/index.js';

/** How bodies of requests other than GraphQL's are read: they count with those. */
export interface BodyRules {
  readonly bodies: BodyBudget;
  readonly bytesMax: number;
  /** Whose bytes they are: `user:ann`, or `address:…` where nobody has signed in yet. */
  readonly clientOf: (req: IncomingMessage) => string;
}

/**
 * Does work with the body of a request, which is in memory as long as that takes. `read` makes of it what the work needs.
 * @throws TransportError 413, 415 (compressed), 503 there is no room for it now, 400 it breaks off or cannot be read
 */
export async function withBody<B, T>(
  req: IncomingMessage,
  { bodies, bytesMax, clientOf }: BodyRules,
  read: (text: string) => B,
  work: (body: B) => Promise<T> | T,
): Promise<T> {
  const encoding = req.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity')
    throw new TransportError(415, 'BAD_REQUEST', `expected a body that is not compressed, but it is ${encoding}`);
  const share = bodies.share();
  share.belongsTo(clientOf(req));
  return share.during(async () => work(read((await readBody(req, bytesMax, share)).toString('utf8'))));
}

/** The value of a text of JSON. @throws TransportError 400 */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new TransportError(400, 'BAD_REQUEST', 'expected a body of JSON, but it is none');
  }
}

/** The fields of a form; of those with one name the last. */
export const formOf = (text: string): unknown => Object.fromEntries(new URLSearchParams(text));
