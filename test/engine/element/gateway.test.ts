import assert from 'node:assert/strict';
import { instance } from '../../support/instance.js';
import {
  catching,
  end,
  gateway,
  listener,
  message,
  program,
  signal,
  start,
  task,
  timer,
  userTask,
} from '../../support/program.js';

describe('parallel gateway', () => {
  const model = program(
    { s: start(), f: gateway('parallel'), a: userTask(), b: userTask(), j: gateway('parallel'), c: userTask() },
    ['s -> f', 'f -> a', 'f -> b', 'a -> j', 'b -> j', 'j -> c'],
  );

  it('takes all its flows, in document order', () => {
    assert.deepEqual(instance(model).start().active, ['a', 'b']);
  });

  it('waits until a token has come by every incoming flow', () => {
    const it = instance(model).start().complete('a');
    assert.deepEqual(it.active, ['j', 'b']);
    assert.deepEqual(it.complete('b').active, ['c']);
  });

  it('is an activity instance for each token, from when it comes until the last one has come', () => {
    const it = instance(model).start().complete('a');
    assert.deepEqual(it.trail, ['s', 'f', 'a', 'b?', 'j?']);
    assert.deepEqual(it.complete('b').trail, ['s', 'f', 'a', 'b', 'j', 'j', 'c?']);
  });

  it('tells its listeners of each token, when it comes and when it goes on', () => {
    const say = (word: string) => `\${execution.setVariable("log", log.concat("${word} "))}`;
    const listened = program(
      {
        s: start(),
        f: gateway('parallel'),
        a: userTask(),
        b: userTask(),
        j: {
          ...gateway('parallel'),
          listeners: [
            { on: 'execution', event: 'start', source: { kind: 'expression', text: say('in') } },
            { on: 'execution', event: 'end', source: { kind: 'expression', text: say('out') } },
          ],
        },
        c: userTask(),
      },
      ['s -> f', 'f -> a', 'f -> b', 'a -> j', 'b -> j', 'j -> c'],
    );
    const it = instance(listened).start({ log: '' }).complete('a');
    assert.deepEqual(it.variables, { log: 'in ' });
    assert.deepEqual(it.complete('b').variables, { log: 'in in out out ' });
  });

  it('is cancelled where the instance is while tokens wait in it', () => {
    const it = instance(model).start().complete('a').give({ type: 'cancel', reason: 'enough' });
    assert.deepEqual(it.trail, ['s', 'f', 'a', 'b!', 'j!']);
  });

  it('does not take two tokens on one flow for one on each', () => {
    const twice = program(
      {
        s: start(),
        f: gateway('parallel'),
        m: gateway('exclusive'),
        b: userTask(),
        j: gateway('parallel'),
        c: userTask(),
      },
      ['s -> f', 'f -> m', 'f -> m', 'f -> b', 'm -> j', 'b -> j', 'j -> c'],
    );
    const it = instance(twice).start();
    assert.equal(it.state.tokens.filter(({ wait }) => wait?.kind === 'join').length, 2);
    assert.deepEqual(it.complete('b').active, ['j', 'c']);
  });

  it('keeps the tokens of different runs of a sub-process apart', () => {
    const nested = program(
      {
        s: start(),
        f: gateway('parallel'),
        m: gateway('exclusive'),
        p: { type: 'subProcess' },
        ps: start({ in: 'p' }),
        pf: { ...gateway('parallel'), in: 'p' },
        a: userTask({}, { in: 'p' }),
        b: userTask({}, { in: 'p' }),
        pj: { ...gateway('parallel'), in: 'p' },
      },
      ['s -> f', 'f -> m', 'f -> m', 'm -> p', 'ps -> pf', 'pf -> a', 'pf -> b', 'a -> pj', 'b -> pj'],
    );
    const it = instance(nested).start().complete('a').complete('a');
    assert.deepEqual(it.tasks.size, 2);
    assert.equal(it.state.tokens.filter(({ wait }) => wait?.kind === 'join').length, 2);
    assert.ok(it.complete('b').complete('b').isCompleted);
  });

  it('joins with no more than one incoming flow at once', () => {
    const pass = program({ s: start(), g: gateway('parallel'), a: userTask() }, ['s -> g', 'g -> a']);
    assert.deepEqual(instance(pass).start().active, ['a']);
  });
});

describe('inclusive gateway', () => {
  const split = {
    s: start(),
    f: gateway('inclusive'),
    a: userTask(),
    b: userTask(),
    c: userTask(),
    j: gateway('inclusive'),
    d: userTask(),
  };
  const flows = [
    's -> f',
    'f -> a : ${x.contains("a")}',
    'f -> b : ${x.contains("b")}',
    'f -> c : default',
    'a -> j',
    'b -> j',
    'c -> j',
    'j -> d',
  ];
  const model = program(split, flows);

  it('takes every flow whose condition holds, else the default flow', () => {
    assert.deepEqual(instance(model).start({ x: 'ab' }).active, ['a', 'b']);
    assert.deepEqual(instance(model).start({ x: 'b' }).active, ['b']);
    assert.deepEqual(instance(model).start({ x: '' }).active, ['c']);
  });

  it('refuses to go on where there is no flow to take', () => {
    const without = program({ s: start(), f: gateway('inclusive'), a: userTask() }, ['s -> f', 'f -> a : ${false}']);
    assert.throws(() => instance(without).start(), { code: 'EXECUTION_FAILED' });
  });

  it('is passed at once where it has one incoming flow: there is nothing to join', () => {
    const it = instance(program({ s: start(), g: gateway('inclusive'), a: userTask() }, ['s -> g', 'g -> a'])).start();
    assert.deepEqual(it.history.slice(0, 2), [
      [3, 2, 1, 0],
      [3, 3, 2, 0],
    ]);
  });

  it('waits for the tokens that can still come, and for no other', () => {
    const it = instance(model).start({ x: 'ab' }).complete('a');
    assert.deepEqual(it.active, ['j', 'b']);
    assert.deepEqual(it.trail, ['s', 'f', 'a', 'b?', 'j?']);
    assert.deepEqual(it.complete('b').active, ['d']);
    assert.deepEqual(it.trail, ['s', 'f', 'a', 'b', 'j', 'j', 'd?']);
    assert.deepEqual(instance(model).start({ x: 'a' }).complete('a').active, ['d']);
  });

  it('goes on when the token it waited for took another way', () => {
    const elsewhere = program(
      {
        s: start(),
        f: gateway('parallel'),
        a: userTask(),
        b: userTask(),
        x: gateway('exclusive'),
        j: gateway('inclusive'),
        d: userTask(),
        e: userTask(),
      },
      ['s -> f', 'f -> a', 'f -> b', 'a -> j', 'b -> x', 'x -> j : ${join}', 'x -> e : default', 'j -> d'],
    );
    const it = instance(elsewhere).start().complete('a');
    assert.deepEqual(it.active, ['j', 'b']);
    assert.deepEqual(it.complete('b', { join: false }).active.sort(), ['d', 'e']);
    assert.deepEqual(instance(elsewhere).start().complete('a').complete('b', { join: true }).active, ['d']);
  });

  it('goes on when the token it waited for was interrupted', () => {
    const interrupted = program(
      {
        s: start(),
        f: gateway('parallel'),
        a: userTask(),
        b: userTask(),
        t: { type: 'boundaryEvent', on: 'b', interrupting: true, event: timer('duration', 'PT1H') },
        e: end(),
        j: gateway('inclusive'),
        d: userTask(),
      },
      ['s -> f', 'f -> a', 'f -> b', 'a -> j', 'b -> j', 't -> e', 'j -> d'],
    );
    const it = instance(interrupted).start().complete('a');
    assert.deepEqual(it.active, ['j', 'b']);
    assert.deepEqual(it.fire('t').active, ['d']);
  });

  it('waits for what a boundary event could still send', () => {
    const sent = program(
      {
        s: start(),
        f: gateway('parallel'),
        a: userTask(),
        b: userTask(),
        t: { type: 'boundaryEvent', on: 'b', interrupting: false, event: message('m') },
        j: gateway('inclusive'),
        d: userTask(),
      },
      ['s -> f', 'f -> a', 'f -> b', 'a -> j', 't -> j', 'j -> d'],
    );
    const it = instance(sent).start().complete('a');
    assert.deepEqual(it.active, ['j', 'b']);
    assert.deepEqual(it.complete('b').active, ['d']);
  });

  it('waits for an activity whose non-interrupting boundary event has come by another flow', () => {
    const reminded = program(
      {
        s: start(),
        f: gateway('parallel'),
        a: userTask(),
        b: userTask(),
        t: { type: 'boundaryEvent', on: 'b', interrupting: false, event: message('m') },
        j: gateway('inclusive'),
        d: userTask(),
      },
      ['s -> f', 'f -> a', 'f -> b', 'a -> j', 't -> j', 'b -> j', 'j -> d'],
    );
    const it = instance(reminded).start().complete('a').trigger('t');
    assert.deepEqual(it.active.sort(), ['b', 'j']);
    assert.equal(it.complete('b').complete('d').isCompleted, true);
  });

  it('does not wait for a token that can also come by a flow that has one', () => {
    const either = program(
      {
        s: start(),
        f: gateway('parallel'),
        a: userTask(),
        b: userTask(),
        x: gateway('exclusive'),
        j: gateway('inclusive'),
        d: userTask(),
      },
      ['s -> f', 'f -> a', 'f -> b', 'a -> x', 'b -> x', 'x -> j : ${one}', 'x -> j : default', 'j -> d'],
    );
    // b can reach both flows of j, and the first one has a token: BPMN 2.0 §13.4.3 (iv) to (vi).
    assert.deepEqual(instance(either).start({ one: true }).complete('a').active.sort(), ['b', 'd']);
  });

  it('does not wait in a circle: two joins that wait for each other go on', () => {
    const circle = program(
      {
        s: start(),
        f: gateway('parallel'),
        j: gateway('inclusive'),
        k: gateway('inclusive'),
        a: task(),
        b: task(),
        d: userTask(),
        e: userTask(),
      },
      ['s -> f', 'f -> j', 'f -> k', 'j -> a', 'k -> b', 'a -> k', 'a -> d', 'b -> j', 'b -> e'].map((flow) =>
        flow.startsWith('a -> k') || flow.startsWith('b -> j') ? `${flow} : \${go}` : flow,
      ),
    );
    const it = instance(circle).start({ go: false });
    assert.deepEqual(it.active.sort(), ['d', 'e']);
  });

  it('does not wait for a token that is stuck at a parallel join', () => {
    const stuck = program(
      {
        s: start(),
        f: gateway('parallel'),
        a: userTask(),
        p: gateway('parallel'),
        x: gateway('exclusive'),
        e: end(),
        j: gateway('inclusive'),
        d: userTask(),
      },
      ['s -> f', 'f -> a', 'f -> p', 'f -> x', 'x -> p : ${false}', 'x -> e : default', 'a -> j', 'p -> j', 'j -> d'],
    );
    assert.deepEqual(instance(stuck).start().complete('a').active.sort(), ['d', 'p']);
  });

  describe('beside tokens that are stuck at a parallel join', () => {
    /** `c` has come to j; `p`, which leads to j as well, still lacks the token of `x`. `more`: what else goes on. */
    const held = (more: Parameters<typeof program>[0], flows: readonly string[]) =>
      instance(
        program(
          {
            s: start(),
            f: gateway('parallel'),
            a: userTask(),
            p: gateway('parallel'),
            c: userTask(),
            k: gateway('exclusive'),
            j: gateway('inclusive'),
            d: userTask(),
            ...more,
          },
          ['s -> f', 'f -> a', 'f -> c', 'a -> p', 'p -> j', 'c -> k', 'k -> j', 'j -> d', ...flows],
        ),
      )
        .start()
        .complete('a')
        .complete('c');

    it('waits where another that does not hold it back may still come there', () => {
      // x can also reach the flow of j that has a token: it alone would not be waited for.
      const elements = { x: userTask(), y: gateway('exclusive') };
      const it = held(elements, ['f -> x', 'x -> y', 'y -> p : ${true}', 'y -> k : default']);
      assert.deepEqual(it.active.sort(), ['j', 'p', 'x']);
      assert.deepEqual(it.complete('x').active, ['d']);
    });

    it('waits where a boundary event of another may still send one there', () => {
      const elements = {
        x: userTask(),
        t: { type: 'boundaryEvent', on: 'x', interrupting: true, event: timer('duration', 'PT1H') },
        y: gateway('exclusive'),
      } as const;
      const it = held(elements, ['f -> x', 'x -> k', 't -> y', 'y -> p : ${true}', 'y -> k : default']);
      assert.deepEqual(it.active.sort(), ['j', 'p', 'x']);
      assert.deepEqual(it.fire('t').active, ['d']);
    });

    it('goes on where nothing that moves leads there', () => {
      const it = held({ q: gateway('exclusive'), e: end(), z: userTask(), w: userTask() }, [
        'f -> q',
        'q -> p : ${false}',
        'q -> e : default',
        'f -> z',
        'z -> w',
      ]);
      assert.deepEqual(it.active.sort(), ['d', 'p', 'z']);
    });

    /** Within a sub-process that leads to j: `i` and what is stuck behind it at `ip`. */
    const nested = (boundary: boolean, other: boolean) =>
      held(
        {
          p: { type: 'subProcess' },
          ps: start({ in: 'p' }),
          pf: { ...gateway('parallel'), in: 'p' },
          i: userTask({}, { in: 'p' }),
          ix: { ...gateway('exclusive'), in: 'p' },
          ie: end({ in: 'p' }),
          ip: { ...gateway('parallel'), in: 'p' },
          ...(other && { o: userTask({}, { in: 'p' }) }),
          ...(boundary && {
            t: { type: 'boundaryEvent', on: 'p', interrupting: true, event: timer('duration', 'PT1H') },
          }),
        },
        [
          'ps -> pf',
          'pf -> i',
          'pf -> ix',
          'i -> ip',
          'ix -> ip : ${false}',
          'ix -> ie : default',
          ...(other ? ['pf -> o'] : []),
        ],
      ).complete('i');

    it('does not wait for a sub-process in which all is stuck', () => {
      assert.deepEqual(nested(false, false).active.sort(), ['d', 'ip']);
    });

    it('waits for one that a boundary event may still end, or in which something may still move', () => {
      const ended = nested(true, false);
      assert.deepEqual(ended.active.sort(), ['ip', 'j']);
      assert.deepEqual(ended.fire('t').active, ['d']);
      const moved = nested(false, true);
      assert.deepEqual(moved.active.sort(), ['ip', 'j', 'o']);
      assert.deepEqual(moved.complete('o').active.sort(), ['d', 'ip']);
    });
  });

  it('joins once per round of a loop', () => {
    const loop = program(
      {
        s: start(),
        m: gateway('exclusive'),
        f: gateway('inclusive'),
        a: userTask(),
        b: userTask(),
        j: gateway('inclusive'),
        x: gateway('exclusive'),
        e: end(),
      },
      [
        's -> m',
        'm -> f',
        'f -> a : ${true}',
        'f -> b : ${true}',
        'a -> j',
        'b -> j',
        'j -> x',
        'x -> m : ${again}',
        'x -> e : default',
      ],
    );
    const it = instance(loop).start({ again: true }).complete('a').complete('b').complete('b');
    assert.deepEqual(it.active, ['a', 'j']);
    assert.ok(it.complete('a', { again: false }).isCompleted);
  });
});

describe('event-based gateway', () => {
  const model = program(
    {
      s: start(),
      g: gateway('eventBased'),
      m: catching(message('paid')),
      t: catching(timer('duration', 'PT1H')),
      n: catching(signal('stop-${id}')),
      a: userTask(),
      b: userTask(),
      c: userTask(),
    },
    ['s -> g', 'g -> m', 'g -> t', 'g -> n', 'm -> a', 't -> b', 'n -> c'],
  );

  it('waits for all events behind it', () => {
    const it = instance(model).start({ id: 7 });
    assert.deepEqual(it.active, ['g']);
    assert.equal(it.subscription('m').eventName, 'paid');
    assert.equal(it.subscription('n').eventName, 'stop-7');
    assert.equal(it.job('t').dueAt, it.now + 3_600_000);
  });

  it('tells the listeners of the flow that is taken, and of no other', () => {
    const note = (what: string) => [listener('take', `\${execution.setVariable("taken", "${what}")}`)];
    const listened = program(
      {
        s: start(),
        g: gateway('eventBased'),
        m: catching(message('paid')),
        n: catching(signal('stop')),
        a: userTask(),
      },
      ['s -> g', 'g -> m', 'g -> n', 'm -> a', 'n -> a'],
      { flows: { 'g -> m': note('m'), 'g -> n': note('n') } },
    );
    assert.deepEqual(instance(listened).start().variables, {});
    assert.deepEqual(instance(listened).start().trigger('m').variables, { taken: 'm' });
    assert.deepEqual(instance(listened).start().trigger('n').variables, { taken: 'n' });
  });

  it('goes the way of the first that happens, and awaits no other', () => {
    const paid = instance(model).start({ id: 7 }).trigger('m', { amount: 3 });
    assert.deepEqual(paid.active, ['a']);
    assert.deepEqual([paid.subscriptions.size, paid.jobs.size], [0, 0]);
    assert.deepEqual(paid.variables, { id: 7, amount: 3 });
    assert.deepEqual(paid.trail, ['s', 'g!', 'm', 'a?']);
    const late = instance(model).start({ id: 7 }).fire('t');
    assert.deepEqual([late.active, late.subscriptions.size], [['b'], 0]);
  });
});
