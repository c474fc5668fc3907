import assert from 'node:assert/strict';
import { type Fault, RedisModel } from '../../support/redis-model/redis-model.js';

/** A model whose steps are done when the test says so. */
function stepped(fault?: (words: readonly string[]) => Fault | undefined) {
  const steps: (() => void)[] = [];
  const soon = (work: () => void) => void steps.push(work);
  const model = new RedisModel({ now: () => 5_000, soon, ...(fault && { fault }) });
  /** Does all that is to be done, and what comes of it. */
  const settle = async () => {
    do {
      for (const work of steps.splice(0)) work();
      await new Promise((resolve) => setImmediate(resolve));
    } while (steps.length > 0);
  };
  return { model, steps, settle };
}

const told = (answer: Promise<unknown>) => {
  const heard: { said?: unknown; refused?: string } = {};
  answer.then(
    (said) => {
      heard.said = said;
    },
    (thrown: Error) => {
      heard.refused = thrown.message;
    },
  );
  return heard;
};

describe('a connection to the model of Redis', () => {
  const ONE = ['HSET', 'h', 'a', '1'];

  it('has its commands done and answered in their order, in whatever order its steps come', async () => {
    const { model, steps, settle } = stepped();
    const link = model.port.connect();
    await settle();
    const answers: string[] = [];
    for (const value of ['1', '2', '3']) void link.send(['HSET', 'h', 'a', value]).then(() => answers.push(value));
    for (const work of steps.splice(0).reverse()) work();
    assert.equal(model.command('HGET', 'h', 'a'), '3');
    assert.deepEqual(answers, []);
    await settle();
    assert.deepEqual(answers, ['1', '2', '3']);
  });

  it('that is cut has not done what had not arrived, and is lost', async () => {
    const { model, steps, settle } = stepped();
    const link = model.port.connect();
    await settle();
    const [first, second] = [told(link.send(ONE)), told(link.send(['HSET', 'h', 'b', '2']))];
    steps.shift()?.();
    model.cut();
    await settle();
    assert.deepEqual(model.command('HGETALL', 'h'), ['a', '1'], 'its reply was lost after the effect');
    assert.ok(first.refused && second.refused);
    assert.equal(link.isOpen, false);
    await assert.rejects(link.send(ONE));
    await assert.rejects(async () => {
      model.kill();
      const again = model.port.connect();
      await Promise.all([settle(), again.opened]);
    });
  });

  for (const [fault, isDone] of [
    ['cut', false],
    ['cut after', true],
    ['silent', true],
    [{ refuse: 'OOM command not allowed' }, false],
  ] as const) {
    it(`with the fault ${JSON.stringify(fault)} has ${isDone ? '' : 'not '}done it, and does not say so`, async () => {
      const { model, settle } = stepped(([name]) => (name === 'HSET' ? fault : undefined));
      const link = model.port.connect();
      await settle();
      const heard = told(link.send(ONE));
      await settle();
      assert.equal(model.command('HGET', 'h', 'a'), isDone ? '1' : null);
      assert.equal(heard.said, undefined);
      assert.equal(heard.refused === undefined, fault === 'silent');
      assert.equal(link.isOpen, fault === 'silent' || typeof fault === 'object');
    });
  }

  it('that waits for an entry has it when it comes, also when it was lost meanwhile and comes back', async () => {
    const { model, settle } = stepped();
    const read = ['XREAD', 'COUNT', '9', 'BLOCK', '0', 'STREAMS', 's', '0-0'];
    const writer = model.port.connect();
    const [stays, comesBack, closed] = [model.port.reader(false), model.port.reader(true), model.port.reader(true)];
    const heard = [stays, comesBack, closed].map((link) => told(link.send(read)));
    await settle();
    closed.close();
    model.kill();
    await settle();
    assert.deepEqual(
      heard.map(({ refused }) => refused !== undefined),
      [true, false, true],
    );
    model.start();
    await settle();
    assert.equal(writer.isOpen, false);
    const again = model.port.connect();
    await settle();
    void again.send(['XADD', 's', '1-0', 'id', 'x']);
    await settle();
    assert.deepEqual(heard[1]?.said, [['s', [['1-0', ['id', 'x']]]]]);
  });

  it('to a server that is paused waits, and what it had sent is done afterwards although nobody waits any more', async () => {
    const { model, settle } = stepped();
    const link = model.port.connect();
    await settle();
    model.pause();
    const heard = told(link.send(ONE));
    const late = told(model.port.connect().opened);
    await settle();
    assert.deepEqual([heard, late], [{}, {}]);
    link.close();
    model.resume();
    await settle();
    assert.equal(model.command('HGET', 'h', 'a'), '1');
    assert.ok(heard.refused !== undefined && 'said' in late);
  });
});

describe('the model of Redis that is killed', () => {
  it('loses as many changes as told, and knows which were not answered', async () => {
    const { model, steps, settle } = stepped();
    const link = model.port.connect();
    await settle();
    for (const value of ['1', '2']) void link.send(['HSET', 'h', 'a', value]);
    await settle();
    assert.equal(model.unanswered, 0);
    link.send(['HSET', 'h', 'a', '3']).catch(() => {});
    for (const work of steps.splice(0)) work();
    assert.equal(model.unanswered, 1);
    model.kill(model.unanswered);
    model.start();
    assert.equal(model.command('HGET', 'h', 'a'), '2');
    model.kill(1);
    model.start();
    assert.equal(model.command('HGET', 'h', 'a'), '1');
    assert.equal(model.unanswered, 0);
  });

  it('has forgotten its scripts', async () => {
    const { model, settle } = stepped();
    const link = model.port.connect();
    await settle();
    const heard = told(link.send(['EVALSHA', 'unknown', '0']));
    await settle();
    assert.match(heard.refused ?? '', /^NOSCRIPT/);
  });
});
