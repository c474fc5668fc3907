import { ServiceError } from '../shared/errors.js';

/** How much of a text an error shows, in characters. */
const SHOWN_MAX = 200;

/** The text in quotes, shortened: errors go to clients and logs. */
const shown = (text: string): string => `'${text.length <= SHOWN_MAX ? text : `${text.slice(0, SHOWN_MAX - 1)}…`}'`;

/** An expression that cannot be read. `at`: offset in the text; the error tells a column, which counts from 1. */
export const badSyntax = (text: string, at: number, expected: string, found: string) =>
  new ServiceError(
    'BAD_REQUEST',
    `expected ${expected} at column ${at + 1} of expression ${shown(text)}, but found ${shown(found)}`,
    {
      reason: 'expression_syntax',
      details: { expression: shorten(text), column: at + 1, found: shorten(found) },
    },
  );

export const expressionTooLong = (text: string, at: number, max: number) =>
  new ServiceError(
    'BAD_REQUEST',
    `expected an expression of at most ${max} characters at column ${at + 1}, but found a longer one in ${shown(text)}`,
    { reason: 'expression_too_long', details: { column: at + 1, max } },
  );

export const expressionTooComplex = (text: string, at: number, max: number) =>
  new ServiceError(
    'BAD_REQUEST',
    `expected at most ${max} operators, calls and parentheses in one expression, but found more from column ${at + 1} of ${shown(text)} on`,
    { reason: 'expression_too_complex', details: { column: at + 1, max } },
  );

export const unknownName = (text: string, name: string) =>
  evaluationFailed(text, `expected a variable named '${name}', but there is no variable or bean of that name`, {
    name,
  });

export const evaluationFailed = (text: string, cause: string, details: Readonly<Record<string, unknown>> = {}) =>
  new ServiceError('EXECUTION_FAILED', `expression ${shown(text)} failed: ${cause}`, {
    reason: 'expression_failed',
    details: { expression: shorten(text), cause, ...details },
  });

export const conditionWithoutBoolean = (text: string, found: string) =>
  new ServiceError(
    'EXECUTION_FAILED',
    `condition expression returns non-Boolean: expected true or false from ${shown(text)}, but found ${found}`,
    { reason: 'condition_not_boolean', details: { expression: shorten(text), found } },
  );

/** A time text that cannot be read; `kind`: what it should have been. */
export const badTime = (text: string, expected: string) =>
  new ServiceError('BAD_REQUEST', `expected ${expected}, but found ${shown(text)}`, {
    reason: 'time_syntax',
    details: { text: shorten(text), expected },
  });

export const tooManyScripts = (max: number) =>
  new ServiceError('UNAVAILABLE', `expected at most ${max} scripts to wait for a thread, but found as many`, {
    reason: 'script_queue_full',
  });

export const sandboxClosed = () =>
  new ServiceError('UNAVAILABLE', 'expected the script sandbox to be open, but it has been closed', {
    reason: 'script_sandbox_closed',
  });

const shorten = (text: string): string => text.slice(0, SHOWN_MAX);
