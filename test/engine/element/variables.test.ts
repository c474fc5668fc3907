import assert from 'node:assert/strict';
import { native, typed } from '../../../src/engine/element/native.js';
import { instance } from '../../support/instance.js';
import {
  boundary,
  catching,
  end,
  error,
  gateway,
  listener,
  program,
  service,
  signal,
  start,
  subProcess,
  userTask,
} from '../../support/program.js';

const expression = (text: string) => ({ kind: 'expression', text }) as const;

describe('variables', () => {
  it('get the type that fits a plain value', () => {
    const types = [
      1,
      2 ** 31 - 1,
      2 ** 31,
      -(2 ** 31),
      1.5,
      2 ** 60,
      1n,
      2n ** 60n,
      'a',
      true,
      null,
      undefined,
      [1],
      {},
      new Date(0),
    ].map((value) => typed(value).type);
    assert.deepEqual(types, [
      ...['Integer', 'Integer', 'Long', 'Long', 'Double', 'Double', 'Long', 'Long'],
      ...['String', 'Boolean', 'Null', 'Null', 'Json', 'Json', 'Date'],
    ]);
  });

  it('are plain JSON, and come back as what they were', () => {
    for (const value of [1, 2.5, 2n ** 60n, 'a', false, null, [1, { a: 2 }], new Date(5)]) {
      assert.deepEqual(native(JSON.parse(JSON.stringify(typed(value)))), value);
    }
  });

  it('that are transient are there until everything waits', () => {
    const sum = service('${x + 1}', 'y');
    const model = program(
      { s: start(), a: sum, u: userTask(), b: service('${execution.hasVariable("x")}', 'seen'), z: end() },
      ['s -> a', 'a -> u', 'u -> b', 'b -> z'],
    );
    const x = { ...typed(1), transient: true } as const;
    const it = instance(model).give({ type: 'start', element: null, variables: { x } });
    assert.deepEqual(it.variables, { y: 2 });
    const [{ id } = { id: '' }] = [it.task('u')];
    it.give({ type: 'completeTask', taskId: id, variables: {}, localVariables: { own: x } });
    assert.ok(it.isCompleted);
    assert.deepEqual(it.variables, { y: 2, seen: false });
  });

  it('that are set anew by who does not say so are no longer transient', () => {
    const model = program({ s: start(), a: service('${x + 1}', 'x'), u: userTask() }, ['s -> a', 'a -> u']);
    const x = { ...typed(1), transient: true } as const;
    assert.deepEqual(instance(model).give({ type: 'start', element: null, variables: { x } }).variables, { x: 2 });
  });

  it('have a name of 1 to 255 characters that means nothing to JavaScript, whatever sets them', () => {
    const set = (method: string, name: string) => {
      const listeners = [listener('start', `\${execution.${method}(name, 1)}`)];
      const model = program({ s: start(), a: service('${1}', null, { listeners }) }, ['s -> a']);
      return instance(model).start({ name }).state.scopes;
    };
    for (const method of ['setVariable', 'setVariableLocal']) {
      for (const name of ['', 'x'.repeat(256), '__proto__', 'constructor', 'prototype', 'a\0b', 'a\ud800', '\udc00']) {
        assert.throws(() => set(method, name), { code: 'EXECUTION_FAILED', message: /a variable name of 1 to 255/ });
      }
      for (const name of ['x'.repeat(255), 'ü', '\ud83d\ude00', 'a b', 'toString', '0']) {
        assert.ok(JSON.stringify(set(method, name)).includes(JSON.stringify(name)));
      }
    }
  });
});

describe('execution.setVariableLocal', () => {
  const local = service("${execution.setVariableLocal('x', 1)}");
  const telling = (event: string) => ({ listeners: [listener(event, "${execution.setVariableLocal('x', 1)}")] });

  it('sets what stays in the process or sub-process around, where the activity is no scope as Camunda has it', () => {
    const inProcess = program({ s: start(), a: local, t: userTask() }, ['s -> a', 'a -> t']);
    assert.deepEqual(instance(inProcess).start().variables, { x: 1 });
    const told = program({ s: start(), t: userTask({}, telling('start')) }, ['s -> t']);
    assert.deepEqual(instance(told).start().variables, { x: 1 });
    const inner = { i: start({ in: 'b' }), a: { ...local, in: 'b' }, g: service('${x + 1}', 'y', { in: 'b' }) };
    const flows = ['s -> b', 'i -> a', 'a -> g', 'b -> t'];
    const model = program({ s: start(), b: subProcess(), ...inner, t: userTask() }, flows);
    assert.deepEqual(instance(model).start().variables, { y: 2 });
  });

  it("sets the activity's own where that is a scope: it maps, has boundary events, waits for an event or holds others", () => {
    const io = { inputs: [], outputs: [{ name: 'y', value: expression('${x}') }] };
    const mapping = program({ s: start(), a: { ...local, io }, t: userTask() }, ['s -> a', 'a -> t']);
    assert.deepEqual(instance(mapping).start().variables, { y: 1 });
    const guarded = program({ s: start(), a: local, e: boundary('a', error('E')), t: userTask() }, [
      's -> a',
      'a -> t',
    ]);
    assert.deepEqual(instance(guarded).start().variables, {});
    const waiting = program({ s: start(), c: catching(signal('go'), telling('start')) }, ['s -> c']);
    assert.deepEqual(instance(waiting).start().variables, {});
    const inner = { i: start({ in: 'b' }), t: userTask({}, { in: 'b' }) };
    const holding = program({ s: start(), b: subProcess(telling('start')), ...inner }, ['s -> b', 'i -> t']);
    assert.deepEqual(instance(holding).start().variables, {});
  });

  it("sets the activity's own where other branches go on beside it", () => {
    const model = program({ s: start(), g: gateway('parallel'), a: local, t: userTask(), u: userTask() }, [
      's -> g',
      'g -> a',
      'a -> t',
      'g -> u',
    ]);
    assert.deepEqual(instance(model).start().variables, {});
  });
});

describe('scopes', () => {
  it('give their outputs where the activity is interrupted, too: after its end listeners, and from within', () => {
    const outputs = [{ name: 'out', value: expression('${heard}${x}') }];
    const a = {
      io: { inputs: [{ name: 'x', value: expression('5') }], outputs },
      listeners: [listener('end', "${execution.setVariable('heard', 'yes')}")],
    };
    const model = (nested: boolean) =>
      program(
        {
          s: start(),
          p: subProcess(),
          ps: start({ in: 'p' }),
          a: userTask({}, { ...a, in: 'p' }),
          b: nested ? boundary('p', signal('go')) : boundary('a', signal('go'), true, { in: 'p' }),
        },
        ['s -> p', 'ps -> a'],
      );
    for (const nested of [true, false]) {
      assert.equal(instance(model(nested)).start().trigger('b').variables.out, 'yes5');
      const former = instance(model(nested), { rules: 1 }).start().trigger('b');
      assert.equal(former.variables.out, undefined);
    }
    const cancelled = instance(model(true)).start();
    assert.deepEqual(cancelled.give({ type: 'cancel', reason: 'x' }).variables, {}, 'what is broken can be cancelled');
  });

  it('give outputs that know what came with the event that interrupts', () => {
    const io = { inputs: [], outputs: [{ name: 'out', value: expression('${v}') }] };
    const model = program({ s: start(), a: userTask({}, { io }), b: boundary('a', signal('go')) }, ['s -> a']);
    const it = instance(model).start({ v: 1 }).trigger('b', { v: 2 });
    assert.deepEqual(it.variables, { v: 2, out: 2 });
  });

  it('refuse to be interrupted where an output cannot be evaluated', () => {
    const io = { inputs: [], outputs: [{ name: 'out', value: expression('${unknown}') }] };
    const it = instance(program({ s: start(), a: userTask({}, { io }), b: boundary('a', signal('go')) }, ['s -> a']));
    it.start();
    assert.throws(() => it.trigger('b'), { code: 'EXECUTION_FAILED' });
  });

  it('take the keys of maps from expressions', () => {
    const entries = [
      { key: '${k}', value: expression('1') },
      { key: 'a-${k}', value: expression('2') },
    ];
    const io = { inputs: [], outputs: [{ name: 'out', value: { kind: 'map', entries } as const }] };
    const model = program({ s: start(), a: service('${1}', null, { io }) }, ['s -> a']);
    assert.deepEqual(instance(model).start({ k: 'foo' }).variables.out, { foo: '1', 'a-foo': '2' });
    assert.deepEqual(Object.keys(instance(model, { rules: 1 }).start({ k: 'f' }).variables.out as object), [
      '${k}',
      'a-${k}',
    ]);
    assert.throws(() => instance(model).start({ k: null }), {
      code: 'EXECUTION_FAILED',
      message: /a key from '\$\{k\}'/,
    });
  });

  const io = {
    inputs: [
      { name: 'x', value: expression('${x * 2}') },
      { name: 'y', value: expression('${x}') },
      { name: 'list', value: { kind: 'list', items: [expression('${x}'), { kind: 'null' }, expression('a')] } },
      { name: 'map', value: { kind: 'map', entries: [{ key: 'k', value: expression('${x}') }] } },
    ],
    outputs: [{ name: 'out', value: expression('${x + y}') }],
  } as const;

  it('of an activity with inputs hold them as its own, evaluated outside', () => {
    const it = instance(program({ s: start(), a: userTask({}, { io }) }, ['s -> a'])).start({ x: 5 });
    const local = it.state.scopes[1]?.variables ?? {};
    assert.deepEqual(local.x, { type: 'Long', value: 10 });
    assert.deepEqual(local.y, { type: 'Integer', value: 5 });
    assert.deepEqual(local.list, { type: 'Json', value: [5, null, 'a'] });
    assert.deepEqual(local.map, { type: 'Json', value: { k: 5 } });
    assert.deepEqual(it.variables, { x: 5 });
  });

  it('give their outputs to the scope around them when the activity is complete, and end', () => {
    const it = instance(program({ s: start(), a: userTask({}, { io }), b: userTask() }, ['s -> a', 'a -> b']));
    it.start({ x: 5 }).complete('a', { x: 100 });
    assert.deepEqual(it.variables, { x: 5, out: 105 });
    assert.equal(it.state.scopes.length, 1);
  });

  it('of a sub-process hide what is set in them, and end with it', () => {
    const inputs = [{ name: 'own', value: expression('1') }];
    const model = program(
      {
        s: start(),
        p: subProcess({ io: { inputs, outputs: [] } }),
        ps: start({ in: 'p' }),
        a: service('${execution.setVariable("own", 2)}', null, { in: 'p' }),
        b: service('${execution.setVariable("other", own)}', null, { in: 'p' }),
        c: userTask({}, { in: 'p' }),
      },
      ['s -> p', 'ps -> a', 'a -> b', 'b -> c'],
    );
    const it = instance(model).start();
    assert.deepEqual(it.variables, { other: 2 });
    assert.ok(it.complete('c').isCompleted);
    assert.deepEqual(it.variables, { other: 2 });
  });

  it('nest: activity instances in a sub-process name it as their parent', () => {
    const model = program({ s: start(), p: subProcess(), ps: start({ in: 'p' }), a: userTask({}, { in: 'p' }) }, [
      's -> p',
      'ps -> a',
    ]);
    const it = instance(model).start();
    const [, process, , task] = it.history;
    assert.ok(process?.[0] === 0 && task?.[0] === 0);
    assert.equal(process[3], 0);
    assert.equal(task[3], process[1]);
    assert.deepEqual(it.active, ['a']);
  });
});

describe('setting variables from outside', () => {
  const model = program({ s: start(), a: userTask(), e: end() }, ['s -> a', 'a -> e']);
  const values = (variables: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, typed(value)]));
  const set = (
    tokenId: number | null,
    local: boolean,
    variables: Record<string, unknown>,
    removed: readonly string[] = [],
  ) => ({ type: 'setVariables', tokenId, local, variables: values(variables), removed }) as const;

  it('sets and removes those of the process', () => {
    const it = instance(model)
      .start({ x: 1, y: 2 })
      .give(set(null, false, { x: 3, z: 4 }, ['y']));
    assert.deepEqual(it.variables, { x: 3, z: 4 });
    assert.deepEqual(it.active, ['a']);
  });

  it('sets and removes local ones of a token, or those that it sees', () => {
    const it = instance(model).start({ x: 1 });
    const { tokenId } = it.task('a');
    it.give(set(tokenId, true, { x: 10, y: 20 }));
    assert.deepEqual(it.variables, { x: 1 });
    it.give(set(tokenId, false, { x: 11, z: 30 }));
    assert.deepEqual(it.variables, { x: 1, z: 30 });
    assert.equal(it.state.scopes[1]?.variables.x?.value, 11);
    it.give(set(tokenId, true, {}, ['x', 'z']));
    assert.deepEqual(Object.keys(it.state.scopes[1]?.variables ?? {}), ['y']);
    it.give(set(tokenId, false, {}, ['x']));
    assert.deepEqual(it.variables, { z: 30 });
  });

  it('refuses a token that is not there', () => {
    assert.throws(
      () =>
        instance(model)
          .start()
          .give(set(99, false, {})),
      { code: 'CONFLICT' },
    );
  });
});
