import { type ExecutionResult, execute, GraphQLError, type GraphQLFormattedError, type GraphQLSchema } from 'graphql';
import { graphqlOperationDuration } from '../../shared/metrics.js';
import type { Timers } from '../../shared/time.js';
import { inSpan, isCollected, isTracing, SpanStatusCode } from '../../shared/trace.js';
import { isDamaged } from '../../store/index.js';
import { isShed } from '../admission/admission.js';
import type { ExecutionContext, RequestFacts } from '../context.js';
import type { PreparedOperation } from '../document/prepare-document.js';
import type { AnswerShare } from '../http/memory-budget.js';
import type { GraphqlLimits } from '../limits.js';
import { ExecutionGuard, guardExecution, tooLong } from './execution-guard.js';
import { Turns } from './turns.js';

/** Parts and limits of an executor. */
export interface ExecutorOptions<W> {
  readonly schema: GraphQLSchema;
  /** The one of `makeSchema`. Default: none, so that something damaged below one object of a list may take the list with it. */
  readonly sparing?: GraphQLSchema;
  readonly limits: GraphqlLimits;
  readonly timers: Timers;
  readonly context: (facts: RequestFacts<W>) => ExecutionContext;
}

/** An operation that may be executed, with its variables. */
export interface RunnableOperation {
  readonly operation: PreparedOperation;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** One execution: the answer that it fills, and for which event. */
export interface Execution {
  readonly answer: AnswerShare;
  /** Of an event. */
  readonly rootValue?: unknown;
  /** Called when the execution is stopped: what still runs is in vain. */
  readonly abandon?: () => void;
}

/** Result of an execution, and the context that it ran in. */
interface Executed {
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
  async run(runnable: RunnableOperation, facts: RequestFacts<W>, execution: Execution): Promise<Executed> {
    const { schema, sparing } = this.#options;
    const { type, introspects } = runnable.operation;
    const executed = await this.#run(schema, runnable, facts, execution);
    // A mutation is carried out once.
    if (sparing === undefined || type === 'mutation' || introspects || !hasTakenList(executed.result)) return executed;
    execution.answer.giveBack();
    const spared = await this.#run(sparing, runnable, facts, execution);
    const result = withoutDamaged(spared.result);
    return result === undefined ? executed : { ...spared, result };
  }

  async #run(
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
    const deadline = isMutation ? Number.POSITIVE_INFINITY : timers.monotonic() + limits.queryDeadlineMs;
    return new ExecutionGuard({
      objectsMax: limits.resultObjectsMax,
      deadline,
      timers,
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
    const alarm = this.#options.timers.after(this.#options.limits.queryDeadlineMs, () => guard.stop(tooLong()));
    const stopped = new Promise<ExecutionResult>((resolve) => {
      guard.onStop = () => resolve({});
    });
    try {
      return await Promise.race([running, stopped]);
    } finally {
      alarm.cancel();
    }
  }
}

type Path = readonly (string | number)[];

/** Whether something damaged stood below an object of a list, so that the list as a whole may have become null. */
const hasTakenList = ({ errors }: ExecutionResult): boolean =>
  errors?.some((error) => isOfDamage(error) && error.path?.some((key) => typeof key === 'number') === true) === true;

const isOfDamage = ({ originalError }: GraphQLError): boolean => isDamaged(originalError);

/**
 * The result of an execution in which objects of lists may be null, as one in which they may not: those below which something is damaged are
 * left out, and that is told at their list's path, once for each damaged thing. Undefined where anything else made one of them null.
 */
function withoutDamaged(result: ExecutionResult): ExecutionResult | undefined {
  const placed = (result.errors ?? []).map((error) => ({ error, at: listAt(result.data, error.path ?? []) }));
  if (placed.some(({ error, at }) => at !== undefined && !isOfDamage(error))) return undefined;
  const told = new Map<string, GraphQLError>();
  for (const { error, at } of placed) {
    const shown = at === undefined ? error : moved(error, at.path);
    told.set(`${shown.path?.join('.')} ${shown.message}`, shown);
  }
  for (const list of new Set(placed.flatMap(({ at }) => (at === undefined ? [] : [at.list]))))
    list.splice(0, list.length, ...list.filter((item) => item !== null));
  return { ...result, errors: [...told.values()] };
}

const moved = ({ message, originalError, nodes }: GraphQLError, path: Path): GraphQLError =>
  new GraphQLError(message, { path, ...(originalError && { originalError }), ...(nodes && { nodes }) });

/** The list in which the path ends at null, with its own path. */
function listAt(data: unknown, path: Path): { readonly list: unknown[]; readonly path: Path } | undefined {
  let value = data;
  for (const [depth, key] of path.entries()) {
    const next = (value as Readonly<Record<string | number, unknown>>)[key];
    if (next === null && Array.isArray(value)) return { list: value, path: path.slice(0, depth) };
    if (next === null || next === undefined) return undefined;
    value = next;
  }
  return undefined;
}

/** Runs an operation within a span of its own and measures it. That of a subscription is over when its events begin, or do not. */
export function inOperation<R extends object>(
  { type, name }: Pick<PreparedOperation, 'type' | 'name'>,
  workspace: string,
  run: () => Promise<R>,
): Promise<R> {
  if (!isCollected()) return run();
  const from = performance.now();
  const kind = { 'graphql.operation.type': type };
  const start = isTracing() ? { attributes: attributesOf(type, name, workspace) } : {};
  return inSpan(type, start, async (span) => {
    const result = await run();
    const failure = failureOf(result);
    if (failure !== undefined) {
      span.setAttributes(failure);
      span.setStatus({ code: SpanStatusCode.ERROR });
    }
    const took = (performance.now() - from) / 1000;
    graphqlOperationDuration.record(took, failure === undefined ? kind : { ...kind, ...failure });
    return result;
  });
}

const attributesOf = (type: string, name: string | undefined, workspace: string) => ({
  'graphql.operation.type': type,
  ...(name !== undefined && { 'graphql.operation.name': name }),
  'app.workspace': workspace,
});

function failureOf(result: { readonly errors?: readonly GraphQLFormattedError[] } | object) {
  const code = 'errors' in result ? result.errors?.[0]?.extensions?.code : undefined;
  return code === undefined ? undefined : { 'error.type': String(code) };
}
