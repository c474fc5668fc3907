import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Token } from '../../../src/engine/element/instance-state.js';
import type { Program } from '../../../src/engine/model/program.js';
import { type Instance, instance } from '../../support/instance.js';
import { type ElementSpec, gateway, program, start, userTask, when } from '../../support/program.js';

type Kind = 'user' | 'exclusive' | 'inclusive' | 'complex';

/** How many tokens a complex gateway needs. */
const neededBy = (index: number): number => 1 + (index % 3);

/** Any graph of user tasks, exclusive, inclusive and complex gateways. Only user tasks lead back, so that no run is endless. */
const anyGraph = fc
  .array(
    fc.record({
      kind: fc.constantFrom<Kind>('user', 'exclusive', 'inclusive', 'inclusive', 'complex'),
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
      elements[`n${index}`] = elementOf(kind, index);
      const later = nodes.length - index - 1;
      to.forEach((wish, at) => {
        const target = kind === 'user' ? wish % nodes.length : later === 0 ? undefined : index + 1 + (wish % later);
        const condition = kind === 'user' ? '' : at === to.length - 1 ? ' : default' : ` : \${pick % ${wish + 2} != 1}`;
        flows.push(`n${index} -> ${target === undefined ? 'x' : `n${target}`}${condition}`);
      });
    });
    return program(elements, flows);
  });

function elementOf(kind: Kind, index: number): ElementSpec {
  if (kind === 'user') return userTask();
  if (kind !== 'complex') return gateway(kind);
  return { ...gateway(kind), activationCondition: when(`\${activationCount >= ${neededBy(index)}}`) };
}

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
  const atJoins = state.tokens.filter(({ wait }) => wait?.kind === 'join');
  const starting = atJoins.filter(
    ({ element, took }) => took === undefined && model.elements[element]?.type === 'complexGateway',
  );
  const joining = atJoins.filter((token) => !starting.includes(token));
  if (joining.length > 0) assert.ok(atJoins.length < state.tokens.length, 'something else than joins is alive');
  for (const { element, took = [] } of joining) {
    const come = atJoins.filter((token) => token.element === element && token.took === undefined);
    const arrived = new Set([...took, ...come.map(({ via }) => via)]);
    const waitedFor = state.tokens.some(
      (token) => token.element !== element && token.took === undefined && isWaitedFor(model, element, arrived, token),
    );
    assert.ok(waitedFor, `gateway ${model.elements[element]?.id} waits for a token`);
  }
  for (const { element } of starting) {
    const { id = '' } = model.elements[element] ?? {};
    const isResetting = joining.some((token) => token.element === element);
    const count = starting.filter((token) => token.element === element).length;
    assert.ok(isResetting || count < neededBy(Number(id.slice(1))), `gateway ${id} has its tokens`);
  }
}

describe('inclusive and complex joins in any graph', () => {
  it('wait for exactly the tokens that the standard says, and, once they are activated, never for nothing', () => {
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
