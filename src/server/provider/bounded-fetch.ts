import { type ServiceError, unavailable } from '../../shared/errors.js';
import { log } from '../../shared/log.js';

/** A request to a provider, as the packages make it. */
type Asked = Pick<RequestInit, 'method' | 'headers' | 'body' | 'signal'>;

/**
 * Asks a provider: for so long, for so many bytes, and no other address than the given one. Its own trouble (it cannot be reached, it takes too long, it
 * answers 5xx, what it says is too large) is told as UNAVAILABLE, so that nobody takes that for a refusal.
 */
export async function askProvider(url: string, { method = 'GET', headers, body, signal }: Asked): Promise<Response> {
  const ends = AbortSignal.any([AbortSignal.timeout(ANSWER_MS), ...(signal ? [signal] : [])]);
  const asked: RequestInit = {
    method,
    redirect: 'manual',
    signal: ends,
    ...(headers && { headers }),
    body: body ?? null,
  };
  try {
    const response = await fetch(url, asked);
    if (response.status >= 500) throw new Error(`it answers ${response.status}`);
    const bytes = await bytesOf(response);
    const isEmpty = bytes.length === 0 || response.status === 204 || response.status === 304;
    return new Response(isEmpty ? null : bytes, { status: response.status, headers: response.headers });
  } catch (thrown) {
    throw providerUnavailable(url, thrown);
  }
}

/** How long a provider may take for an answer. */
const ANSWER_MS = 5_000;
/** So much a provider may say at once: keys, a token, claims. */
const BYTES_MAX = 512 * 1024;

async function bytesOf(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += (chunk as Uint8Array).length;
    if (size > BYTES_MAX) throw new Error(`it answers more than ${BYTES_MAX} bytes`);
    chunks.push(chunk as Uint8Array);
  }
  return Buffer.concat(chunks);
}

/** The causes of an error of a provider, for the log: the sentences of the errors alone, as they carry what it said of people, too. */
export function whyOf(thrown: unknown): string {
  const sentences: string[] = [];
  for (let error = thrown; error instanceof Error && sentences.length < CAUSES_MAX; error = error.cause)
    sentences.push(error.message || ((error as NodeJS.ErrnoException).code ?? error.name));
  return sentences.join(': ') || String(thrown);
}

const CAUSES_MAX = 5;

/** The provider cannot be asked now. Why is told in the log alone. */
function providerUnavailable(url: string, cause: unknown): ServiceError {
  const { origin, pathname } = new URL(url);
  log.warn({ why: whyOf(cause), provider: `${origin}${pathname}` }, 'a provider of sign-in did not answer');
  return unavailable('expected an answer of the provider of sign-in, but it cannot be asked now; try again later', {
    reason: 'provider_unavailable',
    details: { retryAfterSeconds: 5 },
  });
}
