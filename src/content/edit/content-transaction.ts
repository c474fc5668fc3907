import { badRequest, limitExceeded, ServiceError } from '../../shared/errors.js';
import { type Asking, type Operation, operation } from '../../store/index.js';
import { Change } from '../tree/change.js';
import { type ContentOperation, isAsking } from '../tree/content-operation.js';
import type { SetPropertiesAnswer } from './set-properties.js';

/** One operation of a transaction: the name of a content mutation, and what that takes. */
export interface TransactionStep {
  readonly field: string;
  readonly input: unknown;
}

/** Answer of an operation of a transaction, the same as by itself. */
export interface StepAnswer {
  readonly field: string;
  readonly answer: unknown;
}

/** How many operations one transaction may have. */
const TRANSACTION_OPERATIONS_MAX = 100;

// biome-ignore lint/suspicious/noExplicitAny: a table of operations of any input and answer
type AnyContentOperation = ContentOperation<any, unknown>;

/**
 * Several operations on the tree as one commit: each sees what the ones before it did, and types are asked at the end of all. The first that
 * is refused refuses all. `max`: how many there may be. @throws whatever the operations throw, with index and field in the message and the details
 */
export const contentTransaction = (
  table: Readonly<Record<string, AnyContentOperation>>,
  max = TRANSACTION_OPERATIONS_MAX,
): Operation<readonly TransactionStep[], readonly StepAnswer[]> =>
  operation('contentTransaction', (state, steps: readonly TransactionStep[], { caller, answers }) => {
    requireCount(steps.length, max);
    const change = new Change(state, caller, answers);
    const done = appliedSteps(table, change, steps);
    return isAsking(done) ? done : inStep(change, steps, () => change.decision<readonly StepAnswer[]>(done));
  });

/** Does the steps in a change, to which more may come. @throws as {@link contentTransaction} */
export function appliedSteps(
  table: Readonly<Record<string, AnyContentOperation>>,
  change: Change,
  steps: readonly TransactionStep[],
): readonly StepAnswer[] | Asking {
  change.isPart = true;
  return inStep(change, steps, () => {
    const done: StepAnswer[] = [];
    for (const [index, step] of steps.entries()) {
      change.step = index;
      const answer = applied(table, change, step);
      if (isAsking(answer)) return answer;
      done.push({ field: step.field, answer });
    }
    return done;
  });
}

/** What is refused is told of the step. */
function inStep<T>(change: Change, steps: readonly TransactionStep[], work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    // At the end of all it is the step that wrote the node last.
    if (thrown instanceof ServiceError) throw refusedStep(thrown, change.step, steps[change.step]?.field ?? '');
    throw thrown;
  }
}

/** Requires a transaction of 1 to 100 operations, or another most. @throws BAD_REQUEST, LIMIT_EXCEEDED */
export function requireCount(operations: number, max = TRANSACTION_OPERATIONS_MAX): void {
  if (operations === 0) throw badRequest('expected at least one operation, but there is none');
  if (operations <= max) return;
  throw limitExceeded(`expected at most ${max} operations, but there are ${operations}`);
}

function applied(
  table: Readonly<Record<string, AnyContentOperation>>,
  change: Change,
  { field, input }: TransactionStep,
): unknown | Asking {
  const found = Object.hasOwn(table, field) ? table[field] : undefined;
  if (found === undefined) throw badRequest(`there is no operation '${field}'`);
  const answer = found.apply(change, input);
  const { errors = [] } = (answer ?? {}) as Partial<SetPropertiesAnswer>;
  if (errors.length === 0) return answer;
  const message = errors.map(({ propertyName, message: why }) => `${propertyName}: ${why}`).join('; ');
  throw badRequest(message, { reason: 'properties_refused', details: { errors } });
}

/** The refusal of an operation of a transaction. */
export function refusedStep({ code, message, info }: ServiceError, index: number, field: string): ServiceError {
  const details = typeof info.details === 'object' && info.details !== null ? info.details : {};
  return new ServiceError(code, `operations[${index}].${field}: ${message}`, {
    ...info,
    details: { ...details, index, field },
  });
}
