import type { ServiceError } from '../../shared/errors.js';
import type { Command } from '../decision.js';

/** What is kept of a client's command: its input (hashed) and its answer or refusal. */
export interface Outcome {
  readonly input: string;
  readonly answer?: unknown;
  readonly refusal?: Pick<ServiceError, 'code' | 'message' | 'info'>;
}

/** Whether a refusal is an outcome; else the same key may be tried again. */
export const isFinal = (error: ServiceError): boolean => error.code !== 'UNAVAILABLE' && error.code !== 'RATE_LIMITED';

/** The outcome of a command as the log keeps it. */
export const outcomeOf = (command: Command, outcome: Omit<Outcome, 'input'>): string =>
  JSON.stringify({ input: command.inputHash ?? '', ...outcome } satisfies Outcome);
