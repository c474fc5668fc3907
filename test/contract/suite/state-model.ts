import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { operation, put, remove } from '../../../src/store/index.js';
import type { Partition } from '../../../src/store/partition/partition.js';
import { HeldLog } from '../../support/held-log.js';
import { type Counter, callerNamed, counters } from '../../support/test-domain.js';
import type { LogKit } from '../log-kit.js';
import { openLog, placeFixture } from '../support/log-fixture.js';
import { partitionOn } from '../support/test-partition.js';

/** What a decision read, to be compared with a plain map. */
interface Seen {
  readonly got: (Counter | undefined)[];
  readonly found: string[];
  readonly ranged: string[];
  readonly rangedById: string[];
  readonly tagged: string[];
  readonly firstOfGroup: string[];
  readonly lastOfGroup: string[];
  readonly firstTagged: string[];
  readonly counted: readonly [group: number, range: number];
  readonly members: (string | undefined)[];
}

interface Change {
  readonly writes: readonly { id: string; counter: Omit<Counter, 'id'> | null }[];
  readonly group: string;
  readonly from: number;
  readonly limit: number;
  readonly tag: string;
}

const ids = ['a', 'b', 'c', 'd', 'e', '\u{1F600}', '\uFFFD'];
const groups = ['x', 'y', 'ß'];
const tags = ['red', 'blue'];

const change: fc.Arbitrary<Change> = fc.record({
  writes: fc.array(
    fc.record({
      id: fc.constantFrom(...ids),
      counter: fc.option(
        fc.record({
          group: fc.constantFrom(...groups),
          value: fc.integer({ min: -3, max: 3 }),
          tags: fc.uniqueArray(fc.constantFrom(...tags)),
        }),
      ),
    }),
    { maxLength: 3 },
  ),
  group: fc.constantFrom(...groups),
  from: fc.integer({ min: -4, max: 4 }),
  limit: fc.integer({ min: 1, max: 4 }),
  tag: fc.constantFrom(...tags),
});

/** An id to begin at. */
const MIDDLE = ids[ids.length >> 1] ?? '';

const look = operation('look', (state, { writes, group, from, limit, tag }: Change) => {
  const seen: Seen = {
    got: ids.map((id) => state.get(counters, id)),
    found: state.find(counters, 'group', [group]).map(({ id }) => id),
    ranged: state.range(counters, 'group', [group, from], limit).map(({ id }) => id),
    rangedById: state.range(counters, 'group', [group, from, MIDDLE], limit).map(({ id }) => id),
    tagged: state.findMulti(counters, 'tag', tag).map(({ id }) => id),
    firstOfGroup: state.find(counters, 'group', [group], { from, limit }).map(({ id }) => id),
    lastOfGroup: state.find(counters, 'group', [group], { from, limit, descending: true }).map(({ id }) => id),
    firstTagged: state.findMulti(counters, 'tag', tag, limit).map(({ id }) => id),
    counted: [
      state.count(counters, 'group', [group]),
      state.count(counters, 'group', [group], { from, below: from + limit }),
    ],
    members: [0, 1, limit, 9].map((n) => state.nth(counters, 'member', [group], n)?.id),
  };
  const write = writes.map(({ id, counter }) =>
    counter === null ? remove(counters, id) : put(counters, { id, ...counter }),
  );
  return { write, answer: seen };
});

const byText = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** The same reads on a plain map. */
function expected(model: Map<string, Counter>, { group, from, limit, tag }: Change): Seen {
  const byGroup = (a: Counter, b: Counter) => byText(a.group, b.group) || a.value - b.value || byText(a.id, b.id);
  const sorted = [...model.values()].sort(byGroup);
  const isBehind = (c: Counter) => byText(c.group, group) > 0 || (c.group === group && c.value >= from);
  const inGroup = sorted.filter((c) => c.group === group);
  const tagged = [...model.values()]
    .filter((c) => c.tags.includes(tag))
    .map(({ id }) => id)
    .sort(byText);
  const idsOf = (some: readonly Counter[]) => some.slice(0, limit).map(({ id }) => id);
  return {
    got: ids.map((id) => model.get(id)),
    found: inGroup.map(({ id }) => id),
    firstOfGroup: idsOf(inGroup.filter((c) => c.value >= from)),
    lastOfGroup: idsOf(inGroup.filter((c) => c.value <= from).reverse()),
    firstTagged: tagged.slice(0, limit),
    rangedById: idsOf(
      sorted.filter((c) => isBehind(c) && (c.group !== group || c.value !== from || byText(c.id, MIDDLE) >= 0)),
    ),
    ranged: sorted
      .filter(isBehind)
      .slice(0, limit)
      .map(({ id }) => id),
    tagged,
    counted: [inGroup.length, inGroup.filter((c) => c.value >= from && c.value < from + limit).length],
    members: [0, 1, limit, 9].map((n) => inGroup.map(({ id }) => id).sort(byText)[n]),
  };
}

/** Whether what is read back of each document is what it was after this step or a later one. */
function assertReadBack(partition: Partition, models: readonly Map<string, Counter>[], step: number): void {
  const state = partition.replica.readBack();
  for (const id of ids) {
    const got = state.get(counters, id);
    const isOne = models.slice(step).some((model) => isDeepStrictEqual(model.get(id), got));
    assert.ok(isOne, `step ${step}: ${id} is read back as ${JSON.stringify(got)}`);
  }
}

/** What a decision reads, merged of replica and overlay, is what a plain map says. */
export function stateModelContract(kit: LogKit): void {
  describe('State', () => {
    const place = placeFixture(kit);

    it('reads like a plain map, however far the log is behind', async () => {
      const script = fc.array(fc.tuple(change, fc.integer({ min: 0, max: 3 })), { minLength: 1, maxLength: 60 });
      await fc.assert(
        fc.asyncProperty(script, async (steps) => {
          let held: HeldLog | undefined;
          const partition = partitionOn(
            await openLog(place()),
            (log) => {
              held = new HeldLog(log);
              return held;
            },
            { operations: [look] },
          );
          const model = new Map<string, Counter>();
          const models: Map<string, Counter>[] = [];
          const checks: Promise<void>[] = [];
          for (const [at, [step, lets]] of steps.entries()) {
            const should = expected(model, step);
            for (const { id, counter } of step.writes) {
              if (counter === null) model.delete(id);
              else model.set(id, { id, ...counter });
            }
            models.push(new Map(model));
            checks.push(
              partition.send(look, step, { caller: callerNamed('ann') }).then(({ answer }) => {
                assert.deepEqual(answer, should);
                assertReadBack(partition, models, at);
              }),
            );
            await held?.letGo(lets);
            partition.replica.readBack().get(counters, step.from < 0 ? 'a' : 'b'); // also what is read in between is kept
          }
          let isDone = false;
          const all = Promise.all(checks).finally(() => {
            isDone = true;
          });
          while (!isDone) await held?.letGo(10);
          await all;
          await partition.close(0);
        }),
        { numRuns: kit.modelRuns },
      );
    });
  });
}
