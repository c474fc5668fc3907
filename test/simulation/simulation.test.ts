import assert from 'node:assert/strict';
import { playMany, toldOf } from './many.js';
import { planted, plants } from './plants.js';
import { playStory } from './story.js';

// Slow: 2,000 stories of faults, and those that find planted ones.

/** How many stories every run plays. */
const STORIES = Number(process.env.MILLRACE_TEST_STORIES ?? 2_000);

describe('the simulation', function () {
  this.timeout(600_000);

  it('is the same for the same seed', async () => {
    const [first, second] = [await playStory(7, true), await playStory(7, true)];
    assert.ok(first.trace.length > 100);
    assert.deepEqual(second.trace, first.trace);
    assert.notDeepEqual((await playStory(8, true)).trace, first.trace);
  });

  it(`finds nothing wrong in ${STORIES} stories`, async () => {
    const { stories, failures } = await playMany({ from: 0, seeds: STORIES });
    assert.equal(stories, STORIES);
    const [first] = failures;
    if (first !== undefined) assert.fail(`${failures.length} stories went wrong, as\n${await toldOf(first)}`);
  });

  for (const plant of plants) {
    it(`would find that ${plant.name}`, async () => {
      const { stage, remove } = planted(plant);
      try {
        const { failures } = await playMany({ from: 0, seeds: STORIES, stage, isOneEnough: true });
        assert.ok(failures.length > 0);
      } finally {
        remove();
      }
    });
  }
});
