import type { At } from './evaluate.js';
import { BpmnError } from './failure.js';
import type { TypedValue, VariableType } from './instance-state.js';
import { typed } from './native.js';
import type { Run } from './run.js';
import { assign, assignLocal, unassign } from './variables.js';

/** What a script or a handler left behind: the value of its answer. A value is plain, or typed as `{ type, value }`. */
export interface Outcome {
  readonly result?: unknown;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly removed?: readonly string[];
  /** Variables of the activity alone. */
  readonly locals?: Readonly<Record<string, unknown>>;
  readonly bpmnError?: { readonly code: string; readonly message?: string | null } | null;
}

/** Sets what the outcome sets, and gives its result; leaves with its BPMN error, if it ended with one. */
export function apply(run: Run, at: At, value: unknown): TypedValue {
  const outcome = (value ?? {}) as Outcome;
  for (const [name, each] of Object.entries(outcome.variables ?? {})) assign(run, at.scope, name, typedOf(each));
  for (const [name, each] of Object.entries(outcome.locals ?? {})) assignLocal(run, at.token, name, typedOf(each));
  for (const name of outcome.removed ?? []) unassign(run, at.scope, name);
  const { bpmnError } = outcome;
  if (bpmnError != null) throw new BpmnError(at.token, bpmnError.code, bpmnError.message ?? null);
  return typedOf(outcome.result);
}

const TYPES: ReadonlySet<unknown> = new Set<VariableType>([
  'String',
  'Long',
  'Integer',
  'Double',
  'Boolean',
  'Date',
  'Json',
  'Null',
]);

function typedOf(value: unknown): TypedValue {
  return isTyped(value) ? value : typed(value);
}

function isTyped(value: unknown): value is TypedValue {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== 2) return false;
  return 'value' in value && 'type' in value && TYPES.has(value.type);
}
