import assert from 'node:assert/strict';
import { ServiceError } from '../../../src/shared/errors.js';
import { operation } from '../../../src/store/index.js';
import type { Partition } from '../../../src/store/partition/partition.js';
import { addAsked, callerNamed, counters } from '../../support/test-domain.js';
import type { TestParts } from '../../support/test-store.js';
import type { LogKit } from '../log-kit.js';
import { storeFixture } from '../support/log-fixture.js';

const ann = { caller: callerNamed('ann') };
const refusal = (code: string) => (error: unknown) => error instanceof ServiceError && error.code === code;

/** What a command asks is answered outside of its decision. */
export function askContract(kit: LogKit): void {
  const on = storeFixture(kit);
  let partition: Partition;
  const begin = async (parts?: TestParts) => {
    partition = await on.begin(parts);
  };
  const value = (id: string) => partition.replica.read().get(counters, id)?.value;

  describe('an ask', () => {
    it('is answered outside, and the command is decided with the answer', async () => {
      await begin({ evaluators: { number: async (question: string) => Number(question) * 2 } });
      await partition.send(addAsked, { id: 'a', question: '21' }, ann);
      assert.equal(value('a'), 42);
    });

    it('holds back later commands of its mailbox, and no others', async () => {
      const order: string[] = [];
      let answer: (n: number) => void = () => {};
      const slow = new Promise<number>((resolve) => {
        answer = resolve;
      });
      await begin({ evaluators: { number: (question: string) => (question === 'slow' ? slow : 1) } });
      const note = (name: string) => () => void order.push(name);
      const first = partition.send(addAsked, { id: 'a', question: 'slow' }, ann).then(note('first'));
      const second = partition.send(addAsked, { id: 'a', question: 'fast' }, ann).then(note('second'));
      await partition.send(addAsked, { id: 'b', question: 'fast' }, ann).then(note('other'));
      answer(1);
      await Promise.all([first, second]);
      assert.deepEqual(order, ['other', 'first', 'second']);
      assert.equal(value('a'), 2);
    });

    it('is told to whoever sent the command, as is that of one before it in its mailbox', async () => {
      const told: string[] = [];
      const aside = (name: string) => (isAside: boolean) => void told.push(`${name} ${isAside ? 'waits' : 'goes on'}`);
      let answer: (n: number) => void = () => {};
      const slow = new Promise<number>((resolve) => {
        answer = resolve;
      });
      await begin({ evaluators: { number: (question: string) => (question === 'slow' ? slow : 1) } });
      const first = partition.send(addAsked, { id: 'a', question: 'slow' }, { ...ann, aside: aside('first') });
      const second = partition.send(addAsked, { id: 'a', question: 'fast' }, { ...ann, aside: aside('second') });
      assert.deepEqual(told, ['first waits', 'second waits']);
      answer(1);
      await Promise.all([first, second]);
      assert.deepEqual(told.slice(2), ['first goes on', 'second goes on', 'second waits', 'second goes on']);
    });

    it('that fails is the command’s to judge', async () => {
      await begin({
        evaluators: {
          number: () => {
            throw new Error('no number');
          },
        },
      });
      await assert.rejects(partition.send(addAsked, { id: 'a', question: 'x' }, ann), refusal('EXECUTION_FAILED'));
    });

    it('that nobody answers is answered with that', async () => {
      await begin();
      await assert.rejects(partition.send(addAsked, { id: 'a', question: 'x' }, ann), {
        code: 'EXECUTION_FAILED',
        message: "nothing answers an ask of kind 'number'",
      });
    });

    it('may be followed by others, up to a thousand', async () => {
      let asked = 0;
      const asksOn = operation('asksOn', (_state, { times }: { times: number }, { answers }) =>
        answers.length < times ? { ask: { kind: 'number', question: '' } } : { answer: answers.length },
      );
      await begin({ operations: [asksOn], evaluators: { number: () => asked++ } });
      assert.equal((await partition.send(asksOn, { times: 1_000 }, ann)).answer, 1_000);
      await assert.rejects(partition.send(asksOn, { times: 1_001 }, ann), /more than 1000 asks in 'asksOn'/);
      assert.equal(asked, 2_000);
    });

    it('of more than 100 commands in one mailbox is refused', async () => {
      let answer: (n: number) => void = () => {};
      const slow = new Promise<number>((resolve) => {
        answer = resolve;
      });
      await begin({ evaluators: { number: () => slow } });
      const sent = Array.from({ length: 101 }, () => partition.send(addAsked, { id: 'a', question: 'q' }, ann));
      await assert.rejects(partition.send(addAsked, { id: 'a', question: 'q' }, ann), refusal('UNAVAILABLE'));
      answer(1);
      await Promise.all(sent);
      assert.equal(value('a'), 101);
    });
  });
}
