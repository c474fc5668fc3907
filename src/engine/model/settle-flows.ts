import type { FlowTable } from './compile-flows.js';
import { one } from './moddle-element.js';
import type { NodeTable } from './nodes.js';
import type { Element, Flow } from './program.js';
import type { Report, Subject } from './report.js';

/** The elements with their default flows, and the flows with the conditions that will be looked at. */
interface Settled {
  readonly elements: readonly Element[];
  readonly flows: readonly Flow[];
}

/** Finds the default flows and checks what the conditions of an element's outgoing flows are together. */
export function settleFlows(
  elements: readonly Element[],
  table: NodeTable,
  flowTable: FlowTable,
  report: Report,
): Settled {
  const flows = [...flowTable.flows];
  const settled = elements.map((element, index) => {
    const drawn = table.nodes[index]?.element;
    const wanted = drawn === undefined ? null : one(drawn, 'default');
    const found = wanted === null ? null : (flowTable.indexOf.get(wanted) ?? -1);
    if (found !== null && !element.outgoing.includes(found)) {
      report.problem(element, 'has a default flow that does not leave it', 'default-flow');
      return element;
    }
    if (element.type === 'exclusiveGateway') checkExclusive(element, found, flows, report);
    for (const flow of unconditional(element, found)) dropCondition(element, flow, flows, report);
    return { ...element, defaultFlow: found };
  });
  return { elements: settled, flows };
}

/** The outgoing flows whose conditions nobody evaluates. */
function unconditional(element: Element, defaultFlow: number | null): readonly number[] {
  if (element.type === 'parallelGateway' || element.type === 'eventBasedGateway') return element.outgoing;
  return defaultFlow === null ? [] : [defaultFlow];
}

function dropCondition(element: Element, index: number, flows: Flow[], report: Report): void {
  const flow = flows[index];
  if (flow === undefined || flow.condition === null) return;
  flows[index] = { ...flow, condition: null };
  report.warn(
    subject(flow),
    `has a condition that is not looked at, because '${element.id}' does not ask for it`,
    'condition-ignored',
  );
}

/**
 * BPMN 2.0 §10.6.2: an exclusive gateway takes the first flow whose condition is true, else the default flow; so each needs a condition or
 * is the default. As Camunda does, one flow without a condition and no default is let pass, with a warning: it is taken when it is come to.
 */
function checkExclusive(gateway: Element, defaultFlow: number | null, flows: readonly Flow[], report: Report): void {
  const outgoing = gateway.outgoing.flatMap((index) => ({ index, flow: flows[index] }));
  if (outgoing.length === 0) {
    report.problem(gateway, 'has no outgoing sequence flows', 'gateway-outgoing');
    return;
  }
  const [only] = outgoing;
  if (outgoing.length === 1 && only?.flow?.condition) {
    report.problem(
      gateway,
      `has only one outgoing sequence flow ('${only.flow.id}'), which must not have a condition`,
      'gateway-one-condition',
    );
    return;
  }
  if (outgoing.length === 1) return;
  const bare = outgoing.filter(({ index, flow }) => index !== defaultFlow && flow?.condition === null);
  const [open] = bare;
  if (defaultFlow === null && open !== undefined && bare.length === 1) {
    report.warn(
      gateway,
      `has outgoing sequence flow '${open.flow?.id}' without a condition, which is not the default flow: it is always taken when none before it is`,
      'gateway-open-flow',
    );
    return;
  }
  for (const { flow } of bare) {
    report.problem(
      gateway,
      `has outgoing sequence flow '${flow?.id}' without a condition, which is not the default flow`,
      'gateway-no-condition',
    );
  }
}

const subject = (flow: Flow): Subject => ({ id: flow.id, type: 'sequenceFlow' });
