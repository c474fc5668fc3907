import assert from 'node:assert/strict';
import { isDamaged } from '../../../src/store/damage.js';
import type { Partition } from '../../../src/store/partition/partition.js';
import { Random } from '../../support/random.js';
import { type Counter, counters } from '../../support/test-domain.js';
import { type Opened, storedCounters } from './stored-counters.js';

/** How many files are damaged; MILLRACE_TEST_DAMAGES for a longer look. */
const FILES = Number(process.env.MILLRACE_TEST_DAMAGES ?? 60);
const SEED = Number(process.env.MILLRACE_TEST_SEED ?? 20_261);

describe('a log.db of which a byte was changed', function () {
  this.timeout(120_000);
  const stored = storedCounters();

  it(`is never served as if it were sound, and its damage is found: ${FILES} files, seed ${SEED}`, async () => {
    const truth = await stored.fill();
    const putBack = stored.keep();
    const sound = stored.bytes();
    const random = new Random(SEED);
    for (let round = 0; round < FILES; round++) {
      const at = random.below(sound.length);
      const bit = 1 << random.below(8);
      const bytes = Buffer.from(sound);
      bytes[at] = (bytes[at] ?? 0) ^ bit;
      stored.write(bytes);
      await look(truth, `byte ${at}, bit ${bit}`);
      await stored.end();
      putBack();
    }
  });

  /** Reads all; whatever is neither told nor found must be as it was. */
  async function look(truth: ReadonlyMap<string, Counter>, where: string): Promise<void> {
    const isFound = stored.check().length > 0;
    const opened: Opened | undefined = await stored.begin().catch((thrown: unknown) => {
      // Refused with a sentence, or said to be damaged.
      assert.ok((thrown as { code?: string }).code === 'CONFLICT' || isDamaged(thrown), `${where}: ${thrown}`);
      return undefined;
    });
    if (opened === undefined) return;
    let told = 0;
    for (const [id, counter] of truth) {
      const given: unknown = reading((): unknown => opened.partition.replica.read().get(counters, id));
      if (given === 'damaged') told++;
      else if (given === undefined) assert.ok(isFound, `${where}: '${id}' is gone, and nobody knows`);
      else assert.deepEqual(given, counter, `${where}: '${id}' is served as something else`);
    }
    for (const group of ['g0', 'g1', 'g2']) readGroup(opened.partition, group);
    const isKnown = opened.store.integrity.findings.length + opened.store.integrity.losses.length > 0;
    if (told > 0) assert.ok(isKnown, `${where}: refused, but not told to the operator`);

    function readGroup(partition: Partition, group: string): void {
      const expected = [...truth.values()].filter((counter) => counter.group === group).map(({ id }) => id);
      const read = reading(() =>
        partition.replica
          .read()
          .find(counters, 'group', [group])
          .map(({ id }) => id),
      );
      if (read === 'damaged' || isFound) return;
      assert.deepEqual(read?.sort(), expected.sort(), `${where}: the list of '${group}' is another, and nobody knows`);
    }
  }
});

/** What is read, or that it is said to be damaged. Any other error is one of ours. */
function reading<T>(work: () => T): T | 'damaged' {
  try {
    return work();
  } catch (thrown) {
    if (isDamaged(thrown)) return 'damaged';
    throw thrown;
  }
}
