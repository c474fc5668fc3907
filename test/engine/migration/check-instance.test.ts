import assert from 'node:assert/strict';
import { problemsIn } from '../../../src/engine/migration/check-instance.js';
import { elementsOf, type PlanRequest, planOf } from '../../../src/engine/migration/plan.js';
import type { Program } from '../../../src/engine/model/program.js';
import { type Instance, instance } from '../../support/instance.js';
import { type ElementSpec, gateway, multi, program, start, task, userTask } from '../../support/program.js';

const of = (elements: Readonly<Record<string, ElementSpec>>, ...flows: string[]) =>
  program({ s: start(), ...elements }, flows);

const hinders = (it: Instance, target: Program, request: PlanRequest = {}): string[] => {
  const elements = elementsOf(planOf(it.program, target, request));
  return problemsIn({ source: it.program, target, elements }, it.state).map(
    ({ rule, message }) => `${rule}: ${message}`,
  );
};

describe('an instance cannot migrate', () => {
  it('from an activity for which there is no instruction; each is said once', () => {
    const it = instance(
      of({ f: gateway('parallel'), a: userTask(), b: userTask() }, 's -> f', 'f -> a', 'f -> b', 'f -> a'),
    ).start();
    assert.deepEqual(hinders(it, of({ c: userTask() })), [
      "instruction: expected an instruction for activity 'a', at which the instance is, but there is none",
      "instruction: expected an instruction for activity 'b', at which the instance is, but there is none",
    ]);
  });

  it('by a flow that is not there any more, where there are several others', () => {
    const it = instance(of({ a: task({ asyncAfter: true }), b: userTask() }, 's -> a', 'a -> b')).start();
    const target = of({ a: task({ asyncAfter: true }), c: userTask(), d: userTask() }, 's -> a', 'a -> c', 'a -> d');
    assert.deepEqual(hinders(it, target), [
      "way-out: expected flow 'a -> b', by which 'a' was to be left, or only one flow out of 'a'",
    ]);
  });

  it('out of a loop that is being begun', () => {
    const it = instance(of({ a: userTask({}, { loop: multi(3) }) }, 's -> a'), { stepsLeft: () => 3 }).start();
    const instructions = [{ sourceActivityIds: ['a'], targetActivityIds: ['a'] }];
    assert.deepEqual(hinders(it, of({ a: userTask() }, 's -> a'), { instructions }), [
      "instruction: expected the loop 'a' to have begun all of its instances before it is taken away",
    ]);
  });

  it('while a modification of it is under way', () => {
    const it = instance(of({ a: userTask() }, 's -> a')).start();
    it.state.modifying = { instructions: [], reason: '' };
    assert.deepEqual(hinders(it, it.program), [
      "modification: expected the modification of the instance that is under way in 'process' to be done first",
    ]);
  });
});
