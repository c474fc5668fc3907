import assert from 'node:assert/strict';
import { instance } from '../../support/instance.js';
import {
  boundary,
  end,
  gateway,
  program,
  service,
  signal,
  start,
  subProcess,
  task,
  throwing,
  userTask,
} from '../../support/program.js';

describe('sequence flow', () => {
  it('leads from the start event to the end event in one run', () => {
    const it = instance(program({ s: start(), e: end() }, ['s -> e'])).start();
    assert.deepEqual(it.trail, ['s', 'e']);
    assert.ok(it.isCompleted);
    assert.deepEqual(it.state.tokens, []);
  });

  it('passes plain, manual and none throw elements', () => {
    const elements = { s: start(), a: task(), b: task({ type: 'manualTask' }), t: throwing(null), e: end() };
    const it = instance(program(elements, ['s -> a', 'a -> b', 'b -> t', 't -> e'])).start();
    assert.deepEqual(it.trail, ['s', 'a', 'b', 't', 'e']);
  });

  it('ends the instance where a path has no further flow', () => {
    assert.ok(instance(program({ s: start(), a: task() }, ['s -> a'])).start().isCompleted);
  });

  it('leaves an activity by every flow whose condition holds, and by those without one', () => {
    const elements = { s: start(), a: task(), b: userTask(), c: userTask(), d: userTask() };
    const flows = ['s -> a', 'a -> b : ${x > 1}', 'a -> c : ${x > 5}', 'a -> d'];
    assert.deepEqual(instance(program(elements, flows)).start({ x: 3 }).active, ['b', 'd']);
    const first = ['s -> a', 'a -> b', 'a -> c : ${false}'];
    assert.deepEqual(instance(program(elements, first)).start().active, ['b']);
  });

  it('takes the default flow of an activity only where nothing else is taken', () => {
    const model = program({ s: start(), a: task(), b: userTask(), c: userTask() }, [
      's -> a',
      'a -> b : ${x}',
      'a -> c : default',
    ]);
    assert.deepEqual(instance(model).start({ x: true }).active, ['b']);
    assert.deepEqual(instance(model).start({ x: false }).active, ['c']);
  });

  it('refuses to leave an activity, an event or a gateway none of whose conditions holds, and names it', () => {
    const stuck = (elements: Parameters<typeof program>[0], flows: readonly string[]) => {
      const it = () => instance(program({ s: start(), b: userTask(), ...elements }, flows));
      return { code: 'EXECUTION_FAILED', message: /element 'a', but no condition holds/, it };
    };
    for (const a of [task(), throwing(null), service('${1}', null, { asyncAfter: true }), gateway('inclusive')]) {
      const { it, ...refusal } = stuck({ a }, ['s -> a', 'a -> b : ${false}']);
      assert.throws(() => it().start(), refusal);
    }
    const block = { a: subProcess(), i: start({ in: 'a' }) };
    const { it: sub, ...subRefusal } = stuck(block, ['s -> a', 'a -> b : ${false}']);
    assert.throws(() => sub().start(), subRefusal);
    const { it, ...refusal } = stuck({ t: userTask(), a: boundary('t', signal('go')) }, [
      's -> t',
      'a -> b : ${false}',
    ]);
    const waiting = it().start();
    assert.throws(() => waiting.trigger('a'), refusal);
    const join = { f: gateway('parallel'), p: userTask(), q: userTask(), a: gateway('inclusive') };
    const flows = ['s -> f', 'f -> p', 'f -> q', 'p -> a', 'q -> a', 'a -> b : ${false}'];
    const { it: merging, ...mergeRefusal } = stuck(join, flows);
    const merged = merging().start().complete('p');
    assert.throws(() => merged.complete('q'), mergeRefusal);
  });

  it('takes an unconditional flow of an exclusive gateway when it comes to it, and evaluates none behind it', () => {
    const model = program({ s: start(), g: gateway('exclusive'), a: userTask(), b: userTask(), c: userTask() }, [
      's -> g',
      'g -> a : ${x == 1}',
      'g -> b',
      'g -> c : ${unknown}',
    ]);
    assert.deepEqual(instance(model).start({ x: 1 }).active, ['a']);
    assert.deepEqual(instance(model).start({ x: 2 }).active, ['b']);
  });

  it('refuses a condition that is neither true nor false', () => {
    const model = program({ s: start(), a: task(), b: userTask() }, ['s -> a', 'a -> b : ${x}']);
    assert.throws(() => instance(model).start({ x: 'true' }), {
      code: 'EXECUTION_FAILED',
      message: /condition '\$\{x\}'.*element 'a'.*non-Boolean/,
    });
  });

  for (const [value, found] of [
    [null, 'null'],
    ['true', 'a string'],
    [1, 'a number'],
  ] as const) {
    it(`says what a condition gives instead of true or false: ${found}`, () => {
      const model = program({ s: start(), a: task(), b: userTask() }, ['s -> a', 'a -> b : ${x}']);
      assert.throws(() => instance(model).start({ x: value }), {
        message: `expected condition '\${x}' to be true or false of element 'a', but condition expression returns non-Boolean: it is ${found}`,
      });
    });
  }

  it('tells which condition was refused: an expression, or a script', () => {
    const a = { kind: 'expression', text: '${1}' } as const;
    const b = { kind: 'script', language: 'javascript', text: '1' } as const;
    const model = program({ s: start(), t: task() }, ['s -> t : ${1}']);
    const [flow] = model.flows;
    for (const [condition, told] of [
      [a, { expression: '${1}' }],
      [b, { script: '1' }],
    ] as const) {
      const it = instance(
        { ...model, flows: model.flows.map(() => ({ ...(flow ?? assert.fail('no flow')), condition })) },
        { answer: () => ({ value: { result: 1 } }) },
      );
      const cause = 'condition expression returns non-Boolean: it is a number';
      assert.throws(() => it.start(), { info: { details: { elementId: 's', ...told, cause } } });
    }
  });

  it('ends a path none of whose conditions holds by the rules of former versions, but for gateways', () => {
    const model = (a: Parameters<typeof program>[0][string]) =>
      program({ s: start(), a, b: userTask() }, ['s -> a', 'a -> b : ${false}']);
    assert.ok(instance(model(task()), { rules: 1 }).start().isCompleted);
    for (const kind of ['exclusive', 'inclusive'] as const) {
      assert.throws(() => instance(model(gateway(kind)), { rules: 1 }).start(), { code: 'EXECUTION_FAILED' });
    }
    assert.throws(() => instance(model(task()), { rules: 2 }).start(), { code: 'EXECUTION_FAILED' });
  });

  it('sees local variables of the activity in its conditions', () => {
    const a = userTask();
    const model = program({ s: start(), a, b: userTask(), c: userTask() }, [
      's -> a',
      'a -> b : ${ok}',
      'a -> c : ${!ok}',
    ]);
    const it = instance(model).start().complete('a', {}, { ok: true });
    assert.deepEqual(it.active, ['b']);
    assert.deepEqual(it.variables, {});
  });

  it('starts at the start event that is named', () => {
    const model = program(
      { s: start(), t: start({ event: { kind: 'message', name: 'm', work: null } }), a: userTask(), b: userTask() },
      ['s -> a', 't -> b'],
    );
    assert.deepEqual(instance(model).start().active, ['a']);
    assert.deepEqual(instance(model).start({}, 't').active, ['b']);
    assert.throws(() => instance(model).start({}, 'x'), { code: 'BAD_REQUEST' });
  });

  it('keeps who started it where the start event asks for it, and the variable is not given', () => {
    const model = program({ s: start({ initiator: 'who' }), a: userTask() }, ['s -> a']);
    assert.deepEqual(instance(model).start().variables, { who: 'mary' });
    assert.deepEqual(instance(model).start({ who: 'joe' }).variables, { who: 'joe' });
    assert.deepEqual(instance(model, { rules: 1 }).start({ who: 'joe' }).variables, { who: 'mary' });
  });

  it('refuses a program of a newer format', () => {
    const newer = { ...program({ s: start() }, []), format: 2 as 1 };
    assert.throws(() => instance(newer).start(), { code: 'BAD_REQUEST' });
  });

  it('names what a damaged program or a damaged state lacks', () => {
    const model = program({ s: start(), a: userTask() }, ['s -> a']);
    assert.throws(() => instance({ ...model, flows: [] }).start(), {
      name: 'RangeError',
      message: "process 'process' has no flow 0",
    });
    const waiting = instance(model).start();
    const damaged = (token: { element?: number; scope?: number }) => () => {
      const it = instance(model);
      it.tasks.set('task', waiting.task('a'));
      const tokens = waiting.state.tokens.map((each) => ({ ...each, ...token }));
      it.state = { ...waiting.state, tokens };
      return it.complete('a', { x: 1 });
    };
    assert.throws(damaged({ element: 9 }), { name: 'RangeError', message: "process 'process' has no element 9" });
    assert.throws(damaged({ scope: 9 }), { name: 'RangeError', message: "instance 'instance' has no scope 9" });
  });
});

describe('exclusive gateway', () => {
  const model = program({ s: start(), g: gateway('exclusive'), a: userTask(), b: userTask(), c: userTask() }, [
    's -> g',
    'g -> a : ${x > 10}',
    'g -> b : ${x > 5}',
    'g -> c : default',
  ]);

  it('takes the first flow whose condition holds', () => {
    assert.deepEqual(instance(model).start({ x: 20 }).active, ['a']);
    assert.deepEqual(instance(model).start({ x: 7 }).active, ['b']);
  });

  it('takes its default flow where none holds, wherever that stands', () => {
    assert.deepEqual(instance(model).start({ x: 1 }).active, ['c']);
  });

  it('refuses to go on where there is no flow to take', () => {
    const without = program({ s: start(), g: gateway('exclusive'), a: userTask(), b: userTask() }, [
      's -> g',
      'g -> a : ${false}',
      'g -> b : ${false}',
    ]);
    assert.throws(() => instance(without).start(), {
      code: 'EXECUTION_FAILED',
      message: "expected an outgoing flow to take of element 'g', but no condition holds and there is no default flow",
    });
  });

  it('lets every token through that comes: it merges without waiting', () => {
    const merge = program({ s: start(), f: gateway('parallel'), m: gateway('exclusive'), a: userTask() }, [
      's -> f',
      'f -> m',
      'f -> m',
      'f -> m',
      'm -> a',
    ]);
    assert.equal(instance(merge).start().tasks.size, 3);
  });

  it('goes round a loop as often as its condition says', () => {
    const loop = program({ s: start(), a: service('${i + 1}', 'i'), g: gateway('exclusive'), e: end() }, [
      's -> a',
      'a -> g',
      'g -> a : ${i < 100}',
      'g -> e : default',
    ]);
    const it = instance(loop).start({ i: 0 });
    assert.deepEqual(it.variables, { i: 100 });
    assert.equal(it.trail.length, 202);
  });
});
