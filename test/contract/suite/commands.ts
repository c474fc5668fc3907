import assert from 'node:assert/strict';
import { ServiceError } from '../../../src/shared/errors.js';
import { operation, put } from '../../../src/store/index.js';
import type { Partition } from '../../../src/store/partition/partition.js';
import { add, callerNamed, counters, drop, set, total } from '../../support/test-domain.js';
import type { TestParts } from '../../support/test-store.js';
import type { LogKit } from '../log-kit.js';
import { storeFixture } from '../support/log-fixture.js';

const ann = { caller: callerNamed('ann') };
const refusal = (code: string) => (error: unknown) => error instanceof ServiceError && error.code === code;

/** Commands are decided one after the other, on what was decided before; what is answered is durable and read. */
export function commandContract(kit: LogKit): void {
  const on = storeFixture(kit);
  let partition: Partition;
  const begin = async (parts?: TestParts) => {
    partition = await on.begin(parts);
  };
  const value = (id: string) => partition.replica.read().get(counters, id)?.value;

  describe('a command', () => {
    it('is readable when it is answered', async () => {
      await begin();
      assert.equal((await partition.send(add, { id: 'a', by: 2 }, ann)).answer, 2);
      assert.equal(value('a'), 2);
    });

    it('sees what was decided before it, also before that is durable', async () => {
      await begin();
      const sent = Array.from({ length: 100 }, () => partition.send(add, { id: 'a', by: 1 }, ann));
      const answers = (await Promise.all(sent)).map(({ answer }) => answer);
      assert.deepEqual(
        answers,
        Array.from({ length: 100 }, (_, i) => i + 1),
      );
    });

    it('that is refused changes nothing', async () => {
      await begin();
      const before = (await partition.send(add, { id: 'a', by: 1 }, ann)).revision;
      await assert.rejects(partition.send(add, { id: 'a', by: -2 }, ann), refusal('CONFLICT'));
      assert.equal(value('a'), 1);
      assert.equal((await partition.send(add, { id: 'a', by: 1 }, ann)).revision, before + 1);
    });

    it('that only reads writes nothing, and is answered after what was decided before it', async () => {
      await begin();
      const writing = partition.send(add, { id: 'a', by: 5 }, ann);
      const { answer, revision } = await partition.send(total, { group: 'g' }, ann);
      assert.equal(answer, 5);
      assert.equal(revision, (await writing).revision);
    });

    it('finds, ranges and removes through indexes across durable and undurable documents', async () => {
      await begin();
      const counter = (id: string, n: number, tags: string[] = []) => ({ id, group: 'x', value: n, tags });
      await partition.send(set, counter('a', 3, ['red']), ann);
      await partition.send(set, counter('b', 1, ['red', 'blue']), ann);
      const later = [
        partition.send(set, counter('c', 2, ['blue']), ann),
        partition.send(set, counter('a', 0, []), ann),
        partition.send(drop, { id: 'b' }, ann),
      ];
      const names = (list: readonly { id: string }[]) => list.map(({ id }) => id);
      const seen = () => [
        names(partition.decider.peek().find(counters, 'group', ['x'])),
        names(partition.decider.peek().range(counters, 'value', [1], 10)),
        names(partition.decider.peek().findMulti(counters, 'tag', 'blue')),
        names(partition.decider.peek().findMulti(counters, 'tag', 'red')),
      ];
      const undurable = seen();
      await Promise.all(later);
      assert.deepEqual(undurable, [['a', 'c'], ['c'], ['c'], []]);
      assert.deepEqual(seen(), undurable);
    });

    it('refuses a decision that reads more than 1,000 or writes more than 500 documents', async () => {
      const many = operation('many', (_state, { n }: { n: number }) => ({
        write: Array.from({ length: n }, (_, i) => put(counters, { id: `m${i}`, group: 'many', value: i, tags: [] })),
        answer: null,
      }));
      const half = operation('half', (_state, _input: object) => ({
        write: Array.from({ length: 500 }, (_, i) => put(counters, { id: `h${i}`, group: 'many', value: i, tags: [] })),
        answer: null,
      }));
      await begin({ operations: [many, half] });
      await assert.rejects(partition.send(many, { n: 501 }, ann), refusal('LIMIT_EXCEEDED'));
      await partition.send(many, { n: 500 }, ann);
      await partition.send(half, {}, ann);
      assert.equal((await partition.send(total, { group: 'many' }, ann)).answer, 2 * (499 * 250));
      await partition.send(set, { id: 'one-more', group: 'many', value: 1, tags: [] }, ann);
      await assert.rejects(partition.send(total, { group: 'many' }, ann), refusal('LIMIT_EXCEEDED'));
    });

    it('refuses a document larger than 256 kB', async () => {
      await begin();
      const counter = { id: 'big', group: 'x'.repeat(262_144), value: 0, tags: [] };
      await assert.rejects(partition.send(set, counter, ann), refusal('LIMIT_EXCEEDED'));
      assert.equal(value('big'), undefined);
    });
  });
}
