import assert from 'node:assert/strict';
import { instance } from '../../support/instance.js';
import {
  boundary,
  type ElementSpec,
  end,
  escalation,
  listener,
  program,
  start,
  subProcess,
  task,
  throwing,
  userTask,
} from '../../support/program.js';

const heard = (id: string) => ({
  listeners: [listener('start', `\${execution.setVariable('log', log.concat(' ${id}'))}`)],
});

/** A sub-process that throws, with what catches it. */
const inside = (thrown: ElementSpec, boundaries: Readonly<Record<string, ElementSpec>>) =>
  program(
    {
      s: start(),
      p: subProcess(),
      ps: start({ in: 'p' }),
      t: { ...thrown, in: 'p' },
      ...(thrown.type !== 'endEvent' && { after: userTask({}, { in: 'p' }) }),
      ...boundaries,
      x: userTask(),
      y: userTask(),
    },
    ['s -> p', 'ps -> t', ...(thrown.type === 'endEvent' ? [] : ['t -> after']), 'p -> y', 'b -> x'],
  );

describe('an escalation', () => {
  it('is caught around it beside the thrower, which goes on', () => {
    const model = inside(throwing(escalation('E${n}')), { b: boundary('p', escalation('E1', 'code'), false) });
    const it = instance(model).start({ n: 1 });
    assert.deepEqual(it.active.sort(), ['after', 'x']);
    assert.deepEqual(it.variables, { n: 1, code: 'E1' });
  });

  it('ends what is around it where it interrupts', () => {
    for (const thrown of [throwing(escalation('E')), end({ event: escalation('E') })]) {
      const it = instance(inside(thrown, { b: boundary('p', escalation('E')) })).start();
      assert.deepEqual(it.trail, ['s', 'p!', 'ps', 't!', 'b', 'x?']);
    }
  });

  it('that does not interrupt goes on once its thrower waits, or has ended', () => {
    const model = inside(end({ event: escalation('E') }), { b: boundary('p', escalation('E'), false) });
    assert.deepEqual(instance(model).start().trail.slice(-4), ['t', 'y?', 'b', 'x?']);
  });

  it('at an end lets the path end, where what catches it does not interrupt', () => {
    const it = instance(inside(end({ event: escalation('E') }), { b: boundary('p', escalation('E'), false) })).start();
    assert.deepEqual(it.active.sort(), ['x', 'y']);
  });

  it('is nobody’s business where nothing catches it', () => {
    const model = program({ s: start(), t: throwing(escalation('E')), e: end({ event: escalation('E') }) }, [
      's -> t',
      't -> e',
    ]);
    const it = instance(model).start();
    assert.deepEqual([it.isCompleted, it.trail], [true, ['s', 't', 'e']]);
    assert.deepEqual(
      instance(inside(throwing(escalation('E')), { b: boundary('p', escalation('F')) })).start().active,
      ['after'],
    );
  });

  it('comes to the event of its code before one of all codes, and to the inner one before the outer one', () => {
    const both = { b: boundary('p', escalation('E')), all: boundary('p', escalation(null)) };
    assert.deepEqual(
      instance(inside(throwing(escalation('E')), both))
        .start()
        .trail.slice(-2),
      ['b', 'x?'],
    );
    assert.deepEqual(
      instance(inside(throwing(escalation('F')), both))
        .start()
        .trail.slice(-1),
      ['all'],
    );
    const nested = program(
      {
        s: start(),
        p: subProcess(),
        ps: start({ in: 'p' }),
        q: subProcess({ in: 'p' }),
        qs: start({ in: 'q' }),
        t: throwing(escalation('E'), { in: 'q' }),
        u: userTask({}, { in: 'q' }),
        inner: boundary('q', escalation(null), false, { in: 'p' }),
        i: userTask({}, { in: 'p' }),
        outer: boundary('p', escalation('E')),
      },
      ['s -> p', 'ps -> q', 'qs -> t', 't -> u', 'inner -> i'],
    );
    assert.deepEqual(instance(nested).start().active.sort(), ['i', 'u']);
  });

  it('lets the thrower go on first', () => {
    const model = program(
      {
        s: start(),
        p: subProcess(),
        ps: start({ in: 'p' }),
        t: throwing(escalation('E'), { in: 'p' }),
        a: task({ in: 'p', ...heard('a') }),
        a2: task({ in: 'p', ...heard('a2') }),
        b: boundary('p', escalation('E'), false),
        x: task(heard('x')),
        x2: task(heard('x2')),
        y: task(heard('y')),
      },
      ['s -> p', 'ps -> t', 't -> a', 'a -> a2', 'b -> x', 'x -> x2', 'p -> y'],
    );
    for (const stepsMax of [1, 3, 1000])
      assert.equal(instance(model, { stepsMax }).start({ log: '' }).variables.log, ' a a2 y x x2');
  });

  it('may come again and again', () => {
    const it = instance(inside(throwing(escalation('E')), { b: boundary('p', escalation('E'), false) }));
    const model = program(
      {
        s: start(),
        p: subProcess(),
        ps: start({ in: 'p' }),
        t: throwing(escalation('E'), { in: 'p' }),
        t2: throwing(escalation('E'), { in: 'p' }),
        u: userTask({}, { in: 'p' }),
        b: boundary('p', escalation('E'), false),
        x: userTask(),
      },
      ['s -> p', 'ps -> t', 't -> t2', 't2 -> u', 'b -> x'],
    );
    assert.equal(it.tasks.size, 0);
    assert.deepEqual(
      instance(model)
        .start()
        .trail.filter((id) => id === 'x?').length,
      2,
    );
  });
});
