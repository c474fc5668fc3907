import assert from 'node:assert/strict';
import fc from 'fast-check';
import { TimeHistogram } from '../../../src/eip/history/time-histogram.js';

describe('times of steps', () => {
  it('are known within an eighth', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 35 }), (micros) => {
        const histogram = new TimeHistogram();
        histogram.add(micros);
        const told = histogram.percentile(1) ?? -1;
        assert.ok(told >= micros && told <= micros * (1 + 1 / 8), `${micros} was told as ${told}`);
      }),
    );
  });

  it('have percentiles', () => {
    const histogram = new TimeHistogram();
    for (let micros = 1; micros <= 1000; micros++) histogram.add(micros);
    const [median = 0, most = 0] = [histogram.percentile(0.5), histogram.percentile(0.99)].map(Number);
    assert.ok(median >= 500 && median <= 563, String(median));
    assert.ok(most >= 990 && most <= 1114, String(most));
    assert.equal(histogram.count, 1000);
    assert.equal(new TimeHistogram().percentile(0.5), null);
  });

  it('take what lasts longer than they tell apart as the longest', () => {
    const histogram = new TimeHistogram();
    histogram.add(Number.MAX_SAFE_INTEGER);
    assert.equal(histogram.count, 1);
  });
});
