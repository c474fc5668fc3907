import type { ParseResult, ParseWarning } from 'bpmn-moddle';
import { nearestHint } from '../../shared/nearest.js';
import { attributesOf, LETTERS_MAX } from './allow-list.js';
import { flag, kindOf, type ModdleElement, many, text } from './moddle-element.js';
import { type Problem, type Report, short } from './report.js';

/**
 * bpmn-moddle leaves out what it does not understand, with a warning: a process that is deployed so would not be the one that was drawn.
 * So its warnings are problems, except where the thing left out cannot change what runs.
 */
export function judgeWarnings(result: ParseResult, report: Report): void {
  for (const warning of result.warnings) {
    if (warning.message.startsWith('unresolved reference')) unresolved(result, warning, report);
    else if (warning.message.startsWith('unknown attribute')) unknownAttribute(warning, report);
    else if (warning.message.startsWith('unsupported document encoding')) {
      report.add(
        report.warnings,
        report.placed(null, 'the text was read as it came, whatever encoding it declares', 'encoding'),
      );
    } else {
      judgeUnparsable(warning, report);
    }
  }
}

/** Where the code of an error reference without an error is kept. */
export const ERROR_CODE = 'millrace:errorCode';

/**
 * Before the name of a reference, where the text is kept that refers to no element: of a loop as in Camunda a variable or an expression, of data the name of its type.
 */
export const KEPT = 'millrace:';

const isKept = (name: string): boolean => name.startsWith('loopData') || name === 'itemSubjectRef';

/** Elements that are read: of their namespaces one must understand all, of others nothing. */
const READ = /^(bpmn|bpmndi|dc|di|camunda):|^[^:]*$/;

/** Elements that may hold whatever somebody writes there, none of which runs. */
const HOLDS_ANYTHING: ReadonlySet<string> = new Set(['extension', 'extensionElements', 'documentation', 'text']);

const UNPARSABLE = /^unparsable content ([\s\S]*)detected\s+line: (\d+)\s+column: (\d+)\s+nested error: ([\s\S]*)$/;

/** The problem in one of the parser's messages that name a place (its lines and columns count from 0). */
export function unparsable(message: string, report: Report): Problem {
  const match = UNPARSABLE.exec(message);
  if (match === null)
    return report.placed(null, `the XML cannot be read as BPMN 2.0: ${short(message)}`, 'xml-content');
  const [, content = '', line, column, cause = ''] = match;
  const position = { line: Number(line) + 1, column: Number(column) + 1 };
  const duplicate = /^duplicate ID <(.*)>$/.exec(cause);
  if (duplicate !== null) {
    const id = duplicate[1] ?? '';
    return { ...position, elementId: id, message: `id '${short(id)}' is used more than once`, rule: 'id-unique' };
  }
  const illegal = /^illegal ID <([\s\S]*)>$/.exec(cause);
  if (illegal !== null) {
    const id = illegal[1] ?? '';
    const expected = "a letter or '_', then letters, digits, '_', '-' and '.'";
    return {
      ...position,
      elementId: id,
      message: `id '${short(id)}' cannot be used: expected ${expected}`,
      rule: 'id-form',
    };
  }
  // Text content is quoted without its first letter: better none.
  const what = content.startsWith('<') ? `${short(content.trim())} ` : '';
  return {
    ...position,
    elementId: report.idAt(position),
    message: `${what}cannot be read: ${short(cause.trim())}`,
    rule: 'xml-content',
  };
}

function judgeUnparsable({ message }: ParseWarning, report: Report): void {
  // Extension elements that Camunda's dialect does not know are warned of by the allow-list.
  if (message.includes('nested error: unknown type <camunda:')) return;
  const [, reason, name = ''] = /nested error: (unrecognized element|unknown type) <([^>]*)>/.exec(message) ?? [];
  const problem = unparsable(message, report);
  // Foreign elements in places that are not made for them.
  const isForeign = reason === 'unrecognized element' && !READ.test(name);
  const { line, column } = problem;
  const around = line === null || column === null ? null : report.nameAround({ line, column });
  if (isForeign || (reason !== undefined && HOLDS_ANYTHING.has(around ?? '')))
    report.add(report.warnings, { ...problem, rule: 'foreign-extension' });
  else report.add(report.problems, problem);
}

function unknownAttribute(warning: ParseWarning, report: Report): void {
  const { element, property = '' } = warning;
  if (element === undefined) return;
  // Prefixed ones are other namespaces': the allow-list warns of them, where they are executed at all.
  if (property.includes(':') || element.$type.startsWith('camunda:')) return;
  const message = `has an attribute '${short(property)}' that is not defined for it`;
  if (!element.$type.startsWith('bpmn:')) return report.warn(element, message, 'drawing-attribute');
  const hint = nearestHint(property, attributesOf(kindOf(element)), LETTERS_MAX);
  report.problem(element, message + hint, 'attribute-known');
}

function unresolved(result: ParseResult, warning: ParseWarning, report: Report): void {
  const { element, property = '' } = warning;
  if (element === undefined) return;
  const name = property.slice(property.indexOf(':') + 1);
  const value = (warning.value ?? '').trim();
  const { isOwn, id } = qualified(result.rootElement, value);
  const target = result.elementsById[id];
  if (isOwn && target !== undefined) {
    resolve(element, name, target);
  } else if (isKept(name)) {
    element.set(KEPT + name, value);
  } else if (!isOwn) {
    report.warn(
      element,
      `refers by ${name} to '${short(value)}' of another document, which is not looked at`,
      'reference-foreign',
    );
  } else if (name === 'errorRef') {
    element.set(ERROR_CODE, id);
    report.warn(
      element,
      `refers by errorRef to '${short(value)}', which no error has as its id, so it is taken as the code`,
      'error-ref-code',
    );
  } else {
    const sentence = `refers by ${name} to '${short(value)}', but there is no element with that id`;
    // A drawing that is not whole does not change what runs.
    if (element.$type.startsWith('bpmndi:') || isUnread(element, name) || throwsNothing(element) || !runs(element))
      report.warn(element, sentence, 'reference-unread');
    else report.problem(element, sentence, 'reference');
  }
}

/** References that nobody follows: flows are known from their own ends, and data types, sets of data, lanes, groups, participants, resources and operations change nothing that runs. */
const UNREAD: ReadonlySet<string> = new Set([
  ...['incoming', 'outgoing', 'structureRef', 'processRef', 'categoryValueRef', 'resourceRef'],
  ...['dataInputRefs', 'dataOutputRefs', 'optionalInputRefs', 'optionalOutputRefs'],
  ...['flowNodeRef', 'dataStoreRef', 'definition', 'inMessageRef', 'outMessageRef'],
]);

/** What is drawn between elements: a compensation handler that is not found is told where it is missed. */
const DRAWN: ReadonlySet<string> = new Set(['bpmn:Association', 'bpmn:MessageFlow']);

const isUnread = ({ $type }: ModdleElement, name: string): boolean => UNREAD.has(name) || DRAWN.has($type);

/** As in Camunda, a throw event that names no message passes. */
const throwsNothing = ({ $type, $parent }: ModdleElement): boolean =>
  $type === 'bpmn:MessageEventDefinition' &&
  ($parent?.$type === 'bpmn:IntermediateThrowEvent' || $parent?.$type === 'bpmn:EndEvent');

/** Whether it is in no process, or in one that is executed. */
function runs(element: ModdleElement): boolean {
  for (let holder: ModdleElement | undefined = element; holder !== undefined; holder = holder.$parent)
    if (holder.$type === 'bpmn:Process') return flag(holder, 'isExecutable');
  return true;
}

/** A qualified name: whether it is one of this document, and the id in it. */
function qualified(root: ModdleElement, name: string): { isOwn: boolean; id: string } {
  const [prefix, local] = name.includes(':') ? name.split(':', 2) : [null, name];
  const isOwn = prefix === null || text(root, `xmlns:${prefix}`) === text(root, 'targetNamespace');
  return { isOwn, id: local ?? '' };
}

/** BPMN's references are qualified names, perhaps with white space around; the parser compares them with plain ids. */
function resolve(element: ModdleElement, name: string, target: ModdleElement): void {
  const value = element.get(name);
  element.set(name, Array.isArray(value) ? [...many(element, name), target] : target);
}
