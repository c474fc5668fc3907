import assert from 'node:assert/strict';
import { type FeedEntry, feedIterator } from '../../src/graphql/index.js';

describe('feedIterator', () => {
  async function* entries(...all: FeedEntry<string>[]) {
    yield* all;
  }
  const cursorOf = (after: string | undefined, ...all: FeedEntry<string>[]) =>
    feedIterator(entries(...all), after)[Symbol.asyncIterator]();

  it('hands out the entries that have a value', async () => {
    const found: string[] = [];
    for await (const { position, value } of feedIterator(
      entries({ position: '1' }, { position: '2', value: 'two' }, { position: '3' }),
    )) {
      found.push(`${position} ${value}`);
    }
    assert.deepEqual(found, ['2 two']);
  });

  it('has come as far as it was asked to go on', async () => {
    const cursor = cursorOf(
      '0',
      { position: '1' },
      { position: '2', value: 'two' },
      { position: '3' },
      { position: '4', value: 'four' },
    );
    assert.equal(cursor.position?.(), '0');
    await cursor.next();
    assert.equal(cursor.position?.(), '1', 'the event at 2 is handed out, but not done with');
    await cursor.next();
    assert.equal(cursor.position?.(), '3');
    await cursor.next();
    assert.equal(cursor.position?.(), '4');
  });

  it('has no place before it has looked, unless it was given one', () => {
    assert.equal(cursorOf(undefined).position?.(), undefined);
    assert.equal(cursorOf('7').position?.(), '7');
  });

  it('lets its source go when it is given up', async () => {
    let isReleased = false;
    async function* held() {
      try {
        yield { position: '1', value: 'one' };
      } finally {
        isReleased = true;
      }
    }
    for await (const _ of feedIterator(held())) break;
    assert.equal(isReleased, true);
  });
});
