import { unknownHandler } from '../handlers.js';
import type { Fields } from '../model/program.js';
import { ask } from './ask.js';
import type { At } from './at.js';
import { evaluate } from './evaluate.js';
import { executionFailed } from './failure.js';
import type { TypedValue } from './instance-state.js';
import { textOf } from './native.js';
import { apply } from './outcome.js';
import type { Run } from './run.js';
import { visible } from './variables.js';

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
    ...(at.event !== undefined && { event: at.event }),
  };
  const answer = ask(run, 'handler', question);
  if ('error' in answer) {
    throw executionFailed(at.place, { expected: `handler '${name}' to succeed`, cause: answer.error.message });
  }
  return apply(run, at, answer.value);
}

/** `camunda:field` values as the handler gets them: texts. */
export function fieldsOf(run: Run, at: At, fields: Fields): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, text]) => [name, textOf(evaluate(run, at, text)) ?? '']),
  );
}
