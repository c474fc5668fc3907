import assert from 'node:assert/strict';
import { bpmn, element, flows } from '../../support/bpmn.js';
import { type Instance, instance } from '../../support/instance.js';
import { programOf, warningsOf } from '../../support/model.js';
import {
  boundary,
  compensate,
  type ElementSpec,
  end,
  error,
  eventSubProcess,
  gateway,
  message,
  program,
  service,
  signal,
  start,
  subProcess,
  throwing,
  userTask,
} from '../../support/program.js';

const logs = (id: string, more: Partial<ElementSpec> = {}) =>
  service(`\${execution.setVariable('log', log.concat(' ${id}'))}`, null, more);
const undoes = (id: string, more: Partial<ElementSpec> = {}) => logs(id, { isForCompensation: true, ...more });
const waits = (more: Partial<ElementSpec> = {}) => userTask({}, { isForCompensation: true, ...more });

/** a and b, which can be compensated, what throws, and what comes then. */
const line = (thrown: ElementSpec, undo: (id: string) => ElementSpec = undoes) =>
  program(
    {
      s: start(),
      a: logs('a', { undo: 'ha' }),
      b: logs('b', { undo: 'hb' }),
      ha: undo('ha'),
      hb: undo('hb'),
      t: thrown,
      z: logs('z'),
      u: userTask(),
    },
    ['s -> a', 'a -> b', 'b -> t', 't -> z', 'z -> u'],
  );

/** A sub-process with a and b in it, and what is beside it. */
const nested = (
  more: Readonly<Record<string, ElementSpec>>,
  flows: readonly string[],
  inner: Readonly<Record<string, ElementSpec>> = {},
) =>
  program(
    {
      s: start(),
      p: subProcess({
        io: { inputs: [{ name: 'own', value: { kind: 'expression', text: '${first}' } }], outputs: [] },
      }),
      ps: start({ in: 'p' }),
      a: logs('a', { in: 'p', undo: 'ha' }),
      b: logs('b', { in: 'p', undo: 'hb' }),
      ha: undoes('ha${own}', { in: 'p', ...service("${execution.setVariable('log', log.concat(' ha').concat(own))}") }),
      hb: undoes('hb', { in: 'p' }),
      ...inner,
      ...more,
    },
    ['s -> p', 'ps -> a', 'a -> b', ...flows],
  );

describe('compensation', () => {
  it('undoes what has completed, the last first, before its thrower goes on', () => {
    for (const stepsMax of [1, 2, 1000]) {
      const it = instance(line(throwing(compensate())), { stepsMax }).start({ log: '' });
      assert.deepEqual([it.variables.log, it.active], [' a b hb ha z', ['u']]);
    }
    const it = instance(line(throwing(compensate()))).start({ log: '' });
    assert.deepEqual(it.trail, ['s', 'a', 'b', 't', 'hb', 'ha', 'z', 'u?']);
  });

  it('does one after the other, and its thrower waits', () => {
    const it = instance(line(throwing(compensate()), () => waits())).start({ log: '' });
    assert.deepEqual(it.active, ['t', 'hb']);
    assert.deepEqual(it.complete('hb').active, ['t', 'ha']);
    assert.deepEqual(it.complete('ha').active, ['u']);
    assert.deepEqual(it.trail, ['s', 'a', 'b', 't', 'hb', 'ha', 'z', 'u?']);
    assert.ok(it.complete('u').isCompleted);
  });

  it('ends with its thrower, where that is cancelled, and with it what holds both', () => {
    const cancel = (it: Instance, activityId: string) =>
      it.give({ type: 'modify', reason: '', instructions: [{ type: 'cancel', what: { activityId } }] });
    const alone = cancel(instance(line(throwing(compensate()), () => waits())).start({ log: '' }), 't');
    assert.deepEqual([alone.trail, alone.loose], [['s', 'a', 'b', 't!', 'hb!'], []]);
    assert.equal(alone.ended?.type === 'ended' && alone.ended.outcome, 'cancelled');
    const model = nested({ t: throwing(compensate(), { in: 'p' }), q: userTask() }, ['b -> t', 's -> q'], {
      ha: waits({ in: 'p' }),
      hb: waits({ in: 'p' }),
    });
    const it = instance(model).start({ first: 1, log: '' });
    assert.deepEqual(it.active.sort(), ['hb', 'q', 't']);
    assert.deepEqual([cancel(it, 't').active, it.state.scopes.length, it.loose], [['q'], 1, []]);
  });

  it('goes on where a former version has cancelled its thrower alone, and ends what holds it', () => {
    const it = instance(line(throwing(compensate()), () => waits())).start({ log: '' });
    it.state.tokens.splice(0, 1);
    assert.ok(it.complete('hb').isCompleted);
  });

  it('goes on beside its thrower, which does not wait', () => {
    const it = instance(line(throwing(compensate(null, false)), () => waits())).start({ log: '' });
    assert.deepEqual([it.active, it.variables.log], [['u', 'hb'], ' a b z']);
    it.complete('u');
    assert.ok(!it.isCompleted);
    assert.ok(it.complete('hb').complete('ha').isCompleted);
    assert.deepEqual(it.trail, ['s', 'a', 'b', 't', 'z', 'u', 'hb', 'ha']);
  });

  it('undoes only the activity that is named, each time once', () => {
    const it = instance(line(throwing(compensate('a')))).start({ log: '' });
    assert.equal(it.variables.log, ' a b ha z');
    const twice = program(
      {
        s: start(),
        a: logs('a', { undo: 'ha' }),
        ha: undoes('ha'),
        t: throwing(compensate()),
        t2: throwing(compensate()),
        u: userTask(),
      },
      ['s -> a', 'a -> t', 't -> t2', 't2 -> u'],
    );
    assert.equal(instance(twice).start({ log: '' }).variables.log, ' a ha');
  });

  it('is thrown by an end event, too, and by nobody where nothing has completed', () => {
    const it = instance(line(end({ event: compensate() }))).start({ log: '' });
    assert.equal(it.variables.log, ' a b hb ha z');
    const model = program({ s: start(), t: end({ event: compensate() }) }, ['s -> t']);
    assert.deepEqual(instance(model).start().trail, ['s', 't']);
    assert.ok(instance(model).start().isCompleted);
  });

  it('undoes as often as it was done, with the data of each time', () => {
    const model = program(
      {
        s: start(),
        a: service('${n}', null, {
          undo: 'h',
          io: {
            inputs: [{ name: 'mine', value: { kind: 'expression', text: '${n}' } }],
            outputs: [{ name: 'n', value: { kind: 'expression', text: '${n + 1}' } }],
          },
        }),
        h: service("${execution.setVariable('log', log.concat(' ').concat(mine))}", null, { isForCompensation: true }),
        x: gateway('exclusive'),
        t: throwing(compensate()),
        u: userTask(),
      },
      ['s -> a', 'a -> x', 'x -> a : ${n < 3}', 'x -> t : default', 't -> u'],
    );
    const it = instance(model).start({ n: 0, log: '' });
    assert.deepEqual([it.variables.log, it.state.scopes.length], [' 2 1 0', 1]);
  });

  it('goes into a sub-process that has completed, with its variables as they were then', () => {
    const model = nested(
      { c: service("${execution.setVariable('first', 2)}"), t: throwing(compensate()), u: userTask() },
      ['p -> c', 'c -> t', 't -> u'],
    );
    for (const stepsMax of [1, 1000]) {
      const it = instance(model, { stepsMax }).start({ first: 1, log: '' });
      assert.equal(it.variables.log, ' a b hb ha1');
      assert.deepEqual([it.trail, it.state.scopes.length], [['s', 'p', 'ps', 'a', 'b', 'c', 't', 'hb', 'ha', 'u?'], 1]);
    }
  });

  it('does not go into what has not completed, nor into what was interrupted', () => {
    const model = nested(
      { w: userTask({}, { in: 'p' }), m: boundary('p', message('M')), t: throwing(compensate()), u: userTask() },
      ['b -> w', 'm -> t', 't -> u'],
    );
    const it = instance(model).start({ first: 1, log: '' }).trigger('m');
    assert.deepEqual([it.variables.log, it.active, it.state.scopes.length], [' a b', ['u'], 1]);
  });

  it('is done by the event sub-process that a sub-process has for it, which may go further', () => {
    const inner = {
      es: eventSubProcess({ in: 'p' }),
      ess: start({ in: 'es', event: compensate(), interrupting: true }),
      e1: logs('e1', { in: 'es' }),
      ew: userTask({}, { in: 'es' }),
      et: throwing(compensate('a'), { in: 'es' }),
      e2: logs('e2', { in: 'es' }),
    };
    const model = nested(
      { t: throwing(compensate('p')), u: userTask() },
      ['p -> t', 't -> u', 'ess -> e1', 'e1 -> ew', 'ew -> et', 'et -> e2'],
      inner,
    );
    const it = instance(model).start({ first: 1, log: '' });
    assert.deepEqual(it.active, ['t', 'ew']);
    it.complete('ew');
    assert.deepEqual([it.variables.log, it.active, it.state.scopes.length], [' a b e1 ha1 e2', ['u'], 1]);
    assert.deepEqual(it.trail, ['s', 'p', 'ps', 'a', 'b', 't', 'es', 'ess', 'e1', 'ew', 'et', 'ha', 'e2', 'u?']);
  });

  it('of a sub-process with a handler is that handler alone', () => {
    const model = program(
      {
        s: start(),
        p: subProcess({ undo: 'hp' }),
        ps: start({ in: 'p' }),
        a: logs('a', { in: 'p', undo: 'ha' }),
        ha: undoes('ha', { in: 'p' }),
        hp: undoes('hp'),
        t: throwing(compensate()),
        u: userTask(),
      },
      ['s -> p', 'ps -> a', 'p -> t', 't -> u'],
    );
    const it = instance(model).start({ log: '' });
    assert.deepEqual([it.variables.log, it.state.scopes.length], [' a hp', 1]);
  });

  it('is thrown in an event sub-process for what has completed around it', () => {
    const model = program(
      {
        s: start(),
        a: logs('a', { undo: 'ha' }),
        ha: undoes('ha'),
        f: end({ event: error('E') }),
        es: eventSubProcess(),
        ess: start({ in: 'es', event: error('E'), interrupting: true }),
        b: logs('b', { in: 'es', undo: 'hb' }),
        hb: undoes('hb', { in: 'es' }),
        t: throwing(compensate(), { in: 'es' }),
        u: userTask({}, { in: 'es' }),
      },
      ['s -> a', 'a -> f', 'ess -> b', 'b -> t', 't -> u'],
    );
    const it = instance(model).start({ log: '' });
    assert.deepEqual([it.variables.log, it.active], [' a b hb ha', ['u']]);
  });

  it('undoes each instance of a loop by itself', () => {
    const model = program(
      {
        s: start(),
        a: service('${1}', null, {
          undo: 'h',
          loop: {
            kind: 'multiInstance',
            sequential: false,
            cardinality: { kind: 'expression', text: '3' },
            collection: null,
            elementVariable: null,
            completionCondition: null,
          },
        }),
        h: service("${execution.setVariable('log', log.concat(' ').concat(loopCounter))}", null, {
          isForCompensation: true,
        }),
        t: throwing(compensate()),
        u: userTask(),
      },
      ['s -> a', 'a -> t', 't -> u'],
    );
    const it = instance(model).start({ log: '' });
    assert.deepEqual([it.variables.log, it.state.scopes.length], [' 2 1 0', 1]);
  });

  it('is ended with its scope, and leaves nothing behind', () => {
    const model = program(
      {
        s: start(),
        q: subProcess(),
        qs: start({ in: 'q' }),
        p: subProcess({ in: 'q' }),
        ps: start({ in: 'p' }),
        a: logs('a', { in: 'p', undo: 'ha' }),
        b: logs('b', { in: 'p', undo: 'hb' }),
        ha: waits({ in: 'p' }),
        hb: waits({ in: 'p' }),
        t: throwing(compensate(), { in: 'q' }),
        m: boundary('q', message('M')),
        u: userTask(),
      },
      ['s -> q', 'qs -> p', 'ps -> a', 'a -> b', 'p -> t', 'm -> u'],
    );
    const it = instance(model).start({ log: '' });
    assert.deepEqual(it.active, ['t', 'hb']);
    it.trigger('m');
    assert.deepEqual([it.active, it.state.scopes.length, it.tasks.size], [['u'], 1, 1]);
    const gone = instance(model).start({ log: '' }).give({ type: 'cancel', reason: 'x' });
    assert.deepEqual([gone.state.tokens, gone.state.scopes.length], [[], 1]);
  });

  it('that fails goes to the boundary of what holds its thrower', () => {
    const model = program(
      {
        s: start(),
        q: subProcess(),
        qs: start({ in: 'q' }),
        a: logs('a', { in: 'q', undo: 'ha' }),
        ha: { type: 'subProcess', in: 'q', isForCompensation: true },
        hs: start({ in: 'ha' }),
        he: end({ in: 'ha', event: error('E') }),
        t: throwing(compensate(), { in: 'q' }),
        b: boundary('q', error('E')),
        u: userTask(),
      },
      ['s -> q', 'qs -> a', 'a -> t', 'hs -> he', 'b -> u'],
    );
    assert.deepEqual(instance(model).start({ log: '' }).active, ['u']);
  });
});

describe('a model with compensation in XML', () => {
  it('runs as it is drawn: handlers, a transaction, what cancels it', async () => {
    const handler = (id: string) =>
      element('serviceTask', id, {
        isForCompensation: 'true',
        'camunda:expression': `\${execution.setVariable('log', log.concat(' ${id}'))}`,
      });
    const compensation = (id: string, on: string) =>
      element('boundaryEvent', id, { attachedToRef: on }, '<bpmn:compensateEventDefinition/>');
    const association = (from: string, to: string) =>
      `<bpmn:association id="${from}_${to}" associationDirection="One" sourceRef="${from}" targetRef="${to}"/>`;
    const inner = `${element('startEvent', 'ts')}${element('task', 'book')}${compensation('cb', 'book')}${handler('unbook')}
      ${element('endEvent', 'no', {}, '<bpmn:cancelEventDefinition/>')}${flows('ts', 'book', 'no')}${association('cb', 'unbook')}`;
    const model = bpmn(
      `${element('startEvent', 's')}${element('task', 'pay')}${compensation('cp', 'pay')}${handler('refund')}
      ${element('transaction', 'tx', {}, inner)}${element('boundaryEvent', 'off', { attachedToRef: 'tx' }, '<bpmn:cancelEventDefinition/>')}
      ${element('intermediateThrowEvent', 'undo', {}, '<bpmn:compensateEventDefinition activityRef="pay"/>')}${element('userTask', 'u')}
      ${flows('s', 'pay', 'tx')}${flows('off', 'undo', 'u')}${association('cp', 'refund')}`,
    );
    assert.deepEqual(await warningsOf(model), []);
    const program = await programOf(model);
    const it = instance(program).start({ log: '' });
    assert.deepEqual([it.variables.log, it.active], [' unbook refund', ['u']]);
    const types = Object.fromEntries(program.elements.map(({ id, activityType }) => [id, activityType]));
    assert.deepEqual(
      [types.tx, types.cb, types.no, types.off],
      ['transaction', 'compensationBoundaryCatch', 'cancelEndEvent', 'cancelBoundaryCatch'],
    );
  });
});

describe('a transaction', () => {
  const model = (undo: ElementSpec, more: Readonly<Record<string, ElementSpec>> = {}) =>
    program(
      {
        s: start(),
        p: subProcess({ transaction: true, activityType: 'transaction' }),
        ps: start({ in: 'p' }),
        a: logs('a', { in: 'p', undo: 'ha' }),
        ha: { ...undo, in: 'p' },
        f: { ...gateway('parallel'), in: 'p' },
        w: userTask({}, { in: 'p' }),
        q: userTask({}, { in: 'p' }),
        c: end({ in: 'p', event: { kind: 'cancel' } }),
        n: boundary('p', { kind: 'cancel' }),
        x: userTask(),
        y: userTask(),
        ...more,
      },
      ['s -> p', 'ps -> a', 'a -> f', 'f -> w', 'f -> q', 'q -> c', 'p -> y', 'n -> x'],
    );

  it('that is cancelled ends all else in it, is compensated, and goes on at its cancel event', () => {
    const it = instance(model(waits())).start({ log: '' }).complete('q');
    assert.deepEqual(it.active, ['c', 'ha']);
    it.complete('ha');
    assert.deepEqual(it.trail, ['s', 'p!', 'ps', 'a', 'f', 'w!', 'q', 'c!', 'ha', 'n', 'x?']);
    assert.deepEqual([it.tasks.size, it.state.scopes.length], [1, 1]);
  });

  it('is cancelled at once where nothing in it can be compensated', () => {
    const it = instance(
      program(
        {
          s: start(),
          p: subProcess({ transaction: true }),
          ps: start({ in: 'p' }),
          c: end({ in: 'p', event: { kind: 'cancel' } }),
          n: boundary('p', { kind: 'cancel' }),
          x: userTask(),
        },
        ['s -> p', 'ps -> c', 'n -> x'],
      ),
    ).start();
    assert.deepEqual(it.trail, ['s', 'p!', 'ps', 'c!', 'n', 'x?']);
  });

  it('that completes is a sub-process like others', () => {
    const it = instance(
      program(
        {
          s: start(),
          p: subProcess({ transaction: true }),
          ps: start({ in: 'p' }),
          u: userTask({}, { in: 'p' }),
          n: boundary('p', { kind: 'cancel' }),
          x: userTask(),
          y: userTask(),
          m: boundary('p', signal('S'), false),
        },
        ['s -> p', 'ps -> u', 'n -> x', 'p -> y'],
      ),
    ).start();
    assert.deepEqual(it.complete('u').active, ['y']);
  });
});
