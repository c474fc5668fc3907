import { timer } from './compile-event.js';
import { compileScriptElement, handlerName } from './compile-source.js';
import { compileFields, warnOfFields } from './compile-work.js';
import { extensions, type ModdleElement, many, one, text } from './moddle-element.js';
import type { Listener, TimerEvent } from './program.js';
import { type Report, short } from './report.js';

const TASK_EVENTS = ['create', 'assignment', 'complete', 'delete', 'update', 'timeout'];

/** The listeners of an element or sequence flow, execution listeners first. */
export function compileListeners(element: ModdleElement, report: Report): readonly Listener[] {
  const isFlow = element.$type === 'bpmn:SequenceFlow';
  const executionEvents = isFlow ? ['take'] : ['start', 'end'];
  const execution = extensions(element, 'camunda:ExecutionListener').flatMap((listener) => {
    const event = text(listener, 'event') ?? (isFlow ? 'take' : null);
    return compileListener({ element, listener, on: 'execution', event, events: executionEvents }, report);
  });
  const taskListeners = extensions(element, 'camunda:TaskListener');
  if (taskListeners.length > 0 && element.$type !== 'bpmn:UserTask') {
    report.problem(element, 'has a camunda:taskListener, which only a user task can have', 'task-listener-place');
    return execution;
  }
  const task = taskListeners.flatMap((listener) =>
    compileListener({ element, listener, on: 'task', event: text(listener, 'event'), events: TASK_EVENTS }, report),
  );
  return [...execution, ...task];
}

interface Declared {
  readonly element: ModdleElement;
  readonly listener: ModdleElement;
  readonly on: Listener['on'];
  readonly event: string | null;
  readonly events: readonly string[];
}

function compileListener({ element, listener, on, event, events }: Declared, report: Report): readonly Listener[] {
  if (event === null || !events.includes(event)) {
    const found = event === null ? 'none' : `'${short(event)}'`;
    report.problem(
      element,
      `has a camunda:${on}Listener whose event should be one of ${events.join(', ')}, but found ${found}`,
      'listener-event',
    );
    return [];
  }
  const source = sourceOf(element, listener, report);
  const when = event === 'timeout' ? timeoutOf(element, listener, report) : undefined;
  if (source === null || when === null) return [];
  const id = when === undefined ? null : text(listener, 'id');
  return [{ on, event, source, ...(when !== undefined && { timer: when }), ...(id !== null && { id }) }];
}

/** When a `timeout` listener is told. Null, with a problem, where nothing says it. */
function timeoutOf(element: ModdleElement, listener: ModdleElement, report: Report): TimerEvent | null {
  const [definition, ...others] = many(listener, 'eventDefinitions');
  if (definition !== undefined && others.length === 0) return timer(element, definition, report);
  report.problem(
    element,
    'has a camunda:taskListener of event timeout, which needs exactly one timerEventDefinition',
    'task-listener-timeout',
  );
  return null;
}

function sourceOf(element: ModdleElement, listener: ModdleElement, report: Report): Listener['source'] | null {
  const script = one(listener, 'script');
  const expression = text(listener, 'expression');
  const name = text(listener, 'class') ?? text(listener, 'delegateExpression');
  if (name !== null) return handlerOf(name, element, listener, report);
  warnOfFields(element, many(listener, 'fields'), report);
  if (expression !== null) return { kind: 'expression', text: report.expression(element, 'listener', expression) };
  if (script !== null) return compileScriptElement(script, 'listener script', report);
  report.problem(
    element,
    'has a listener without class, delegateExpression, expression or script',
    'listener-implementation',
  );
  return null;
}

function handlerOf(
  text: string,
  element: ModdleElement,
  listener: ModdleElement,
  report: Report,
): Listener['source'] | null {
  const name = handlerName(text);
  if (name === null) {
    report.problem(
      element,
      `has a listener with '${short(text)}', but expected the name of a handler, plain, as \${name} or as \${bean.method()}`,
      'listener-handler',
    );
    return null;
  }
  const fields = compileFields(element, report, many(listener, 'fields'));
  return { kind: 'handler', name: report.handler(element, name), ...(Object.keys(fields).length > 0 && { fields }) };
}
