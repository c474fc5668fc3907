import assert from 'node:assert/strict';
import { instance, NOW } from '../../support/instance.js';
import {
  anyOf,
  boundary,
  catching,
  end,
  error,
  escalation,
  gateway,
  message,
  program,
  signal,
  start,
  subProcess,
  throwing,
  timer,
  together,
  userTask,
} from '../../support/program.js';

const both = [message('M'), timer('duration', 'PT1H')] as const;
const waiting = (event: ReturnType<typeof anyOf>) =>
  program({ s: start(), c: catching(event), u: userTask() }, ['s -> c', 'c -> u']);
const bounded = (event: ReturnType<typeof anyOf>, interrupting: boolean) =>
  program({ s: start(), w: userTask(), b: boundary('w', event, interrupting), x: userTask() }, ['s -> w', 'b -> x']);

describe('an event of several definitions', () => {
  it('goes on with the first of them, and no longer waits for the others', () => {
    const byMessage = instance(waiting(anyOf(...both)))
      .start()
      .trigger('c', { n: 1 });
    assert.deepEqual([byMessage.active, byMessage.jobs.size, byMessage.variables], [['u'], 0, { n: 1 }]);
    const byTimer = instance(waiting(anyOf(...both)))
      .start()
      .fire('c');
    assert.deepEqual([byTimer.active, byTimer.subscriptions.size, byTimer.trail], [['u'], 0, ['s', 'c', 'u?']]);
  });

  it('goes on with the last of them where it waits for all together', () => {
    const it = instance(waiting(together(...both)))
      .start()
      .trigger('c', { n: 1 });
    assert.deepEqual([it.active, it.subscriptions.size, it.jobs.size], [['c'], 0, 1]);
    it.fire('c');
    assert.deepEqual([it.active, it.variables, it.trail], [['u'], { n: 1 }, ['s', 'c', 'u?']]);
  });

  it('interrupts an activity by the first of them', () => {
    const it = instance(bounded(anyOf(...both), true))
      .start()
      .fire('b');
    assert.deepEqual([it.trail, it.subscriptions.size, it.tasks.size], [['s', 'w!', 'b', 'x?'], 0, 1]);
  });

  it('interrupts an activity once all have come', () => {
    const it = instance(bounded(together(message('M'), signal('S')), true)).start();
    const [first, second] = [...it.subscriptions.keys()];
    it.give({ type: 'trigger', subscriptionId: second ?? '', variables: {} });
    assert.deepEqual(it.active, ['w']);
    it.give({ type: 'trigger', subscriptionId: first ?? '', variables: {} });
    assert.deepEqual(it.trail, ['s', 'w!', 'b', 'x?']);
  });

  it('may come again where it does not interrupt: each by itself, or all together anew', () => {
    const any = instance(bounded(anyOf(...both), false))
      .start()
      .trigger('b')
      .trigger('b')
      .fire('b');
    assert.deepEqual([any.active, any.subscriptions.size, any.jobs.size], [['w', 'x'], 1, 0]);
    const all = instance(bounded(together(message('M'), signal('S')), false)).start();
    for (const _ of [1, 2])
      for (const id of [...all.subscriptions.keys()]) all.give({ type: 'trigger', subscriptionId: id, variables: {} });
    assert.equal(all.trail.filter((id) => id === 'x?').length, 2);
    assert.equal(all.subscriptions.size, 2);
    all.complete('w');
    assert.equal(all.subscriptions.size, 0);
  });

  it('stands behind an event-based gateway', () => {
    const model = (event: ReturnType<typeof anyOf>) =>
      program(
        { s: start(), g: gateway('eventBased'), c: catching(event), d: catching(signal('other')), u: userTask() },
        ['s -> g', 'g -> c', 'g -> d', 'c -> u'],
      );
    const any = instance(model(anyOf(...both)))
      .start()
      .fire('c');
    assert.deepEqual([any.active, any.subscriptions.size], [['u'], 0]);
    const all = instance(model(together(...both)))
      .start()
      .trigger('c', { n: 1 });
    assert.deepEqual([all.active, all.subscriptions.size], [['g'], 1]);
    all.fire('c');
    assert.deepEqual([all.active, all.subscriptions.size, all.variables], [['u'], 0, { n: 1 }]);
  });

  it('catches errors and escalations beside what it waits for', () => {
    const model = (thrown: ReturnType<typeof throwing>) =>
      program(
        {
          s: start(),
          p: subProcess(),
          ps: start({ in: 'p' }),
          t: { ...thrown, in: 'p' },
          b: boundary('p', anyOf(message('M'), escalation('E'), error('F', { codeVariable: 'code' }))),
          x: userTask(),
        },
        ['s -> p', 'ps -> t', 'b -> x'],
      );
    assert.deepEqual(instance(model(throwing(escalation('E')))).start().active, ['x']);
    const failed = instance(model(end({ event: error('F') }))).start();
    assert.deepEqual([failed.active, failed.variables, failed.subscriptions.size], [['x'], { code: 'F' }, 0]);
    assert.deepEqual(instance(model(userTask())).start().trigger('b').active, ['x']);
  });

  it('throws all of them', () => {
    const event = anyOf(message('M'), signal('S'), escalation('E'));
    for (const thrown of [throwing(event), end({ event })]) {
      const it = instance(program({ s: start(), t: thrown }, ['s -> t'])).start();
      assert.deepEqual(
        it.effects.map(({ type }) => type),
        ['throwMessage', 'throwSignal', 'ended'],
      );
    }
  });

  it('ends its path in one way after it has thrown the others', () => {
    const event = anyOf(signal('S'), error('F'));
    const model = program(
      {
        s: start(),
        p: subProcess(),
        ps: start({ in: 'p' }),
        t: end({ in: 'p', event }),
        b: boundary('p', error('F')),
        x: userTask(),
      },
      ['s -> p', 'ps -> t', 'b -> x'],
    );
    const it = instance(model).start();
    assert.deepEqual([it.active, it.effects.map(({ type }) => type)], [['x'], ['throwSignal', 'createTask']]);
  });

  it('throws no more once something of it has interrupted the thrower', () => {
    const event = anyOf(escalation('E'), signal('S'));
    const model = program(
      {
        s: start(),
        p: subProcess(),
        ps: start({ in: 'p' }),
        t: throwing(event, { in: 'p' }),
        b: boundary('p', escalation('E')),
        x: userTask(),
      },
      ['s -> p', 'ps -> t', 'b -> x'],
    );
    assert.deepEqual(
      instance(model)
        .start()
        .effects.map(({ type }) => type),
      ['createTask'],
    );
  });

  it('starts an instance by any of them, or waits in it for the others', () => {
    const model = (event: ReturnType<typeof anyOf>) => program({ s: start({ event }), u: userTask() }, ['s -> u']);
    const begin = (event: ReturnType<typeof anyOf>) =>
      instance(model(event)).give({ type: 'start', element: 's', part: 0, variables: {} });
    assert.deepEqual(begin(anyOf(...both)).active, ['u']);
    const all = begin(together(...both));
    assert.deepEqual([all.active, all.subscriptions.size, all.job('s').dueAt], [['s'], 0, NOW + 3_600_000]);
    assert.deepEqual(all.fire('s').trail, ['s', 'u?']);
  });
});
