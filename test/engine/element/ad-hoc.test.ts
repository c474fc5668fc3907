import assert from 'node:assert/strict';
import { instance } from '../../support/instance.js';
import {
  adHoc,
  boundary,
  catching,
  compensate,
  condition,
  type ElementSpec,
  end,
  error,
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
  throwing,
  timer,
  userTask,
  when,
} from '../../support/program.js';

const inside = (more: Partial<ElementSpec> = {}) => userTask({}, { in: 'h', ...more });

/** A process with an ad-hoc sub-process `h`, whose user tasks a and b are chosen, and what else there is. */
const model = (
  rules: Parameters<typeof adHoc>[0] = {},
  more: Readonly<Record<string, ElementSpec>> = {},
  flows: readonly string[] = [],
  spec: Partial<ElementSpec> = {},
) =>
  program({ s: start(), h: adHoc(rules, spec), a: inside(), b: inside(), z: end(), ...more }, [
    's -> h',
    'h -> z',
    ...flows,
  ]);

describe('an ad-hoc sub-process', () => {
  it('waits until something is chosen, and is complete when nothing runs any more', () => {
    const it = instance(model()).start();
    assert.deepEqual([it.active, it.enabled, it.tasks.size], [['h'], ['a', 'b'], 0]);
    it.choose('a', { n: 1 });
    assert.deepEqual([it.active, it.enabled, it.variables], [['h', 'a'], ['a', 'b'], { n: 1 }]);
    it.complete('a');
    assert.ok(it.isCompleted);
    assert.deepEqual(it.trail, ['s', 'h', 'a', 'z']);
  });

  it('takes several at once, the same one too, and waits for all of them', () => {
    const it = instance(model()).start().choose('a').choose('b').choose('a').complete('a').complete('b');
    assert.ok(!it.isCompleted);
    assert.deepEqual(it.complete('a').trail, ['s', 'h', 'a', 'b', 'a', 'z']);
    assert.ok(it.isCompleted);
  });

  it('takes one after the other where it is sequential: the next when nothing runs any more', () => {
    const it = instance(
      model({ sequential: true, completionCondition: when('${done}') }, { c: inside() }, ['a -> c']),
    ).start({ done: false });
    assert.deepEqual(it.enabled, ['a', 'b']);
    assert.deepEqual(it.choose('a').enabled, []);
    assert.deepEqual(it.complete('a').enabled, [], 'its path goes on');
    assert.deepEqual(it.complete('c').enabled, ['a', 'b']);
    assert.ok(it.choose('b').complete('b', { done: true }).isCompleted);
  });

  it('follows the flows within, and offers nothing that one leads to', () => {
    const it = instance(
      model({}, { g: { ...gateway('exclusive'), in: 'h' }, c: inside(), d: inside() }, [
        'a -> g',
        'g -> c : ${go}',
        'g -> d : default',
      ]),
    ).start({ go: true });
    assert.deepEqual(it.enabled, ['a', 'b']);
    assert.ok(it.choose('a').complete('a').complete('c').isCompleted);
    assert.deepEqual(it.trail, ['s', 'h', 'a', 'g', 'c', 'z']);
  });

  it('offers intermediate events, and no handlers, event sub-processes and boundary events', () => {
    const it = instance(
      model(
        {},
        {
          t: catching(timer('duration', 'PT1H'), { in: 'h' }),
          n: throwing(null, { in: 'h' }),
          w: boundary('a', timer('duration', 'PT2H'), true, { in: 'h' }),
          k: { ...task({ in: 'h' }), isForCompensation: true },
          e: eventSubProcess({ in: 'h' }),
          es: start({ in: 'e', event: message('M'), interrupting: false }),
        },
      ),
    ).start();
    assert.deepEqual(it.enabled, ['a', 'b', 't', 'n']);
    assert.ok(it.choose('t').fire('t').isCompleted);
  });

  it('lets an activity that takes several tokens begin with the one that is chosen', () => {
    const it = instance(model({}, { c: inside({ startQuantity: 2 }) }))
      .start()
      .choose('c');
    assert.ok(it.complete('c').isCompleted);
  });
});

describe('an ad-hoc sub-process that is modified', () => {
  it('takes what begins in it as chosen, and is complete when that is done', () => {
    for (const type of ['startBeforeActivity', 'startAfterActivity'] as const) {
      const more = { t: inside(), v: inside() };
      const it = instance(model({}, more, ['t -> v'])).start();
      const id = type === 'startBeforeActivity' ? 'v' : 't';
      const instructions = [{ type, id, ancestor: null, variables: {}, localVariables: {} }];
      it.give({ type: 'modify', reason: 'a test', instructions });
      assert.deepEqual(it.active, ['h', 'v']);
      assert.ok(it.complete('v').isCompleted, type);
    }
  });

  it('waits for what is chosen still, when an event sub-process has begun in it', () => {
    const more = { e: eventSubProcess({ in: 'h' }), f: start({ in: 'e', event: message('m'), interrupting: false }) };
    const it = instance(model({}, { ...more, g: userTask({}, { in: 'e' }) }, ['f -> g'])).start();
    const begin = { type: 'startBeforeActivity', id: 'e', ancestor: null, variables: {}, localVariables: {} } as const;
    it.give({ type: 'modify', reason: 'a test', instructions: [begin] });
    assert.deepEqual([it.complete('g').active, it.isCompleted], [['h'], false]);
  });
});

describe('the completion condition of an ad-hoc sub-process', () => {
  const counted = model({ completionCondition: when('${n >= 2}') });

  it('is looked at when an activity has completed: once it holds, the others are cancelled', () => {
    const it = instance(counted).start({ n: 0 }).choose('a').choose('b').choose('a').complete('b', { n: 1 });
    assert.ok(!it.isCompleted);
    it.complete('a', { n: 2 });
    assert.deepEqual([it.isCompleted, it.tasks.size], [true, 0]);
    assert.deepEqual(it.trail, ['s', 'h', 'a', 'b', 'a!', 'z']);
  });

  it('lets it wait for more as long as it does not hold, also when nothing runs', () => {
    const it = instance(counted).start({ n: 0 }).choose('a').complete('a');
    assert.deepEqual([it.active, it.enabled], [['h'], ['a', 'b']]);
    it.give({
      type: 'setVariables',
      tokenId: null,
      local: true,
      variables: { n: { type: 'Long', value: 5 } },
      removed: [],
    });
    assert.ok(!it.isCompleted, 'nothing has completed since');
    assert.ok(it.choose('b').complete('b').isCompleted);
  });

  it('is not looked at for gateways, events and instances of a loop, and keeps what would follow from beginning', () => {
    const more = {
      m: inside({ loop: multi(2) }),
      g: { ...gateway('exclusive'), in: 'h' },
      c: inside(),
    };
    const it = instance(model({ completionCondition: when('${n >= 1}') }, more, ['m -> g', 'g -> c']))
      .start({ n: 0 })
      .choose('m')
      .complete('m', { n: 1 });
    assert.ok(!it.isCompleted);
    assert.ok(it.complete('m').isCompleted);
    assert.deepEqual(it.trail, ['s', 'h', 'm#', 'm', 'm', 'z']);
  });

  it('waits for what runs where that is not cancelled, and begins nothing more', () => {
    const it = instance(
      model(
        { completionCondition: when('${n >= 1}'), cancelRemaining: false },
        { c: inside(), t: catching(timer('duration', 'PT1H'), { in: 'h' }) },
        ['b -> c', 't -> c'],
      ),
    )
      .start({ n: 0 })
      .choose('a')
      .choose('b')
      .choose('t')
      .complete('a', { n: 1 });
    assert.deepEqual([it.active, it.enabled, it.jobs.size], [['b'], [], 0]);
    assert.ok(it.complete('b').isCompleted);
    assert.deepEqual(it.trail, ['s', 'h', 'a', 'b', 't!', 'z']);
  });

  it('ends what waits at a join within, which would wait for ever', () => {
    const it = instance(
      model(
        { completionCondition: when('${n >= 2}'), cancelRemaining: false },
        { g: { ...gateway('parallel'), in: 'h' }, c: inside() },
        ['a -> g', 'b -> g'],
      ),
    )
      .start({ n: 0 })
      .choose('a')
      .choose('b')
      .choose('c')
      .complete('a', { n: 1 })
      .complete('c', { n: 2 });
    assert.deepEqual([it.active, it.state.tokens.length], [['b'], 2]);
    assert.ok(it.complete('b').isCompleted);
  });

  it('fails the run where it is neither true nor false', () => {
    const it = instance(model({ completionCondition: when('${n}') }))
      .start({ n: 0 })
      .choose('a');
    assert.throws(() => it.complete('a'), /condition '\$\{n\}' to be true or false/);
  });
});

describe('what begins with an ad-hoc sub-process', () => {
  const listed = (rules: Parameters<typeof adHoc>[0] = {}) => model({ first: when('${first}'), ...rules });

  it('is what its expression gives', () => {
    const it = instance(listed()).start({ first: ['b', 'a', 'b'] });
    assert.deepEqual([it.tasks.size, it.trail], [3, ['s', 'h?', 'b?', 'a?', 'b?']]);
    assert.ok(it.complete('b').complete('a').complete('b').isCompleted);
  });

  it('is begun one after the other where it is sequential', () => {
    const it = instance(listed({ sequential: true })).start({ first: ['b', 'a'] });
    assert.deepEqual([it.active, it.enabled], [['h', 'b'], []]);
    assert.deepEqual([it.complete('b').active, it.enabled], [['h', 'a'], []]);
    assert.ok(it.complete('a').isCompleted);
  });

  it('is nothing where the list is empty: then it waits', () =>
    assert.deepEqual(instance(listed()).start({ first: [] }).enabled, ['a', 'b']));

  it('must be a list of what can be chosen', () => {
    assert.throws(() => instance(listed()).start({ first: null }), /a list of ids .*it gives nothing/);
    assert.throws(() => instance(listed()).start({ first: 'a' }), /it gives a string/);
    assert.throws(() => instance(listed()).start({ first: ['a', 'bb'] }), /'bb' is none of them; the nearest is 'b'/);
  });
});

describe('an ad-hoc sub-process as an activity', () => {
  it('has listeners, mappings and variables of its own', () => {
    const it = instance(
      model({ completionCondition: when('${mine == 2}') }, {}, [], {
        listeners: [listener('start', '${execution.setVariable("begun", true)}')],
        io: {
          inputs: [{ name: 'mine', value: when('${1}') }],
          outputs: [{ name: 'out', value: when('${mine}') }],
        },
      }),
    )
      .start({ begun: false })
      .choose('a', { mine: 2 })
      .complete('a');
    assert.deepEqual([it.isCompleted, it.variables], [true, { begun: true, out: 2 }]);
  });

  it('is left by its boundary events, with all that runs in it', () => {
    const late = {
      late: boundary('h', timer('duration', 'PT1H')),
      told: boundary('h', signal('S'), false),
      x: userTask(),
      y: userTask(),
    };
    const it = instance(model({}, late, ['late -> x', 'told -> y']))
      .start()
      .choose('a')
      .trigger('told')
      .fire('late');
    assert.deepEqual([it.active, it.enabled, it.subscriptions.size], [['x', 'y'], [], 0]);
    const failed = instance(
      model({}, { f: end({ in: 'h', event: error('E') }), c: boundary('h', error('E')), x: userTask() }, [
        'a -> f',
        'c -> x',
      ]),
    )
      .start()
      .choose('b')
      .choose('a')
      .complete('a');
    assert.deepEqual(failed.active, ['x']);
  });

  it('repeats: each instance is chosen in by itself', () => {
    const it = instance(model({}, {}, [], { loop: multi(2) })).start();
    assert.deepEqual(it.enabled, ['a', 'b', 'a', 'b']);
    it.choose('a').complete('a');
    assert.deepEqual([it.enabled, it.isCompleted], [['a', 'b'], false]);
    assert.ok(it.choose('b').complete('b').isCompleted);
    const rounds = model({}, {}, [], { loop: { kind: 'standard', testBefore: false, maximum: 2, condition: null } });
    const loop = instance(rounds).start().choose('a').complete('a');
    assert.ok(!loop.isCompleted);
    assert.ok(loop.choose('a').complete('a').isCompleted);
  });

  it('has event sub-processes: beside what is chosen, or in its place', () => {
    const withEvent = (interrupting: boolean, sequential = false) =>
      instance(
        model(
          { sequential },
          {
            e: eventSubProcess({ in: 'h' }),
            es: start({ in: 'e', event: signal('S'), interrupting }),
            i: userTask({}, { in: 'e' }),
          },
          ['es -> i'],
        ),
      )
        .start()
        .trigger('es');
    const beside = withEvent(false, true);
    assert.deepEqual(beside.enabled, ['a', 'b'], 'what it does is nothing that was chosen');
    assert.deepEqual([beside.complete('i').isCompleted, beside.enabled], [false, ['a', 'b']]);
    assert.ok(beside.choose('a').complete('a').isCompleted);
    const instead = withEvent(true);
    assert.deepEqual([instead.active, instead.enabled], [['i'], []]);
    assert.ok(instead.complete('i').isCompleted);
  });

  it('is compensated as another sub-process is: what has completed in it, the last first', () => {
    const undone = (id: string): Record<string, ElementSpec> => ({
      [`${id}c`]: { type: 'boundaryEvent', in: 'h', on: id, event: compensate() },
      [`${id}u`]: { ...service(`\${log.concat("${id}")}`, 'log', { in: 'h' }), isForCompensation: true },
    });
    const it = instance(
      program(
        {
          s: start(),
          h: adHoc({ completionCondition: when('${n >= 3}') }),
          a: inside({ undo: 'au' }),
          b: inside({ undo: 'bu' }),
          ...undone('a'),
          ...undone('b'),
          t: throwing(compensate()),
          z: end(),
        },
        ['s -> h', 'h -> t', 't -> z'],
      ),
    ).start({ log: '', n: 0 });
    it.choose('a').choose('b').complete('b', { n: 1 }).complete('a', { n: 2 }).choose('b').complete('b', { n: 3 });
    assert.deepEqual([it.isCompleted, it.variables.log], [true, 'bab']);
  });

  it('can always go on, for an inclusive join behind it', () => {
    const it = instance(
      program(
        {
          s: start(),
          f: gateway('inclusive'),
          h: adHoc(),
          a: inside(),
          u: userTask(),
          j: gateway('inclusive'),
          z: end(),
        },
        ['s -> f', 'f -> h', 'f -> u', 'h -> j', 'u -> j', 'j -> z'],
      ),
    )
      .start()
      .complete('u');
    assert.ok(!it.isCompleted, 'the join waits for it');
    assert.ok(it.choose('a').complete('a').isCompleted);
  });

  it('is large with many that run, and still ends them all', () => {
    const it = instance(model({ completionCondition: when('${done}') })).start({ done: false });
    for (let n = 0; n < 60; n++) it.choose('a');
    assert.equal(it.state.scopes.find(({ element }) => element === 2)?.size, 60);
    it.complete('a').complete('a', { done: true });
    assert.ok(it.isCompleted);
    assert.ok(it.effects.some(({ type }) => type === 'abandon'));
  });

  it('wakes conditions by the variables of what is chosen', () => {
    const it = instance(
      model({}, { w: boundary('h', condition('${n > 1}')), x: userTask(), p: subProcess({ in: 'h' }) }, ['w -> x']),
    )
      .start({ n: 0 })
      .choose('a', { n: 2 });
    assert.deepEqual(it.active, ['x']);
  });

  it('is begun by what is begun in it, and then takes more', () => {
    const it = instance(
      program({ s: start(), u: userTask(), h: adHoc(), a: inside(), c: inside(), x: userTask() }, [
        's -> u',
        'u -> h',
        'a -> c',
        'h -> x',
      ]),
    ).start();
    const cancel = { type: 'cancel', what: { activityId: 'u' } } as const;
    const begin = { type: 'startBeforeActivity', id: 'a', ancestor: null, variables: {}, localVariables: {} } as const;
    it.give({ type: 'modify', reason: 'it was forgotten', instructions: [begin, cancel] });
    assert.deepEqual([it.active, it.enabled], [['h', 'a'], ['a']]);
    assert.deepEqual(it.complete('a').complete('c').active, ['x']);
  });

  it('is cancelled with its instance', () => {
    const it = instance(model()).start().choose('a').give({ type: 'cancel', reason: 'x' });
    assert.deepEqual([it.tasks.size, it.trail], [0, ['s', 'h!', 'a!']]);
  });
});
