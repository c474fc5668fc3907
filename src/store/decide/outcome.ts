import type { ErrorCode, ServiceError } from '../../shared/errors.js';
import type { Command } from '../decision.js';

/** What is kept of a client's command: its input (hashed) and its answer or refusal. */
export interface Outcome {
  readonly input: string;
  readonly answer?: unknown;
  readonly refusal?: Pick<ServiceError, 'code' | 'message' | 'info'>;
}

/** Refusals that say nothing of the command: the same key may be tried again, when what stood in its way is mended. */
const PASSING: ReadonlySet<ErrorCode> = new Set(['UNAVAILABLE', 'RATE_LIMITED', 'DATA_DAMAGED']);

/** Whether a refusal is an outcome. */
export const isFinal = (error: ServiceError): boolean => !PASSING.has(error.code);

/** The outcome of a command as the log keeps it. */
export const outcomeOf = (command: Command, outcome: Omit<Outcome, 'input'>): string =>
  JSON.stringify({ input: command.inputHash ?? '', ...outcome } satisfies Outcome);
