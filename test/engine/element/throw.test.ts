import assert from 'node:assert/strict';
import { type Instance, instance } from '../../support/instance.js';
import {
  boundary,
  catching,
  end,
  gateway,
  listener,
  message,
  program,
  signal,
  start,
  subProcess,
  task,
  throwing,
  timer,
  userTask,
} from '../../support/program.js';

const heard = (id: string) => ({
  listeners: [listener('start', `\${execution.setVariable('log', log.concat(' ${id}'))}`)],
});
const thrown = (it: Instance) => it.effects.filter(({ type }) => type.startsWith('throw'));

/** A sub-process that throws, with a boundary event that catches it. */
const inside = (event: ReturnType<typeof signal>, interrupting: boolean, last = false) =>
  program(
    {
      s: start(),
      p: subProcess(),
      ps: start({ in: 'p' }),
      t: last ? end({ in: 'p', event }) : throwing(event, { in: 'p' }),
      ...(!last && { after: userTask({}, { in: 'p' }) }),
      b: boundary('p', event, interrupting),
      x: userTask(),
      y: userTask(),
    },
    ['s -> p', 'ps -> t', ...(last ? [] : ['t -> after']), 'p -> y', 'b -> x'],
  );

describe('what an instance throws', () => {
  for (const event of [signal('go-${n}'), message('go-${n}')]) {
    it(`interrupts itself by a boundary event before it goes on: ${event.kind}`, () => {
      for (const last of [false, true]) {
        const it = instance(inside(event, true, last)).start({ n: 1 });
        assert.deepEqual(it.active, ['x']);
        assert.deepEqual(it.trail, ['s', 'p!', 'ps', 't!', 'b', 'x?']);
        assert.equal(it.subscriptions.size, 0);
      }
    });

    it(`starts another branch by a boundary event that does not interrupt: ${event.kind}`, () => {
      const it = instance(inside(event, false)).start({ n: 1 });
      assert.deepEqual(it.active.sort(), ['after', 'x']);
      assert.equal(it.subscriptions.size, 1, 'it may come again');
      const ended = instance(inside(event, false, true)).start({ n: 1 });
      assert.deepEqual(ended.active.sort(), ['x', 'y']);
    });

    it(`does not reach what waits only later: ${event.kind}`, () => {
      const model = program({ s: start(), t: throwing(event), c: catching(event), e: end() }, [
        's -> t',
        't -> c',
        'c -> e',
      ]);
      assert.deepEqual(instance(model).start({ n: 1 }).active, ['c']);
    });

    it(`reaches what has waited since an earlier run: ${event.kind}`, () => {
      const elements = { s: start(), f: gateway('parallel'), c: catching(event), u: userTask(), t: throwing(event) };
      const model = program({ ...elements, a: userTask(), z: userTask() }, [
        's -> f',
        'f -> c',
        'f -> u',
        'u -> t',
        't -> z',
        'c -> a',
      ]);
      for (const stepsMax of [1, 1000]) {
        const it = instance(model, { stepsMax }).start({ n: 1 });
        assert.deepEqual(it.complete('u').active.sort(), ['a', 'z']);
      }
    });

    it(`is for others alone by the rules of former versions: ${event.kind}`, () => {
      const it = instance(inside(event, true), { rules: 1 }).start({ n: 1 });
      assert.deepEqual([it.active, it.subscriptions.size], [['after'], 1]);
      assert.equal(thrown(it).length, 1);
    });
  }

  it('goes on before its receivers do, and the first of them first', () => {
    const elements = {
      s: start(),
      f: gateway('parallel'),
      c: catching(signal('go'), heard('c')),
      d: catching(signal('go'), heard('d')),
      t: throwing(signal('go'), heard('t')),
      c1: task(heard('c1')),
      c2: task(heard('c2')),
      d1: task(heard('d1')),
      t1: task(heard('t1')),
      t2: task(heard('t2')),
    };
    const model = program(elements, [
      's -> f',
      'f -> c',
      'f -> d',
      'f -> t',
      'c -> c1',
      'c1 -> c2',
      'd -> d1',
      't -> t1',
      't1 -> t2',
    ]);
    for (const stepsMax of [1, 2, 3, 1000]) {
      assert.equal(instance(model, { stepsMax }).start({ log: '' }).variables.log, ' c d t t1 t2 c1 c2 d1');
    }
  });

  it('leaves alone what an outer activity took down with it', () => {
    const model = program(
      {
        s: start(),
        p: subProcess(),
        ps: start({ in: 'p' }),
        q: subProcess({ in: 'p' }),
        qs: start({ in: 'q' }),
        t: throwing(signal('go'), { in: 'q' }),
        inner: boundary('q', signal('go'), false, { in: 'p' }),
        i: userTask({}, { in: 'p' }),
        outer: boundary('p', signal('go')),
        o: userTask(),
      },
      ['s -> p', 'ps -> q', 'qs -> t', 'inner -> i', 'outer -> o'],
    );
    const it = instance(model).start();
    assert.deepEqual([it.active, it.trail], [['o'], ['s', 'p!', 'ps', 'q!', 'qs', 't!', 'outer', 'o?']]);
  });

  it('does not reach what has begun to wait for another name, or for another kind of event', () => {
    const elements = {
      s: start(),
      f: gateway('parallel'),
      c: catching(signal('stop')),
      d: catching(message('go')),
      t: throwing(signal('go')),
      z: userTask(),
    };
    const it = instance(program(elements, ['s -> f', 'f -> c', 'f -> d', 'f -> t', 't -> z'])).start();
    assert.deepEqual([it.active, it.subscriptions.size], [['c', 'd', 'z'], 2]);
  });

  it('takes variables along, for the instance itself and for others', () => {
    const given = {
      businessKey: '${key}',
      inputs: [
        { kind: 'variable', source: 'n', target: 'm', local: false },
        { kind: 'expression', text: '${n + 1}', target: 'next', local: false },
        { kind: 'variable', source: 'gone', target: 'none', local: false },
      ],
    } as const;
    const elements = { s: start(), f: gateway('parallel'), c: catching(signal('go')), z: userTask() };
    const model = program({ ...elements, t: throwing({ kind: 'signal', name: 'go', given }) }, [
      's -> f',
      'f -> c',
      'f -> t',
      'c -> z',
    ]);
    const it = instance(model).start({ n: 1, key: 'K' });
    const seen = { m: 1, next: 2, none: null };
    assert.deepEqual([it.active, it.variables], [['z'], { n: 1, key: 'K', ...seen }]);
    const [told] = thrown(it);
    assert.ok(told?.type === 'throwSignal');
    assert.deepEqual([told.businessKey, Object.keys(told.variables)], ['K', Object.keys(seen)]);
  });

  it('decides an event-based gateway', () => {
    const elements = { s: start(), f: gateway('parallel'), g: gateway('eventBased'), t: throwing(signal('go')) };
    const model = program(
      { ...elements, c: catching(signal('go')), d: catching(timer('duration', 'PT1H')), a: userTask(), z: userTask() },
      ['s -> f', 'f -> g', 'f -> t', 'g -> c', 'g -> d', 'c -> a', 't -> z'],
    );
    const it = instance(model).start();
    assert.deepEqual([it.active.sort(), it.jobs.size], [['a', 'z'], 0]);
  });

  it('is told to others: a signal always, a message where the instance does not wait for it', () => {
    assert.equal(thrown(instance(inside(signal('go'), true)).start()).length, 1);
    assert.equal(thrown(instance(inside(message('go'), true)).start()).length, 0);
    const two = { s: start(), f: gateway('parallel'), c: catching(message('go')), d: catching(message('go')) };
    const it = instance(
      program({ ...two, t: throwing(message('go')) }, ['s -> f', 'f -> c', 'f -> d', 'f -> t']),
    ).start();
    assert.deepEqual(it.active.sort(), ['c', 'd'], 'nobody knows for which of them it is');
    const [effect] = thrown(it);
    assert.deepEqual(effect?.type === 'throwMessage' && effect.own, [...it.subscriptions.keys()]);
  });

  it('passes where it names no message', () => {
    const it = instance(
      program({ s: start(), t: throwing(message('')), e: end({ event: message('') }) }, ['s -> t', 't -> e']),
    );
    assert.ok(it.start().isCompleted);
    assert.deepEqual(thrown(it), []);
  });
});
