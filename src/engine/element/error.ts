import { interrupt } from './activity.js';
import { BpmnError, executionFailed } from './failure.js';
import type { Token } from './instance-state.js';
import { passEvent } from './leave.js';
import { typed } from './native.js';
import { at, type Run } from './run.js';
import { assign } from './variables.js';

/** A BPMN error, as it is told. */
interface Thrown {
  readonly code: string;
  readonly message: string | null;
}

/**
 * BPMN 2.0 §10.5.1: looks for a boundary event that catches the error, from the token's activity outwards; it interrupts its activity. A
 * boundary event with the error's code comes before one for all errors. Gives whether there was one.
 */
export function raise(run: Run, token: Token, error: Thrown): boolean {
  for (let holder: Token | undefined = token; holder !== undefined; holder = run.owner(holder.scope)) {
    const boundary = holder.activity === null ? undefined : catching(run, holder, error.code);
    if (boundary === undefined) continue;
    caught(run, holder, boundary, error);
    return true;
  }
  return false;
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
  executionFailed(run.place(token.element), {
    expected: `BPMN error '${code}' to be caught by a boundary event`,
    cause: `no boundary event catches it${message === null ? '' : `: ${message}`}`,
  });

function catching(run: Run, holder: Token, code: string): number | undefined {
  return run.place(holder.element).catching.find((element) => {
    const { event } = run.place(element).element;
    return event?.kind === 'error' && (event.code === null || event.code === code);
  });
}

function caught(run: Run, token: Token, boundary: number, { code, message }: Thrown): void {
  interrupt(run, token);
  token.element = boundary;
  token.via = null;
  const place = run.place(boundary);
  const { event } = place.element;
  const { scope } = at(run, token, place);
  if (event?.kind === 'error') {
    if (event.codeVariable !== null) assign(run, scope, event.codeVariable, typed(code));
    if (event.messageVariable !== null) assign(run, scope, event.messageVariable, typed(message));
  }
  passEvent(run, token, place);
}
