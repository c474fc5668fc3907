import { isActivity } from './elements.js';
import { type ModdleElement, one } from './moddle-element.js';
import { isEventSubProcess, isStarting } from './node-type.js';
import type { Node, NodeTable } from './nodes.js';
import type { Flow } from './program.js';
import { type Report, words } from './report.js';

/** Neighbours of an element; each list in document order. */
export interface Links {
  readonly incoming: readonly number[];
  readonly outgoing: readonly number[];
  readonly startEvents: readonly number[];
  readonly eventSubProcesses?: readonly number[];
  readonly boundaries: readonly number[];
  readonly attachedTo: number | null;
}

/** The links of all nodes, by position. */
export function linkNodes(table: NodeTable, flows: readonly Flow[], report: Report): readonly Links[] {
  const lists = (): number[][] => table.nodes.map(() => []);
  const [incoming, outgoing, startEvents, boundaries, triggered] = [lists(), lists(), lists(), lists(), lists()];
  flows.forEach((flow, index) => {
    incoming[flow.target]?.push(index);
    outgoing[flow.source]?.push(index);
  });
  const hosts = table.nodes.map((node) => {
    if (node.type === 'startEvent' || isStarting(node.element)) startEvents[node.parent]?.push(node.index);
    if (isEventSubProcess(node.element)) triggered[node.parent]?.push(node.index);
    const host = node.type === 'boundaryEvent' ? hostOf(node, table, report) : null;
    if (host !== null) boundaries[host]?.push(node.index);
    return host;
  });
  return table.nodes.map(({ index }) => ({
    incoming: incoming[index] ?? [],
    outgoing: outgoing[index] ?? [],
    startEvents: startEvents[index] ?? [],
    ...(triggered[index]?.length && { eventSubProcesses: triggered[index] }),
    boundaries: boundaries[index] ?? [],
    attachedTo: hosts[index] ?? null,
  }));
}

/** BPMN 2.0 §10.5.4: a boundary event is attached to an activity of its own scope. */
function hostOf(node: Node, table: NodeTable, report: Report): number | null {
  const target: ModdleElement | null = one(node.element, 'attachedToRef');
  const host = target === null ? undefined : table.nodes[table.indexOf.get(target) ?? -1];
  const isHost = host !== undefined && isActivity(host.type) && !isEventSubProcess(host.element);
  if (isHost && host.parent === node.parent) return host.index;
  const known = host === undefined && report.problems.some((problem) => problem.elementId === node.id);
  if (!known)
    report.problem(
      node.element,
      `must be attached to an activity in the same scope (attachedToRef), but found ${foundAt(host, table)}`,
      'boundary-attached',
    );
  return null;
}

/** What a boundary event is attached to, and why it is no host. */
function foundAt(host: Node | undefined, { nodes }: NodeTable): string {
  if (host === undefined) return 'none';
  if (isEventSubProcess(host.element)) return `event sub process '${host.id}'`;
  const found = `${words(host.type)} '${host.id}'`;
  return isActivity(host.type) ? `${found} in '${nodes[host.parent ?? -1]?.id}'` : found;
}
