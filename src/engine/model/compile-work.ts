import { isVariableName, VARIABLE_NAME } from '../../shared/sound-text.js';
import { compileScript, handlerName } from './compile-source.js';
import { extensions, type ModdleElement, raw, text } from './moddle-element.js';
import type { Fields, WorkDefinition } from './program.js';
import { isLiteral, type Report, short } from './report.js';

const IMPLEMENTATIONS =
  'camunda:class, camunda:delegateExpression, camunda:expression or camunda:type="external" with a camunda:topic';

/** Work of a service-like task. Null, with a problem, where nothing says it. */
export function compileWork(element: ModdleElement, report: Report): WorkDefinition | null {
  const work = workOf(element, report);
  if (work === undefined) report.problem(element, `needs an implementation: ${IMPLEMENTATIONS}`);
  return work ?? null;
}

/** Work of a message throw event; undefined: nothing says it; null, with a problem: it cannot be done. */
export function workOf(element: ModdleElement, report: Report): WorkDefinition | null | undefined {
  for (const refused of ['camunda:Connector', 'camunda:ErrorEventDefinition']) {
    if (extensions(element, refused).length === 0) continue;
    report.problem(
      element,
      `has a ${refused.replace(/:./, (start) => start.toLowerCase())}, which this engine does not execute`,
    );
    return null;
  }
  const resultVariable = resultVariableOf(element, report);
  const expression = text(element, 'camunda:expression');
  const name = nameOf(element, report);
  if (name === null) return null;
  if (name !== undefined) return { kind: 'handler', name, resultVariable, fields: compileFields(element, report) };
  if (expression === null) return undefined;
  warnOfFields(element, extensions(element, 'camunda:Field'), report);
  return { kind: 'expression', text: report.expression(element, 'expression', expression), resultVariable };
}

/** The work of a script task: its script, and where the result goes. */
export function compileScriptTask(element: ModdleElement, report: Report): WorkDefinition | null {
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
    const value = text(field, 'expression') ?? text(field, 'stringValue') ?? text(field, 'string') ?? '';
    if (name === null) report.problem(element, 'has a camunda:field without a name');
    else result[name] = report.expression(element, `camunda:field '${short(name)}'`, value);
  }
  return result;
}

/** Expressions and scripts see variables, and are given nothing else. */
export function warnOfFields(about: ModdleElement, fields: readonly ModdleElement[], report: Report): void {
  if (fields.length > 0) report.warn(about, 'has a camunda:field, which only a handler is given');
}

/** Under its name, or under the one that it had before. */
const resultVariableOf = (element: ModdleElement, report: Report): string | null =>
  variableName(element, 'camunda:resultVariable', report) ??
  variableName(element, 'camunda:resultVariableName', report);

/** The name of a variable in an attribute; null when absent. */
export function variableName(element: ModdleElement, attribute: string, report: Report): string | null {
  const name = text(element, attribute);
  if (name === null || isVariableName(name)) return name;
  report.problem(element, `has '${short(name)}' as ${attribute}, but expected ${VARIABLE_NAME}`);
  return null;
}

/** The handler's name, as Camunda looks for it: type, class, delegate expression. */
function nameOf(element: ModdleElement, report: Report): string | null | undefined {
  const type = text(element, 'camunda:type');
  if (type !== null) return topicOf(element, type, report);
  const className = text(element, 'camunda:class');
  const name = className ?? text(element, 'camunda:delegateExpression');
  if (name === null) return undefined;
  const handler = handlerName(name);
  if (handler !== null) return handler;
  const attribute = className === null ? 'camunda:delegateExpression' : 'camunda:class';
  report.problem(
    element,
    `has '${short(name)}' as ${attribute}, but expected the name of a handler, plain or as \${name}`,
  );
  return null;
}

function topicOf(element: ModdleElement, type: string, report: Report): string | null {
  const topic = text(element, 'camunda:topic');
  if (type !== 'external')
    report.problem(element, `has camunda:type '${short(type)}', but only 'external' is executed`);
  else if (topic === null) report.problem(element, 'is external, but has no camunda:topic');
  else if (isLiteral(topic)) return topic;
  else report.problem(element, `has '${short(topic)}' as camunda:topic, but expected a name without an expression`);
  return null;
}
