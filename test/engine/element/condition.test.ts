import assert from 'node:assert/strict';
import { typed } from '../../../src/engine/element/native.js';
import { instance } from '../../support/instance.js';
import {
  anyOf,
  boundary,
  catching,
  condition,
  type ElementSpec,
  end,
  eventSubProcess,
  gateway,
  listener,
  message,
  multi,
  program,
  service,
  signal,
  start,
  subProcess,
  task,
  userTask,
} from '../../support/program.js';

type It = ReturnType<typeof instance>;
const set = (it: It, variables: Record<string, unknown>, removed: string[] = []) =>
  it.give({
    type: 'setVariables',
    tokenId: null,
    local: false,
    variables: Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, typed(value)])),
    removed,
  });
const waits = (event = condition('${x > 4}')) =>
  program({ s: start(), c: catching(event), u: userTask() }, ['s -> c', 'c -> u']);
const bounded = (work: ElementSpec, interrupting: boolean, event = condition('${x > 4}')) =>
  program({ s: start(), w: work, b: boundary('w', event, interrupting), y: userTask(), x: userTask() }, [
    's -> w',
    'w -> y',
    'b -> x',
  ]);
const logs = (id: string) => service(`\${execution.setVariable('log', log.concat(' ${id}'))}`);

describe('a condition', () => {
  it('lets pass where it holds already, and waits where it does not', () => {
    assert.deepEqual(instance(waits()).start({ x: 5 }).trail, ['s', 'c', 'u?']);
    const it = instance(waits()).start({ x: 0 });
    assert.deepEqual([it.active, set(it, { x: 4 }).active, set(it, { x: 5 }).active], [['c'], ['c'], ['u']]);
  });

  it('of several that hold by one change the one that waited first goes first, until it waits', () => {
    const model = program(
      {
        s: start(),
        f: gateway('parallel'),
        c: catching(condition('${x > 4}')),
        d: catching(condition('${x > 4}')),
        c1: task(),
        c2: userTask(),
        d1: task(),
        d2: userTask(),
      },
      ['s -> f', 'f -> c', 'f -> d', 'c -> c1', 'c1 -> c2', 'd -> d1', 'd1 -> d2'],
    );
    const it = instance(model).start({ x: 0 });
    assert.deepEqual(set(it, { x: 5 }).trail, ['s', 'f', 'c', 'd', 'c1', 'c2?', 'd1', 'd2?']);
  });

  it('does not hold where it reads what is not there, and is looked at once that comes', () => {
    const it = instance(waits()).start();
    assert.deepEqual([it.active, set(it, { y: 9 }).active, set(it, { x: 9 }).active], [['c'], ['c'], ['u']]);
  });

  it('is looked at only when a variable that it reads has changed', () => {
    const model = waits(condition('${x > 4 && now() != null}'));
    let asked = 0;
    const counted = program(
      {
        s: start(),
        c: catching({
          kind: 'conditional',
          condition: { kind: 'script', language: 'javascript', text: 'x > 4' },
          variable: null,
          changes: [],
        }),
        u: userTask(),
      },
      ['s -> c', 'c -> u'],
    );
    const answer = () => ({ value: { result: ++asked > 2 } });
    const it = instance(counted, { answer }).start({ x: 0 });
    for (const variables of [{ y: 1 }, { z: 2 }, { x: 3 }]) set(it, variables);
    assert.deepEqual([asked, it.active], [2, ['c']]);
    assert.deepEqual([set(it, { x: 9 }).active, asked], [['u'], 3]);
    assert.deepEqual(set(instance(model).start({ x: 0 }), { x: 5 }).active, ['u']);
  });

  it('is looked at whenever anything has changed, where it asks the execution', () => {
    const it = instance(waits(condition("${execution.getVariable('x') == 5}"))).start({ x: 0 });
    assert.deepEqual(set(it, { x: 5 }).active, ['u']);
  });

  it('is looked at only for the variable and the changes that it names', () => {
    const it = instance(waits(condition('${x > 4}', 'y', ['update', 'delete']))).start({ x: 0 });
    assert.deepEqual(
      [set(it, { x: 9 }).active, set(it, { y: 1 }).active, set(it, { y: 2 }).active],
      [['c'], ['c'], ['u']],
    );
    const gone = instance(waits(condition('${x > 4}', 'y', ['delete']))).start({ x: 0, y: 1 });
    assert.deepEqual([set(gone, { x: 9, y: 2 }).active, set(gone, {}, ['y']).active], [['c'], ['u']]);
  });

  it('is looked at for the changes that it names of any variable, where it names none', () => {
    const changed = (rules: number) => {
      const it = instance(waits(condition('${z > 4}', null, ['update'])), { rules }).start({ y: 1 });
      return [set(it, { z: 5 }).active, set(it, { y: 2 }).active];
    };
    assert.deepEqual(changed(7), [['c'], ['u']]);
    assert.deepEqual(changed(6), [['c'], ['c']]);
  });

  it('fails the run where it is neither true nor false', () => {
    const it = instance(waits(condition('${x}'))).start({ x: true });
    assert.deepEqual(it.active, ['u']);
    assert.throws(() => instance(waits(condition('${x}'))).start({ x: 5 }), /to be true or false of element 'c'/);
  });

  it('interrupts an activity before it works, where it holds already', () => {
    const it = instance(bounded(userTask(), true)).start({ x: 9 });
    assert.deepEqual([it.trail, it.tasks.size], [['s', 'w!', 'b', 'x?'], 1]);
    assert.deepEqual(
      instance(bounded(service('${execution.setVariable("done", 1)}'), true)).start({ x: 9 }).variables,
      { x: 9 },
    );
  });

  it('interrupts the very activity that made it true, before that is complete', () => {
    const work = service("${execution.setVariable('x', 9)}");
    assert.deepEqual(instance(bounded(work, true)).start({ x: 0 }).trail, ['s', 'w!', 'b', 'x?']);
    const completed = instance(bounded(userTask(), true)).start({ x: 0 }).complete('w', { x: 9 });
    assert.deepEqual(completed.trail, ['s', 'w!', 'b', 'x?']);
    const called = instance(
      bounded({ type: 'serviceTask', work: { kind: 'handler', name: 'h', resultVariable: 'x', fields: {} } }, true),
      { handlers: { h: 'call' } },
    );
    assert.deepEqual(called.start({ x: 0 }).done('w', 9).trail, ['s', 'w!', 'b', 'x?']);
  });

  it('happens each time that a change lets it hold, where it does not interrupt', () => {
    const it = instance(bounded(userTask(), false)).start({ x: 0 });
    for (const x of [5, 6, 1, 7]) set(it, { x });
    assert.deepEqual(it.trail, ['s', 'w?', 'b', 'x?', 'b', 'x?', 'b', 'x?']);
    it.complete('w');
    assert.deepEqual(set(it, { x: 8 }).tasks.size, 4);
  });

  it('begins beside an activity that it does not interrupt, and that still has its task', () => {
    const it = instance(bounded(userTask(), false)).start({ x: 9 });
    assert.deepEqual(it.active.sort(), ['w', 'x']);
    assert.equal(it.history.find(([what, , element]) => what === 0 && element === 2)?.[4], it.task('w').id);
    assert.deepEqual(it.complete('w').active.sort(), ['x', 'y']);
  });

  it('goes first, before what made it true', () => {
    const model = program(
      {
        s: start(),
        p: subProcess(),
        ps: start({ in: 'p' }),
        t: service("${execution.setVariable('x', 9)}", null, { in: 'p' }),
        a: { ...logs('a'), in: 'p' },
        u: userTask({}, { in: 'p' }),
        b: boundary('p', condition('${x > 4}'), false),
        h: logs('h'),
        h2: logs('h2'),
      },
      ['s -> p', 'ps -> t', 't -> a', 'a -> u', 'b -> h', 'h -> h2'],
    );
    for (const stepsMax of [1, 2, 1000])
      assert.equal(instance(model, { stepsMax }).start({ x: 0, log: '' }).variables.log, ' h h2 a');
  });

  it('is made true by outputs and listeners too', () => {
    const out = task({ io: { inputs: [], outputs: [{ name: 'x', value: { kind: 'expression', text: '${9}' } }] } });
    const heard = task({ listeners: [listener('end', "${execution.setVariable('x', 9)}")] });
    for (const work of [out, heard]) {
      const model = program(
        {
          s: start(),
          f: gateway('parallel'),
          c: catching(condition('${x > 4}')),
          w: work,
          u: userTask(),
          v: userTask(),
        },
        ['s -> f', 'f -> c', 'f -> w', 'c -> u', 'w -> v'],
      );
      assert.deepEqual(instance(model).start({ x: 0 }).active.sort(), ['u', 'v']);
    }
  });

  it('sees the variables of its scope alone', () => {
    const local = (it: It, token: number, x: number) =>
      it.give({ type: 'setVariables', tokenId: token, local: true, variables: { x: typed(x) }, removed: [] });
    const model = program(
      { s: start(), f: gateway('parallel'), c: catching(condition('${x > 4}')), w: userTask(), u: userTask() },
      ['s -> f', 'f -> c', 'f -> w', 'c -> u'],
    );
    const it = instance(model).start({ x: 0 });
    const other = it.state.tokens.find(({ wait }) => wait?.kind === 'task');
    assert.deepEqual(local(it, other?.id ?? 0, 9).active, ['c', 'w']);
    const own = it.state.tokens.find(({ wait }) => wait?.kind === 'condition');
    assert.deepEqual(local(it, own?.id ?? 0, 9).active.sort(), ['u', 'w']);
  });

  it('stands behind an event-based gateway, and among other definitions', () => {
    const behind = program(
      {
        s: start(),
        g: gateway('eventBased'),
        c: catching(condition('${x > 4}')),
        m: catching(message('M')),
        u: userTask(),
      },
      ['s -> g', 'g -> c', 'g -> m', 'c -> u'],
    );
    assert.deepEqual(instance(behind).start({ x: 9 }).trail, ['s', 'g!', 'c', 'u?']);
    const it = set(instance(behind).start({ x: 0 }), { x: 9 });
    assert.deepEqual([it.active, it.subscriptions.size], [['u'], 0]);
    const any = set(instance(waits(anyOf(signal('S'), condition('${x > 4}')))).start({ x: 0 }), { x: 9 });
    assert.deepEqual([any.active, any.subscriptions.size], [['u'], 0]);
  });

  it('begins an event sub-process, once at the start and again when it comes to hold', () => {
    const model = (interrupting: boolean) =>
      program(
        {
          s: start(),
          u: userTask(),
          e: end(),
          es: eventSubProcess(),
          ess: start({ in: 'es', event: condition('${x > 4}'), interrupting }),
          i: userTask({}, { in: 'es' }),
        },
        ['s -> u', 'u -> e', 'ess -> i'],
      );
    const it = instance(model(false)).start({ x: 9 });
    assert.deepEqual(it.active.sort(), ['i', 'u']);
    assert.equal(set(it, { x: 10 }).tasks.size, 3);
    const ended = set(instance(model(true)).start({ x: 0 }), { x: 9 });
    assert.deepEqual(ended.trail, ['s', 'u!', 'es?', 'ess', 'i?']);
    assert.deepEqual(instance(model(true)).start({ x: 9 }).active, ['i']);
  });

  it('is awaited at a sub-process that a modification or a migration begins around something', () => {
    const begins = (variables: Record<string, unknown>) => ({
      type: 'modify' as const,
      reason: 'a test',
      instructions: [
        {
          type: 'startBeforeActivity' as const,
          id: 'u',
          ancestor: null,
          variables: Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, typed(value)])),
          localVariables: {},
        },
      ],
    });
    const model = (interrupting: boolean, more: Partial<ElementSpec> = {}) =>
      program(
        {
          s: start(),
          w: userTask(),
          h: subProcess(more),
          hs: start({ in: 'h' }),
          u: userTask({}, { in: 'h' }),
          b: boundary('h', condition('${x > 4}'), interrupting),
          x: userTask(),
        },
        ['s -> w', 'w -> h', 'hs -> u', 'b -> x'],
      );
    for (const more of [{}, { loop: multi(2) }]) {
      assert.deepEqual(
        instance(model(true, more))
          .start()
          .give(begins({ x: 9 }))
          .active.sort(),
        ['w', 'x'],
      );
      assert.deepEqual(
        instance(model(false, more))
          .start()
          .give(begins({ x: 9 }))
          .active.sort(),
        ['u', 'w', 'x'],
      );
      const later = instance(model(true, more))
        .start()
        .give(begins({ x: 1 }));
      assert.deepEqual(later.active.sort(), ['u', 'w']);
      assert.deepEqual(set(later, { x: 5 }).active.sort(), ['w', 'x']);
    }
  });

  it('reads the counters of a multi-instance, and happens as they change', () => {
    const model = (text: string, interrupting: boolean, sequential = false) =>
      program(
        {
          s: start(),
          u: userTask({}, { loop: multi(3, { sequential }) }),
          b: boundary('u', condition(text), interrupting),
          x: userTask(),
          y: userTask(),
        },
        ['s -> u', 'b -> x', 'u -> y'],
      );
    for (const sequential of [false, true]) {
      const it = instance(model('${nrOfCompletedInstances >= 2}', true, sequential))
        .start()
        .complete('u');
      assert.deepEqual([it.active.includes('x'), it.complete('u').active], [false, ['x']]);
    }
    assert.deepEqual(instance(model('${nrOfInstances == 3}', true)).start().active, ['x']);
    const last = instance(model('${nrOfCompletedInstances == 3}', true)).start().complete('u').complete('u');
    assert.deepEqual(last.complete('u').active, ['x'], 'before the whole is complete');
    const beside = instance(model('${nrOfCompletedInstances >= 1}', false)).start().complete('u').complete('u');
    assert.equal([...beside.tasks.values()].length, 3, 'with each change');
  });

  it('that makes itself true again is a loop without a wait', () => {
    const model = program(
      {
        s: start(),
        u: userTask(),
        b: boundary('u', condition('${x > 4}'), false),
        w: service("${execution.setVariable('x', x + 1)}"),
      },
      ['s -> u', 'b -> w'],
    );
    const it = instance(model, { stepsLeft: () => 50 }).start({ x: 5 });
    assert.deepEqual([it.steps, [...it.jobs.values()].map(({ stalled }) => stalled)], [50, [50]]);
  });
});
