import { type ExecutionResult, execute, type GraphQLSchema } from 'graphql';
import { isShed } from '../admission/admission.js';
import type { ExecutionContext, RequestFacts } from '../context.js';
import type { PreparedOperation } from '../document/prepare-document.js';
import type { AnswerShare } from '../http/memory-budget.js';
import type { GraphqlLimits } from '../limits.js';
import type { Timers } from '../timers.js';
import { ExecutionGuard, guardExecution, tooLong } from './execution-guard.js';
import { Turns } from './turns.js';

/** What an executor is made of. */
export interface ExecutorOptions<W> {
  readonly limits: GraphqlLimits;
  readonly timers: Timers;
  readonly context: (facts: RequestFacts<W>) => ExecutionContext;
}

/** An operation that may be executed, with its variables. */
export interface RunnableOperation {
  readonly operation: PreparedOperation;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** How an operation is executed. */
export interface Execution {
  readonly answer: AnswerShare;
  /** Of an event. */
  readonly rootValue?: unknown;
  /** Called when the execution is stopped: what still runs is in vain. */
  readonly abandon?: () => void;
}

/** What an execution gave, and the context that it ran in. */
export interface Executed {
  readonly result: ExecutionResult;
  readonly context: ExecutionContext;
}

/** Executes operations, each under a guard of its own. */
export class Executor<W> {
  readonly #options: ExecutorOptions<W>;
  readonly #turns = new Turns();

  constructor(options: ExecutorOptions<W>) {
    this.#options = options;
  }

  /** @throws LIMIT_EXCEEDED, TransportError 503: it was stopped; UNAVAILABLE: more is asked of the server than it can do */
  async run(
    schema: GraphQLSchema,
    { operation, variables }: RunnableOperation,
    facts: RequestFacts<W>,
    { answer, rootValue, abandon = () => {} }: Execution,
  ): Promise<Executed> {
    const isMutation = operation.type === 'mutation';
    const guard = this.#guard(isMutation, answer);
    const context = this.#options.context({ ...facts, room: guard });
    guardExecution(context, guard);
    const running = execute({
      schema,
      document: operation.document,
      operationName: operation.name,
      variableValues: variables,
      contextValue: context,
      rootValue,
    });
    const result = running instanceof Promise ? await this.#inTime(running, guard, isMutation) : running;
    // What a mutation did is answered even when what it selects goes too far.
    if (guard.failure !== undefined && !isMutation) {
      abandon();
      throw guard.failure;
    }
    const shed =
      facts.mayBeShed === true ? result.errors?.map(({ originalError }) => originalError).find(isShed) : undefined;
    if (shed !== undefined) throw shed;
    return { result, context };
  }

  #guard(isMutation: boolean, answer: AnswerShare): ExecutionGuard {
    const { limits, timers } = this.#options;
    const deadline = isMutation ? Number.POSITIVE_INFINITY : timers.now() + limits.queryDeadlineMs;
    return new ExecutionGuard({
      objectsMax: limits.resultObjectsMax,
      deadline,
      clock: timers,
      answer,
      isMutation,
      turns: this.#turns,
    });
  }

  /** The result, or nothing at the deadline; what still runs then finds the guard closed. */
  async #inTime(
    running: Promise<ExecutionResult>,
    guard: ExecutionGuard,
    isMutation: boolean,
  ): Promise<ExecutionResult> {
    if (isMutation) return running;
    const callOff = this.#options.timers.after(this.#options.limits.queryDeadlineMs, () => guard.stop(tooLong()));
    const stopped = new Promise<ExecutionResult>((resolve) => {
      guard.onStop = () => resolve({});
    });
    try {
      return await Promise.race([running, stopped]);
    } finally {
      callOff();
    }
  }
}
