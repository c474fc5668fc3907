import assert from 'node:assert/strict';
import fc from 'fast-check';
import { anyBlock, expectedCounts, programOf } from '../../support/block-model.js';
import { type Instance, instance, type Surroundings } from '../../support/instance.js';

const RUNS = { numRuns: 150 };
const INPUTS_MAX = 2000;

/** Gives the instance whatever it waits for, in an order that the choices say, until it waits for nothing. Gives what it looked like after each input. */
function drive(
  model: ReturnType<typeof programOf>,
  choices: readonly number[],
  surroundings: Surroundings = {},
): [Instance, unknown[]] {
  const it = instance(model, surroundings).start({ log: '' });
  const seen = [looks(it)];
  for (let inputs = 0; inputs < INPUTS_MAX; inputs++) {
    const open = [...it.tasks.values(), ...it.jobs.values()];
    const next = open[(choices[inputs % choices.length] ?? 0) % Math.max(1, open.length)];
    if (next === undefined) break;
    const { id } = next;
    if (it.tasks.has(id)) it.give({ type: 'completeTask', taskId: id, variables: {}, localVariables: {} });
    else it.give({ type: 'job', jobId: id });
    seen.push(looks(it));
  }
  return [it, seen];
}

/** State, history and variables without the ids of tasks and jobs, which are new in each run. */
const looks = ({ state, history, variables }: Instance): unknown =>
  JSON.parse(JSON.stringify([state, history, variables]).replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id'));

function counts({ trail }: Instance): Record<string, number> {
  const found: Record<string, number> = {};
  for (const id of trail) found[id] = (found[id] ?? 0) + 1;
  return found;
}

const choices = fc.array(fc.nat(10), { minLength: 1, maxLength: 20 });

describe('a process of nested blocks', () => {
  it('runs to its end, and each element happens as often as the blocks say, in whatever order it is driven', () => {
    fc.assert(
      fc.property(anyBlock, choices, (block, order) => {
        const [it] = drive(programOf(block), order);
        assert.ok(it.isCompleted);
        assert.deepEqual(it.state.tokens, []);
        assert.deepEqual(counts(it), expectedCounts(block));
      }),
      RUNS,
    );
  });

  it('goes the same way wherever its runs are cut', () => {
    fc.assert(
      fc.property(anyBlock, choices, fc.integer({ min: 1, max: 12 }), (block, order, stepsMax) => {
        const model = programOf(block);
        const [whole, seen] = drive(model, order, { stepsMax: 100_000 });
        const [cut, seenCut] = drive(model, order, { stepsMax });
        assert.deepEqual(seenCut, seen);
        assert.deepEqual([cut.steps, cut.variables], [whole.steps, whole.variables]);
      }),
      RUNS,
    );
  });

  it('goes the same way whether its state is stored in between or not, and each time anew', () => {
    fc.assert(
      fc.property(anyBlock, choices, (block, order) => {
        const model = programOf(block);
        const [stored, seen] = drive(model, order);
        const [kept, seenKept] = drive(model, order, { stored: false });
        assert.deepEqual(seenKept, seen);
        assert.deepEqual(kept.effects, stored.effects);
      }),
      RUNS,
    );
  });
});
