import { extensions, isA, type ModdleElement, many, one, text } from './moddle-element.js';
import type { ExternalDefinition, ExternalError } from './program.js';
import type { Report } from './report.js';

/** Compiles an external task, but for its topic. `element`: the task, or the message event definition that names the topic. */
export function compileExternal(element: ModdleElement, report: Report): ExternalDefinition {
  const errors = extensions(element, 'camunda:ErrorEventDefinition').flatMap((each) => errorOf(element, each, report));
  const properties = propertiesOf(element);
  return {
    priority: priorityOf(element, report),
    ...(errors.length > 0 && { errors }),
    ...(Object.keys(properties).length > 0 && { properties }),
  };
}

/** The topic: a name, or an expression that gives one. Null, with a problem, where there is none. */
export function compileTopic(element: ModdleElement, report: Report): string | null {
  const topic = text(element, 'camunda:topic');
  if (topic !== null) return report.expression(element, 'camunda:topic', topic);
  report.problem(
    element,
    'is external, but has no camunda:topic (of a zeebe:taskDefinition: no type)',
    'external-topic',
  );
  return null;
}

/** The element's own, else the process's. */
function priorityOf(element: ModdleElement, report: Report): string | null {
  for (let holder: ModdleElement | undefined = element; holder !== undefined; holder = holder.$parent) {
    if (holder !== element && !isA(holder, 'bpmn:Process')) continue;
    const priority = report.priority(holder, 'camunda:taskPriority');
    if (priority !== null) return priority;
  }
  return null;
}

function errorOf(element: ModdleElement, definition: ModdleElement, report: Report): ExternalError[] {
  const error = one(definition, 'errorRef');
  const code = error === null ? null : text(error, 'errorCode');
  const condition = text(definition, 'expression');
  if (code === null) {
    const found = error === null ? 'an error (errorRef)' : `an errorCode of error '${text(error, 'id')}'`;
    report.problem(element, `has a camunda:errorEventDefinition, which needs ${found}`, 'error-definition-error');
    return [];
  }
  // As in Camunda: one without a condition never holds.
  if (condition === null) {
    report.warn(
      element,
      'has a camunda:errorEventDefinition without an expression, so that it never comes',
      'error-definition-expression',
    );
    return [];
  }
  const message = error === null ? null : text(error, 'camunda:errorMessage');
  return [
    {
      condition: report.expression(element, 'expression of a camunda:errorEventDefinition', condition),
      code: report.expression(element, 'error code', code),
      message: message === null ? null : report.expression(element, 'error message', message),
    },
  ];
}

/** Of an event definition those of its event count, too. */
function propertiesOf(element: ModdleElement): Record<string, string> {
  const holders = isA(element, 'bpmn:EventDefinition') && element.$parent ? [element.$parent, element] : [element];
  const entries = holders
    .flatMap((holder) => extensions(holder, 'camunda:Properties'))
    .flatMap((each) => many(each, 'values'))
    .flatMap((property) => {
      const name = text(property, 'name');
      return name === null ? [] : [[name, text(property, 'value') ?? ''] as const];
    });
  return Object.fromEntries(entries);
}
