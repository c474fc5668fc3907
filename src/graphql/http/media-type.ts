/** The media types of a GraphQL response that is one JSON document. */
export type JsonMediaType = 'application/json' | 'application/graphql-response+json';

/** What a client can take. */
export interface Acceptable {
  /** The JSON type that it likes best, null when it takes none. */
  readonly json: JsonMediaType | null;
  readonly eventStream: boolean;
}

const ANYTHING: Acceptable = { json: 'application/json', eventStream: false };
const known = new Map<string, Acceptable>();
const KNOWN_MAX = 200;

/** Reads `Accept` (RFC 9110 §12.5.1). Without one, and for a bare wildcard, it is application/json. An event stream must be named. */
export function acceptable(accept: string | undefined): Acceptable {
  if (accept === undefined || accept === '' || accept === '*/*') return ANYTHING;
  const before = known.get(accept);
  if (before !== undefined) return before;
  const read = readAccept(accept);
  if (known.size < KNOWN_MAX) known.set(accept, read);
  return read;
}

interface Range {
  readonly type: string;
  readonly q: number;
}

function readAccept(accept: string): Acceptable {
  const ranges = accept
    .split(',')
    .map(readRange)
    .filter(({ type }) => type !== '');
  const quality = (type: string): number =>
    (
      ranges.find((range) => range.type === type) ??
      ranges.find((range) => range.type === `${type.split('/')[0]}/*`) ??
      ranges.find((range) => range.type === '*/*')
    )?.q ?? 0;
  const place = (type: string) => ranges.findIndex((range) => range.type === type);
  const plain = quality('application/json');
  const response = quality('application/graphql-response+json');
  const places = [place('application/graphql-response+json'), place('application/json')] as const;
  const isResponseFirst = places[0] >= 0 && (places[1] < 0 || places[0] < places[1]);
  const likesResponse = response > plain || (response === plain && isResponseFirst);
  const best = likesResponse ? 'application/graphql-response+json' : 'application/json';
  return {
    json: plain === 0 && response === 0 ? null : best,
    eventStream: (ranges.find(({ type }) => type === 'text/event-stream')?.q ?? 0) > 0,
  };
}

function readRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  const q = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1);
  const isOther = charset !== undefined && !/^charset="?utf-?8"?$/.test(charset);
  return { type, q: isOther || !(q >= 0) ? 0 : Math.min(q, 1) };
}

/** Whether a `Content-Type` is JSON in UTF-8: the only one whose cross-site use asks the browser for a preflight. */
export function isJson(contentType: string | undefined): boolean {
  if (contentType === 'application/json') return true;
  if (contentType === undefined) return false;
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase());
  return (
    type === 'application/json' &&
    parameters.every((parameter) => !parameter.startsWith('charset=') || /^charset="?utf-?8"?$/.test(parameter))
  );
}
