import assert from 'node:assert/strict';
import { type Instance, instance } from '../../support/instance.js';
import {
  catching,
  type ElementSpec,
  end,
  gateway,
  listener,
  multi,
  program,
  start,
  subProcess,
  task,
  timer,
  userTask,
  when,
} from '../../support/program.js';

const complex = (condition: string, more: Partial<ElementSpec> = {}): ElementSpec => ({
  ...gateway('complex'),
  activationCondition: when(condition),
  ...more,
});

/** Three tasks that come together at `g`, and what follows. */
const three = (condition: string, flows: readonly string[] = ['g -> x'], more: Record<string, ElementSpec> = {}) =>
  program(
    {
      s: start(),
      f: gateway('parallel'),
      a: userTask(),
      b: userTask(),
      c: userTask(),
      g: complex(condition),
      x: userTask(),
      y: userTask(),
      ...more,
    },
    ['s -> f', 'f -> a', 'f -> b', 'f -> c', 'a -> g', 'b -> g', 'c -> g', ...flows],
  );

const isReset = ({ state }: Instance) => state.tokens.every(({ took }) => took === undefined);

describe('a complex gateway that joins', () => {
  it('goes on with as many tokens as its condition wants, once, and takes what comes later', () => {
    const it = instance(three('${activationCount >= 2}')).start().complete('a');
    assert.deepEqual(it.active, ['g', 'b', 'c']);
    it.complete('b');
    assert.deepEqual([it.active.sort(), isReset(it)], [['c', 'x'], false]);
    it.complete('c');
    assert.deepEqual([it.active, isReset(it)], [['x'], true]);
    assert.deepEqual(it.trail, ['s', 'f', 'a', 'b', 'c', 'g', 'g', 'x?', 'g']);
    assert.ok(it.complete('x').isCompleted);
  });

  it('waits for its reset as long as a token may come, also where what it gave has ended', () => {
    const it = instance(three('${activationCount >= 1}')).start().complete('b').complete('x');
    assert.deepEqual([it.active, it.isCompleted], [['a', 'c'], false]);
    it.complete('a');
    assert.ok(!it.isCompleted);
    assert.ok(it.complete('c').isCompleted);
    assert.deepEqual(it.trail.filter((id) => id === 'x').length, 1);
  });

  it('sees the tokens of each flow, and variables', () => {
    const flow = "activationCounts['c -> g']";
    const model = three(`\${${flow} > 0 || urgent && activationCount > 0}`);
    const it = instance(model).start({ urgent: false }).complete('a').complete('b');
    assert.deepEqual(it.active, ['g', 'c']);
    assert.deepEqual(it.complete('c').active, ['x']);
    assert.deepEqual(instance(model).start({ urgent: true }).complete('a').active.sort(), ['b', 'c', 'x']);
  });

  it('looks at its condition when a variable changes that it reads', () => {
    const it = instance(three('${activationCount >= n}')).start({ n: 3 }).complete('a');
    const set = (name: string, value: number) =>
      it.give({
        type: 'setVariables',
        tokenId: null,
        local: true,
        variables: { [name]: { type: 'Long', value } },
        removed: [],
      });
    assert.deepEqual(set('m', 1).active, ['g', 'b', 'c']);
    assert.deepEqual(set('n', 1).active.sort(), ['b', 'c', 'x']);
  });

  it('fails the run where its condition is neither true nor false, and names it', () =>
    assert.throws(() => instance(three('${activationCount}')).start().complete('a'), /to be true or false/));

  it('gives tokens at its start and at its reset by waitingForStart, and at its reset perhaps none', () => {
    const flows = ['g -> x : ${waitingForStart}', 'g -> y : ${!waitingForStart && activationCount > 0}'];
    const it = instance(three('${activationCount >= 2}', flows)).start().complete('a').complete('b');
    assert.deepEqual(it.active.sort(), ['c', 'x']);
    it.complete('c');
    assert.deepEqual(it.active.sort(), ['x', 'y']);
    assert.deepEqual(it.trail.slice(5), ['g', 'g', 'x?', 'g', 'g', 'y?']);
    const whole = instance(three('${activationCount >= 3}', flows)).start().complete('a').complete('b').complete('c');
    assert.deepEqual([whole.active, isReset(whole)], [['x'], true]);
  });

  it('takes the default flow where no condition holds, at its reset too, but no flow without a condition then', () => {
    const flows = ['g -> x : ${waitingForStart && n > 1}', 'g -> y : default'];
    const other = instance(three('${activationCount >= 3}', flows)).start({ n: 1 });
    other.complete('a').complete('b').complete('c');
    assert.equal(other.tasks.size, 2, 'y, and y again at its reset');
    const plain = instance(three('${activationCount >= 3}', ['g -> x', 'g -> y'])).start();
    assert.deepEqual(plain.complete('a').complete('b').complete('c').active, ['x', 'y']);
    const stuck = instance(three('${activationCount >= 3}', ['g -> x : ${false}', 'g -> y : ${!waitingForStart}']));
    stuck.start().complete('a').complete('b');
    assert.throws(() => stuck.complete('c'), /no condition holds and there is no default flow/);
  });

  it('begins anew with tokens that have come beyond those that it took', () => {
    const again = {
      s: start(),
      f: gateway('parallel'),
      m: gateway('exclusive'),
      a: userTask(),
      b: userTask(),
      c: userTask(),
      g: complex('${activationCount >= 1}'),
      x: userTask(),
    };
    const it = instance(
      program(again, ['s -> f', 'f -> a', 'f -> b', 'f -> c', 'a -> m', 'b -> m', 'm -> g', 'c -> g', 'g -> x']),
    )
      .start()
      .complete('a')
      .complete('b');
    assert.deepEqual(it.active.sort(), ['c', 'g', 'x'], 'the second token waits on a flow of which it took one');
    it.complete('c');
    assert.deepEqual([it.tasks.size, it.active, isReset(it)], [2, ['x'], true]);
    assert.ok(it.complete('x').complete('x').isCompleted);
  });

  it('gathers several tokens of one flow, where that alone leads to it', () => {
    const it = instance(
      program(
        {
          s: start(),
          a: userTask({}, { loop: multi(3), completionQuantity: 2 }),
          g: complex('${activationCount >= 2}'),
          x: userTask(),
        },
        ['s -> a', 'a -> g', 'g -> x'],
      ),
    ).start();
    assert.deepEqual(it.complete('a').complete('a').complete('a').active.sort(), ['g', 'x']);
  });

  it('goes round: what it gave comes back to it', () => {
    const it = instance(
      program(
        {
          s: start(),
          m: gateway('exclusive'),
          f: gateway('parallel'),
          a: userTask(),
          b: userTask(),
          g: complex('${activationCount >= 1}'),
          x: userTask(),
          e: gateway('exclusive'),
          z: end(),
        },
        [
          's -> m',
          'm -> f',
          'f -> a',
          'f -> b',
          'a -> g',
          'b -> g',
          'g -> x',
          'x -> e',
          'e -> m : ${again}',
          'e -> z : default',
        ],
      ),
    ).start({ again: true });
    it.complete('a').complete('b').complete('x');
    assert.deepEqual([it.active, isReset(it)], [['a', 'b'], true]);
    it.complete('b').complete('a').complete('x', { again: false });
    assert.ok(it.isCompleted);
  });

  it('is told of by listeners, may be continued later, and lives and dies with its scope', () => {
    const say = listener('end', '${execution.setVariable("n", n + 1)}');
    const it = instance(
      three('${activationCount >= 2}', undefined, {
        g: complex('${activationCount >= 2}', { asyncBefore: true, asyncAfter: true, listeners: [say] }),
      }),
    ).start({ n: 0 });
    it.complete('a').complete('b').complete('c').fire('g').fire('g');
    assert.deepEqual([it.jobs.size, isReset(it)], [2, false], 'the third token is about to come');
    it.fire('g').fire('g');
    assert.deepEqual([it.active, it.variables.n, isReset(it)], [['x'], 3, true]);
    const scoped = program(
      {
        s: start(),
        p: subProcess(),
        ps: start({ in: 'p' }),
        f: { ...gateway('parallel'), in: 'p' },
        a: userTask({}, { in: 'p' }),
        b: userTask({}, { in: 'p' }),
        g: complex('${activationCount == 1}', { in: 'p' }),
        t: { type: 'endEvent', in: 'p', event: { kind: 'terminate' } },
        z: userTask(),
      },
      ['s -> p', 'p -> z', 'ps -> f', 'f -> a', 'f -> b', 'a -> g', 'b -> g', 'g -> t'],
    );
    const ended = instance(scoped).start().complete('a');
    assert.deepEqual([ended.active, ended.state.tokens.length], [['z'], 1]);
  });

  it('is waited for by no inclusive join, and waits for none in turn', () => {
    const it = instance(
      program(
        {
          s: start(),
          f: gateway('inclusive'),
          a: userTask(),
          b: userTask(),
          d: userTask(),
          g: complex('${activationCount >= 1}'),
          j: gateway('inclusive'),
          x: userTask(),
        },
        ['s -> f', 'f -> a', 'f -> b', 'f -> d', 'a -> g', 'b -> g', 'g -> j', 'd -> j', 'j -> x'],
      ),
    )
      .start()
      .complete('a')
      .complete('d');
    assert.deepEqual(it.active.sort(), ['b', 'x'], 'b can only come where a token has come');
    assert.ok(it.complete('b').complete('x').isCompleted);
  });
});

describe('a complex gateway that splits', () => {
  it('gives a token to each flow whose condition holds, else to the default', () => {
    const model = program({ s: start(), g: gateway('complex'), a: task(), b: task(), c: task() }, [
      's -> g',
      'g -> a : ${n > 1 && waitingForStart}',
      'g -> b : ${n > 2}',
      'g -> c : default',
    ]);
    const taken = (n: number) => instance(model).start({ n }).trail.slice(2);
    assert.deepEqual([taken(1), taken(2), taken(3)], [['c'], ['a'], ['a', 'b']]);
  });

  it('does so with each token that comes', () => {
    const it = instance(
      program(
        {
          s: start(),
          t: catching(timer('duration', 'PT1H')),
          u: task({ completionQuantity: 2 }),
          g: gateway('complex'),
          a: userTask(),
        },
        ['s -> t', 't -> u', 'u -> g', 'g -> a'],
      ),
    )
      .start()
      .fire('t');
    assert.equal(it.tasks.size, 2);
  });
});
