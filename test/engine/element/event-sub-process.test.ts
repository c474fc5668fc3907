import assert from 'node:assert/strict';
import type { EventDefinition } from '../../../src/engine/model/program.js';
import { instance, NOW } from '../../support/instance.js';
import {
  boundary,
  catching,
  type ElementSpec,
  end,
  error,
  escalation,
  eventSubProcess,
  gateway,
  message,
  program,
  script,
  service,
  signal,
  start,
  subProcess,
  throwing,
  timer,
  together,
  userTask,
} from '../../support/program.js';

/** An event sub-process of the process beside a user task. */
const beside = (event: EventDefinition, interrupting: boolean, work: ElementSpec = userTask()) =>
  program(
    {
      s: start(),
      u: work,
      z: end(),
      es: eventSubProcess(),
      ess: start({ in: 'es', event, interrupting }),
      i: userTask({}, { in: 'es' }),
    },
    ['s -> u', 'u -> z', 'ess -> i'],
  );

describe('an event sub-process', () => {
  for (const event of [message('M'), signal('S'), timer('duration', 'PT1H')]) {
    const happen = (it: ReturnType<typeof instance>) =>
      event.kind === 'timer' ? it.fire('ess') : it.trigger('ess', { n: 1 });

    it(`ends what happens around it: ${event.kind}`, () => {
      const it = happen(instance(beside(event, true)).start());
      assert.deepEqual(it.trail, ['s', 'u!', 'es?', 'ess', 'i?']);
      assert.deepEqual([it.subscriptions.size, it.jobs.size, it.tasks.size], [0, 0, 1]);
      it.complete('i');
      assert.ok(it.isCompleted);
    });

    it(`goes on beside what happens around it: ${event.kind}`, () => {
      const it = happen(instance(beside(event, false)).start());
      assert.deepEqual(it.active, ['u', 'i']);
      it.complete('u');
      assert.ok(!it.isCompleted, 'what it began still goes on');
      it.complete('i');
      assert.deepEqual([it.isCompleted, it.subscriptions.size, it.jobs.size], [true, 0, 0]);
    });
  }

  it('may begin again and again, a timer as often as its cycle says', () => {
    const it = instance(beside(signal('S'), false))
      .start()
      .trigger('ess')
      .trigger('ess')
      .complete('i');
    assert.deepEqual(it.trail, ['s', 'u?', 'es', 'ess', 'i', 'es?', 'ess', 'i?']);
    const cycle = instance(beside(timer('cycle', 'R2/PT1H'), false))
      .start()
      .fire('ess')
      .fire('ess');
    assert.deepEqual([cycle.tasks.size, cycle.jobs.size, cycle.now], [3, 0, NOW + 7_200_000]);
  });

  it('takes the variables of its event, and its event’s executions are the instance’s', () => {
    const it = instance(beside(message('M-${n}'), true)).start({ n: 1 });
    assert.deepEqual([it.subscription('ess').eventName, it.subscription('ess').tokenId], ['M-1', 0]);
    assert.deepEqual(it.trigger('ess', { n: 2, m: 3 }).variables, { n: 2, m: 3 });
  });

  it('is no longer awaited once its scope has ended, in whatever way', () => {
    const inner = (last: ElementSpec) =>
      program(
        {
          s: start(),
          p: subProcess(),
          ps: start({ in: 'p' }),
          u: userTask({}, { in: 'p' }),
          pe: { ...last, in: 'p' },
          es: eventSubProcess({ in: 'p' }),
          ess: start({ in: 'es', event: signal('S'), interrupting: true }),
          b: boundary('p', message('M')),
          y: userTask(),
          x: userTask(),
        },
        ['s -> p', 'ps -> u', 'u -> pe', 'p -> y', 'b -> x'],
      );
    for (const last of [end(), end({ event: { kind: 'terminate' } })])
      assert.deepEqual(instance(inner(last)).start().complete('u').subscriptions.size, 0);
    assert.equal(instance(inner(end())).start().trigger('b').subscriptions.size, 0);
    assert.equal(instance(inner(end())).start().give({ type: 'cancel', reason: 'x' }).subscriptions.size, 0);
    const ended = instance(inner(end())).start().trigger('ess');
    assert.deepEqual(ended.trail, ['s', 'p', 'ps', 'u!', 'es', 'ess', 'y?']);
  });

  it('ends others in its scope, and none of them begins any more, those that do not interrupt included', () => {
    const model = program(
      {
        s: start(),
        u: userTask(),
        es: eventSubProcess(),
        ess: start({ in: 'es', event: message('M'), interrupting: true }),
        i: userTask({}, { in: 'es' }),
        fs: eventSubProcess(),
        fss: start({ in: 'fs', event: signal('S'), interrupting: false }),
        j: userTask({}, { in: 'fs' }),
        gs: eventSubProcess(),
        gss: start({ in: 'gs', event: error('E'), interrupting: true }),
        k: userTask({}, { in: 'gs' }),
        t: end({ in: 'es', event: error('E') }),
      },
      ['s -> u', 'ess -> i', 'i -> t', 'fss -> j', 'gss -> k'],
    );
    const it = instance(model).start().trigger('fss').trigger('ess');
    assert.deepEqual(it.trail, ['s', 'u!', 'fs!', 'fss', 'j!', 'es?', 'ess', 'i?']);
    assert.equal(it.subscriptions.size, 0);
    it.complete('i');
    assert.deepEqual(it.ended, {
      type: 'ended',
      outcome: 'failed',
      reason: "error 'E' of end event 't' was not caught",
    });
  });

  it('catches an error inside before the boundary does, and its own errors go to the boundary', () => {
    const model = program(
      {
        s: start(),
        p: subProcess(),
        ps: start({ in: 'p' }),
        t: end({ in: 'p', event: error('E') }),
        es: eventSubProcess({ in: 'p' }),
        ess: start({ in: 'es', event: error('E', { codeVariable: 'code' }), interrupting: true }),
        i: userTask({}, { in: 'es' }),
        r: end({ in: 'es', event: error('E') }),
        b: boundary('p', error('E')),
        x: userTask(),
      },
      ['s -> p', 'ps -> t', 'ess -> i', 'i -> r', 'b -> x'],
    );
    const it = instance(model).start();
    assert.deepEqual([it.trail, it.variables], [['s', 'p?', 'ps', 't!', 'es?', 'ess', 'i?'], { code: 'E' }]);
    it.complete('i');
    assert.deepEqual(it.trail, ['s', 'p!', 'ps', 't!', 'es!', 'ess', 'i', 'r!', 'b', 'x?']);
  });

  it('catches the error of a script', () => {
    const answer = () => ({ value: { bpmnError: { code: 'E', message: 'm' } } });
    const model = beside(error(null, { messageVariable: 'why' }), true, script('throw'));
    const it = instance(model, { answer }).start();
    assert.deepEqual([it.trail, it.variables], [['s', 'u!', 'es?', 'ess', 'i?'], { why: 'm' }]);
  });

  it('takes escalations, beside the thrower or instead of it, but not its own', () => {
    const model = (interrupting: boolean) =>
      program(
        {
          s: start(),
          t: throwing(escalation('E')),
          u: userTask(),
          es: eventSubProcess(),
          ess: start({ in: 'es', event: escalation('E', 'code'), interrupting }),
          i: userTask({}, { in: 'es' }),
          r: end({ in: 'es', event: escalation('E') }),
        },
        ['s -> t', 't -> u', 'ess -> i', 'i -> r'],
      );
    const beside = instance(model(false)).start();
    assert.deepEqual([beside.active.sort(), beside.variables], [['i', 'u'], { code: 'E' }]);
    assert.deepEqual(beside.complete('i').active, ['u']);
    assert.deepEqual(instance(model(true)).start().trail, ['s', 't!', 'es?', 'ess', 'i?']);
  });

  it('hears what its own instance throws', () => {
    const it = instance(beside(signal('S'), true, throwing(signal('S')))).start();
    assert.deepEqual(it.trail, ['s', 'u!', 'es?', 'ess', 'i?']);
  });

  it('may hold another one, which is awaited as long as it goes on', () => {
    const model = program(
      {
        s: start(),
        u: userTask(),
        es: eventSubProcess(),
        ess: start({ in: 'es', event: message('M'), interrupting: false }),
        i: userTask({}, { in: 'es' }),
        fs: eventSubProcess({ in: 'es' }),
        fss: start({ in: 'fs', event: signal('S'), interrupting: true }),
        j: userTask({}, { in: 'fs' }),
      },
      ['s -> u', 'ess -> i', 'fss -> j'],
    );
    const it = instance(model).start().trigger('ess').trigger('fss');
    assert.deepEqual(it.trail, ['s', 'u?', 'es?', 'ess', 'i!', 'fs?', 'fss', 'j?']);
    it.complete('j');
    assert.deepEqual([it.active, [...it.subscriptions.values()].map(({ eventName }) => eventName)], [['u'], ['M']]);
  });

  it('begins once all have come that it waits for together', () => {
    const it = instance(beside(together(message('M'), signal('S')), false)).start();
    for (const round of [1, 2]) {
      for (const id of [...it.subscriptions.keys()]) it.give({ type: 'trigger', subscriptionId: id, variables: {} });
      assert.equal(it.tasks.size, 1 + round);
    }
  });

  it('is what an inclusive join that nothing else can move waits for', () => {
    const model = program(
      {
        s: start(),
        f: gateway('inclusive'),
        p: subProcess(),
        ps: start({ in: 'p' }),
        g: gateway('parallel'),
        c: catching(message('never'), { in: 'p' }),
        es: eventSubProcess({ in: 'p' }),
        ess: start({ in: 'es', event: signal('S'), interrupting: true }),
        n: service('${1}'),
        j: gateway('inclusive'),
        u: userTask(),
      },
      ['s -> f', 'f -> p', 'f -> n', 'ps -> c', 'p -> j', 'n -> j', 'j -> u'],
    );
    const it = instance(model).start();
    assert.deepEqual(it.active.sort(), ['c', 'j']);
    assert.deepEqual(it.trigger('ess').active, ['u']);
  });
});
