import {
  createSourceEventStream,
  type ExecutionResult,
  type FormattedExecutionResult,
  type GraphQLFormattedError,
} from 'graphql';
import type { Caller } from '../../shared/caller.js';
import { badRequest, ServiceError } from '../../shared/errors.js';
import type { Aside } from '../../store/index.js';
import { type Admission, isShed } from '../admission/admission.js';
import type { ExecutionContext, RequestFacts } from '../context.js';
import { DocumentCache, type PreparedOperation } from '../document/prepare-document.js';
import { listFailure, pageFailure } from '../document/variable-limits.js';
import type { FeedItem, FeedIterator } from '../feed-iterator.js';
import type { FormatError } from '../format-error.js';
import { AnswerBudget, type AnswerShare, type BodyShare } from '../http/memory-budget.js';
import type { RequestParams } from '../http/request-params.js';
import { TransportError } from '../http/transport-error.js';
import { type Execution, Executor, type ExecutorOptions, inOperation, type RunnableOperation } from './executor.js';
import { Running } from './running.js';

/** A response as clients see it. */
export type GraphqlResult = FormattedExecutionResult;

/** Parts of the runner beside those of executors. */
interface RunnerOptions<W> extends ExecutorOptions<W> {
  readonly admission: Admission;
  readonly formatError: FormatError;
  readonly mayIntrospect: (caller: Caller) => boolean;
}

/** The facts of a request without what the runner adds. */
export type Asked<W> = Omit<RequestFacts<W>, 'ending' | 'variables' | 'room'> & {
  /** The variables are a part of it. */
  readonly body: BodyShare;
  /** Where the client is. */
  readonly address: string;
};

/** Prepares and executes operations under the limits; knows nothing of HTTP. */
export class OperationRunner<W> {
  readonly #options: RunnerOptions<W>;
  readonly #documents: DocumentCache;
  readonly #answers: AnswerBudget;
  readonly #executor: Executor<W>;
  /** Executions: each sees what it reads with the rights that its caller had when it began, or later ones. */
  readonly #running = new Running();

  constructor(options: RunnerOptions<W>) {
    this.#options = options;
    this.#executor = new Executor(options);
    this.#answers = new AnswerBudget(options.limits);
    this.#documents = new DocumentCache(options.schema, options.limits);
  }

  /** The operation that the request means, or the errors why there is none. */
  prepare(params: RequestParams, asked: Asked<W>): RunnableOperation | GraphQLFormattedError[] {
    const { operations, errors, failed } = this.#documents.prepare(params.query);
    if (failed !== undefined) {
      return errors.map((error) => this.#options.formatError(error, { requestId: asked.requestId, phase: failed }));
    }
    try {
      const operation = chooseOperation(operations, params.operationName);
      if (operation.introspects && !this.#options.mayIntrospect(asked.caller)) throw introspectionRefused();
      const tooLarge = pageFailure(operation.pages, params.variables, this.#options.limits);
      if (tooLarge !== undefined) throw tooLarge;
      const tooMany = listFailure(operation.lists, params.variables, this.#options.limits.listItemsMax);
      if (tooMany !== undefined) throw tooMany;
      return { operation, variables: params.variables };
    } catch (thrown) {
      return [this.formatted(thrown, asked)];
    }
  }

  /** The share of an answer that is to be made. Whoever takes it gives it back when the client has the answer. */
  newAnswer({ caller }: Asked<W>): AnswerShare {
    return this.#answers.share(caller.userId);
  }

  /**
   * Executes a query or mutation when its turn has come. `control` is aborted when the client is gone; a mutation goes on all the same and needs none.
   * @throws UNAVAILABLE: more is asked of the server than it can do, or there is no room for the answer to a query now; nothing was changed
   */
  execute(
    runnable: RunnableOperation,
    asked: Asked<W>,
    answer: AnswerShare,
    control?: AbortController,
  ): Promise<GraphqlResult> {
    const { operation, variables } = runnable;
    const { workspace } = asked.caller;
    const { admission } = this.#options;
    const mutate = (aside: Aside) =>
      inOperation(operation, workspace, () =>
        this.#run(runnable, { ...asked, variables, aside, ending: NEVER }, { answer }),
      );
    const query = () =>
      inOperation(operation, workspace, () => {
        const facts = { ...asked, variables, mayBeShed: true, ending: control ?? NEVER };
        return this.#run(runnable, facts, { answer, abandon: () => control?.abort() });
      });
    return asked.body.during(() =>
      operation.type === 'mutation' ? admission.mutation(workspace, mutate) : admission.query(query),
    );
  }

  /** Starts a subscription: its events, or the result that says why there are none. Aborting `signal` tells the source that it is over. */
  subscribe(runnable: RunnableOperation, asked: Asked<W>, signal: AbortSignal): Promise<FeedIterator | GraphqlResult> {
    return inOperation(runnable.operation, asked.caller.workspace, () => this.#subscribe(runnable, asked, signal));
  }

  /**
   * The payload of one event of a subscription, with a context of its own: rights are those of now.
   * @throws TransportError 503: there is no room for it now
   */
  deliver(
    runnable: RunnableOperation,
    { position, value }: FeedItem,
    asked: Asked<W>,
    { answer, signal }: { readonly answer: AnswerShare; readonly signal: AbortSignal },
  ): Promise<GraphqlResult> {
    const facts = { ...asked, variables: runnable.variables, atLeast: position, ending: { signal } };
    return this.#run(runnable, facts, { answer, rootValue: value });
  }

  /**
   * What is answered in place of a result that is not given: that of a mutation says how far it came.
   * @throws TransportError 503, which is the answer to the whole request
   */
  withheld(
    { operation }: RunnableOperation,
    { data, extensions }: GraphqlResult,
    refusal: unknown,
    asked: { readonly requestId: string },
  ): GraphqlResult {
    if (refusal instanceof TransportError) throw refusal;
    const error = this.formatted(refusal, asked);
    if (operation.type !== 'mutation') return { errors: [error] };
    const errors = Object.keys(data ?? {}).map((field) => ({ ...error, path: [field] }));
    return { errors, data: null, ...(extensions && { extensions }) };
  }

  /** An error as clients see it. */
  formatted(thrown: unknown, asked: { readonly requestId: string }): GraphQLFormattedError {
    return this.#options.formatError(thrown, { requestId: asked.requestId, phase: 'execution' });
  }

  async #subscribe(
    { operation, variables }: RunnableOperation,
    asked: Asked<W>,
    signal: AbortSignal,
  ): Promise<FeedIterator | GraphqlResult> {
    try {
      const context = this.#options.context({ ...asked, variables, ending: { signal } });
      const source = await createSourceEventStream({
        schema: this.#options.schema,
        document: operation.document,
        operationName: operation.name,
        variableValues: variables,
        contextValue: context,
      });
      if (Symbol.asyncIterator in source) return source as FeedIterator;
      tellFailed(operation, source, context);
      return this.#formattedResult(source, asked);
    } catch (thrown) {
      return { errors: [this.formatted(thrown, asked)] };
    }
  }

  /** Resolves when every execution is over that goes on now. */
  over(): Promise<void> {
    return this.#running.over();
  }

  #run(runnable: RunnableOperation, facts: RequestFacts<W>, execution: Execution): Promise<GraphqlResult> {
    return this.#running.during(() => this.#executed(runnable, facts, execution));
  }

  async #executed(runnable: RunnableOperation, facts: RequestFacts<W>, execution: Execution): Promise<GraphqlResult> {
    try {
      const { result, context } = await this.#executor.run(runnable, facts, execution);
      tellFailed(runnable.operation, result, context);
      return await this.#answer(result, context, facts);
    } catch (thrown) {
      if (isShed(thrown) || thrown instanceof TransportError) throw thrown;
      return { errors: [this.formatted(thrown, facts)] };
    }
  }

  async #answer(result: ExecutionResult, context: ExecutionContext, facts: RequestFacts<W>): Promise<GraphqlResult> {
    const formatted = afterCommit(this.#formattedResult(result, facts), context);
    let unsettled: GraphQLFormattedError | undefined;
    try {
      if (context.settled !== undefined) await context.settled();
    } catch (thrown) {
      unsettled = this.formatted(thrown, facts);
    }
    const position = context.position?.();
    const told = { ...context.told?.(), ...(position !== undefined && { position }) };
    const leftOut = (context.leftOut?.() ?? []).map((error) => this.formatted(error, facts));
    const more = unsettled === undefined ? leftOut : [...leftOut, unsettled];
    const { errors = [], data, extensions } = formatted;
    return resultOf([...errors, ...more], data, { ...extensions, ...told });
  }

  #formattedResult({ errors = [], data, extensions = {} }: ExecutionResult, asked: { readonly requestId: string }) {
    return resultOf(
      errors.map((error) => this.formatted(error, asked)),
      data,
      extensions,
    );
  }
}

function tellFailed({ type }: PreparedOperation, { errors }: ExecutionResult, context: ExecutionContext): void {
  for (const error of errors ?? []) if (type !== 'mutation' || error.path?.length !== 1) context.failed?.(error);
}

/** Nothing ends it. */
const NEVER = new AbortController();

/** A response with what there is of it, in the order in which it is sent. */
function resultOf(
  errors: readonly GraphQLFormattedError[],
  data: GraphqlResult['data'],
  extensions: Readonly<Record<string, unknown>>,
): GraphqlResult {
  const result: { -readonly [Part in keyof GraphqlResult]: GraphqlResult[Part] } = {};
  if (errors.length > 0) result.errors = errors;
  if (data !== undefined) result.data = data;
  if (Object.keys(extensions).length > 0) result.extensions = extensions;
  return result;
}

function chooseOperation(operations: readonly PreparedOperation[], name: string | undefined): PreparedOperation {
  const named = name === undefined ? operations : operations.filter((operation) => operation.name === name);
  const [chosen, another] = named;
  if (chosen !== undefined && another === undefined) return chosen;
  if (chosen !== undefined)
    throw badRequest('expected operationName to choose one of several operations, but it is absent');
  throw badRequest(`expected an operation named '${name}' in the document, but there is none`);
}

const introspectionRefused = () =>
  new ServiceError('FORBIDDEN', 'expected a caller with a role to ask for the schema, but the caller has none', {
    reason: 'introspection_forbidden',
  });

const STAYS = 'what was changed stays changed';

/** What failed when its change had been made already says so: whoever tried again would make it twice. */
function afterCommit(result: GraphqlResult, context: ExecutionContext): GraphqlResult {
  if (context.hasCommitted === undefined || result.errors === undefined) return result;
  const errors = result.errors.map((error) => {
    const [field] = error.path ?? [];
    if (field === undefined || context.hasCommitted?.(String(field)) !== true) return error;
    const message = error.message.endsWith(STAYS) ? error.message : `${error.message}; ${STAYS}`;
    return { ...error, message, extensions: { ...error.extensions, committed: true } };
  });
  return { ...result, errors };
}
