import assert from 'node:assert/strict';
import { ServiceError } from '../../../src/shared/errors.js';
import { operation } from '../../../src/store/index.js';
import type { Partition } from '../../../src/store/partition/partition.js';
import { add, callerNamed, counters } from '../../support/test-domain.js';
import type { TestParts } from '../../support/test-store.js';
import type { LogKit } from '../log-kit.js';
import { storeFixture } from '../support/log-fixture.js';

const ann = { caller: callerNamed('ann') };
const keyed = (commandId: string) => ({ caller: callerNamed('ann'), commandId });
const refusal = (code: string) => (error: unknown) => error instanceof ServiceError && error.code === code;

/** Outcomes of commands with a client's key are kept. */
export function keyContract(kit: LogKit): void {
  const on = storeFixture(kit);
  let partition: Partition;
  const begin = async (parts?: TestParts) => {
    partition = await on.begin(parts);
  };
  const value = (id: string) => partition.replica.read().get(counters, id)?.value;

  describe("a client's key", () => {
    it('gives the same answer again, and nothing happens twice', async () => {
      await begin();
      const first = await partition.send(add, { id: 'a', by: 1 }, keyed('k1'));
      const second = await partition.send(add, { id: 'a', by: 1 }, keyed('k1'));
      assert.equal(second.answer, first.answer);
      assert.equal(value('a'), 1);
    });

    it('joins a command that is still on its way', async () => {
      await begin();
      const sent = [1, 2, 3].map(() => partition.send(add, { id: 'a', by: 1 }, keyed('k1')));
      assert.deepEqual(
        (await Promise.all(sent)).map(({ answer }) => answer),
        [1, 1, 1],
      );
    });

    it('keeps a refusal too', async () => {
      await begin();
      await assert.rejects(partition.send(add, { id: 'a', by: -1 }, keyed('k1')), refusal('CONFLICT'));
      assert.equal((await partition.send(add, { id: 'a', by: 1 }, ann)).revision, 2, 'the refusal is a commit');
      await assert.rejects(partition.send(add, { id: 'a', by: -1 }, keyed('k1')), refusal('CONFLICT'));
      assert.equal(value('a'), 1);
    });

    it('keeps no refusal that says nothing of the command, and no bug', async () => {
      let thrown: Error | null = null;
      const moody = operation('moody', (_state, _input: null) => {
        if (thrown !== null) throw thrown;
        return { answer: 'well' };
      });
      await begin({ operations: [moody] });
      const passing = (['UNAVAILABLE', 'RATE_LIMITED', 'DATA_DAMAGED'] as const).map((c) => new ServiceError(c, 'no'));
      for (const [n, error] of [...passing, new Error('a bug')].entries()) {
        thrown = error;
        await assert.rejects(partition.send(moody, null, keyed(`k${n}`)), error);
        thrown = null;
        assert.equal((await partition.send(moody, null, keyed(`k${n}`))).answer, 'well');
      }
    });

    it('refuses another input', async () => {
      await begin();
      await partition.send(add, { id: 'a', by: 1 }, keyed('k1'));
      await assert.rejects(partition.send(add, { id: 'a', by: 2 }, keyed('k1')), refusal('BAD_REQUEST'));
    });
  });
}
