import { ExchangeFailure } from '../../../expression/routes.js';

/** What each letter of a pattern stands for, as a part of a date: [index in Date.UTC's arguments, what is taken from the number]. */
const LETTERS: Record<string, readonly [part: number, less: number]> = {
  y: [0, 0],
  M: [1, 1],
  d: [2, 0],
  H: [3, 0],
  m: [4, 0],
  s: [5, 0],
  S: [6, 0],
};

/**
 * An instant in ms by a pattern of Java's SimpleDateFormat (`yyyy MM dd HH mm ss SSS` and quoted text), in UTC. Default: `yyyy-MM-dd'T'HH:mm:ss`, or with a blank.
 * @throws ExchangeFailure where text and pattern do not fit
 */
export function readTime(uri: string, text: string, given?: unknown): number {
  const pattern = String(given ?? (text.includes('T') ? "yyyy-MM-dd'T'HH:mm:ss" : 'yyyy-MM-dd HH:mm:ss'));
  const parts = [1970, 0, 1, 0, 0, 0, 0];
  let at = 0;
  const failed = () =>
    new ExchangeFailure(
      'org.apache.camel.ResolveEndpointFailedException',
      `Failed to resolve endpoint: ${uri} due to: expected time to be written as ${pattern}, got '${text}'`,
    );
  for (const [token] of pattern.matchAll(/'(?:[^']|'')*'|([a-zA-Z])\1*|[^a-zA-Z']/g)) {
    const letter = LETTERS[token[0] ?? ''];
    const rest = text.slice(at);
    const found = letter === undefined ? literal(token, rest) : digits(token, rest);
    if (found === undefined) throw failed();
    if (letter !== undefined) parts[letter[0]] = Number(found) - letter[1];
    at += found.length;
  }
  const [year = 0, month = 0, ...rest] = parts;
  return Date.UTC(year, month, ...rest);
}

/** The text that a token of a pattern stands for, where what is read begins with it. */
function literal(token: string, text: string): string | undefined {
  const meant = token.startsWith("'") ? token.slice(1, -1).replace(/''/g, "'") || "'" : token;
  return /^[a-zA-Z]/.test(token) || !text.startsWith(meant) ? undefined : meant;
}

const digits = (token: string, text: string) => /^\d+/.exec(text.slice(0, Math.max(token.length, 2)))?.[0];
