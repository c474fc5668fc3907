import { checkNames } from './check-scope.js';
import type { Element, Flow } from './program.js';
import { type Report, words } from './report.js';

/** Boundary events, cycles that are hardly meant, and what stands behind event-based gateways. */
export function checkEvents(elements: readonly Element[], flows: readonly Flow[], report: Report): void {
  for (const element of elements) {
    checkNames(
      element,
      element.boundaries.flatMap((index) => elements[index] ?? []),
      'message',
      report,
    );
    checkNames(
      element,
      element.boundaries.flatMap((index) => elements[index] ?? []),
      'signal',
      report,
    );
    if (element.type === 'eventBasedGateway') checkGateway(element, elements, flows, report);
    warnOfCycle(element, report);
  }
}

function warnOfCycle({ event, type, interrupting, id }: Element, report: Report): void {
  if (event?.kind !== 'timer' || event.timer !== 'cycle') return;
  if (type === 'intermediateCatchEvent' || interrupting) {
    report.warn({ id, type }, 'has a timer cycle, of which only the first time counts: a duration or date is meant');
  }
}

/** BPMN 2.0 §10.6.6: an event-based gateway is followed by catch events that nothing else leads to. */
function checkGateway(gateway: Element, elements: readonly Element[], flows: readonly Flow[], report: Report): void {
  const targets = gateway.outgoing.flatMap((flow) => elements[flows[flow]?.target ?? -1] ?? []);
  if (targets.length === 0) report.problem(gateway, 'has no outgoing sequence flows');
  if (gateway.asyncAfter) report.problem(gateway, 'has camunda:asyncAfter, which an event-based gateway cannot have');
  for (const target of targets) {
    if (target.type !== 'intermediateCatchEvent') {
      report.problem(
        gateway,
        `can only be followed by intermediate catch events, but ${words(target.type)} '${target.id}' was found`,
      );
    } else if (target.incoming.length > 1) {
      report.problem(target, `follows event-based gateway '${gateway.id}', so no other sequence flow may lead to it`);
    }
    if (target.asyncBefore)
      report.warn(target, 'has camunda:asyncBefore, which has no effect behind an event-based gateway');
  }
  checkNames(gateway, targets, 'message', report);
  checkNames(gateway, targets, 'signal', report);
}
