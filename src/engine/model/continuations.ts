import { body, extensions, flag, type ModdleElement } from './moddle-element.js';
import type { Element } from './program.js';
import type { Report } from './report.js';

/** Where transactions of their own begin, and how the jobs behind them are tried again. */
export type Continuations = Pick<Element, 'asyncBefore' | 'asyncAfter' | 'exclusive' | 'retryCycle' | 'jobPriority'>;

/** What an element, or the loop of one, says of its continuations. */
export function continuations(element: ModdleElement, report: Report): Continuations {
  // The attributes are defined for activities, gateways, events and multi-instances; a process has none of them.
  const exclusive = element.get('camunda:exclusive') !== false;
  const jobPriority = report.priority(element, 'camunda:jobPriority');
  return {
    asyncBefore: flag(element, 'camunda:asyncBefore') || flag(element, 'camunda:async'),
    asyncAfter: flag(element, 'camunda:asyncAfter'),
    exclusive,
    retryCycle: retryCycle(element, report),
    ...(jobPriority !== null && { jobPriority }),
  };
}

function retryCycle(element: ModdleElement, report: Report): string | null {
  const cycle = body(extensions(element, 'camunda:FailedJobRetryTimeCycle')[0] ?? null);
  return cycle === null ? null : report.time(element, 'camunda:failedJobRetryTimeCycle', cycle, 'retryCycle');
}
