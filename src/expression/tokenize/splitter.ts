import { asText } from '../conversion/convert.js';
import { isStream } from '../conversion/java-class.js';
import { ExchangeFailure } from '../exchange/failure.js';

/** Finds items in a text that comes in pieces. */
export interface Splitter {
  /** The items that are whole with this piece. */
  push(text: string): Iterable<string>;
  /** What is left at the end. */
  end(): Iterable<string>;
}

/** How much of a text is looked at at once, in characters. */
const PIECE = 65_536;
/** How long one item may be, in characters. */
const ITEM_MAX = 134_217_728;

/** The items of a body, each made when it is asked for: an iterator; of a stream one whose items must be waited for, and which holds no more than an item. */
export function splitItems(
  body: unknown,
  splitter: Splitter,
): IterableIterator<unknown> | AsyncIterableIterator<unknown> {
  if (isStream(body)) return streamItems(body, splitter);
  const text = asText(body);
  if (typeof text === 'string') return textItems(text, splitter);
  throw new ExchangeFailure('java.lang.NullPointerException', 'expected something to tokenize, but found null');
}

function* textItems(text: string, splitter: Splitter): IterableIterator<string> {
  for (let at = 0; at < text.length; at += PIECE) yield* splitter.push(text.slice(at, at + PIECE));
  yield* splitter.end();
}

async function* streamItems(stream: AsyncIterable<unknown>, splitter: Splitter): AsyncIterableIterator<string> {
  const decoder = new TextDecoder();
  for await (const piece of stream) {
    const text = typeof piece === 'string' ? piece : decoder.decode(piece as Uint8Array, { stream: true });
    yield* splitter.push(text);
  }
  const rest = decoder.decode();
  if (rest !== '') yield* splitter.push(rest);
  yield* splitter.end();
}

/** @throws ExchangeFailure where an item that has not ended is too long */
export function checkLength(length: number): void {
  if (length <= ITEM_MAX) return;
  throw new ExchangeFailure(
    'java.io.IOException',
    `expected items of at most ${ITEM_MAX} characters, but found a longer one`,
  );
}
