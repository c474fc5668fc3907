import { compileAdHoc } from './compile-ad-hoc.js';
import { compileCall } from './compile-call.js';
import { compileDecision } from './compile-decision.js';
import { compileEvent } from './compile-event.js';
import { compileForm } from './compile-form.js';
import { compileIo } from './compile-io.js';
import { compileListeners } from './compile-listeners.js';
import { compileLoop } from './compile-loop.js';
import { compileCondition } from './compile-source.js';
import { compileUserTask } from './compile-user-task.js';
import { compileScriptTask, compileSending, compileWork, variableName } from './compile-work.js';
import { continuations } from './continuations.js';
import type { Links } from './links.js';
import { documentation, flag, type ModdleElement, number, one, text } from './moddle-element.js';
import { activityType, isEventSubProcess, isInEventSubProcess } from './node-type.js';
import type { Node } from './nodes.js';
import { type Element, type EventDefinition, partsOf, type WorkDefinition } from './program.js';
import { isLiteral, type Report, short, words } from './report.js';

/** One element of the program; `defaultFlow` and `reachedFrom` are settled when all are known. */
export function compileElement(node: Node, links: Links, report: Report): Element {
  const { element, type } = node;
  const event = node.refused ? null : compileEvent(node, report);
  const loop = node.refused ? undefined : compileLoop(node, report);
  return {
    id: node.id,
    name: nameOf(node, report),
    type,
    activityType: KINDS[element.$type] ?? activityType(type, event),
    parent: node.parent,
    ...links,
    defaultFlow: null,
    interrupting: interrupts(node, event, report),
    event,
    ...continuations(element, report),
    userTask: type === 'userTask' ? compileUserTask(element, report) : null,
    work: node.refused ? null : workOfTask(node, report),
    ...(type === 'callActivity' && { call: compileCall(element, report) }),
    io: compileIo(element, report),
    listeners: compileListeners(element, report),
    reachedFrom: null,
    documentation: descriptionOf(node, report),
    ...activation(element, report),
    ...(text(element, 'eventGatewayType') === 'Parallel' && { parallelEvents: true }),
    ...quantities(element, report),
    ...(element.$type === 'bpmn:Transaction' && { transaction: true }),
    ...compileAdHoc(element, report),
    ...(flag(element, 'isForCompensation') && { isForCompensation: true }),
    ...(isEventSubProcess(element) && { triggeredByEvent: true }),
    ...(type === 'startEvent' && startAttributes(element, report)),
    ...(loop !== undefined && { loop }),
  };
}

/** Of a complex gateway. */
function activation(element: ModdleElement, report: Report): Pick<Element, 'activationCondition'> {
  if (element.$type !== 'bpmn:ComplexGateway') return {};
  const activationCondition = compileCondition(one(element, 'activationCondition'), report);
  return activationCondition === null ? {} : { activationCondition };
}

/** Sub-processes that the history names by their kind. */
const KINDS: Readonly<Record<string, string>> = {
  'bpmn:Transaction': 'transaction',
  'bpmn:AdHocSubProcess': 'adHocSubProcess',
};

/** How many tokens an activity may take, or give. */
const QUANTITY_MAX = 1_000;

function quantities(element: ModdleElement, report: Report): Pick<Element, 'startQuantity' | 'completionQuantity'> {
  const found: { startQuantity?: number; completionQuantity?: number } = {};
  for (const name of ['startQuantity', 'completionQuantity'] as const) {
    const value = number(element, name);
    if (value === null || value === 1) continue;
    found[name] = value;
    if (!(Number.isInteger(value) && value > 0 && value <= QUANTITY_MAX))
      report.problem(
        element,
        `has ${name} ${value}, but expected a whole number from 1 to ${QUANTITY_MAX}`,
        'quantity',
      );
  }
  return found;
}

/** What ends something interrupts it, whatever the attribute says. */
function interrupts({ element, type }: Node, event: EventDefinition | null, report: Report): boolean {
  const attribute = type === 'boundaryEvent' ? 'cancelActivity' : 'isInterrupting';
  if (type !== 'boundaryEvent' && !(type === 'startEvent' && isInEventSubProcess(element))) return false;
  if (flag(element, attribute)) return true;
  const always = partsOf(event).find(({ kind }) => kind === 'error' || kind === 'cancel' || kind === 'compensate');
  if (always !== undefined && event?.kind !== 'multiple')
    report.warn(
      element,
      `says ${attribute}="false", but ${words(always.kind)} events always interrupt`,
      'always-interrupts',
    );
  return always !== undefined;
}

function workOfTask({ element, type }: Node, report: Report): WorkDefinition | null {
  switch (type) {
    case 'scriptTask':
      return compileScriptTask(element, report);
    case 'businessRuleTask':
      return compileDecision(element, report) ?? compileWork(element, report);
    case 'sendTask':
      return compileSending(element, report);
    case 'serviceTask':
      return compileWork(element, report);
    default:
      return null;
  }
}

/** A user task's name and documentation become the task's name and description, so both may have expressions. */
function nameOf({ element, type }: Node, report: Report): string | null {
  const name = text(element, 'name');
  return name !== null && type === 'userTask' ? report.expression(element, 'name', name) : name;
}

function descriptionOf({ element, type }: Node, report: Report): string | null {
  const description = documentation(element);
  return description !== null && type === 'userTask'
    ? report.expression(element, 'documentation', description)
    : description;
}

function startAttributes(
  element: ModdleElement,
  report: Report,
): Pick<Element, 'initiator' | 'startForm' | 'startFormKey'> {
  const initiator = variableName(element, 'camunda:initiator', report);
  const startFormKey = text(element, 'camunda:formKey');
  const startForm = compileForm(element, report);
  if (initiator !== null && !isLiteral(initiator)) {
    report.problem(
      element,
      `has '${short(initiator)}' as camunda:initiator, but expected a variable's name`,
      'initiator',
    );
  }
  return {
    ...(initiator !== null && { initiator }),
    ...(startForm !== undefined && { startForm }),
    ...(startFormKey !== null && { startFormKey }),
  };
}
