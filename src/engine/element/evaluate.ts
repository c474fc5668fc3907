import { type Bean, dateBean, type ExpressionContext, spinJson } from '../../expression/index.js';
import { ServiceError } from '../../shared/errors.js';
import { isSoundText, SOUND_TEXT } from '../../shared/sound-text.js';
import { DecisionResultBean } from './decision-result-bean.js';
import { ExecutionBean } from './execution-bean.js';
import { ExternalTaskBean } from './external-task-bean.js';
import { executionFailed } from './failure.js';
import { evaluateFeel } from './feel.js';
import type { TypedValue } from './instance-state.js';
import { native, textOf } from './native.js';
import type { At, Run } from './run.js';
import { TaskBean } from './task-bean.js';
import { lookUp } from './variables.js';

/** The value of a text that may hold `${…}`. @throws EXECUTION_FAILED */
export function evaluate(run: Run, where: At, text: string): unknown {
  try {
    return run.prepared.expression(text).evaluate(new Surroundings(run, where));
  } catch (thrown) {
    throw failed(where, text, thrown);
  }
}

/** As {@link evaluate}, with the type that a variable gets of it. @throws EXECUTION_FAILED */
export function evaluateTyped(run: Run, where: At, text: string): TypedValue {
  try {
    const expression = run.prepared.expression(text);
    const typed = expression.evaluateTyped(new Surroundings(run, where));
    const read = expression.variable === undefined ? undefined : lookUp(run, where.scope, expression.variable);
    // What is only read stays what it is to Camunda's clients.
    return read?.info === undefined || read.type !== typed.type ? typed : { ...typed, info: read.info };
  } catch (thrown) {
    throw failed(where, text, thrown);
  }
}

/** A refusal of the expression's gets its element; anything else is a bug. */
function failed(where: At, text: string, thrown: unknown): unknown {
  if (!(thrown instanceof ServiceError)) return thrown;
  const { cause } = (thrown.info.details ?? {}) as { readonly cause?: unknown };
  return executionFailed(where.place, {
    expected: `to evaluate '${text}'`,
    expression: text,
    cause: cause ?? thrown.message,
  });
}

/** The text that an expression gives, of what is found by it or shown. @throws EXECUTION_FAILED, also where it would not come back from the store as it is */
export const textAt = (run: Run, where: At, source: string | null | undefined): string | null =>
  source == null ? null : sound(where, source, textOf(evaluate(run, where, source)));

/** The priority that literal text or an expression gives. @throws EXECUTION_FAILED where that is no whole number */
export function priorityAt(run: Run, where: At, source: string): number {
  const value = evaluate(run, where, source);
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && Number.isInteger(number)) return number;
  throw executionFailed(where.place, {
    expected: `a whole number as priority from '${source}'`,
    expression: source,
    cause: `it gives '${textOf(value) ?? 'null'}'`,
  });
}

/** The text, which the expression gave. @throws EXECUTION_FAILED where it would not come back from the store as it is */
export function sound<T extends string | null>(where: At, source: string, text: T): T {
  if (text === null || isSoundText(text)) return text;
  throw executionFailed(where.place, {
    expected: `${SOUND_TEXT} from '${source}'`,
    expression: source,
    cause: `it gives ${JSON.stringify(text)}`,
  });
}

type Named = ReturnType<ExpressionContext['bean']>;

/** Names that an expression finds: the variables of its scope, and the beans of Camunda's expressions. */
class Surroundings implements ExpressionContext {
  readonly #run: Run;
  readonly #at: At;

  constructor(run: Run, at: At) {
    this.#run = run;
    this.#at = at;
  }

  variable(name: string): { readonly value: unknown } | undefined {
    const found = lookUp(this.#run, this.#at.scope, name);
    if (found !== undefined || name !== 'authenticatedUserId') return found;
    return { value: this.#run.context.userId };
  }

  bean(name: string): Named {
    const { context } = this.#run;
    switch (name) {
      case 'execution':
        return new ExecutionBean(this.#run, this.#at);
      case 'task':
        return this.#task();
      case 'externalTask':
        return this.#externalTask();
      case 'now':
      case 'dateTime':
        return () => dateBean(context.now);
      case 'S':
      case 'JSON':
        return spinJson;
      case 'feel':
        return (text: unknown) => native(evaluateFeel(this.#run, this.#at, String(text)).value);
      case 'currentUser':
        return () => context.userId;
      case 'decisionResult':
        return this.#decision();
      case 'currentUserGroups':
        return () => context.groups?.() ?? [];
      default:
        return undefined;
    }
  }

  #externalTask(): Bean | undefined {
    const { external } = this.#at;
    return external === undefined ? undefined : new ExternalTaskBean(this.#run, this.#at, external);
  }

  /** Of the business rule task that it is asked in. */
  #decision(): Bean | undefined {
    const { decision } = this.#run;
    return decision?.token === this.#at.token ? new DecisionResultBean(decision.rows) : undefined;
  }

  #task(): Bean | undefined {
    const { task } = this.#at;
    return task === undefined ? undefined : new TaskBean(this.#run, this.#at, task);
  }
}
