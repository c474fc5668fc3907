import assert from 'node:assert/strict';
import { type PlanRequest, planOf } from '../../../src/engine/migration/plan.js';
import type { Program } from '../../../src/engine/model/program.js';
import {
  adHoc,
  boundary,
  catching,
  condition,
  type ElementSpec,
  end,
  eventSubProcess,
  gateway,
  message,
  multi,
  program,
  signal,
  start,
  subProcess,
  timer,
  userTask,
} from '../../support/program.js';

const pairs = (source: Program, target: Program, request: PlanRequest = {}): string[] =>
  planOf(source, target, request).instructions.map(
    ({ source: from, target: to, renews }) =>
      `${source.elements[from]?.id} -> ${target.elements[to]?.id}${renews ? ' anew' : ''}`,
  );

const broken = (source: Program, target: Program, request: PlanRequest = {}): string[] =>
  planOf(source, target, request).problems.map(({ rule, message }) => `${rule}: ${message}`);

const map = (...given: readonly (string | readonly [string, boolean])[]): PlanRequest => ({
  mapEqualActivities: false,
  instructions: given.map((each) => {
    const [text, updateEventTrigger] = typeof each === 'string' ? [each, null] : each;
    const [from = '', to = ''] = text.split(' -> ');
    return { sourceActivityIds: [from], targetActivityIds: to === '' ? [] : [to], updateEventTrigger };
  }),
});

const of = (elements: Readonly<Record<string, ElementSpec>>, ...flows: string[]) =>
  program({ s: start(), ...elements, e: end() }, flows);

describe('a migration plan', () => {
  const line = of({ a: userTask() }, 's -> a', 'a -> e');

  it('pairs what has the same id and kind, unless something else is said of it', () => {
    const target = of({ a: userTask(), b: userTask() }, 's -> a', 'a -> b', 'b -> e');
    assert.deepEqual(pairs(line, target), ['s -> s', 'a -> a', 'e -> e']);
    assert.deepEqual(pairs(line, target, map('a -> b')), ['a -> b']);
    assert.deepEqual(pairs(line, target, { ...map('a -> b'), mapEqualActivities: true }), [
      's -> s',
      'a -> b',
      'e -> e',
    ]);
    assert.deepEqual(pairs(line, target, { ...map('a -> '), mapEqualActivities: true }), ['s -> s', 'e -> e']);
  });

  it('leaves out equal ones that cannot go together, and what depends on them', () => {
    const source = of({ p: subProcess(), a: userTask({}, { in: 'p' }), b: boundary('a', timer('duration', 'PT1H')) });
    const target = of({
      p: subProcess(),
      a: { type: 'receiveTask', in: 'p' },
      b: boundary('a', timer('duration', 'PT1H'), true, { in: 'p' }),
    });
    assert.deepEqual(pairs(source, target), ['s -> s', 'p -> p', 'e -> e']);
  });

  it('marks events that wait anew where that is asked, and conditions always', () => {
    const elements = {
      a: userTask(),
      b: boundary('a', timer('duration', 'PT1H')),
      c: boundary('a', condition('${x}')),
    };
    const one = of(elements);
    assert.deepEqual(pairs(one, one), ['s -> s', 'a -> a', 'b -> b', 'c -> c anew', 'e -> e']);
    assert.deepEqual(pairs(one, one, { updateEventTriggers: true }).slice(1, 4), [
      'a -> a',
      'b -> b anew',
      'c -> c anew',
    ]);
  });

  it("takes Camunda's two instructions of an activity that repeats as one", () => {
    const one = of({ a: userTask({}, { loop: multi(2) }) });
    const both = map('a#multiInstanceBody -> a#multiInstanceBody', 'a -> a');
    assert.deepEqual([pairs(one, one, both), broken(one, one, both)], [['a -> a'], []]);
  });

  it('reports all that is wrong, each with its instruction and why', () => {
    const target = of({ r: { type: 'receiveTask' } });
    const plan = planOf(line, target, map('a -> r', 'x -> r', 'a -> s', 's -> y'));
    assert.deepEqual(
      plan.problems.map(({ rule, sourceActivityIds, targetActivityIds }) => [
        rule,
        sourceActivityIds[0],
        targetActivityIds[0],
      ]),
      [
        ['known', 'x', 'r'],
        ['once', 'a', 's'],
        ['known', 's', 'y'],
        ['same-type', 'a', 'r'],
      ],
    );
    assert.equal(
      plan.problems.at(-1)?.message,
      "expected to migrate 'a' to 'r' of the same type, but one is a userTask and the other a receiveTask",
    );
    const many = {
      mapEqualActivities: false,
      instructions: [{ sourceActivityIds: ['a', 's'], targetActivityIds: ['r'] }],
    };
    assert.deepEqual(broken(line, target, many), [
      'one-to-one: expected one source activity, and one target activity or none',
    ]);
  });
});

describe('a rule of migration plans', () => {
  const inP = (spec: ElementSpec): ElementSpec => ({ ...spec, in: 'p' });
  const cases: Readonly<Record<string, readonly [Program, Program, PlanRequest, string | null]>> = {
    'same-type: no other kind of activity': [
      of({ a: userTask() }),
      of({ a: { type: 'task' } }),
      map('a -> a'),
      "same-type: expected to migrate 'a' to 'a' of the same type, but one is a userTask and the other a task",
    ],
    'same-type: external tasks are one kind': [
      of({
        a: {
          type: 'serviceTask',
          work: { kind: 'handler', name: 'x', resultVariable: null, fields: {}, external: { priority: null } },
        },
      }),
      of({
        a: {
          type: 'sendTask',
          work: { kind: 'handler', name: 'x', resultVariable: null, fields: {}, external: { priority: null } },
        },
      }),
      map('a -> a'),
      null,
    ],
    'same-type: an ad-hoc sub-process is none that is not': [
      of({ p: subProcess(), a: inP(userTask()) }),
      of({ p: adHoc(), a: inP(userTask()) }),
      map('p -> p'),
      "same-type: expected to migrate 'p' to 'p' of the same type, but one is a subProcess and the other a ad-hoc subProcess",
    ],
    'same-event: no other event': [
      of({ a: catching(timer('duration', 'PT1H')) }),
      of({ a: catching(signal('x')) }),
      map('a -> a'),
      "same-event: expected to migrate 'a' to 'a' with the same event, but one is timer and the other signal",
    ],
    'same-loop: no other way of repeating': [
      of({ a: userTask({}, { loop: multi(2) }) }),
      of({ a: userTask({}, { loop: multi(2, { sequential: true }) }) }),
      map('a -> a'),
      "same-loop: expected to migrate 'a' to 'a' with the same loop, but one is a parallel multi-instance and the other a sequential multi-instance",
    ],
    'same-loop: none is added': [
      of({ a: userTask() }),
      of({ a: userTask({}, { loop: multi(2) }) }),
      map('a -> a'),
      "same-loop: expected to migrate 'a' to 'a' with the same loop, but one is not repeated and the other a parallel multi-instance",
    ],
    'same-loop: it may be taken away': [
      of({ a: userTask({}, { loop: multi(2) }) }),
      of({ a: userTask() }),
      map('a -> a'),
      null,
    ],
    'event-trigger: only of what waits': [
      of({ a: userTask() }),
      of({ a: userTask() }),
      map(['a -> a', true]),
      "event-trigger: expected an event that waits for something to update the trigger of, but 'a' is a userTask",
    ],
    'condition-trigger: conditions are those of the target': [
      of({ a: catching(condition('${x}')) }),
      of({ a: catching(condition('${y}')) }),
      map(['a -> a', false]),
      "condition-trigger: expected the trigger of conditional event 'a' to be updated, for its condition is always that of the target",
    ],
    'event-scope: a boundary event goes with its activity': [
      of({ a: userTask(), c: userTask(), b: boundary('a', signal('x')) }),
      of({ a: userTask(), c: userTask(), b: boundary('c', signal('x')) }),
      map('a -> a', 'c -> c', 'b -> b'),
      "event-scope: expected 'a', which awaits event 'b', to migrate to 'c', which awaits 'b'",
    ],
    'event-scope: a start event goes with what holds its event sub-process': [
      of({ p: subProcess(), x: inP(eventSubProcess()), xs: start({ in: 'x', event: signal('x') }) }),
      of({ p: subProcess(), x: eventSubProcess(), xs: start({ in: 'x', event: signal('x') }) }),
      map('xs -> xs'),
      "event-scope: expected 'p', which awaits event 'xs', to migrate to 'process', which awaits 'xs'",
    ],
    'event-scope: an event behind a gateway stays behind one': [
      of({ g: gateway('eventBased'), a: catching(message('x')) }, 'g -> a'),
      of({ a: catching(message('x')) }),
      map('a -> a'),
      "event-scope: expected to migrate 'a' to 'a', but only the former is awaited by 'g'",
    ],
    'flow-scope: nothing leaves a scope that migrates': [
      of({ p: subProcess(), a: inP(userTask()) }),
      of({ p: subProcess(), a: userTask() }),
      map('p -> p', 'a -> a'),
      "flow-scope: expected 'a' to be within 'p', to which 'p' around 'a' migrates",
    ],
    'no-loop-around: none is added around': [
      of({ a: userTask() }),
      of({ p: subProcess({ loop: multi(2) }), a: inP(userTask()) }),
      map('a -> a'),
      "no-loop-around: expected no loop to be added around 'a', but 'p' is a parallel multi-instance",
    ],
    'gateway-flows: as many incoming flows': [
      of({ a: userTask(), b: userTask(), g: gateway('parallel') }, 'a -> g', 'b -> g'),
      of({ a: userTask(), g: gateway('parallel') }, 'a -> g'),
      map('g -> g'),
      "gateway-flows: expected gateway 'g' to have at least 2 incoming flows, as 'g' has, but it has 1",
    ],
    'gateway-once: no two become one': [
      of({ g: gateway('inclusive'), h: gateway('inclusive') }),
      of({ g: gateway('inclusive') }),
      map('g -> g', 'h -> g'),
      "gateway-once: expected one gateway to migrate to 'g', but 'g' and 'h' do",
    ],
    'gateway-scope: it goes with its scope': [
      of({ p: subProcess(), g: inP(gateway('parallel')) }),
      of({ p: subProcess(), g: inP(gateway('parallel')) }),
      map('g -> g'),
      "gateway-scope: expected 'p', which holds gateway 'g', to migrate, too",
    ],
  };
  for (const [name, [source, target, request, expected]] of Object.entries(cases)) {
    it(name, () => {
      const found = broken(source, target, request);
      if (expected === null) assert.deepEqual(found, []);
      else assert.ok(found.includes(expected), `expected '${expected}' among\n${found.join('\n')}`);
    });
  }
});
