import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import type { MultiInstance } from '../../../src/engine/model/program.js';
import { type Instance, instance, type Surroundings } from '../../support/instance.js';
import {
  boundary,
  type ElementSpec,
  end,
  error,
  gateway,
  handled,
  listener,
  message,
  multi,
  program,
  script,
  service,
  signal,
  start,
  subProcess,
  userTask,
  when,
} from '../../support/program.js';

/** Start, `a` and its surroundings, end. */
const around = (a: ElementSpec, more: Readonly<Record<string, ElementSpec>> = {}, flows: readonly string[] = []) =>
  program({ s: start(), a, ...more, e: end() }, ['s -> a', 'a -> e', ...flows]);

const begun = (a: ElementSpec, variables: Readonly<Record<string, unknown>> = {}, surroundings: Surroundings = {}) =>
  instance(around(a), surroundings).start(variables);

/** Tells how many instances were active and completed, out of how many, when it worked. */
const tell = service(
  "${execution.setVariable('log', log.concat(' ').concat(loopCounter).concat(':').concat(nrOfActiveInstances).concat('/').concat(nrOfCompletedInstances).concat('/').concat(nrOfInstances))}",
);

const sequential = { sequential: true };
const completeAll = (it: Instance, element: string, times: number) => {
  for (let n = 0; n < times; n++) it.complete(element);
  return it;
};
/** The variables of each instance's own scope. */
const locals = ({ state }: Instance) =>
  state.tokens
    .filter(({ wait }) => wait?.kind !== 'scope')
    .map(({ opens, scope }) => {
      const own = state.scopes.find(({ id }) => id === (opens ?? scope))?.variables ?? {};
      return Object.fromEntries(Object.entries(own).map(([name, { value }]) => [name, value]));
    });

describe('a multi-instance activity', () => {
  it('begins all instances within a body, and is left when the last one has completed', () => {
    const it = begun(userTask({}, { loop: multi(3) }));
    assert.deepEqual(it.trail, ['s', 'a#?', 'a?', 'a?', 'a?']);
    assert.equal(it.tasks.size, 3);
    completeAll(it, 'a', 2);
    assert.deepEqual(it.trail, ['s', 'a#?', 'a', 'a', 'a?']);
    it.complete('a');
    assert.deepEqual([it.trail, it.isCompleted], [['s', 'a#', 'a', 'a', 'a', 'e'], true]);
    assert.deepEqual(it.state.scopes.length, 1);
  });

  it('begins one instance after the other where it is sequential', () => {
    const it = begun(userTask({}, { loop: multi(3, sequential) }));
    for (const done of [0, 1, 2]) {
      assert.deepEqual([it.tasks.size, locals(it)], [1, [{ loopCounter: done }]]);
      it.complete('a');
    }
    assert.deepEqual([it.trail, it.isCompleted], [['s', 'a#', 'a', 'a', 'a', 'e'], true]);
  });

  it("counts as Camunda does, also where the instances' work is done at once", () => {
    const told = (more: Partial<MultiInstance>) => begun({ ...tell, loop: multi(3, more) }, { log: '' }).variables.log;
    assert.equal(told({}), ' 0:3/0/3 1:2/1/3 2:1/2/3');
    assert.equal(told(sequential), ' 0:1/0/3 1:1/1/3 2:1/2/3');
  });

  it('completes at once with the body alone where there is no instance', () => {
    for (const more of [{}, sequential]) {
      const it = begun(userTask({}, { loop: multi(0, more) }));
      assert.deepEqual([it.trail, it.isCompleted], [['s', 'a#', 'e'], true]);
      assert.deepEqual(begun(userTask({}, { loop: multi('list', more) }), { list: [] }).trail, ['s', 'a#', 'e']);
    }
  });

  it('takes as many as the cardinality gives, which may be a text or a fraction', () => {
    const count = (text: string) => begun(userTask({}, { loop: multi(0, { cardinality: when(text) }) })).tasks.size;
    assert.deepEqual(["${'3'}", '${2.7}', '2'].map(count), [3, 2, 2]);
  });

  it('fails where the cardinality or the collection is none', () => {
    const loop = (more: Partial<MultiInstance>) => () => begun(userTask({}, { loop: multi(0, more) }), { list: 'abc' });
    assert.throws(
      loop({ cardinality: when('${-1}') }),
      /a whole number from 0 as loopCardinality .* of element 'a', but it gives '-1'/,
    );
    assert.throws(loop({ cardinality: when('${null}') }), /it gives 'null'/);
    const list = { cardinality: null, collection: { kind: 'variable', name: 'list' } } as const;
    assert.throws(loop(list), /a list as collection from 'list' of element 'a', but it gives a string/);
    assert.throws(loop({ ...list, collection: { kind: 'variable', name: 'no' } }), /it gives nothing/);
    assert.throws(
      loop({ ...list, collection: when('${1}') }),
      /a list as collection from '\$\{1\}' .* it gives a number/,
    );
  });

  it("gives each instance its number and its item, which its task's name may tell", () => {
    const task = { ...userTask({}, { loop: multi('list', { elementVariable: 'x' }) }), name: '${x}-${loopCounter}' };
    const it = begun(task, { list: ['u', { deep: 1 }, null] });
    assert.deepEqual(
      [...it.tasks.values()].map(({ name }) => name),
      ['u-0', '{"deep":1}-1', '-2'],
    );
    assert.deepEqual(locals(it), [
      { loopCounter: 0, x: 'u' },
      { loopCounter: 1, x: { deep: 1 } },
      { loopCounter: 2, x: null },
    ]);
    assert.equal(it.state.scopes.length, 5, 'the items are not kept any longer');
  });

  it('knows the collection from its beginning where it is parallel, and looks at it each time where it is sequential', () => {
    const seen = (more: Partial<MultiInstance>) => {
      const work = script('x', null, { loop: multi('list', { elementVariable: 'x', ...more }) });
      const asked: unknown[] = [];
      const answer = ({ question }: { question: unknown }) => {
        asked.push((question as { variables: { x: { value: unknown } } }).variables.x.value);
        return { value: { variables: { list: ['p', 'q', 'r'] } } };
      };
      begun(work, { list: ['u', 'v', 'w'] }, { answer });
      return [...new Set(asked)];
    };
    assert.deepEqual(seen({}), ['u', 'v', 'w']);
    assert.deepEqual(seen(sequential), ['u', 'q', 'r']);
  });

  it('takes the cardinality where it has a collection, too; an instance without an item has none', () => {
    const loop = multi('list', { cardinality: when('3'), elementVariable: 'x' });
    assert.deepEqual(
      locals(begun(userTask({}, { loop }), { list: ['u'] })).map(({ x }) => x),
      ['u', null, null],
    );
  });

  it('is left as soon as its condition holds: the other instances are cancelled, and those to come never begin', () => {
    const loop = multi(3, { completionCondition: when('${nrOfCompletedInstances == 2}') });
    const it = completeAll(begun(userTask({}, { loop })), 'a', 2);
    assert.deepEqual([it.trail, it.tasks.size, it.isCompleted], [['s', 'a#', 'a', 'a', 'a!', 'e'], 0, true]);
    const early = begun({ ...tell, loop }, { log: '' });
    assert.deepEqual([early.trail, early.variables.log], [['s', 'a#', 'a', 'a', 'e'], ' 0:3/0/3 1:2/1/3']);
    const one = completeAll(begun(userTask({}, { loop: { ...loop, ...sequential } as MultiInstance })), 'a', 2);
    assert.deepEqual([one.trail, one.isCompleted], [['s', 'a#', 'a', 'a', 'e'], true]);
  });

  it('evaluates its condition with what the instance sees that completed, and refuses what is neither true nor false', () => {
    const loop = multi('list', { elementVariable: 'x', completionCondition: when("${x == 'v'}") });
    const it = begun(userTask({}, { loop }), { list: ['u', 'v', 'w'] }).complete('a');
    assert.equal(it.tasks.size, 2);
    assert.deepEqual(it.complete('a').trail, ['s', 'a#', 'a', 'a', 'a!', 'e']);
    const bad = begun(userTask({}, { loop: multi(2, { completionCondition: when("${'x'}") }) }));
    assert.throws(() => bad.complete('a'), /condition expression returns non-Boolean/);
  });

  it('tells listeners of each instance, maps inputs and outputs of each, and knows no other listeners', () => {
    const a = userTask(
      {},
      {
        loop: multi('list', { elementVariable: 'x' }),
        listeners: [
          listener('start', "${execution.setVariable('log', log.concat(' S').concat(x).concat(loopCounter))}"),
          listener('end', "${execution.setVariable('log', log.concat(' E').concat(i))}"),
        ],
        io: {
          inputs: [
            { name: 'i', value: when('${x}${nrOfInstances}') },
            { name: 'x', value: when('${i}') },
          ],
          outputs: [{ name: 'out', value: when('${out}${i}') }],
        },
      },
    );
    const it = begun(a, { list: ['u', 'v'], log: '', out: '', i: 'I' });
    assert.deepEqual(locals(it), [
      { loopCounter: 0, x: 'I', i: 'u2' },
      { loopCounter: 1, x: 'I', i: 'v2' },
    ]);
    assert.deepEqual(completeAll(it, 'a', 2).variables, {
      list: ['u', 'v'],
      log: ' SI0 SI1 Eu2 Ev2',
      out: 'u2v2',
      i: 'I',
    });
  });

  it('keeps variables of an instance apart from those of the others', () => {
    const it = begun(userTask({}, { loop: multi(2) }));
    const [first] = [...it.tasks.values()];
    const variables = { own: { type: 'String', value: 'mine' } } as const;
    it.give({ type: 'setVariables', tokenId: first?.tokenId ?? 0, local: true, variables, removed: [] });
    assert.deepEqual(locals(it), [{ loopCounter: 0, own: 'mine' }, { loopCounter: 1 }]);
    assert.deepEqual(completeAll(it, 'a', 2).variables, {});
  });

  it('gathers what each instance leaves in its output, in the order of the instances', () => {
    const output = { list: 'all', item: 'one' };
    const it = begun(userTask({}, { loop: multi(3, { output }) }), { one: 'outer' });
    const [first, second] = [...it.tasks.keys()];
    for (const [taskId, value] of [
      [second, 'B'],
      [first, 'A'],
    ] as const) {
      const variables = { one: { type: 'String', value } } as const;
      it.give({ type: 'completeTask', taskId: taskId ?? '', variables, localVariables: {} });
    }
    assert.deepEqual(it.complete('a').variables, { one: 'outer', all: ['A', 'B', null] });
    const early = begun(userTask({}, { loop: multi(2, { output, completionCondition: when('${true}') }) }));
    assert.deepEqual(early.complete('a', { one: 7 }).variables, { all: [7, null] });
    assert.deepEqual(begun(userTask({}, { loop: multi(0, { output }) })).variables, { all: [] });
    const many = begun(service('${loopCounter}', 'one', { loop: multi(120, { output, ...sequential }) }));
    assert.deepEqual(many.variables, { all: Array.from({ length: 120 }, (_, n) => n) });
  });

  it('has asyncBefore and asyncAfter of its own, and others of each instance', () => {
    const whole = begun(userTask({}, { asyncBefore: true, asyncAfter: true, loop: multi(2) }));
    assert.deepEqual([whole.trail, whole.jobs.size], [['s'], 1]);
    completeAll(whole.fire('a'), 'a', 2);
    assert.deepEqual([whole.trail, whole.jobs.size], [['s', 'a#', 'a', 'a'], 1]);
    assert.ok(whole.fire('a').isCompleted);
    const each = { asyncBefore: true, asyncAfter: true, exclusive: false, retryCycle: 'R5/PT1M' };
    const it = begun(userTask({}, { loop: multi('list', { elementVariable: 'x', each }) }), { list: ['u', 'v'] });
    const jobs = () => [...it.jobs.values()].map(({ exclusive, retryCycle }) => [exclusive, retryCycle]);
    assert.deepEqual(jobs(), [
      [false, 'R5/PT1M'],
      [false, 'R5/PT1M'],
    ]);
    assert.deepEqual(
      [it.trail, locals(it).map(({ x }) => x)],
      [
        ['s', 'a#?'],
        ['u', 'v'],
      ],
    );
    it.fire('a').complete('a');
    assert.deepEqual([it.trail, it.jobs.size], [['s', 'a#?', 'a'], 2]);
    const after = [...it.jobs.values()].at(-1);
    it.give({ type: 'job', jobId: after?.id ?? '' });
    assert.deepEqual([it.trail, it.jobs.size, it.state.tokens.length], [['s', 'a#?', 'a'], 1, 2]);
    it.fire('a').complete('a').fire('a');
    assert.ok(it.isCompleted);
  });

  it('is interrupted as a whole by a boundary event, or goes on beside it', () => {
    const elements = { b: boundary('a', message('m')), t: userTask() };
    const it = instance(around(userTask({}, { loop: multi(3) }), elements, ['b -> t'])).start();
    it.complete('a').trigger('b', { told: 1 });
    assert.deepEqual(
      [it.trail, it.active, it.variables],
      [['s', 'a#!', 'a', 'a!', 'a!', 'b', 't?'], ['t'], { told: 1 }],
    );
    const beside = { b: boundary('a', message('m'), false), t: userTask() };
    const both = instance(around(userTask({}, { loop: multi(2) }), beside, ['b -> t']))
      .start()
      .trigger('b')
      .trigger('b');
    assert.deepEqual([both.active, both.subscriptions.size], [['a', 't'], 1]);
    completeAll(completeAll(both, 'a', 2), 't', 2);
    assert.deepEqual([both.isCompleted, both.subscriptions.size], [true, 0]);
  });

  it('takes an error of an instance to the boundary event of the whole', () => {
    const elements = {
      s1: start({ in: 'a' }),
      w: userTask({}, { in: 'a' }),
      e1: end({ in: 'a', event: error('E') }),
      b: boundary('a', error('E', { codeVariable: 'code' })),
      t: userTask(),
    };
    const flows = ['s1 -> w', 'w -> e1', 'b -> t'];
    const it = instance(around(subProcess({ loop: multi(2) }), elements, flows))
      .start()
      .complete('w');
    assert.deepEqual(it.trail, ['s', 'a#!', 'a!', 's1', 'w', 'a!', 's1', 'w!', 'e1!', 'b', 't?']);
    assert.deepEqual([it.variables, it.tasks.size], [{ code: 'E' }, 1]);
    const handlers = { h: 'call' } as const;
    const called = { b: boundary('a', error('E')), t: userTask() };
    const call = instance(around(handled('h', { loop: multi(2) }), called, ['b -> t']), { handlers }).start();
    const [job] = [...call.jobs.keys()];
    call.give({ type: 'callError', jobId: job ?? '', code: 'E', message: null, variables: {} });
    assert.deepEqual([call.active, call.jobs.size], [['t'], 0]);
  });

  it('is of a sub-process, too, also within another, and is ended by its own end events alone', () => {
    const elements = {
      s1: start({ in: 'a' }),
      b: subProcess({ in: 'a', loop: multi(2, sequential) }),
      s2: start({ in: 'b' }),
      w: userTask({}, { in: 'b' }),
      e2: end({ in: 'b', event: { kind: 'terminate' } }),
    };
    const it = instance(around(subProcess({ loop: multi(2) }), elements, ['s1 -> b', 's2 -> w', 'w -> e2'])).start();
    assert.deepEqual(it.trail, ['s', 'a#?', 'a?', 's1', 'b#?', 'b?', 's2', 'w?', 'a?', 's1', 'b#?', 'b?', 's2', 'w?']);
    assert.equal(completeAll(it, 'w', 3).isCompleted, false);
    assert.deepEqual([it.complete('w').isCompleted, it.tasks.size], [true, 0]);
  });

  it('holds up a join that its flow leads to, and lets an inclusive one go on when it has completed', () => {
    const model = program(
      { s: start(), f: gateway('inclusive'), a: userTask({}, { loop: multi(2) }), j: gateway('inclusive'), e: end() },
      ['s -> f', 'f -> a', 'f -> j', 'a -> j', 'j -> e'],
    );
    const it = instance(model).start().complete('a');
    assert.deepEqual(it.active, ['j', 'a']);
    assert.ok(it.complete('a').isCompleted);
  });

  it('counts tokens as a whole, before and behind it', () => {
    const quantities = { startQuantity: 2, completionQuantity: 2 };
    const model = program(
      { s: start(), f: gateway('parallel'), a: userTask({}, { loop: multi(2), ...quantities }), t: userTask() },
      ['s -> f', 'f -> a', 'f -> a', 'a -> t'],
    );
    const it = completeAll(instance(model).start(), 'a', 2);
    assert.deepEqual([it.trail.filter((id) => id === 'a').length, it.tasks.size], [2, 2]);
    assert.deepEqual(it.active, ['t']);
  });

  it('throws an event for each instance, for the first, or where a condition holds', () => {
    const thrown = (when: 'each' | 'first' | string) => {
      const loop = multi(3, {
        throws: [
          {
            when: when === 'each' || when === 'first' ? when : { kind: 'expression', text: when },
            event: signal('done'),
          },
        ],
      });
      const it = completeAll(begun(userTask({}, { loop })), 'a', 3);
      assert.ok(it.isCompleted);
      return it.effects.filter(({ type }) => type === 'throwSignal').length;
    };
    assert.deepEqual(['each', 'first', '${loopCounter > 0}'].map(thrown), [3, 1, 2]);
  });

  it('throws an escalation, which its own boundary event may catch, interrupting it or not', () => {
    const escalation = { kind: 'escalation', code: 'X', codeVariable: null } as const;
    const loop = multi(2, { throws: [{ when: 'each', event: escalation }] });
    for (const interrupting of [true, false]) {
      const elements = { b: boundary('a', escalation, interrupting), t: userTask() };
      const it = instance(around(userTask({}, { loop }), elements, ['b -> t']))
        .start()
        .complete('a');
      assert.deepEqual([it.active, it.tasks.size], interrupting ? [['t'], 1] : [['a', 't'], 2]);
    }
  });

  it('is interrupted by its own boundary event where that is for what it throws', () => {
    const loop = multi(3, { throws: [{ when: 'first', event: signal('done') }] });
    for (const interrupting of [true, false]) {
      const elements = { b: boundary('a', signal('done'), interrupting), t: userTask() };
      const it = instance(around(userTask({}, { loop }), elements, ['b -> t']))
        .start()
        .complete('a');
      const before = interrupting ? ['a#!', 'a', 'a!', 'a!'] : ['a#?', 'a', 'a?', 'a?'];
      assert.deepEqual([it.trail, it.tasks.size], [['s', ...before, 'b', 't?'], interrupting ? 1 : 3]);
    }
  });

  it('goes on as if nothing had been where its run is cut, or begins its instances in several runs', () => {
    const loop = multi('list', { elementVariable: 'x', output: { list: 'all', item: 'y' } });
    const work = { ...service('${x + 1}', 'y'), loop };
    const list = Array.from({ length: 30 }, (_, n) => n);
    const all = begun(work, { list });
    for (const stepsMax of [1, 2, 3, 7]) {
      const it = begun(work, { list }, { stepsMax });
      assert.deepEqual([it.variables, it.trail, it.steps], [all.variables, all.trail, all.steps]);
      assert.ok(it.runs > 10);
    }
    assert.deepEqual(
      all.variables.all,
      list.map((n) => n + 1),
    );
  });

  it('is interrupted while its instances are still to be begun', () => {
    const loop = multi(3, { throws: [{ when: 'first', event: signal('done') }] });
    const elements = { b: boundary('a', signal('done')), t: userTask() };
    const it = instance(around({ ...tell, loop }, elements, ['b -> t'])).start({ log: '' });
    assert.deepEqual([it.trail, it.active], [['s', 'a#!', 'a', 'b', 't?'], ['t']]);
    const cut = begun(userTask({}, { loop: multi(3) }), {}, { stepsMax: 1000 });
    cut.give({ type: 'cancel', reason: 'enough' });
    assert.deepEqual([cut.trail, cut.tasks.size], [['s', 'a#!', 'a!', 'a!', 'a!'], 0]);
  });

  it('neither overflows nor forgets anything in 20,000 instances that work at once', () => {
    for (const more of [{}, sequential]) {
      const it = begun(service('${n + 1}', 'n', { loop: multi(20_000, more) }), { n: 0 }, { stepsMax: 1_000_000 });
      assert.deepEqual([it.variables, it.isCompleted, it.runs], [{ n: 20_000 }, true, 1]);
    }
  });
});

describe('the place of a token', () => {
  it('is asked for by the token, for at an activity that repeats there are two', () => {
    const folder = 'src/engine/element';
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.ts')))
      assert.doesNotMatch(
        readFileSync(`${folder}/${file}`, 'utf8'),
        /run\.place\((token|owner|holder|next|other)\.element\)/,
        file,
      );
  });
});
