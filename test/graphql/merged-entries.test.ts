import assert from 'node:assert/strict';
import { type FeedEntry, feedIterator } from '../../src/graphql/index.js';
import { type EntrySource, mergedEntries } from '../../src/graphql/merged-entries.js';
import { decodePosition, encodePosition } from '../../src/store/index.js';

const at = (partition: string, revision: number) =>
  encodePosition([{ partition, epoch: 'e', revision, index: 1_000_000 }]);

/** A feed in the test's hand. */
class HeldSource implements EntrySource<string> {
  readonly position: string;
  readonly #partition: string;
  readonly #waiting: FeedEntry<string>[] = [];
  #revision = 0;
  #wake = () => {};
  #thrown: Error | undefined;
  isEnded = false;

  constructor(partition: string) {
    this.#partition = partition;
    this.position = at(partition, 0);
  }

  tell(value?: string): void {
    this.#waiting.push({ position: at(this.#partition, ++this.#revision), value });
    this.#wake();
  }

  fail(thrown: Error): void {
    this.#thrown = thrown;
    this.#wake();
  }

  async *entries(signal: AbortSignal): AsyncGenerator<FeedEntry<string>> {
    try {
      while (!signal.aborted) {
        if (this.#thrown !== undefined) throw this.#thrown;
        const next = this.#waiting.shift();
        if (next !== undefined) yield next;
        else
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
            signal.addEventListener('abort', () => resolve());
          });
      }
    } finally {
      this.isEnded = true;
    }
  }
}

const placesOf = (position: string) =>
  Object.fromEntries(decodePosition(position).map(({ partition, revision }) => [partition, revision]));

describe('entries of several feeds', () => {
  let a: HeldSource;
  let b: HeldSource;
  let control: AbortController;
  let entries: AsyncGenerator<FeedEntry<string>>;
  beforeEach(() => {
    [a, b, control] = [new HeldSource('a'), new HeldSource('b'), new AbortController()];
    entries = mergedEntries([a, b], control.signal);
  });
  const next = async () => {
    const { value } = await entries.next();
    assert.ok(value);
    return [value.value, placesOf(value.position)];
  };

  it('come as they happen, each with the place behind it in all of them', async () => {
    a.tell('one');
    assert.deepEqual(await next(), ['one', { a: 1, b: 0 }]);
    const waiting = next();
    b.tell('two');
    assert.deepEqual(await waiting, ['two', { a: 1, b: 1 }]);
    b.tell();
    assert.deepEqual(await next(), [undefined, { a: 1, b: 2 }]);
    b.tell('three');
    assert.deepEqual(await next(), ['three', { a: 1, b: 3 }]);
    a.tell('four');
    assert.deepEqual(await next(), ['four', { a: 2, b: 3 }]);
  });

  it('never have a place ahead of what is still to be told', async () => {
    a.tell('a');
    b.tell('b');
    const [first, second] = [await next(), await next()];
    assert.deepEqual(
      [first[1], second[1]],
      [
        { a: 1, b: 0 },
        { a: 1, b: 1 },
      ],
    );
  });

  it('end with what one of them throws', async () => {
    const waiting = entries.next();
    b.fail(new Error('stopped'));
    await assert.rejects(waiting, /stopped/);
    assert.deepEqual([a.isEnded, b.isEnded], [true, true]);
  });

  it('end when nobody wants more, although one of them waits', async () => {
    a.tell('one');
    await next();
    await entries.return(undefined);
    assert.deepEqual([a.isEnded, b.isEnded], [true, true]);
  });

  it('end with the signal', async () => {
    const cursor = feedIterator(entries)[Symbol.asyncIterator]();
    const waiting = cursor.next();
    control.abort();
    assert.deepEqual(await waiting, { done: true, value: undefined });
    assert.deepEqual([a.isEnded, b.isEnded], [true, true]);
  });
});
