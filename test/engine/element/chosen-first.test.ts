import assert from 'node:assert/strict';
import { instance } from '../../support/instance.js';
import {
  type ElementSpec,
  gateway,
  listener,
  multi,
  program,
  service,
  start,
  subProcess,
  userTask,
} from '../../support/program.js';

const expression = (text: string) => ({ kind: 'expression', text }) as const;
const five = { inputs: [], outputs: [{ name: 'a', value: expression('${5}') }] };
const giving = { io: five };
const telling = { listeners: [listener('end', '${execution.setVariable("a", 5)}')] };

/** Where the token goes from this element, with `a` 0 before it: to `old`, `new` or `other`. */
function way(from: ElementSpec, conditions: Readonly<Record<string, string>>, rules?: number, inner = {}): string[] {
  const flows = Object.entries(conditions).map(([to, text]) => `x -> ${to} : ${text}`);
  const tasks = Object.fromEntries(Object.keys(conditions).map((id) => [id, userTask()]));
  const model = program({ s: start(), x: from, ...inner, ...tasks }, ['s -> x', ...flows]);
  return [...instance(model, rules === undefined ? {} : { rules }).start({ a: 0 }).active];
}

const both = { old: '${a == 0}', new: '${a == 5}' };

describe('the flows by which a token leaves', () => {
  it('are chosen before end listeners and outputs change what their conditions read, as in Camunda 7', () => {
    for (const more of [giving, telling]) {
      assert.deepEqual(way(service('${1}', null, more), both), ['old']);
      assert.deepEqual(way({ ...gateway('exclusive'), ...more }, both), ['old']);
      assert.deepEqual(way({ ...gateway('inclusive'), ...more }, both), ['old']);
      assert.deepEqual(way(subProcess(more), both, undefined, { i: start({ in: 'x' }) }), ['old']);
    }
  });

  it('see them where the instances of a loop have ended before', () => {
    assert.deepEqual(way(service('${1}', null, { ...telling, loop: multi(2) }), both), ['new']);
  });

  it('are chosen after them where none can be chosen before', () => {
    const fresh = { io: { inputs: [], outputs: [{ name: 'b', value: expression('${5}') }] } };
    assert.deepEqual(way(service('${1}', null, fresh), { old: '${b == 0}', new: '${b == 5}' }), ['new']);
    assert.deepEqual(way(service('${1}', null, giving), { old: '${a == 1}', new: '${a == 5}' }), ['new']);
    assert.throws(() => way(service('${1}', null, giving), { old: '${a == 1}' }), { code: 'EXECUTION_FAILED' });
  });

  it('are chosen before they are parked for asyncAfter, too', () => {
    const model = program(
      { s: start(), x: service('${1}', null, { ...giving, asyncAfter: true }), old: userTask(), new: userTask() },
      ['s -> x', 'x -> old : ${a == 0}', 'x -> new : ${a == 5}'],
    );
    assert.deepEqual([...instance(model).start({ a: 0 }).fire('x').active], ['old']);
  });

  it('are chosen after outputs as Camunda 8 has them, and as former versions did', () => {
    const io = { ...five, keeps: true } as const;
    assert.deepEqual(way(service('${1}', null, { io }), both), ['new']);
    assert.deepEqual(way(service('${1}', null, giving), both, 7), ['new']);
  });
});
