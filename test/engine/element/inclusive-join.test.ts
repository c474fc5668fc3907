import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Token } from '../../../src/engine/element/instance-state.js';
import type { Program } from '../../../src/engine/model/program.js';
import { type Instance, instance } from '../../support/instance.js';
import { type ElementSpec, gateway, program, start, userTask } from '../../support/program.js';

type Kind = 'user' | 'exclusive' | 'inclusive';

/** Any graph of user tasks, exclusive and inclusive gateways. Only user tasks lead back, so that no run is endless. */
const anyGraph = fc
  .array(
    fc.record({
      kind: fc.constantFrom<Kind>('user', 'exclusive', 'inclusive', 'inclusive'),
      to: fc.array(fc.nat(30), { minLength: 1, maxLength: 3 }),
    }),
    {
      minLength: 2,
      maxLength: 9,
    },
  )
  .map((nodes): Program => {
    const elements: Record<string, ElementSpec> = { s: start(), x: { type: 'endEvent' } };
    const flows = ['s -> n0'];
    nodes.forEach(({ kind, to }, index) => {
      elements[`n${index}`] = kind === 'user' ? userTask() : gateway(kind);
      const later = nodes.length - index - 1;
      to.forEach((wish, at) => {
        const target = kind === 'user' ? wish % nodes.length : later === 0 ? undefined : index + 1 + (wish % later);
        const condition = kind === 'user' ? '' : at === to.length - 1 ? ' : default' : ` : \${pick % ${wish + 2} != 1}`;
        flows.push(`n${index} -> ${target === undefined ? 'x' : `n${target}`}${condition}`);
      });
    });
    return program(elements, flows);
  });

const TOKENS_MAX = 40;

/** BPMN 2.0 §13.4.3 by the letter: whether the token stands for a path to an empty flow, and for none to a flow that has a token. */
function isWaitedFor(
  { elements, flows }: Program,
  gatewayAt: number,
  arrived: ReadonlySet<number | null>,
  token: Token,
): boolean {
  const reached = new Set<number>();
  const queue = [token.element];
  for (const element of queue) {
    if (element === gatewayAt) continue;
    for (const flow of elements[element]?.outgoing ?? []) {
      if (reached.has(flow)) continue;
      reached.add(flow);
      queue.push(flows[flow]?.target ?? 0);
    }
  }
  const incoming = (elements[gatewayAt]?.incoming ?? []).filter((flow) => reached.has(flow));
  return incoming.some((flow) => !arrived.has(flow)) && !incoming.some((flow) => arrived.has(flow));
}

function assertJoinsWaitForAReason({ program: model, state }: Instance): void {
  const joining = state.tokens.filter(({ wait }) => wait?.kind === 'join');
  if (joining.length > 0) assert.ok(joining.length < state.tokens.length, 'something else than joins is alive');
  for (const { element } of joining) {
    const arrived = new Set(joining.filter((token) => token.element === element).map(({ via }) => via));
    const waitedFor = state.tokens.some(
      (token) => token.element !== element && isWaitedFor(model, element, arrived, token),
    );
    assert.ok(waitedFor, `gateway ${model.elements[element]?.id} waits for a token`);
  }
}

describe('inclusive joins in any graph', () => {
  it('wait for exactly the tokens that the standard says, and never for nothing', () => {
    fc.assert(
      fc.property(
        anyGraph,
        fc.array(fc.record({ choice: fc.nat(20), pick: fc.nat(30) }), { maxLength: 12 }),
        fc.nat(30),
        (model, inputs, pick) => {
          const it = instance(model, { stepsMax: 5 }).start({ pick });
          assertJoinsWaitForAReason(it);
          for (const { choice, pick } of inputs) {
            const open = [...it.tasks.values()];
            const next = open[choice % Math.max(1, open.length)];
            if (next === undefined || open.length > TOKENS_MAX) break;
            it.give({
              type: 'completeTask',
              taskId: next.id,
              variables: { pick: { type: 'Integer', value: pick } },
              localVariables: {},
            });
            assertJoinsWaitForAReason(it);
          }
          assert.equal(it.isCompleted, it.state.tokens.length === 0);
        },
      ),
      { numRuns: 400 },
    );
  });
});
