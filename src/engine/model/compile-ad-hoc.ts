import { choicesIn } from './ad-hoc.js';
import { compileCondition, feelSource } from './compile-source.js';
import { isActivity } from './elements.js';
import { extensions, type ModdleElement, one, text } from './moddle-element.js';
import type { AdHoc, Element, Source } from './program.js';
import { type Report, short } from './report.js';

/** Compiles the ordering, the completion and the activities to begin with of an ad-hoc sub-process; nothing where the element is none. */
export function compileAdHoc(element: ModdleElement, report: Report): { readonly adHoc?: AdHoc } {
  if (element.$type !== 'bpmn:AdHocSubProcess') return {};
  const ordering = text(element, 'ordering') ?? 'Parallel';
  if (ordering !== 'Parallel' && ordering !== 'Sequential')
    report.problem(
      element,
      `has '${short(ordering)}' as ordering, but expected Parallel or Sequential`,
      'ad-hoc-ordering',
    );
  if (element.get('triggeredByEvent') === true)
    report.problem(
      element,
      'is triggered by an event (triggeredByEvent), which an ad-hoc sub process cannot be',
      'ad-hoc-event-sub',
    );
  const first = firstOf(element, report);
  const adHoc = {
    sequential: ordering === 'Sequential',
    completionCondition: compileCondition(one(element, 'completionCondition'), report),
    cancelRemaining: element.get('cancelRemainingInstances') !== false,
    ...(first && { first }),
  };
  return { adHoc };
}

/** Camunda 8 says what begins with it by an expression that gives ids. */
function firstOf(element: ModdleElement, report: Report): Source | undefined {
  const [said] = extensions(element, 'zeebe:adHoc');
  const written = said === undefined ? null : text(said, 'activeElementsCollection');
  if (said !== undefined && text(said, 'outputCollection') !== null)
    report.warn(element, 'has a zeebe:adHoc with an outputCollection, which is not collected', 'ad-hoc-output');
  if (extensions(element, 'zeebe:taskDefinition').length > 0)
    report.warn(
      element,
      'has a zeebe:taskDefinition, but its activities are chosen by activeElementsCollection and triggerActivity alone',
      'ad-hoc-task-definition',
    );
  if (written === null) return undefined;
  if (written.startsWith('=')) return feelSource(element, 'activeElementsCollection', written.slice(1), report);
  return { kind: 'expression', text: report.expression(element, 'activeElementsCollection', written) };
}

/** BPMN 2.0 §10.3.5: what an ad-hoc sub-process must, and must not hold. */
export function checkAdHoc(scope: Element, index: number, elements: readonly Element[], report: Report): void {
  const subject = { id: scope.id, type: 'adHocSubProcess' };
  const held = elements.filter(({ parent }) => parent === index);
  for (const element of held) {
    if (element.type === 'startEvent' || element.type === 'endEvent')
      report.problem(
        element,
        `is in ad-hoc sub process '${scope.id}', which must have neither start nor end events`,
        'ad-hoc-start-end',
      );
  }
  for (const start of scope.startEvents.flatMap((at) => elements[at] ?? [])) {
    if (start.type !== 'startEvent')
      report.problem(
        start,
        `starts an instance (instantiate), which nothing in ad-hoc sub process '${scope.id}' can`,
        'ad-hoc-instantiate',
      );
  }
  if (!held.some(({ type, triggeredByEvent }) => isActivity(type) && !triggeredByEvent))
    report.problem(subject, 'needs an activity', 'ad-hoc-activity');
  else if (choicesIn(elements, index).length === 0)
    report.problem(
      subject,
      'needs an activity that no sequence flow leads to, for nothing in it could ever begin',
      'ad-hoc-first',
    );
}
