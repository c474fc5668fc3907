import assert from 'node:assert/strict';
import { typed } from '../../../src/engine/element/native.js';
import type { CallDefinition } from '../../../src/engine/model/program.js';
import { type Instance, instance } from '../../support/instance.js';
import {
  boundary,
  type ElementSpec,
  end,
  error,
  escalation,
  message,
  program,
  script,
  start,
  throwing,
  userTask,
} from '../../support/program.js';

const calls = (more: Partial<CallDefinition> = {}): ElementSpec => ({
  type: 'callActivity',
  call: { process: 'q', binding: 'latest', version: null, businessKey: null, inputs: [], outputs: [], ...more },
});
const model = (call: ElementSpec, more: Readonly<Record<string, ElementSpec>> = {}, flows: readonly string[] = []) =>
  program({ s: start(), c: call, u: userTask(), x: userTask(), ...more }, ['s -> c', 'c -> u', ...flows]);
const ends = (
  it: Instance,
  outcome: 'completed' | 'failed' | 'cancelled',
  variables: Record<string, unknown> = {},
  code = 'E',
) => {
  const { id } = it.job('c');
  it.jobs.delete(id);
  return it.give({
    type: 'calledEnded',
    calledId: id,
    outcome,
    error: outcome === 'failed' ? { code, message: 'm' } : null,
    variables: Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, typed(value)])),
    steps: 0,
  });
};

describe('a call activity', () => {
  it('calls by a job with what it gives, and waits', () => {
    const it = instance(
      model(
        calls({
          process: '${which}',
          binding: 'version',
          version: '${1 + 1}',
          businessKey: 'k-${a}',
          inputs: [
            { kind: 'all', local: false },
            { kind: 'variable', source: 'a', target: 'b', local: false },
            { kind: 'variable', source: 'none', target: 'c', local: false },
            { kind: 'expression', text: '${a + 1}', target: 'd', local: false },
          ],
        }),
      ),
    ).start({ which: 'q', a: 1 });
    const { called, type, immediate } = it.job('c');
    assert.deepEqual([type, immediate], ['called', true]);
    assert.deepEqual(
      [called?.process, called?.binding, called?.version, called?.businessKey],
      ['q', 'version', '2', 'k-1'],
    );
    const values = Object.entries(called?.variables ?? {}).map(([name, { value }]) => [name, value]);
    assert.deepEqual(Object.fromEntries(values), { which: 'q', a: 1, b: 1, c: null, d: 2 });
    assert.deepEqual(it.trail, ['s', 'c?']);
  });

  it('gives by a local mapping what are variables of its own alone', () => {
    const io = { inputs: [{ name: 'own', value: { kind: 'expression', text: '${a + 1}' } }], outputs: [] } as const;
    const given = (inputs: CallDefinition['inputs'], more: Partial<ElementSpec> = {}, rules = 8) => {
      const it = instance(model({ ...calls({ inputs }), ...more }), { rules }).start({ a: 1 });
      const found = Object.entries(it.job('c').called?.variables ?? {});
      return Object.fromEntries(found.map(([name, { value }]) => [name, value]));
    };
    const all = [{ kind: 'all', local: true }] as const;
    assert.deepEqual(given(all), {});
    assert.deepEqual(given(all, {}, 7), { a: 1 });
    assert.deepEqual(given(all, { io }), { own: 2 });
    const each = (source: string) => [{ kind: 'variable', source, target: 't', local: true }] as const;
    assert.deepEqual([given(each('a')), given(each('own'), { io })], [{ t: null }, { t: 2 }]);
    assert.deepEqual(given(each('a'), {}, 7), { t: 1 });
    const expression = (text: string) => [{ kind: 'expression', text, target: 't', local: true }] as const;
    assert.deepEqual(given(expression('${own * 2}'), { io }), { t: 4 });
    assert.throws(() => given(expression('${a}'), { io }), /a variable named 'a', but there is no variable/);
  });

  it('takes what the called process gives back, and completes', () => {
    const call = calls({
      outputs: [
        { kind: 'variable', source: 'out', target: 'res', local: false },
        { kind: 'expression', text: '${out + a}', target: 'sum', local: false },
        { kind: 'variable', source: 'out', target: 'mine', local: true },
      ],
    });
    const it = ends(
      instance(
        model({
          ...call,
          io: { inputs: [], outputs: [{ name: 'kept', value: { kind: 'expression', text: '${mine}' } }] },
        }),
      ).start({ a: 1 }),
      'completed',
      { out: 5, a: 2 },
    );
    assert.deepEqual([it.trail, it.variables], [['s', 'c', 'u?'], { a: 1, res: 5, sum: 7, kept: 5 }]);
    assert.equal(it.state.scopes.length, 1);
  });

  it('catches the error of the called process, with what that gives back', () => {
    const call = calls({ outputs: [{ kind: 'all', local: false }] });
    const it = instance(model(call, { b: boundary('c', error('E', { messageVariable: 'why' })) }, ['b -> x'])).start();
    ends(it, 'failed', { out: 5 });
    assert.deepEqual([it.trail, it.variables], [['s', 'c!', 'b', 'x?'], { out: 5, why: 'm' }]);
  });

  it('ends as an error end event does where nothing catches the error', () => {
    const it = ends(instance(model(calls())).start(), 'failed');
    assert.deepEqual(it.ended, {
      type: 'ended',
      outcome: 'failed',
      reason: "error 'E' of end event 'c' was not caught",
    });
    assert.deepEqual(it.trail, ['s', 'c!']);
  });

  it('fails the run where the called instance was cancelled', () => {
    assert.throws(
      () => ends(instance(model(calls())).start(), 'cancelled'),
      /called process instance to complete of element 'c', but it was cancelled/,
    );
  });

  it('takes escalations beside itself or instead of itself', () => {
    for (const interrupting of [false, true]) {
      const it = instance(model(calls(), { b: boundary('c', escalation('ESC'), interrupting) }, ['b -> x'])).start();
      const { id } = it.job('c');
      it.give({ type: 'calledEscalated', calledId: id, code: 'ESC', steps: 0 });
      assert.deepEqual(it.active.sort(), interrupting ? ['x'] : ['c', 'x']);
      assert.equal(
        it.effects.some(({ type }) => type === 'cancelCalled'),
        interrupting,
      );
    }
  });

  it('cancels what it called when it is left, in whatever way', () => {
    const bounded = model(calls(), { b: boundary('c', message('M')) }, ['b -> x']);
    const cancelled = (it: Instance) => it.effects.filter(({ type }) => type === 'cancelCalled').length;
    assert.equal(cancelled(instance(bounded).start().trigger('b')), 1);
    assert.equal(cancelled(instance(bounded).start().give({ type: 'cancel', reason: 'x' })), 1);
  });

  it('names a process', () => {
    assert.throws(
      () => instance(model(calls({ process: '${none}' }))).start({ none: null }),
      /expected a process from '\$\{none\}' of element 'c', but it gives nothing/,
    );
  });
});

describe('an instance that is called', () => {
  const begin = (elements: Readonly<Record<string, ElementSpec>>, flows: readonly string[], surroundings = {}) =>
    instance(program({ s: start(), ...elements }, flows), surroundings).give({
      type: 'start',
      element: null,
      called: true,
      variables: {},
    });
  const told = (it: Instance) =>
    it.effects.filter(({ type }) => type === 'return' || type === 'escalate' || type === 'ended');

  it('tells how it ended', () => {
    const it = begin({ u: userTask() }, ['s -> u']);
    assert.deepEqual(told(it), []);
    assert.deepEqual(
      told(it.complete('u')).map((effect) => [effect.type, 'outcome' in effect && effect.outcome]),
      [
        ['return', 'completed'],
        ['ended', 'completed'],
      ],
    );
    const gone = begin({ u: userTask() }, ['s -> u']).give({ type: 'cancel', reason: 'x' });
    assert.deepEqual(
      told(gone).map((effect) => [effect.type, 'outcome' in effect && effect.outcome]),
      [
        ['ended', 'cancelled'],
        ['return', 'cancelled'],
      ],
    );
  });

  it('ends at once with an error that nothing in it catches, of an end event or a script', () => {
    const answer = () => ({ value: { bpmnError: { code: 'E', message: 'm' } } });
    for (const last of [end({ event: error('E', { message: 'm' }) }), script('throw')]) {
      const it = begin({ f: { type: 'parallelGateway' }, u: userTask(), e: last }, ['s -> f', 'f -> u', 'f -> e'], {
        answer,
      });
      const [, returned] = told(it);
      assert.deepEqual(returned, { type: 'return', outcome: 'failed', error: { code: 'E', message: 'm' }, steps: 4 });
      assert.deepEqual([it.state.tokens, it.tasks.size], [[], 0]);
    }
  });

  it('tells of an escalation that nothing in it catches, and goes on', () => {
    const it = begin({ t: throwing(escalation('ESC')), u: userTask() }, ['s -> t', 't -> u']);
    assert.deepEqual([told(it), it.active], [[{ type: 'escalate', code: 'ESC', steps: 2 }], ['u']]);
  });
});
