import type { Node } from './nodes.js';
import type { Element } from './program.js';
import { type Report, short } from './report.js';

/** BPMN 2.0 §10.5.2: how a process and its sub-processes may start. What is refused anyway is left out. */
export function checkScopes(elements: readonly Element[], nodes: readonly Node[], report: Report): void {
  elements.forEach((scope, index) => {
    if (nodes[index]?.refused || scope.startEvents.some((start) => nodes[start]?.refused)) return;
    const starts = scope.startEvents.flatMap((start) => elements[start] ?? []);
    if (scope.type === 'process') checkProcess(scope, starts, report);
    else if (scope.type === 'subProcess') checkSubProcess(scope, starts, report);
  });
}

function checkProcess(scope: Element, starts: readonly Element[], report: Report): void {
  const plain = starts.filter((start) => start.event === null);
  if (starts.length === 0) report.problem(scope, 'needs a start event');
  for (const start of plain.slice(1)) report.problem(start, `is a second none start event of process '${scope.id}'`);
  for (const kind of ['message', 'signal'] as const) checkNames(scope, starts, kind, report);
}

function checkSubProcess(scope: Element, starts: readonly Element[], report: Report): void {
  if (starts.length !== 1)
    report.problem(scope, `needs exactly one none start event, but has ${starts.length || 'no'} start events`);
  for (const start of starts) {
    if (start.event !== null)
      report.problem(
        start,
        `starts sub process '${scope.id}' by a ${start.event.kind}, but a sub process is started by its token`,
      );
  }
}

/** Two subscriptions of the same name would both be meant by one message. */
export function checkNames(
  holder: Element,
  events: readonly Element[],
  kind: 'message' | 'signal',
  report: Report,
): void {
  const names = new Set<string>();
  for (const element of events) {
    if (element.event?.kind !== kind) continue;
    const { name } = element.event;
    if (names.has(name))
      report.problem(element, `is the second that waits for ${kind} '${short(name)}' in '${holder.id}'`);
    names.add(name);
  }
}
