import type { Variables } from '../element/instance-state.js';

/** Input of the job of a call. */
export interface CallInput {
  readonly handler: string;
  readonly fields: Readonly<Record<string, string>>;
  /** null: too large to be kept; the instance's when the call is made. */
  readonly variables: Variables | null;
  readonly tokenId: number;
  readonly businessKey: string | null;
  /** How the call ended while its instance was suspended. */
  readonly outcome?: CallOutcome;
}

/** How a call ended: with a result, or with a BPMN error. Plain JSON. */
export interface CallOutcome {
  readonly result?: unknown;
  readonly error?: { readonly code: string; readonly message: string | null };
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Characters of JSON up to which an outcome is kept with its job; a larger call is made again. */
const OUTCOME_MAX = 65_536;

/** The input of a job that is held, with its outcome. */
export function withOutcome(input: unknown, outcome: CallOutcome): CallInput {
  const call = input as CallInput;
  return JSON.stringify(outcome).length <= OUTCOME_MAX ? { ...call, outcome } : call;
}
