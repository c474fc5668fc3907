import { nearestHint } from '../../shared/nearest.js';
import { LETTERS_MAX } from './allow-list.js';
import { type ModdleElement, many, one } from './moddle-element.js';
import { type Report, short } from './report.js';

/** Warns of each extension of Camunda 8's at an element, its loop and its events that is not executed: nothing is passed over in silence. */
export function warnOfZeebe(element: ModdleElement, report: Report): void {
  const loop = one(element, 'loopCharacteristics');
  for (const part of [element, ...(loop === null ? [] : [loop]), ...many(element, 'eventDefinitions')]) {
    const holder = one(part, 'extensionElements');
    for (const extension of holder === null ? [] : many(holder, 'values')) warnOf(element, extension, report);
  }
}

function warnOf(element: ModdleElement, extension: ModdleElement, report: Report): void {
  const { $type } = extension;
  if (!$type.startsWith('zeebe:')) return;
  const known = READ[$type.slice(6)];
  if (known === undefined) {
    const reason = REASONS[$type];
    const sentence = `has <${short($type)}>, which is not executed${reason === undefined ? '' : `: ${reason}`}`;
    return report.warn(element, sentence, 'not-executed');
  }
  const names = known.split(' ');
  for (const name of Object.keys(extension)) {
    if (/[$:]/.test(name) || names.includes(name)) continue;
    const hint = nearestHint(name, names, LETTERS_MAX);
    report.warn(element, `has <${$type}> with '${short(name)}', which is not known${hint}`, 'unknown-name');
  }
  for (const child of many(extension, '$children')) warnOf(element, child, report);
}

/** What is read, or says nothing about what runs, with its attributes. */
const READ: Readonly<Record<string, string>> = {
  taskDefinition: 'type retries',
  taskHeaders: '',
  header: 'key value',
  calledDecision: 'decisionId resultVariable bindingType versionTag',
  calledElement:
    'processId processIdExpression propagateAllParentVariables propagateAllChildVariables bindingType versionTag businessId',
  script: 'expression resultVariable',
  ioMapping: '',
  input: 'source target',
  output: 'source target',
  loopCharacteristics: 'inputCollection inputElement outputCollection outputElement',
  assignmentDefinition: 'assignee candidateUsers candidateGroups',
  taskSchedule: 'dueDate followUpDate',
  priorityDefinition: 'priority',
  jobPriorityDefinition: 'priority',
  formDefinition: 'formId formKey externalReference bindingType versionTag',
  userTaskForm: 'id',
  userTask: '',
  adHoc: 'activeElementsCollection outputCollection outputElement',
  versionTag: 'value',
  conditionalFilter: 'variableNames variableEvents',
  properties: '',
  property: 'name value',
  executionListeners: '',
  executionListener: 'eventType type retries',
  taskListeners: '',
  taskListener: 'eventType type retries',
};

/** Why it is not, where more can be said. */
const REASONS: Readonly<Record<string, string>> = {
  'zeebe:subscription': 'correlateMessage says which instance is meant',
  'zeebe:publishMessage': 'what is thrown is for what waits for it at that instant, by its name and business key',
};
