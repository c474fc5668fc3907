import { type ErrorCode, ServiceError } from '../../shared/errors.js';

/** A request that does not get as far as GraphQL: it is answered with this HTTP status, whatever media type is wanted. */
export class TransportError extends ServiceError {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: ErrorCode, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(code, message);
    this.status = status;
    this.headers = headers;
  }
}

/** `allowed`: what `Allow` lists. `expected`: the same in words, where there is more to say. */
export const methodNotAllowed = (found: string, allowed: string, expected = allowed) =>
  new TransportError(405, 'BAD_REQUEST', `expected ${expected}, but got ${found}`, { allow: allowed });

export const notAcceptable = (accept: string) =>
  new TransportError(
    406,
    'BAD_REQUEST',
    `expected to be asked for application/json, application/graphql-response+json or text/event-stream, but Accept is '${accept}'`,
  );

export const unsupportedMediaType = (found: string | undefined) =>
  new TransportError(
    415,
    'BAD_REQUEST',
    `expected a body of application/json in UTF-8, but it is ${found ?? 'of no type'}`,
    {
      accept: 'application/json',
    },
  );

export const bodyTooLarge = (bytesMax: number) =>
  new TransportError(413, 'LIMIT_EXCEEDED', `expected a body of at most ${bytesMax} bytes, but it is larger`);

/** A later try may find room: nothing of the request was looked at. `whose`: `requests`. */
export const busyWithBodies = (whose: string, bytesMax: number) =>
  new TransportError(
    503,
    'UNAVAILABLE',
    `expected the bodies of ${whose} that are being answered to have at most ${bytesMax} bytes together, but with this one they would have more; try again later`,
    { 'retry-after': '1' },
  );

/** A later try may find room: nothing was changed. `whose`: `the answers`. */
export const busyWithAnswers = (whose: string, bytesMax: number) =>
  new TransportError(
    503,
    'UNAVAILABLE',
    `expected ${whose} that are being given to have at most ${bytesMax} bytes together, but with this one they would have more; try again later`,
    { 'retry-after': '1' },
  );

export const malformed = (message: string) => new TransportError(400, 'BAD_REQUEST', message);

export const crossSite = (origin: string) =>
  new TransportError(403, 'FORBIDDEN', `expected a request from this site, but it comes from ${origin}`);

export const unknownToken = () =>
  new TransportError(
    404,
    'NOT_FOUND',
    'expected the token of an event stream of the caller, but there is no such stream',
  );

/** Of a caller whose session or token ended meanwhile. */
export const signedOut = () =>
  new ServiceError('UNAUTHORIZED', 'expected a caller who is signed in, but that has ended while the body came', {
    reason: 'signed_out',
  });
