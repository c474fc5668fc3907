import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Instruction } from '../../../src/engine/element/instance-state.js';
import { messageOf, ServiceError } from '../../../src/shared/errors.js';
import { anyBlock, programOf } from '../../support/block-model.js';
import { type Instance, instance, type Surroundings } from '../../support/instance.js';

const RUNS = { numRuns: 200 };

/** What is done to an instance: what it waits for comes, or it is modified. The numbers choose among what there is. */
type Deed =
  | { readonly kind: 'go'; readonly which: number }
  | { readonly kind: 'modify'; readonly steps: readonly Step[] };
interface Step {
  readonly type: Instruction['type'];
  readonly which: number;
}

const types = ['startBeforeActivity', 'startAfterActivity', 'startTransition', 'cancel', 'cancel'] as const;
const step: fc.Arbitrary<Step> = fc.record({ type: fc.constantFrom(...types), which: fc.nat(50) });
const deed: fc.Arbitrary<Deed> = fc.oneof(
  fc.record({ kind: fc.constant('go' as const), which: fc.nat(10) }),
  fc.record({ kind: fc.constant('modify' as const), steps: fc.array(step, { minLength: 1, maxLength: 4 }) }),
);

function instructionOf({ program }: Instance, { type, which }: Step): Instruction {
  const ids = (type === 'startTransition' ? program.flows : program.elements.slice(1)).map(({ id }) => id);
  const id = ids[which % ids.length] ?? '';
  if (type === 'cancel') return { type, what: { activityId: id } };
  return { type, id, ancestor: null, variables: {}, localVariables: {} };
}

/** Does it; gives why it was refused, or what the instance looks like then. */
function perform(it: Instance, todo: Deed): unknown {
  const open = [...it.tasks.values(), ...it.jobs.values()];
  try {
    if (todo.kind === 'modify') {
      it.give({ type: 'modify', reason: 'a test', instructions: todo.steps.map((each) => instructionOf(it, each)) });
    } else {
      const id = open[todo.which % Math.max(1, open.length)]?.id;
      if (id === undefined) return 'nothing is open';
      if (it.tasks.has(id)) it.give({ type: 'completeTask', taskId: id, variables: {}, localVariables: {} });
      else it.give({ type: 'job', jobId: id });
    }
  } catch (thrown) {
    if (!(thrown instanceof ServiceError)) throw thrown;
    return messageOf(thrown);
  }
  return JSON.parse(JSON.stringify([it.state, it.trail]).replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id'));
}

/** What each deed came to, until the instance has ended. */
function lived(
  model: ReturnType<typeof programOf>,
  deeds: readonly Deed[],
  surroundings: Surroundings = {},
): unknown[] {
  const it = instance(model, surroundings).start({ log: '' });
  const seen: unknown[] = [];
  for (const each of deeds) {
    if (it.ended !== undefined) break;
    seen.push(perform(it, each));
    assertSound(it);
  }
  return seen;
}

function assertSound({ state, ended, tasks, jobs }: Instance): void {
  const scopes = new Map(state.scopes.map((scope) => [scope.id, scope]));
  const owned = new Set(state.tokens.map(({ opens }) => opens));
  assert.equal(state.modifying, undefined);
  for (const { scope, opens, wait } of state.tokens) {
    assert.ok(scopes.has(scope), `scope ${scope} is there`);
    assert.ok(opens === undefined || scopes.has(opens), `scope ${opens} is there`);
    assert.notEqual(wait, undefined);
    if (wait?.kind === 'scope')
      assert.ok(
        state.tokens.some((inner) => inner.scope === opens),
        `something is in ${opens}`,
      );
  }
  for (const { id, kept } of state.scopes) assert.ok(id === 0 || kept || owned.has(id), `scope ${id} is somebody's`);
  assert.deepEqual([ended === undefined, state.tokens.length > 0], [state.tokens.length > 0, ended === undefined]);
  const waited = state.tokens.flatMap(({ wait, boundaries = [] }) => [wait, ...boundaries.map((each) => each.wait)]);
  const ids = new Set(waited.flatMap((wait) => (wait !== undefined && 'id' in wait ? [wait.id] : [])));
  for (const id of [...tasks.keys(), ...jobs.keys()]) assert.ok(ids.has(id), `something waits for ${id}`);
}

describe('a modified process of nested blocks', () => {
  it('stays sound, whatever is begun and cancelled in it, and goes the same way wherever its runs are cut', () => {
    fc.assert(
      fc.property(
        anyBlock,
        fc.array(deed, { maxLength: 12 }),
        fc.integer({ min: 1, max: 9 }),
        (block, deeds, stepsMax) => {
          const model = programOf(block);
          const all = lived(model, deeds, { stepsMax: 100_000 });
          // Of a run that is cut, what is refused late is so alone.
          const refused = all.findIndex((each) => typeof each === 'string');
          const whole = refused < 0 ? all : all.slice(0, refused);
          assert.deepEqual(lived(model, deeds.slice(0, whole.length), { stepsMax }), whole);
        },
      ),
      RUNS,
    );
  });
});
