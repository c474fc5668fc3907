import assert from 'node:assert/strict';
import { instance, NOW } from '../../support/instance.js';
import {
  boundary,
  catching,
  end,
  error,
  gateway,
  listener,
  message,
  program,
  script,
  service,
  signal,
  start,
  subProcess,
  timer,
  userTask,
} from '../../support/program.js';

const HOUR = 3_600_000;

describe('intermediate catch events', () => {
  const through = (event: Parameters<typeof catching>[0]) =>
    program({ s: start(), c: catching(event), e: end() }, ['s -> c', 'c -> e']);

  it('wait for a duration, a date, or the first time of a cycle', () => {
    const due = (kind: 'date' | 'duration' | 'cycle', text: string) =>
      instance(through(timer(kind, text)))
        .start({ in: 'PT2H', at: new Date(NOW + 7) })
        .job('c').dueAt;
    assert.equal(due('duration', 'PT1H'), NOW + HOUR);
    assert.equal(due('duration', '${in}'), NOW + 2 * HOUR);
    assert.equal(due('date', '2026-01-01T05:00:00Z'), NOW + 5 * HOUR);
    assert.equal(due('date', '${at}'), NOW + 7);
    assert.equal(due('cycle', '0 30 * * * ?'), NOW + HOUR / 2);
  });

  it('go on when the timer comes', () => {
    const it = instance(through(timer('duration', 'PT1H')))
      .start()
      .fire('c');
    assert.ok(it.isCompleted);
    assert.deepEqual(it.trail, ['s', 'c', 'e']);
  });

  it('refuse a time that cannot be read', () => {
    for (const text of ['later', '${1 == 1}', '${none}']) {
      assert.throws(
        () => instance(through(timer('duration', text))).start({ none: '' }),
        { code: 'EXECUTION_FAILED' },
        text,
      );
    }
  });

  it('refuse a timer that never comes', () => {
    assert.throws(() => instance(through(timer('cycle', 'R0/PT1H'))).start(), {
      code: 'EXECUTION_FAILED',
      message: "expected a timer that comes of element 'c', but it never comes",
    });
  });

  it('refuse to wait for an error, and behind an event-based gateway for nothing', () => {
    const waitFor = (event: ReturnType<typeof error> | null, flows: readonly string[]) => () =>
      instance(
        program({ s: start(), g: gateway('eventBased'), c: { type: 'intermediateCatchEvent', event } }, flows),
      ).start();
    const refusal = (found: string) => ({
      code: 'EXECUTION_FAILED',
      message: `expected an event to wait for of element 'c', but it has ${found}`,
    });
    assert.throws(waitFor(error('E'), ['s -> c']), refusal('error'));
    assert.throws(waitFor(error('E'), ['s -> g', 'g -> c']), refusal('error'));
    assert.throws(waitFor(null, ['s -> g', 'g -> c']), refusal('none'));
    assert.ok(waitFor(null, ['s -> c'])().isCompleted, 'a none event passes');
  });

  it('wait for a message or a signal, and take its variables', () => {
    for (const event of [message('m-${id}'), signal('m-${id}')]) {
      const it = instance(through(event)).start({ id: 3 });
      assert.deepEqual([it.subscription('c').eventName, it.subscription('c').eventType], ['m-3', event.kind]);
      assert.deepEqual(it.trigger('c', { id: 4 }).variables, { id: 4 });
      assert.ok(it.isCompleted);
    }
  });
});

describe('receive task', () => {
  it('waits for its message', () => {
    const it = instance(program({ s: start(), r: { type: 'receiveTask', event: message('m') } }, ['s -> r'])).start();
    assert.ok(it.trigger('r').isCompleted);
  });

  it('without a message waits for one with its own id', () => {
    const it = instance(program({ s: start(), r: { type: 'receiveTask' } }, ['s -> r'])).start();
    assert.equal(it.subscription('r').eventName, 'r');
    assert.ok(it.trigger('r').isCompleted);
  });
});

describe('boundary events', () => {
  const on = (event: Parameters<typeof boundary>[1], interrupting: boolean) =>
    program({ s: start(), a: userTask(), b: boundary('a', event, interrupting), e: end(), f: userTask() }, [
      's -> a',
      'a -> e',
      'b -> f',
    ]);

  it('are awaited as long as their activity goes on', () => {
    const it = instance(on(timer('duration', 'PT1H'), true)).start();
    assert.equal(it.job('b').dueAt, NOW + HOUR);
    it.complete('a');
    assert.equal(it.jobs.size, 0);
    assert.ok(it.isCompleted);
  });

  it('cancel their activity where they interrupt', () => {
    const it = instance(on(timer('duration', 'PT1H'), true))
      .start()
      .fire('b');
    assert.deepEqual(it.active, ['f']);
    assert.deepEqual(it.trail, ['s', 'a!', 'b', 'f?']);
    assert.deepEqual([...it.tasks.values()].length, 1);
    assert.deepEqual(
      it.effects.filter(({ type }) => type === 'endTask').map((e) => 'outcome' in e && e.outcome),
      ['cancelled'],
    );
  });

  it('add a path where they do not interrupt', () => {
    const it = instance(on(message('m'), false))
      .start()
      .trigger('b', { x: 1 });
    assert.deepEqual(it.active, ['a', 'f']);
    assert.deepEqual(it.variables, { x: 1 });
    it.trigger('b');
    assert.equal(it.tasks.size, 3, 'a message may come again');
    it.complete('f').complete('f').complete('a');
    assert.ok(it.isCompleted);
    assert.equal(it.subscriptions.size, 0);
  });

  it('repeat a timer as often as its cycle says', () => {
    const it = instance(on(timer('cycle', 'R3/PT1H'), false)).start();
    for (const left of [2, 1, 0]) {
      assert.equal(it.job('b').repeat?.left, left);
      it.fire('b');
    }
    assert.deepEqual([it.jobs.size, it.tasks.size], [0, 4]);
  });

  it('count the times of a cycle from its beginning, however late each is', () => {
    const it = instance(on(timer('cycle', 'R/PT1H'), false)).start();
    it.now = NOW + 1.5 * HOUR;
    it.fire('b');
    assert.equal(it.job('b').dueAt, NOW + 2 * HOUR);
    it.now = NOW + 5.25 * HOUR;
    it.fire('b');
    assert.equal(it.job('b').dueAt, NOW + 6 * HOUR);
    assert.equal(it.job('b').repeat?.left, null);
  });

  it('are not awaited by an activity that is done at once', () => {
    const model = program({ s: start(), a: service('${1}'), b: boundary('a', timer('duration', 'PT1H')), e: end() }, [
      's -> a',
      'a -> e',
    ]);
    assert.deepEqual(
      instance(model)
        .start()
        .effects.map(({ type }) => type),
      ['ended'],
    );
  });

  it('tell the listeners of what they cancel', () => {
    const listeners = [
      listener('delete', '${task.setVariable("deleted", true)}', 'task'),
      listener('end', '${execution.setVariable("ended", true)}'),
    ];
    const model = program(
      { s: start(), a: userTask({}, { listeners }), b: boundary('a', message('m')), f: userTask() },
      ['s -> a', 'b -> f'],
    );
    assert.deepEqual(instance(model).start().trigger('b').variables, { deleted: true, ended: true });
  });

  it('of a sub-process cancel all that happens in it', () => {
    const model = program(
      {
        s: start(),
        p: subProcess(),
        ps: start({ in: 'p' }),
        g: { ...gateway('parallel'), in: 'p' },
        a: userTask({}, { in: 'p' }),
        c: catching(timer('duration', 'PT1H'), { in: 'p' }),
        b: boundary('p', signal('stop')),
        f: userTask(),
      },
      ['s -> p', 'ps -> g', 'g -> a', 'g -> c', 'b -> f'],
    );
    const it = instance(model).start().trigger('b');
    assert.deepEqual(it.trail, ['s', 'p!', 'ps', 'g', 'a!', 'c!', 'b', 'f?']);
    assert.deepEqual([it.tasks.size, it.jobs.size, it.state.scopes.length], [1, 0, 1]);
  });
});

describe('errors', () => {
  const nested = (code: string | null, outer: string | null = null) =>
    program(
      {
        s: start(),
        p: subProcess(),
        ps: start({ in: 'p' }),
        q: subProcess({ in: 'p' }),
        qs: start({ in: 'q' }),
        qe: end({ in: 'q', event: error('${code}', { message: 'bad ${code}' }) }),
        b: boundary('q', error(code, { codeVariable: 'c', messageVariable: 'm' }), true, { in: 'p' }),
        f: userTask({}, { in: 'p' }),
        o: boundary('p', error(outer)),
        h: userTask(),
      },
      ['s -> p', 'ps -> q', 'qs -> qe', 'b -> f', 'o -> h'],
    );

  it('are caught by the nearest boundary event with their code, which learns code and message', () => {
    const it = instance(nested('E')).start({ code: 'E' });
    assert.deepEqual(it.active, ['f']);
    assert.deepEqual(it.variables, { code: 'E', c: 'E', m: 'bad E' });
    assert.deepEqual(it.trail, ['s', 'p?', 'ps', 'q!', 'qs', 'qe!', 'b', 'f?']);
  });

  it('go outwards where nothing nearer catches them', () => {
    const it = instance(nested('OTHER')).start({ code: 'E' });
    assert.deepEqual(it.active, ['h']);
    assert.deepEqual(it.trail, ['s', 'p!', 'ps', 'q!', 'qs', 'qe!', 'o', 'h?']);
  });

  it('end their path as a none end event does where nothing catches them, and the instance as failed', () => {
    const it = instance(nested('OTHER', 'ANOTHER')).start({ code: 'E' });
    assert.ok(!it.isCompleted);
    assert.deepEqual(it.state.tokens, []);
    assert.equal(it.state.uncaught?.code, 'E');
  });

  it('prefer a boundary event for their code to one for all', () => {
    const model = program(
      {
        s: start(),
        p: subProcess(),
        ps: start({ in: 'p' }),
        pe: end({ in: 'p', event: error('E') }),
        all: boundary('p', error(null)),
        one: boundary('p', error('E')),
        f: userTask(),
        g: userTask(),
      },
      ['s -> p', 'ps -> pe', 'all -> f', 'one -> g'],
    );
    assert.deepEqual(instance(model).start().active, ['g']);
  });

  it('leave their own activity first where a script throws them in a sub-process', () => {
    const model = program(
      {
        s: start(),
        p: subProcess(),
        ps: start({ in: 'p' }),
        a: script('x', null, { in: 'p' }),
        b: boundary('p', error('E')),
        f: userTask(),
      },
      ['s -> p', 'ps -> a', 'b -> f'],
    );
    const it = instance(model, { answer: () => ({ value: { bpmnError: { code: 'E' } } }) }).start();
    assert.deepEqual(it.trail, ['s', 'p!', 'ps', 'a!', 'b', 'f?']);
  });
});

describe('terminate end event', () => {
  it('ends all that happens in its process', () => {
    const model = program(
      { s: start(), g: gateway('parallel'), a: userTask(), b: userTask(), t: end({ event: { kind: 'terminate' } }) },
      ['s -> g', 'g -> a', 'g -> b', 'b -> t'],
    );
    const it = instance(model).start().complete('b');
    assert.ok(it.isCompleted);
    assert.deepEqual(it.trail, ['s', 'g', 'a!', 'b', 't']);
    assert.equal(it.tasks.size, 0);
  });

  it('of a sub-process ends that alone, and the process goes on behind it', () => {
    const model = program(
      {
        s: start(),
        f: gateway('parallel'),
        o: userTask(),
        p: subProcess(),
        ps: start({ in: 'p' }),
        g: { ...gateway('parallel'), in: 'p' },
        a: userTask({}, { in: 'p' }),
        t: end({ in: 'p', event: { kind: 'terminate' } }),
        n: userTask(),
      },
      ['s -> f', 'f -> o', 'f -> p', 'ps -> g', 'g -> a', 'g -> t', 'p -> n'],
    );
    const it = instance(model).start();
    assert.deepEqual(it.active.sort(), ['n', 'o']);
    assert.deepEqual(it.trail, ['s', 'f', 'o?', 'p', 'ps', 'g', 'a!', 't', 'n?']);
  });
});
