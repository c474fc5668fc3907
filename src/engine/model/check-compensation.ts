import { type Element, partsOf } from './program.js';
import type { Report } from './report.js';

/** BPMN 2.0 §10.7 and §10.3.5: where compensation and cancellation may stand. */
export function checkCompensation(elements: readonly Element[], report: Report): void {
  for (const element of elements) {
    checkHandler(element, report);
    checkRecovery(element, elements, report);
    for (const { kind } of partsOf(element.event)) {
      if (kind === 'cancel') checkCancel(element, elements, report);
      if (kind === 'compensate') checkCompensate(element, elements, report);
    }
  }
}

function checkHandler(element: Element, report: Report): void {
  if (!element.isForCompensation) return;
  if (element.incoming.length + element.outgoing.length > 0)
    report.problem(
      element,
      'is a compensation handler, which must not have sequence flows',
      'compensation-handler-flow',
    );
  if (element.compensation !== undefined)
    report.problem(
      element,
      'is a compensation handler, which is not compensated itself',
      'compensation-handler-nested',
    );
  if (element.triggeredByEvent)
    report.warn(
      element,
      'is an event sub process, which cannot be a compensation handler: isForCompensation is passed over',
      'compensation-handler-event-sub',
    );
}

/** An event sub-process that compensates stands in a process or a sub-process, once, and instead of a handler at its boundary. */
function checkRecovery(scope: Element, elements: readonly Element[], report: Report): void {
  const starts = (scope.eventSubProcesses ?? [])
    .flatMap((index) => elements[index]?.startEvents ?? [])
    .flatMap((index) => elements[index] ?? [])
    .filter(({ event }) => event?.kind === 'compensate');
  const [first, second] = starts;
  if (first === undefined) return;
  if (second !== undefined)
    report.problem(second, `is the second compensation start event in '${scope.id}'`, 'compensation-start-single');
  if (scope.triggeredByEvent)
    report.problem(
      first,
      'compensates what holds it, but an event sub process is not compensated',
      'compensation-start-scope',
    );
  if (scope.compensation !== undefined)
    report.problem(
      scope,
      'has a compensation event sub process and a compensation handler, but expected one of the two',
      'compensation-one-way',
    );
}

function checkCancel(element: Element, elements: readonly Element[], report: Report): void {
  if (element.type === 'boundaryEvent') {
    const host = elements[element.attachedTo ?? -1];
    if (host !== undefined && !host.transaction)
      report.problem(
        element,
        `is a cancel event, which only a transaction can have, but '${host.id}' is none`,
        'cancel-boundary-transaction',
      );
    return;
  }
  const scope = elements[element.parent];
  const isCaught = scope?.boundaries.some((index) => elements[index]?.event?.kind === 'cancel');
  if (!scope?.transaction)
    report.problem(element, 'cancels its transaction, but it is in none', 'cancel-end-transaction');
  else if (!isCaught)
    report.problem(
      element,
      `cancels transaction '${scope.id}', which has no cancel boundary event to go on from`,
      'cancel-end-caught',
    );
}

function checkCompensate(element: Element, elements: readonly Element[], report: Report): void {
  if (element.type === 'boundaryEvent') {
    if (element.outgoing.length > 0)
      report.problem(
        element,
        'is a compensation event, which leads to its handler by an association, not by a flow',
        'compensation-boundary-flow',
      );
    return;
  }
  const activity = partsOf(element.event).flatMap((part) =>
    part.kind === 'compensate' ? (part.activity ?? []) : [],
  )[0];
  if (activity === undefined) return;
  const scopes = [element.parent];
  for (let scope = element.parent; elements[scope]?.triggeredByEvent; ) {
    scope = elements[scope]?.parent ?? 0;
    scopes.push(scope);
  }
  const found = elements.find(({ id }) => id === activity);
  if (found === undefined || !scopes.includes(found.parent))
    report.problem(
      element,
      `compensates '${activity}' (activityRef), but expected an activity of its own process or sub process`,
      'compensation-activity',
    );
}
