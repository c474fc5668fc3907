import { compileMultiple } from './compile-multiple.js';
import { compileCondition } from './compile-source.js';
import { eventName, message, receivedMessage, sentMessage, signal } from './compile-told.js';
import { variableName } from './compile-work.js';
import { body, flag, idOf, kindOf, type ModdleElement, many, one, text } from './moddle-element.js';
import { eventKinds, isInEventSubProcess } from './node-type.js';
import type { Node } from './nodes.js';
import { ERROR_CODE } from './parser-warnings.js';
import type { ElementType, EventDefinition, TimerEvent, VariableChange } from './program.js';
import { isLiteral, type Report, short, words } from './report.js';
import type { RefusingRule } from './rules.js';

/** Definition of an event: what it waits for or throws; of a receive task, its message; of a send task that has no implementation, what it throws. Null: no event, or none event. */
export function compileEvent(node: Node, report: Report): EventDefinition | null {
  const { element } = node;
  if (node.type === 'receiveTask') return receivedMessage(node, report);
  if (node.type === 'sendTask') return sentMessage(node, report);
  const inside = isInEventSubProcess(element);
  const kinds = eventKinds(node.type, inside);
  if (kinds === null) return null;
  const definitions = [...many(element, 'eventDefinitions'), ...many(element, 'eventDefinitionRef')];
  if (definitions.length === 0) {
    if (!kinds.includes('none'))
      report.problem(element, `needs an event definition: ${kinds.join(', ')}`, 'event-needs-definition');
    return null;
  }
  const parts = definitions.flatMap((definition) => compileDefinition(node, definition, kinds, report) ?? []);
  if (definitions.length > 1) return compileMultiple(node, parts, report);
  if (flag(element, 'parallelMultiple')) {
    report.warn(
      element,
      'waits for several events together (parallelMultiple), but has only one',
      'parallel-multiple-single',
    );
  }
  return parts[0] ?? null;
}

function compileDefinition(
  node: Node,
  definition: ModdleElement,
  kinds: readonly string[],
  report: Report,
): EventDefinition | null {
  const { element } = node;
  const kind = kindOf(definition).replace('EventDefinition', '');
  if (!kinds.includes(kind)) {
    report.problem(
      element,
      `has ${kind} as its event definition, but ${words(node.type)}s can have ${kinds.join(', ')}`,
      EVENT_RULES[node.type] ?? 'event-needs-definition',
    );
    return null;
  }
  switch (kind) {
    case 'timer':
      return timer(element, definition, report);
    case 'message':
      return message(node, definition, report);
    case 'signal':
      return signal(node, definition, report);
    case 'error':
      return error(node, definition, report);
    case 'escalation':
      return escalation(node, definition, report);
    case 'conditional':
      return conditional(element, definition, report);
    case 'compensate':
      return {
        kind: 'compensate',
        activity: refOf(definition, 'activityRef'),
        wait: definition.get('waitForCompletion') !== false,
      };
    case 'cancel':
      return { kind: 'cancel' };
    case 'link':
      return link(element, definition, report);
    default:
      return { kind: 'terminate' };
  }
}

/** Compiles the event that a multi-instance throws by a definition that it refers to. Null, with a problem, where it cannot be thrown. */
export function compileThrown(about: ModdleElement, definition: ModdleElement, report: Report): EventDefinition | null {
  const kind = kindOf(definition).replace('EventDefinition', '');
  if (kind === 'message' || kind === 'signal') {
    const name = eventName(about, one(definition, `${kind}Ref`), kind, false, report);
    if (name === null) return null;
    return kind === 'signal' ? { kind, name } : { kind, name, work: null };
  }
  if (kind === 'escalation') return escalation({ element: about, type: 'intermediateThrowEvent' }, definition, report);
  report.problem(
    about,
    `throws a ${kind} event, but a multi-instance can throw message, signal, escalation`,
    'loop-throws',
  );
  return null;
}

/** The id of the element that is referred to. */
function refOf(definition: ModdleElement, name: string): string | null {
  const ref = one(definition, name);
  return ref === null ? null : idOf(ref);
}

/** Marks a timer whose cron expressions, where an expression gives them, are those of Camunda 8. */
export const SPRING_CRON = 'springCron';

/** A timer. Null, with a problem, where it says no time, or several. */
export function timer(element: ModdleElement, definition: ModdleElement, report: Report): TimerEvent | null {
  const found = (['date', 'duration', 'cycle'] as const).flatMap((name) => {
    const value = body(one(definition, `time${name.charAt(0).toUpperCase()}${name.slice(1)}`));
    return value === null ? [] : [{ name, value }];
  });
  const [time] = found;
  if (time === undefined || found.length > 1) {
    report.problem(
      element,
      `needs exactly one of timeDate, timeDuration and timeCycle, but has ${found.length || 'none'}`,
      'timer-one-time',
    );
    return null;
  }
  const kind = ({ date: 'instant', duration: 'wait', cycle: 'cycle' } as const)[time.name];
  const text = report.time(element, `timer ${time.name}`, time.value, kind);
  const isSpring = flag(definition, SPRING_CRON) && time.name === 'cycle' && !isLiteral(text);
  return { kind: 'timer', timer: time.name, text, ...(isSpring && { cron: 'spring' }) };
}

function error(node: Node, definition: ModdleElement, report: Report): EventDefinition | null {
  const { element } = node;
  const ref = one(definition, 'errorRef');
  const code = ref === null ? text(definition, ERROR_CODE) : text(ref, 'errorCode');
  const thrown = ref === null ? null : text(ref, 'camunda:errorMessage');
  if (code === null && node.type === 'endEvent') {
    report.problem(
      element,
      ref === null ? 'needs an error (errorRef)' : `has error '${text(ref, 'id')}' without an errorCode`,
      'error-thrown-code',
    );
  } else if (code === null && ref !== null) {
    report.warn(
      element,
      `has error '${text(ref, 'id')}' without an errorCode, so that it catches every error`,
      'error-catches-all',
    );
  }
  return {
    kind: 'error',
    code: code === null ? null : report.expression(element, 'error code', code),
    codeVariable: variableName(definition, 'camunda:errorCodeVariable', report),
    messageVariable: variableName(definition, 'camunda:errorMessageVariable', report),
    message: thrown === null ? null : report.expression(element, 'error message', thrown),
  };
}

function escalation(
  { element, type }: Pick<Node, 'element' | 'type'>,
  definition: ModdleElement,
  report: Report,
): EventDefinition {
  const ref = one(definition, 'escalationRef');
  const code = ref === null ? null : text(ref, 'escalationCode');
  const throws = type === 'endEvent' || type === 'intermediateThrowEvent';
  const found = ref === null ? null : `has escalation '${text(ref, 'id')}' without an escalationCode`;
  if (code === null && throws)
    report.problem(element, found ?? 'needs an escalation (escalationRef)', 'escalation-thrown-code');
  else if (code === null && found !== null)
    report.warn(element, `${found}, so that it catches every escalation`, 'escalation-catches-all');
  return {
    kind: 'escalation',
    code: code === null ? null : report.expression(element, 'escalation code', code),
    codeVariable: variableName(definition, 'camunda:escalationCodeVariable', report),
  };
}

function link(element: ModdleElement, definition: ModdleElement, report: Report): EventDefinition | null {
  const name = text(definition, 'name');
  if (name === null) report.problem(element, 'needs the name of its link', 'link-name');
  return name === null ? null : { kind: 'link', name };
}

function conditional(element: ModdleElement, definition: ModdleElement, report: Report): EventDefinition | null {
  const condition = compileCondition(one(definition, 'condition'), report);
  if (condition === null) {
    const isTold = report.problems.some(({ elementId }) => elementId === idOf(element));
    if (!isTold) report.problem(element, 'needs a condition', 'condition');
    return null;
  }
  const events = text(definition, 'camunda:variableEvents')?.split(',') ?? [];
  const changes = events.map((event) => event.trim()).filter((event) => event !== '');
  for (const change of changes) {
    if (!isChange(change))
      report.problem(
        element,
        `has '${short(change)}' among camunda:variableEvents, but expected create, update, delete`,
        'condition-change',
      );
  }
  const variable = variableName(definition, 'camunda:variableName', report);
  return { kind: 'conditional', condition, variable, changes: changes.filter(isChange) };
}

const isChange = (text: string): text is VariableChange => ['create', 'update', 'delete'].includes(text);

/** Rules of what may be defined where, by the types of events. */
const EVENT_RULES: Readonly<Partial<Record<ElementType, RefusingRule>>> = {
  startEvent: 'start-event-definition',
  intermediateCatchEvent: 'catch-event-definition',
  intermediateThrowEvent: 'throw-event-definition',
  boundaryEvent: 'boundary-event-definition',
  endEvent: 'end-event-definition',
};
