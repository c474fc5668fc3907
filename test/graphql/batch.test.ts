import assert from 'node:assert/strict';
import { Batch } from '../../src/graphql/batch.js';

describe('a batch', () => {
  const doubling = (max = 100) => {
    const fetched: number[][] = [];
    const batch = new Batch<number, number>(async (keys) => {
      fetched.push([...keys]);
      if (keys.includes(13)) throw new Error('unlucky');
      return keys.map((key) => key * 2);
    }, max);
    return { batch, fetched };
  };

  it('fetches at once what one turn asks for, each key once', async () => {
    const { batch, fetched } = doubling();
    assert.deepEqual(await Promise.all([batch.load(1), batch.load(2), batch.load(1)]), [2, 4, 2]);
    assert.deepEqual(fetched, [[1, 2]]);
    assert.equal(await batch.load(2), 4);
    assert.equal(await batch.load(3), 6);
    assert.deepEqual(fetched, [[1, 2], [3]]);
  });

  it('takes no more keys at a time than it may', async () => {
    const { batch, fetched } = doubling(2);
    await Promise.all([1, 2, 3, 4, 5].map((key) => batch.load(key)));
    assert.deepEqual(fetched, [[1, 2], [3, 4], [5]]);
  });

  it('fails for all that were fetched together, and goes on', async () => {
    const { batch } = doubling();
    const results = await Promise.allSettled([batch.load(12), batch.load(13)]);
    assert.deepEqual(
      results.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    assert.equal(await batch.load(1), 2);
  });
});
