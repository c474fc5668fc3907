import { isA, type ModdleElement, many, one } from './moddle-element.js';
import type { Node, NodeTable } from './nodes.js';
import type { Element } from './program.js';
import type { Report } from './report.js';

/** BPMN 2.0 §10.7: activities get their compensation handlers, to which associations lead from their compensation boundary events. */
export function joinHandlers(elements: readonly Element[], table: NodeTable, report: Report): readonly Element[] {
  const handlers = new Map<number, number>();
  const led = new Set<number>();
  elements.forEach((element, index) => {
    const node = table.nodes[index];
    if (node === undefined || node.refused || element.event?.kind !== 'compensate' || element.attachedTo === null)
      return;
    const handler = handlerOf(element, node, table, report);
    if (handler === null) return;
    led.add(handler);
    if (handlers.has(element.attachedTo))
      report.problem(element, 'is the second compensation event of its activity', 'compensation-boundary-single');
    handlers.set(element.attachedTo, handler);
  });
  elements.forEach((element, index) => {
    if (element.isForCompensation && !element.triggeredByEvent && !led.has(index))
      report.warn(
        element,
        'is a compensation handler to which no association leads from a boundary event, so it never runs',
        'compensation-handler-unused',
      );
  });
  if (handlers.size === 0) return elements;
  return elements.map((element, index) => {
    const compensation = handlers.get(index);
    return compensation === undefined ? element : { ...element, compensation };
  });
}

function handlerOf(element: Element, node: Node, table: NodeTable, report: Report): number | null {
  const found = associationsOf(table).flatMap((association) => {
    const target = one(association, 'targetRef');
    const isOwn = one(association, 'sourceRef') === node.element;
    return isOwn && target !== null ? (table.nodes[table.indexOf.get(target) ?? -1] ?? []) : [];
  });
  const [handler] = found;
  if (handler === undefined || found.length > 1) {
    report.problem(
      element,
      `needs one association that leads to its compensation handler, but has ${found.length || 'none'}`,
      'compensation-association',
    );
    return null;
  }
  if (handler.parent !== node.parent || handler.element.get('isForCompensation') !== true) {
    report.problem(
      element,
      `is associated with '${handler.id}', but expected an activity in the same scope that is for compensation (isForCompensation)`,
      'compensation-handler',
    );
    return null;
  }
  return handler.index;
}

const associationsOf = (table: NodeTable): readonly ModdleElement[] =>
  table.nodes.flatMap(({ element }) => many(element, 'artifacts').filter((each) => isA(each, 'bpmn:Association')));
