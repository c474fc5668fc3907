import { messageOf, ServiceError } from '../../shared/errors.js';
import type { Ask } from '../../store/index.js';
import type { Token } from './instance-state.js';
import type { Place } from './prepared.js';

/** Leaves a run that needs an answer; caught where the run began. It is not an error: the run is made anew with the answer. */
export class Asked {
  readonly ask: Ask;

  constructor(ask: Ask) {
    this.ask = ask;
  }
}

/** An error of the model's own making (BPMN 2.0 §10.5.1): looks for a boundary event from the token's activity outwards. */
export class BpmnError {
  readonly token: Token;
  readonly code: string;
  readonly message: string | null;

  constructor(token: Token, code: string, message: string | null) {
    this.token = token;
    this.code = code;
    this.message = message;
  }
}

/** Sentence and details of a refusal. */
export interface Failure {
  /** Reads on after "expected": `to evaluate '${a}' of element 'x'`. */
  readonly expected: string;
  readonly cause: unknown;
  readonly expression?: string;
  readonly script?: string;
}

/** The refusal of a run that cannot go on. */
export function executionFailed(place: Place, failure: Failure): ServiceError {
  const { expected, cause, ...source } = failure;
  const { id } = place.element;
  return new ServiceError('EXECUTION_FAILED', `expected ${expected} of element '${id}', but ${messageOf(cause)}`, {
    details: { elementId: id, ...source, cause: messageOf(cause) },
  });
}
