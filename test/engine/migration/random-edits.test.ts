import assert from 'node:assert/strict';
import fc from 'fast-check';
import { anyBlock, type Drawn, drawn, expectedCounts } from '../../support/block-model.js';
import { type Instance, instance } from '../../support/instance.js';
import { boundary, end, message, program, start, subProcess, userTask } from '../../support/program.js';

const RUNS = { numRuns: 100 };
const INPUTS_MAX = 2000;

/** A harmless change at a leaf, by its number. */
interface Edit {
  readonly kind: 'after' | 'boundary' | 'around';
  readonly at: number;
}

const anyEdits = (...kinds: readonly Edit['kind'][]) =>
  fc.array(fc.record({ kind: fc.constantFrom(...kinds), at: fc.nat(50) }), { minLength: 1, maxLength: 4 });
const choices = fc.array(fc.nat(10), { minLength: 1, maxLength: 20 });

const LEAF = /^(service|async|user|timer)\d+$/;

/** The process with each of the edits, and an element before all others. */
function edited(first: Drawn, edits: readonly Edit[]): Drawn {
  const leaves = Object.keys(first.elements).filter((id) => LEAF.test(id));
  const done = new Set<string>();
  return edits.reduce<Drawn>(
    (it, { kind, at }) => {
      const id = leaves[at % leaves.length] ?? '';
      if (done.has(`${kind} ${id}`)) return it;
      done.add(`${kind} ${id}`);
      return EDITS[kind](it, id);
    },
    { elements: { first: userTask(), ...first.elements }, flows: first.flows },
  );
}

const within = ({ elements }: Drawn, id: string) => {
  const around = elements[id]?.in;
  return around === undefined ? {} : { in: around };
};
const rewired = ({ flows }: Drawn, from: RegExp, to: string) => flows.map((flow) => flow.replace(from, to));

const EDITS: Readonly<Record<Edit['kind'], (it: Drawn, id: string) => Drawn>> = {
  after: (it, id) => ({
    elements: { ...it.elements, [`${id}_more`]: userTask({}, within(it, id)) },
    flows: [...rewired(it, new RegExp(`^${id} -> `), `${id}_more -> `), `${id} -> ${id}_more`],
  }),
  boundary: (it, id) => ({
    elements: {
      ...it.elements,
      [`${id}_b`]: boundary(id, message('never'), false, within(it, id)),
      [`${id}_x`]: end(within(it, id)),
    },
    flows: [...it.flows, `${id}_b -> ${id}_x`],
  }),
  around: (it, id) => {
    const inside = { in: `${id}_p` };
    const attached = it.elements[`${id}_b`] && { [`${id}_b`]: { ...it.elements[`${id}_b`], ...inside } };
    const elements = { ...it.elements, ...attached, [id]: { ...it.elements[id], ...inside } } as Drawn['elements'];
    if (attached) Object.assign(elements, { [`${id}_x`]: end(inside) });
    const out = rewired(it, new RegExp(`^${id} -> `), `${id}_p -> `);
    const flows = out.map((flow) => flow.replace(new RegExp(`-> ${id}( |$)`), `-> ${id}_p$1`));
    return {
      elements: {
        ...elements,
        [`${id}_p`]: subProcess(within(it, id)),
        [`${id}_ps`]: start(inside),
        [`${id}_pe`]: end(inside),
      },
      flows: [...flows, `${id}_ps -> ${id}`, `${id} -> ${id}_pe`],
    };
  },
};

/** Drives the instance to its end, and migrates it after so many inputs. */
function drive(from: Drawn, to: Drawn, order: readonly number[], after: number): Instance {
  const it = instance(program(from.elements, from.flows)).start({ log: '' });
  for (let inputs = 0; inputs < INPUTS_MAX; inputs++) {
    if (inputs === after && it.state.tokens.length > 0) {
      it.migrate(program(to.elements, to.flows));
      assert.deepEqual(it.loose, []);
    }
    const open = [...it.tasks.values(), ...it.jobs.values()];
    const next = open[(order[inputs % order.length] ?? 0) % Math.max(1, open.length)];
    if (next === undefined) break;
    const { id } = next;
    if (it.tasks.has(id)) it.give({ type: 'completeTask', taskId: id, variables: {}, localVariables: {} });
    else it.give({ type: 'job', jobId: id });
  }
  return it;
}

/** How often each element happened, but for those that only edits have. */
function counts({ trail }: Instance): Record<string, number> {
  const found: Record<string, number> = {};
  for (const id of trail.filter((each) => !/(_more|_b|_x|_p|_ps|_pe)!?$/.test(each))) found[id] = (found[id] ?? 0) + 1;
  return found;
}

const looks = ({ state, history, variables }: Instance): unknown =>
  JSON.parse(JSON.stringify([state, history, variables]));

describe('an instance of nested blocks that migrates to a version with harmless edits', () => {
  const runsToItsEnd = (from: Drawn, to: Drawn, order: readonly number[], after: number, expected: object) => {
    const it = drive(from, to, order, after);
    assert.ok(it.isCompleted, `it waits at ${it.active.join(', ')}`);
    assert.deepEqual([it.state.tokens, it.loose], [[], []]);
    assert.deepEqual(counts(it), expected);
    assert.deepEqual(looks(drive(from, to, order, after)), looks(it));
  };

  it('runs to its end whenever it migrates, each element of before as often as without, and the same each time', () => {
    fc.assert(
      fc.property(
        anyBlock,
        anyEdits('after', 'boundary', 'around'),
        choices,
        fc.nat(8),
        (block, edits, order, after) => {
          const first = drawn(block);
          runsToItsEnd(first, edited(first, edits), order, after, expectedCounts(block));
        },
      ),
      RUNS,
    );
  });

  it('does so where boundary events and scopes are taken away', () => {
    fc.assert(
      fc.property(anyBlock, anyEdits('boundary', 'around'), choices, fc.nat(8), (block, edits, order, after) => {
        const first = drawn(block);
        runsToItsEnd(edited(first, edits), first, order, after, expectedCounts(block));
      }),
      RUNS,
    );
  });
});
