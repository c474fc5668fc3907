import { aroundResult } from './boundary-event.js';
import { caught, seek } from './catcher.js';
import { BpmnError, executionFailed } from './failure.js';
import type { Token, Variables } from './instance-state.js';
import { typed } from './native.js';
import type { Run } from './run.js';
import { assignAll } from './variables.js';

/** A BPMN error, as it is told. */
interface Thrown {
  readonly code: string;
  readonly message: string | null;
  /** What comes with it, for the event that catches it alone. */
  readonly variables?: Variables;
}

/**
 * BPMN 2.0 §10.5.1: looks for a boundary event that catches the error, from the token's activity outwards; it interrupts its activity. A
 * boundary event with the error's code comes before one for all errors. Gives whether there was one.
 */
export function raise(run: Run, token: Token, { code, message, variables = {} }: Thrown): boolean {
  const found = seek(run, token, code, ({ errors }) => errors);
  if (found === undefined) return false;
  const { codeVariable, messageVariable } = found.catcher.event;
  caught(run, found, {
    ...variables,
    ...(codeVariable !== null && { [codeVariable]: typed(code) }),
    ...(messageVariable !== null && { [messageVariable]: typed(message) }),
  });
  return true;
}

/**
 * The error that whoever works on the token's activity reports: what comes with it is known to what that still does, unless the event that catches it keeps all that it is given.
 */
export function reported(run: Run, token: Token, { code, message, variables = {} }: Thrown): BpmnError {
  const found = seek(run, token, code, ({ errors }) => errors);
  if (found !== undefined && run.place(found.catcher.at).element.io?.keeps === true)
    return new BpmnError(token, code, message, variables);
  assignAll(run, aroundResult(run, token), variables);
  return new BpmnError(token, code, message);
}

/**
 * A BPMN error ends what happens here, and goes to its boundary event. A script's or a handler's error that nothing catches is thrown on, and fails
 * the run: Camunda ends the path in silence, which hides mistakes.
 */
export function guarded<T>(run: Run, subject: T, happen: (run: Run, subject: T) => void): void {
  try {
    happen(run, subject);
  } catch (thrown) {
    if (!(thrown instanceof BpmnError) || !raise(run, thrown.token, thrown)) throw thrown;
  }
}

/** The refusal of a run whose error nothing catches. */
export const uncaught = (run: Run, { token, code, message }: BpmnError) =>
  executionFailed(run.placeOf(token), {
    expected: `BPMN error '${code}' to be caught by a boundary event`,
    cause: `no boundary event catches it${message === null ? '' : `: ${message}`}`,
  });
