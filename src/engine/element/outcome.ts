import { unknownHandler } from '../handlers.js';
import type { Fields } from '../model/program.js';
import { evaluate } from './evaluate.js';
import { executionFacts, setBusinessKey } from './execution-bean.js';
import { ask, BpmnError, executionFailed } from './failure.js';
import type { TypedValue, VariableType } from './instance-state.js';
import { textOf, typed } from './native.js';
import type { At, Run } from './run.js';
import { changeTask, taskView } from './task-bean.js';
import { assign, assignOwn, put, remove, unassign, visible } from './variables.js';

/** Outcome of a script or a handler, the value of its answer: plain JSON, and the types that JSON cannot tell. */
interface Outcome {
  readonly result?: unknown;
  /** Set where the name is found going outwards, else on the process. */
  readonly variables?: Readonly<Record<string, unknown>>;
  /** Set on the activity alone. */
  readonly locals?: Readonly<Record<string, unknown>>;
  readonly removed?: readonly string[];
  /** Set on the process, and removed from it, though inner ones have the names. */
  readonly process?: Readonly<Record<string, unknown>>;
  readonly processRemoved?: readonly string[];
  /** A Date (ISO 8601 text), a Long or a Double among them; everything else gets the type of its JSON. */
  readonly types?: {
    readonly result?: VariableType;
    readonly variables?: Readonly<Record<string, VariableType>>;
    readonly locals?: Readonly<Record<string, VariableType>>;
    readonly process?: Readonly<Record<string, VariableType>>;
  };
  /** Calls of a task listener on its task, to change it. */
  readonly task?: readonly { readonly method: string; readonly value: unknown }[];
  /** Another business key of the instance; null: none. */
  readonly businessKey?: string | null;
  readonly bpmnError?: { readonly code: string; readonly message?: string | null } | null;
}

/** Sets what the outcome sets, and gives its result; leaves with its BPMN error, if it ended with one. */
export function apply(run: Run, at: At, value: unknown): TypedValue {
  const {
    result,
    variables = {},
    locals = {},
    removed = [],
    types = {},
    task = [],
    process = {},
    processRemoved = [],
    businessKey,
    bpmnError,
  } = (value ?? {}) as Outcome;
  const typedAs = (each: unknown, type: VariableType | undefined): TypedValue =>
    type === undefined ? typed(each) : { type, value: each };
  for (const [name, each] of Object.entries(variables)) {
    assign(run, at.scope, name, typedAs(each, types.variables?.[name]));
  }
  const own = Object.entries(locals).map(([name, each]) => [name, typedAs(each, types.locals?.[name])] as const);
  if (own.length > 0) assignOwn(run, at, Object.fromEntries(own));
  const whole = run.scope(0);
  for (const [name, each] of Object.entries(process)) put(run, whole, name, typedAs(each, types.process?.[name]));
  for (const name of processRemoved) remove(run, whole, name);
  for (const call of task) change(at, call);
  if (businessKey !== undefined) changeKey(run, at, businessKey);
  for (const name of removed) unassign(run, at.scope, name);
  if (bpmnError != null) throw new BpmnError(at.token, bpmnError.code, bpmnError.message ?? null);
  return typedAs(result, types.result);
}

function changeKey(run: Run, { place }: At, businessKey: string | null): void {
  try {
    setBusinessKey(run, businessKey);
  } catch (cause) {
    throw executionFailed(place, { expected: 'a text that a business key can be', cause });
  }
}

function change(
  { place, task, event }: At,
  { method, value }: { readonly method: string; readonly value: unknown },
): void {
  try {
    if (task !== undefined) changeTask(task, method, value, event);
  } catch (cause) {
    throw executionFailed(place, { expected: `task.${method} to be given what it takes`, cause });
  }
}

/** How the handler is registered. @throws EXECUTION_FAILED where it is not */
export function handlerKind(run: Run, at: At, name: string): 'inline' | 'call' {
  const kind = run.context.handler(name);
  if (kind !== undefined) return kind;
  const cause = unknownHandler(name, run.context.handlerNames?.() ?? []);
  throw executionFailed(at.place, { expected: `handler '${name}'`, cause });
}

/** Asks an inline handler; what it set is set. Gives its result. @throws EXECUTION_FAILED */
export function askHandler(run: Run, at: At, name: string, fields: Fields): TypedValue {
  const question = {
    handler: name,
    elementId: at.place.element.id,
    fields: fieldsOf(run, at, fields),
    variables: visible(run, at.scope),
    ...(at.event !== undefined && { event: at.event, ...(run.rules >= 7 && toldListener(run, at)) }),
  };
  const answer = ask(run, 'handler', question);
  if ('error' in answer) {
    throw executionFailed(at.place, { expected: `handler '${name}' to succeed`, cause: answer.error.message });
  }
  return apply(run, at, answer.value);
}

const toldListener = (run: Run, at: At) => ({
  execution: executionFacts(run, at),
  ...(at.task !== undefined && { task: taskView(run, at, at.task) }),
});

/** `camunda:field` values as the handler gets them: texts. */
export function fieldsOf(run: Run, at: At, fields: Fields): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, text]) => [name, textOf(evaluate(run, at, text)) ?? '']),
  );
}
