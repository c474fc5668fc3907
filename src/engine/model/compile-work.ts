import { isVariableName, VARIABLE_NAME } from '../../shared/sound-text.js';
import { compileExternal, compileTopic } from './compile-external.js';
import { compileScript, handlerName } from './compile-source.js';
import { extensions, flag, type ModdleElement, one, raw, text } from './moddle-element.js';
import type { Fields, WorkDefinition } from './program.js';
import { type Report, short } from './report.js';

const IMPLEMENTATIONS =
  'camunda:class, camunda:delegateExpression, camunda:expression, camunda:type="external" with a camunda:topic, or a zeebe:taskDefinition';

/** Whether it says in Camunda's words how it is done. */
export const isImplemented = (element: ModdleElement): boolean =>
  extensions(element, 'camunda:Connector').length > 0 ||
  ['class', 'delegateExpression', 'expression', 'type'].some((name) => text(element, `camunda:${name}`) !== null);

/** Work of a service-like task. Null, with a problem, where nothing says it. */
export function compileWork(element: ModdleElement, report: Report): WorkDefinition | null {
  const work = workOf(element, report);
  if (work === undefined) report.problem(element, `needs an implementation: ${IMPLEMENTATIONS}`, 'work-implementation');
  return work ?? null;
}

/** Work of a send task; null where it throws its message. */
export function compileSending(element: ModdleElement, report: Report): WorkDefinition | null {
  const message = one(element, 'messageRef');
  const isThrown = message !== null && text(message, 'name') !== null;
  if (isThrown && !isImplemented(element)) return null;
  const work = workOf(element, report);
  if (work === undefined)
    report.problem(
      element,
      `needs a message (messageRef), or an implementation: ${IMPLEMENTATIONS}`,
      'work-implementation',
    );
  return work ?? null;
}

/** Work of a message throw event; undefined: nothing says it; null, with a problem: it cannot be done. */
export function workOf(element: ModdleElement, report: Report): WorkDefinition | null | undefined {
  if (extensions(element, 'camunda:Connector').length > 0) {
    report.problem(element, 'has a camunda:connector, which this engine does not execute', 'connector');
    return null;
  }
  const resultVariable = resultVariableOf(element, report);
  const type = text(element, 'camunda:type');
  if (type !== null) return externalWork(element, type, { resultVariable, report });
  if (extensions(element, 'camunda:ErrorEventDefinition').length > 0)
    report.warn(
      element,
      'has a camunda:errorEventDefinition, which only external tasks can have',
      'error-definition-place',
    );
  const expression = text(element, 'camunda:expression');
  const name = nameOf(element, report);
  if (name === null) return null;
  if (name !== undefined) return { kind: 'handler', name, resultVariable, fields: compileFields(element, report) };
  if (expression === null) return undefined;
  warnOfFields(element, extensions(element, 'camunda:Field'), report);
  return { kind: 'expression', text: report.expression(element, 'expression', expression), resultVariable };
}

/** Where Camunda 8's words make a script task work of a worker. */
export const WORKED = 'millrace:worked';

/** The work of a script task: its script, and where the result goes; in models of Camunda 8 it may be that of a worker. */
export function compileScriptTask(element: ModdleElement, report: Report): WorkDefinition | null {
  if (flag(element, WORKED)) return compileWork(element, report);
  const script = {
    about: element,
    what: 'script',
    language: text(element, 'scriptFormat'),
    text: raw(element, 'script'),
  };
  const source = compileScript(script, report);
  return source === null ? null : { ...source, resultVariable: resultVariableOf(element, report) };
}

/** `camunda:field` elements: literal text (`stringValue`, `camunda:string`) or `camunda:expression`. */
export function compileFields(
  element: ModdleElement,
  report: Report,
  fields = extensions(element, 'camunda:Field'),
): Fields {
  const result: Record<string, string> = {};
  for (const field of fields) {
    const name = variableName(field, 'name', report);
    const value = text(field, 'expression') ?? raw(field, 'stringValue') ?? raw(field, 'string') ?? '';
    if (name === null) report.problem(element, 'has a camunda:field without a name', 'field-name');
    else result[name] = report.expression(element, `camunda:field '${short(name)}'`, value);
  }
  return result;
}

/** Expressions and scripts see variables, and are given nothing else. */
export function warnOfFields(about: ModdleElement, fields: readonly ModdleElement[], report: Report): void {
  if (fields.length > 0) report.warn(about, 'has a camunda:field, which only a handler is given', 'field-unused');
}

/** Under its name, or under the one that it had before. */
const resultVariableOf = (element: ModdleElement, report: Report): string | null =>
  variableName(element, 'camunda:resultVariable', report) ??
  variableName(element, 'camunda:resultVariableName', report);

/** The name of a variable in an attribute; null when absent. */
export function variableName(element: ModdleElement, attribute: string, report: Report): string | null {
  const name = text(element, attribute);
  if (name === null || isVariableName(name)) return name;
  report.problem(element, `has '${short(name)}' as ${attribute}, but expected ${VARIABLE_NAME}`, 'variable-name');
  return null;
}

interface Working {
  readonly resultVariable: string | null;
  readonly report: Report;
}

/** What else Camunda 7 executes. */
const TYPES: Readonly<Record<string, string | undefined>> = {
  mail: "but nothing is sent from here: a worker (camunda:type 'external'), a handler (camunda:class) or a route sends mail",
  shell:
    "but no programs of the server are run: a worker (camunda:type 'external') or a handler (camunda:class) does that",
};

/** Work that a type says: that of workers. As in Camunda it comes before all else that is said. */
function externalWork(
  element: ModdleElement,
  type: string,
  { resultVariable, report }: Working,
): WorkDefinition | null {
  if (type !== 'external') {
    const known = TYPES[type];
    report.problem(
      element,
      `has camunda:type '${short(type)}', ${known ?? "but only 'external' is executed"}`,
      'work-type',
    );
    return null;
  }
  const name = compileTopic(element, report);
  const fields = compileFields(element, report);
  const external = compileExternal(element, report);
  return name === null ? null : { kind: 'handler', name, resultVariable, fields, external };
}

/** The handler's name, as Camunda looks for it: class, delegate expression. */
function nameOf(element: ModdleElement, report: Report): string | null | undefined {
  const className = text(element, 'camunda:class');
  const name = className ?? text(element, 'camunda:delegateExpression');
  if (name === null) return undefined;
  const handler = handlerName(name);
  if (handler !== null) return report.handler(element, handler);
  const attribute = className === null ? 'camunda:delegateExpression' : 'camunda:class';
  report.problem(
    element,
    `has '${short(name)}' as ${attribute}, but expected the name of a handler, plain, as \${name} or as \${bean.method()}`,
    'handler-name',
  );
  return null;
}
