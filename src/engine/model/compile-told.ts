import { evaluateAlone } from '../../expression/index.js';
import { compileGiven } from './compile-call.js';
import { isImplemented, workOf } from './compile-work.js';
import { extensions, type ModdleElement, one, text } from './moddle-element.js';
import { isInEventSubProcess, isStarting } from './node-type.js';
import type { Node } from './nodes.js';
import type { EventDefinition } from './program.js';
import { isLiteral, type Report, short } from './report.js';

/** Camunda lets a receive task have no message, and continues it by its execution: here it waits for a message of its own id. */
export function receivedMessage({ element, id }: Node, report: Report): EventDefinition | null {
  const ref = one(element, 'messageRef');
  if (ref === null)
    report.warn(element, `has no message (messageRef), so it waits for one with the name '${id}'`, 'message-by-id');
  const name = ref === null ? id : eventName(element, ref, 'message', isStarting(element), report);
  return name === null ? null : { kind: 'message', name, work: null };
}

/** Camunda asks for an implementation; the standard's send task throws its message. */
export function sentMessage({ element }: Node, report: Report): EventDefinition | null {
  if (isImplemented(element)) {
    warnOfGiven(element, element, 'message', report);
    return null;
  }
  const ref = one(element, 'messageRef');
  if (ref === null || text(ref, 'name') === null) return null;
  return thrownMessage(element, element, ref, report);
}

/** A message that is thrown, with what it takes along. */
function thrownMessage(
  about: ModdleElement,
  holder: ModdleElement,
  ref: ModdleElement,
  report: Report,
): EventDefinition | null {
  const name = eventName(about, ref, 'message', false, report);
  if (name === null) return null;
  const gives = extensions(holder, 'camunda:In').length > 0;
  return { kind: 'message', name, work: null, ...(gives && { given: compileGiven(about, holder, report) }) };
}

/** A message that an event waits for or throws. A throw event that names none throws nothing. */
export function message(node: Node, definition: ModdleElement, report: Report): EventDefinition | null {
  if (throws(node)) return toBeThrown(node, definition, report);
  warnOfGiven(node.element, definition, 'message', report);
  const name = eventName(node.element, one(definition, 'messageRef'), 'message', isProcessStart(node), report);
  return name === null ? null : { kind: 'message', name, work: null };
}

function toBeThrown({ element }: Node, definition: ModdleElement, report: Report): EventDefinition | null {
  const work = workOf(definition, report);
  if (work === null) return null;
  const ref = one(definition, 'messageRef');
  const isNamed = ref !== null && text(ref, 'name') !== null;
  if (isNamed && work === undefined) return thrownMessage(element, definition, ref, report);
  if (!isNamed && work === undefined)
    report.warn(element, 'names no message and no implementation, so it throws nothing', 'message-nothing-thrown');
  warnOfGiven(element, definition, 'message', report);
  const name = isNamed ? eventName(element, ref, 'message', false, report) : '';
  return name === null ? null : { kind: 'message', name, work: work ?? null };
}

const throws = ({ type }: Node): boolean => type === 'endEvent' || type === 'intermediateThrowEvent';

/** Of an event that takes nothing along. */
function warnOfGiven(about: ModdleElement, definition: ModdleElement, kind: string, report: Report): void {
  if (extensions(definition, 'camunda:In').length === 0) return;
  const found = `has a camunda:in for its ${kind}`;
  report.warn(about, `${found}, but only one that is thrown by the process itself takes it along`, 'signal-in');
}

/** A signal that an event waits for or throws. */
export function signal(node: Node, definition: ModdleElement, report: Report): EventDefinition | null {
  const gives = extensions(definition, 'camunda:In').length > 0;
  if (!throws(node)) warnOfGiven(node.element, definition, 'signal', report);
  const name = eventName(node.element, one(definition, 'signalRef'), 'signal', isProcessStart(node), report);
  if (name === null) return null;
  return {
    kind: 'signal',
    name,
    ...(gives && throws(node) && { given: compileGiven(node.element, definition, report) }),
  };
}

/** Whether it waits when no instance is there. */
const isProcessStart = ({ element, type }: Node): boolean => type === 'startEvent' && !isInEventSubProcess(element);

/** The name of the message or signal that is referred to. */
export function eventName(
  element: ModdleElement,
  ref: ModdleElement | null,
  kind: 'message' | 'signal',
  literal: boolean,
  report: Report,
): string | null {
  const name = ref === null ? null : text(ref, 'name');
  if (name === null) {
    report.problem(
      element,
      ref === null ? `needs a ${kind} (${kind}Ref)` : `has a ${kind} without a name`,
      `${kind}-reference`,
    );
    return null;
  }
  const checked = report.expression(element, `${kind} name`, name);
  return literal && !isLiteral(name) ? constantName(element, kind, name, report) : checked;
}

/** A start event waits when no instance is there: its name may be an expression of constants alone, which is evaluated now. */
function constantName(element: ModdleElement, kind: string, name: string, report: Report): string {
  try {
    const value = evaluateAlone(name);
    if (value !== null && value !== undefined && value !== '') return String(value);
  } catch {
    // What cannot be read has its problem already; what needs an instance gets it below.
  }
  const found = `has '${short(name)}' as ${kind} name`;
  report.problem(
    element,
    `${found}, but a start event's name is plain text, or an expression of constants alone`,
    'start-event-name',
  );
  return name;
}
