import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Program } from '../../../src/engine/model/program.js';
import { canReach, withReach } from '../../../src/engine/model/reach.js';
import { bpmn, element, flow, flows, line, timer } from '../../support/bpmn.js';
import { elementOf, programOf } from '../../support/model.js';

/** The ids of the elements in each of the gateway's sets, in their order. */
function reachedFrom(program: Program, id: string): string[][] {
  const sets = elementOf(program, id).reachedFrom ?? assert.fail(`${id} has no sets`);
  return sets.map((set) => program.elements.filter((_, index) => canReach(set, index)).map((found) => found.id));
}

const tasks = (...ids: string[]) => ids.map((id) => element('task', id)).join('');

describe('the elements that can reach an inclusive join', () => {
  it('are told for each of its incoming flows', async () => {
    const program = await programOf(
      bpmn(`${element('startEvent', 'start')}${element('inclusiveGateway', 'split')}${tasks('a', 'b', 'c')}${element('inclusiveGateway', 'join')}
        ${flows('start', 'split', 'a', 'c', 'join')}${flows('split', 'b', 'join')}`),
    );
    assert.deepEqual(reachedFrom(program, 'join'), [
      ['start', 'split', 'a', 'c'],
      ['start', 'split', 'b'],
    ]);
    assert.equal(elementOf(program, 'split').reachedFrom, null);
  });

  it('are those of a loop, but never through the gateway itself', async () => {
    const program = await programOf(
      bpmn(`${element('startEvent', 'start')}${element('inclusiveGateway', 'join')}${tasks('a', 'b')}
        ${flows('start', 'join', 'a', 'b')}${flow('b', 'join')}`),
    );
    assert.deepEqual(reachedFrom(program, 'join'), [['start'], ['a', 'b']]);
  });

  it('are activities by their boundary events too', async () => {
    const boundary = element('boundaryEvent', 'late', { attachedToRef: 'a' }, timer('duration', 'PT1H'));
    const program = await programOf(
      bpmn(`${element('startEvent', 'start')}${tasks('a', 'b', 'c')}${boundary}${element('inclusiveGateway', 'join')}
        ${flows('start', 'a', 'b', 'join')}${flows('late', 'c', 'join')}`),
    );
    assert.deepEqual(reachedFrom(program, 'join'), [
      ['start', 'a', 'b'],
      ['start', 'a', 'c', 'late'],
    ]);
  });

  it('are all that a sub-process holds, and none outside of the own scope', async () => {
    const inner = `${element('startEvent', 'is')}${tasks('i1')}${element('inclusiveGateway', 'ij')}${flows('is', 'ij')}${flows('is', 'i1', 'ij')}`;
    const program = await programOf(
      bpmn(`${element('startEvent', 'start')}${element('subProcess', 'sub', {}, inner)}${element('inclusiveGateway', 'join')}
        ${flows('start', 'sub', 'join')}${flow('start', 'join')}`),
    );
    assert.deepEqual(reachedFrom(program, 'join'), [['start', 'sub', 'is', 'i1', 'ij'], ['start']]);
    assert.deepEqual(reachedFrom(program, 'ij'), [['is'], ['is', 'i1']]);
  });

  it('are the same as a search along the flows finds, in any graph', async () => {
    const base = await programOf(bpmn(line([], '')));
    const [process, template] = [base.elements[0], base.elements[1]];
    if (process === undefined || template === undefined) assert.fail();
    const size = 9;
    const edge = fc.tuple(fc.integer({ min: 1, max: size }), fc.integer({ min: 1, max: size }));
    fc.assert(
      fc.property(fc.array(edge, { maxLength: 24 }), fc.integer({ min: 1, max: size }), (edges, gateway) => {
        const allFlows = edges.map(([source, target], n) => ({
          id: `f${n}`,
          name: null,
          source,
          target,
          condition: null,
        }));
        const elements = [
          process,
          ...Array.from({ length: size }, (_, n) => ({
            ...template,
            id: `e${n + 1}`,
            type: n + 1 === gateway ? ('inclusiveGateway' as const) : ('task' as const),
            incoming: edges.flatMap(([, target], index) => (target === n + 1 ? [index] : [])),
            outgoing: edges.flatMap(([source], index) => (source === n + 1 ? [index] : [])),
          })),
        ];
        const join = withReach(elements, allFlows)?.[gateway] ?? assert.fail();
        if (join.incoming.length < 2) return assert.equal(join.reachedFrom, null);
        join.incoming.forEach((incoming, n) => {
          for (let from = 1; from <= size; from++) {
            const expected = from !== gateway && search(edges, from, incoming, gateway);
            assert.equal(canReach(join.reachedFrom?.[n] ?? '', from), expected, `from ${from} to flow ${incoming}`);
          }
        });
      }),
    );
  });

  it('are refused where they would fill the memory', () => {
    const element = (index: number) => ({ type: 'inclusiveGateway', incoming: [index, index], parent: 0 });
    const many = Array.from({ length: 3_000 }, (_, index) => element(index));
    assert.equal(withReach(many as never, []), null);
    const joining = (flows: number) =>
      Array.from({ length: 1_000 }, (_, index) => ({
        ...element(index),
        incoming: index > 0 ? [] : Array(flows).fill(0),
      }));
    assert.equal(withReach(joining(4_000) as never, [])?.length, 1_000);
    assert.equal(withReach(joining(4_001) as never, []), null);
  });
});

/** Whether a path along the flows leads from an element over the flow, without visiting the gateway before. */
function search(edges: readonly (readonly [number, number])[], from: number, to: number, gateway: number): boolean {
  const seen = new Set([from]);
  for (const at of seen) {
    for (const [index, [source, target]] of edges.entries()) {
      if (source !== at) continue;
      if (index === to) return true;
      if (target !== gateway) seen.add(target);
    }
  }
  return false;
}
