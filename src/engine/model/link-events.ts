import type { Node } from './nodes.js';
import type { Element, Flow } from './program.js';
import { type Report, short } from './report.js';

/** The elements and flows of a process. */
interface Drawn {
  readonly elements: readonly Element[];
  readonly flows: readonly Flow[];
}

/**
 * BPMN 2.0 §10.5.4: link events are the two ends of a flow that is not drawn. As in Camunda a flow into a throw event leads to the catch event of
 * that name in the same process or sub-process, and neither of them is an activity of its own.
 */
export function joinLinks({ elements, flows }: Drawn, nodes: readonly Node[], report: Report): Drawn {
  const catches = catchesOf(elements, nodes, report);
  const targets = new Map<number, number>();
  elements.forEach((element, index) => {
    if (nodes[index]?.refused || !isLink(element, 'intermediateThrowEvent')) return;
    const target = catches.get(keyOf(element));
    checkThrow(element, target, report);
    if (target !== undefined) targets.set(index, target);
  });
  const reached = new Set(targets.values());
  for (const index of catches.values()) {
    const element = elements[index];
    if (element !== undefined && !reached.has(index))
      report.warn(element, `is the target of link ${nameOf(element)}, which nothing throws`, 'link-unthrown');
  }
  if (targets.size === 0) return { elements, flows };
  const joined = flows.map((flow) => ({ ...flow, target: targets.get(flow.target) ?? flow.target }));
  const incoming = (index: number) => joined.flatMap(({ target }, at) => (target === index ? [at] : []));
  return {
    elements: elements.map((element, index) =>
      targets.has(index) || reached.has(index) ? { ...element, incoming: incoming(index) } : element,
    ),
    flows: joined,
  };
}

/** The targets of links, by scope and name. */
function catchesOf(elements: readonly Element[], nodes: readonly Node[], report: Report): Map<string, number> {
  const catches = new Map<string, number>();
  elements.forEach((element, index) => {
    if (nodes[index]?.refused || !isLink(element, 'intermediateCatchEvent')) return;
    const first = elements[catches.get(keyOf(element)) ?? -1];
    if (first !== undefined)
      report.problem(
        element,
        `is the second target of link ${nameOf(element)}, as '${first.id}' is`,
        'link-target-unique',
      );
    if (element.incoming.length > 0)
      report.problem(element, 'has incoming sequence flows, but it is come to by its link', 'link-target-incoming');
    catches.set(keyOf(element), index);
  });
  return catches;
}

function checkThrow(element: Element, target: number | undefined, report: Report): void {
  if (target === undefined)
    report.problem(
      element,
      `throws link ${nameOf(element)}, but its process or sub-process has no catch event of that name`,
      'link-target-missing',
    );
  if (element.outgoing.length > 0)
    report.problem(element, 'has outgoing sequence flows, but goes on by its link', 'link-source-outgoing');
  if (element.asyncBefore || element.asyncAfter || element.io !== null || element.listeners.length > 0)
    report.warn(
      element,
      'has listeners, mappings or continuations, which have no effect: the flow leads to the target of its link',
      'link-effects',
    );
}

const isLink = ({ type, event }: Element, wanted: Element['type']): boolean =>
  event?.kind === 'link' && type === wanted;

const nameOf = ({ event }: Element): string => (event?.kind === 'link' ? `'${short(event.name)}'` : '');

const keyOf = (element: Element): string => `${element.parent} ${nameOf(element)}`;
