import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Program } from '../../../src/engine/model/program.js';
import { ServiceError } from '../../../src/shared/errors.js';
import { type Instance, instance, type Surroundings } from '../../support/instance.js';
import {
  boundary,
  catching,
  type ElementSpec,
  end,
  gateway,
  message,
  program,
  service,
  start,
  timer,
  userTask,
} from '../../support/program.js';

const RUNS = { numRuns: 150 };
const INPUTS_MAX = 30;
const STEPS_MAX = 100;

const KINDS = ['user', 'timer', 'message', 'service', 'exclusive', 'parallel', 'inclusive', 'end', 'bounded'] as const;

/** A graph of any shape: kinds of its nodes, and from where to where its flows lead. */
interface Graph {
  readonly kinds: readonly (typeof KINDS)[number][];
  readonly flows: readonly { readonly from: number; readonly to: number; readonly above: number }[];
}

const anyGraph: fc.Arbitrary<Graph> = fc.record({
  kinds: fc.array(fc.constantFrom(...KINDS), { minLength: 2, maxLength: 12 }),
  flows: fc.array(fc.record({ from: fc.nat(12), to: fc.nat(12), above: fc.integer({ min: -1, max: 6 }) }), {
    minLength: 2,
    maxLength: 24,
  }),
});

const SPECS: Readonly<Record<(typeof KINDS)[number], () => ElementSpec>> = {
  user: () => userTask(),
  timer: () => catching(timer('duration', 'PT1M')),
  message: () => catching(message('M')),
  service: () => service('${execution.setVariable("n", (n + 1) % 7)}'),
  exclusive: () => gateway('exclusive'),
  parallel: () => gateway('parallel'),
  inclusive: () => gateway('inclusive'),
  end: () => end(),
  bounded: () => userTask(),
};

/** The graph as a process: the first node follows the start event, conditions ask for `n`, and the last flow of a decision is its default. */
function programOf({ kinds, flows }: Graph): Program {
  const elements: Record<string, ElementSpec> = { s: start() };
  kinds.forEach((kind, at) => {
    elements[`x${at}`] = SPECS[kind]();
    if (kind === 'bounded') elements[`b${at}`] = boundary(`x${at}`, timer('duration', 'PT1H'), at % 2 === 0);
  });
  const drawn = flows
    .map(({ from, to, above }) => ({ from: from % kinds.length, to: to % kinds.length, above }))
    .filter(({ from }) => kinds[from] !== 'end');
  const lines = drawn.map(({ from, to, above }, at) => {
    const isLast = !drawn.some((other, later) => later > at && other.from === from);
    const decides = kinds[from] === 'exclusive' || kinds[from] === 'inclusive';
    const condition = decides ? (isLast ? ' : default' : ` : \${n > ${above}}`) : '';
    return `x${from} -> x${to}${condition}`;
  });
  const bounds = kinds.flatMap((kind, at) => (kind === 'bounded' ? [`b${at} -> x${(at + 1) % kinds.length}`] : []));
  return program(elements, ['s -> x0', ...new Set(lines), ...bounds]);
}

/** Gives the instance what it waits for, until it has ended, waits for nothing that can come, or has failed. */
function drive(model: Program, choices: readonly number[], surroundings: Surroundings = {}): Instance | null {
  const it = instance(model, { stepsLeft: (before) => STEPS_MAX - before, ...surroundings });
  try {
    it.start({ n: choices.length });
    for (let inputs = 0; inputs < INPUTS_MAX; inputs++) {
      assertSound(it);
      const jobs = [...it.jobs.values()].filter(({ stalled }) => stalled === undefined);
      const open = [...it.tasks.values(), ...jobs, ...it.subscriptions.values()];
      const next = open[(choices[inputs % choices.length] ?? 0) % Math.max(1, open.length)];
      if (next === undefined) break;
      const { id } = next;
      if (it.tasks.has(id)) it.give({ type: 'completeTask', taskId: id, variables: {}, localVariables: {} });
      else if (it.jobs.has(id)) it.give({ type: 'job', jobId: id });
      else it.give({ type: 'trigger', subscriptionId: id, variables: {} });
    }
    assertSound(it);
  } catch (thrown) {
    assertNamed(thrown, model);
    return null;
  }
  return it;
}

/** Whatever has not ended waits for something that is there: nothing is lost, and nothing is awaited in vain but at a parallel gateway. */
function assertSound(it: Instance): void {
  const { tokens } = it.state;
  if (it.ended !== undefined) {
    assert.deepEqual([tokens, it.tasks.size, it.jobs.size, it.subscriptions.size], [[], 0, 0, 0]);
    return;
  }
  assert.ok(tokens.length > 0, 'an instance that goes on has a token');
  const awaited = tokens.flatMap(({ wait, boundaries = [] }) => [wait, ...boundaries.map((armed) => armed.wait)]);
  for (const wait of awaited) {
    assert.ok(wait !== undefined, 'each token waits');
    if (!('id' in wait)) continue;
    assert.ok(it.tasks.has(wait.id) || it.jobs.has(wait.id) || it.subscriptions.has(wait.id), `${wait.kind} is there`);
  }
  if (tokens.some(({ wait }) => wait?.kind !== 'join')) return;
  const isParallel = ({ element }: { readonly element: number }) =>
    it.program.elements[element]?.type === 'parallelGateway';
  assert.ok(tokens.every(isParallel), 'an inclusive gateway waits only for what can come');
}

function assertNamed(thrown: unknown, { elements }: Program): void {
  if (thrown instanceof assert.AssertionError || !(thrown instanceof ServiceError)) throw thrown;
  assert.equal(thrown.code, 'EXECUTION_FAILED');
  assert.ok(
    elements.some(({ id }) => thrown.message.includes(`'${id}'`)),
    thrown.message,
  );
}

const looks = (it: Instance | null): unknown =>
  it === null
    ? null
    : JSON.parse(JSON.stringify([it.state, it.history, it.effects]).replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id'));

const choices = fc.array(fc.nat(10), { minLength: 1, maxLength: 20 });

describe('a process of any shape', () => {
  it('ends, waits for what is there, or fails at an element, in whatever order it is driven', () => {
    fc.assert(
      fc.property(anyGraph, choices, (graph, order) => {
        drive(programOf(graph), order);
      }),
      RUNS,
    );
  });

  it('goes the same way again, whether its state is stored in between or not', () => {
    fc.assert(
      fc.property(anyGraph, choices, (graph, order) => {
        const model = programOf(graph);
        assert.deepEqual(looks(drive(model, order)), looks(drive(model, order, { stored: false })));
      }),
      RUNS,
    );
  });
});
