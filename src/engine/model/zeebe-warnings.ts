import { type ModdleElement, many, one } from './moddle-element.js';
import { type Report, short } from './report.js';

/** Warns of each extension of Camunda 8's at an element that is not executed: nothing is passed over in silence. */
export function warnOfZeebe(element: ModdleElement, report: Report): void {
  const holder = one(element, 'extensionElements');
  for (const { $type } of holder === null ? [] : many(holder, 'values')) {
    if (!$type.startsWith('zeebe:') || READ.has($type)) continue;
    const reason = REASONS[$type];
    const sentence = `has <${short($type)}>, which is not executed${reason === undefined ? '' : `: ${reason}`}`;
    report.warn(element, sentence, 'not-executed');
  }
}

/** What is read, or says nothing about what runs. */
const READ: ReadonlySet<string> = new Set(
  'taskDefinition taskHeaders calledDecision calledElement script ioMapping loopCharacteristics assignmentDefinition taskSchedule priorityDefinition jobPriorityDefinition formDefinition userTask adHoc versionTag conditionalFilter properties executionListeners taskListeners userTaskForm'
    .split(' ')
    .map((name) => `zeebe:${name}`),
);

/** Why it is not, where more can be said. */
const REASONS: Readonly<Record<string, string>> = {
  'zeebe:subscription': 'correlateMessage says which instance is meant',
};
