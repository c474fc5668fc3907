import { badRequest } from '../../shared/errors.js';
import type { Variables } from '../element/typed-value.js';

/** Submission of a form: the variables that are given, beside those that are present. */
export interface Submission {
  readonly given: Variables;
  /** What there is already. */
  readonly present: Variables;
}

/** What is wrong with a field of what was submitted. */
export interface FieldProblem {
  readonly field: string;
  /** Reads on behind the field's name. */
  readonly message: string;
}

/** How many are told. */
const TOLD_MAX = 50;

/** @throws BAD_REQUEST (each field, what was expected and what was found) */
export function requireNone(problems: readonly FieldProblem[], resourceId: string): void {
  const [first, ...more] = problems;
  if (first === undefined) return;
  const rest = more.length === 0 ? '' : ` (and ${more.length} more)`;
  throw badRequest(`form field '${first.field}': ${first.message}${rest}`, {
    reason: 'form_invalid',
    resourceId,
    details: { problems: problems.slice(0, TOLD_MAX) },
  });
}
