import assert from 'node:assert/strict';
import { ServiceError, unavailable } from '../../src/shared/errors.js';
import { Thread, type ThreadOptions, type ThreadPort } from '../../src/shared/thread.js';
import { type Said, served, type ThreadService, type ToThread } from '../../src/shared/thread-service.js';

/** A thread in this one: what it is sent it takes at once; what it says is heard when it is let. */
class Here implements ThreadPort {
  readonly #take: (message: ToThread) => boolean;
  readonly said: Said[] = [];
  isHeld = true;
  #hear: (message: unknown) => void = () => {};
  #exit: (reason: Error) => void = () => {};

  constructor(service: ThreadService<never, unknown, never>) {
    this.#take = served(service, (said) => this.said.push(structuredClone(said)));
  }

  post(message: unknown): void {
    if (this.#take(structuredClone(message) as ToThread)) this.exit(new Error('it was told to'));
  }

  /** Lets what it has said be heard, the last of it first where it is so wanted. */
  hear(order: 'first' | 'last' = 'first'): void {
    const all = this.said.splice(0);
    for (const said of order === 'first' ? all : all.reverse()) this.#hear(said);
  }

  exit(reason: Error): void {
    this.#exit(reason);
  }

  onMessage(listener: (message: unknown) => void): void {
    this.#hear = listener;
  }

  onExit(listener: (reason: Error) => void): void {
    this.#exit = listener;
  }

  hold(isHeld: boolean): void {
    this.isHeld = isHeld;
  }

  terminate(): void {
    this.exit(new Error('it was ended'));
  }
}

describe('a thread', () => {
  const told: string[] = [];
  const doubling: ThreadService<number, number, string> = {
    answer: (n) => {
      if (n < 0) throw new ServiceError('BAD_REQUEST', `expected a number from 0 on, but it is ${n}`);
      if (n === 0) throw new TypeError('nothing to double');
      return n * 2;
    },
    hear: (message) => void told.push(message),
  };
  const begin = (options: ThreadOptions<string> = {}) => {
    const port = new Here(doubling);
    return { port, thread: new Thread<number, number, string, string>(port, options) };
  };

  it('answers each question by itself, in whatever order', async () => {
    const { port, thread } = begin();
    const answers = Promise.all([1, 2, 3].map((n) => thread.ask(n)));
    port.hear('last');
    assert.deepEqual(await answers, [2, 4, 6]);
  });

  it('gives a refusal as it was, and anything else as a bug of that thread', async () => {
    const { port, thread } = begin();
    const [refused, broken] = [thread.ask(-1), thread.ask(0)];
    port.hear();
    await assert.rejects(refused, (error) => error instanceof ServiceError && error.code === 'BAD_REQUEST');
    await assert.rejects(broken, { message: 'nothing to double' });
  });

  it('calls failures as it is told to', async () => {
    const { port, thread } = begin({ refused: ({ message }) => unavailable(`not doubled: ${message}`) });
    const refused = thread.ask(0);
    port.hear();
    await assert.rejects(refused, { code: 'UNAVAILABLE', message: 'not doubled: nothing to double' });
  });

  it('takes messages, and tells what it is not asked for', () => {
    const heard: string[] = [];
    const { port, thread } = begin({ heard: (news) => heard.push(news) });
    thread.tell('hello');
    port.said.push({ news: 'well' });
    port.hear();
    assert.deepEqual([told.splice(0), heard], [['hello'], ['well']]);
  });

  it('refuses whoever waits when it goes, and whoever comes later, before that is told', async () => {
    const order: string[] = [];
    const { port, thread } = begin({
      lost: ({ message }) => unavailable(`gone: ${message}`),
      gone: ({ message }) => order.push(message),
    });
    const waiting = thread.ask(1);
    port.exit(new Error('a fault'));
    port.hear(); // too late
    await thread.ended;
    assert.deepEqual(order, ['gone: a fault']);
    await assert.rejects(waiting, { code: 'UNAVAILABLE', message: 'gone: a fault' });
    await assert.rejects(thread.ask(1), { message: 'gone: a fault' });
    assert.equal(thread.lost?.message, 'gone: a fault');
  });

  it('keeps the process only while it is asked, or always, or never', async () => {
    for (const [holds, before, during] of [
      ['always', true, true],
      ['asked', false, true],
      ['never', false, false],
    ] as const) {
      const { port, thread } = begin({ holds });
      assert.equal(port.isHeld, before, holds);
      const answers = [thread.ask(1), thread.ask(2)];
      assert.equal(port.isHeld, during, holds);
      port.hear();
      await Promise.all(answers);
      assert.equal(port.isHeld, before, holds);
    }
  });

  it('gives up what nobody waits for any more, and what takes too long', async () => {
    const { port, thread } = begin();
    const patient = thread.ask(1, { ms: 1, late: () => unavailable('too late') });
    await assert.rejects(patient, { message: 'too late' });
    const given = thread.ask(2);
    thread.giveUp(unavailable('given up'));
    port.hear();
    await assert.rejects(given, { message: 'given up' });
  });

  it('ends behind what it was asked, and is not waited for any longer than it may take', async () => {
    const { port, thread } = begin({ holds: 'never' });
    const answer = thread.ask(1);
    port.hear();
    await thread.close();
    assert.equal(await answer, 2);
    assert.equal(thread.lost?.message, 'it was told to');
    const hanging = begin({ holds: 'never' });
    hanging.port.post = () => {};
    await hanging.thread.close(1);
    assert.equal(hanging.port.isHeld, false);
    assert.equal(hanging.thread.lost, null);
  });
});
