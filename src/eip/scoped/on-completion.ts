import type { Ending, Exchange, Predicate } from '../../expression/routes.js';
import { askForOriginals } from '../error/original-message.js';
import { after, attempt, evaluated, type Outcome, type Step } from '../flow/outcome.js';
import type { StepModel } from '../model/route-model.js';
import { booleanOption, oneOf, refused, textOption } from '../pattern/options.js';
import type { RouteCompiler } from '../pattern/pattern.js';
import { type RouteScopes, scoped } from './scopes.js';

/** An `onCompletion`. */
interface Completion {
  readonly block: Step;
  readonly isBeforeConsumer: boolean;
  readonly onWhen: Predicate | undefined;
  readonly isForCompleted: boolean;
  readonly isForFailed: boolean;
  readonly isParallel: boolean;
  readonly usesOriginal: boolean;
}

/** The steps of a route with its `onCompletion`s, or those of its file and configurations where it has none: behind its steps (`BeforeConsumer`), or at the end of the exchange. */
export function withCompletions(steps: Step, route: RouteCompiler, scopes: RouteScopes): Step {
  const all = scoped(route, scopes, 'onCompletion');
  const own = all.filter(({ isOfRoute }) => isOfRoute);
  const completions = (own.length > 0 ? own : all).map(({ model }) => completionOf(route, model));
  if (completions.length === 0) return steps;
  const endings = completions.filter((it) => !it.isBeforeConsumer).map((it) => endingOf(route, it));
  const behind = completions.filter((it) => it.isBeforeConsumer).reverse();
  const registered: Step = (exchange) => {
    for (const ending of endings) exchange.atEnd(ending);
    return steps(exchange);
  };
  return behind.length === 0 ? registered : withBehind(registered, behind, route);
}

function completionOf(route: RouteCompiler, model: StepModel): Completion {
  const onCompleteOnly = booleanOption(route, model, 'onCompleteOnly', false);
  const onFailureOnly = booleanOption(route, model, 'onFailureOnly', false);
  if (onCompleteOnly && onFailureOnly) throw refused(model, 'onCompleteOnly and onFailureOnly exclude each other');
  const usesOriginal = booleanOption(route, model, 'useOriginalMessage', false);
  if (usesOriginal) askForOriginals(route);
  return {
    block: route.block(model.steps),
    isBeforeConsumer: oneOf(route, model, 'mode', ['AfterConsumer', 'BeforeConsumer']) === 'BeforeConsumer',
    onWhen: route.has(model, 'onWhen') ? route.predicate(model, 'onWhen') : undefined,
    isForCompleted: !onFailureOnly,
    isForFailed: !onCompleteOnly,
    isParallel:
      booleanOption(route, model, 'parallelProcessing', false) ||
      textOption(route, model, 'executorService') !== undefined,
    usesOriginal,
  };
}

const endingOf = (route: RouteCompiler, completion: Completion): Ending => ({
  isLast: true,
  run: (exchange) => wanted(exchange, completion, exchange.exception, () => copied(route, completion, exchange)),
});

/** `then`, where the completion is for an exchange that failed so, or did not. */
function wanted(exchange: Exchange, completion: Completion, failure: unknown, then: () => Outcome): Outcome {
  const { isForCompleted, isForFailed, onWhen } = completion;
  if (failure === undefined ? !isForCompleted : !isForFailed) return undefined;
  return evaluated(onWhen?.(exchange) ?? true, (holds) => (holds === true ? then() : undefined));
}

/** Runs it with a copy: in turn, or beside whatever follows. */
function copied(route: RouteCompiler, completion: Completion, exchange: Exchange): Outcome {
  const copy = exchange.copy();
  copy.routeId = route.model.id;
  copy.pattern = 'InOnly';
  copy.properties.set('CamelCorrelationId', exchange.id);
  prepare(copy, completion, exchange);
  if (!completion.isParallel) return completion.block(copy);
  route.flow.start(copy, completion.block, (thrown) => {
    if (thrown !== undefined) ignored(route, copy, thrown);
  });
  return undefined;
}

function prepare(exchange: Exchange, { usesOriginal }: Completion, { original }: Exchange): void {
  exchange.properties.set('CamelOnCompletion', true);
  if (!usesOriginal || original === undefined) return;
  exchange.body = original.body;
  exchange.headers = original.headers.copy();
}

/** The steps, and then, also where they failed, what changes the exchange before its consumer answers with it. */
function withBehind(steps: Step, completions: readonly Completion[], route: RouteCompiler): Step {
  return (exchange) => {
    let failure: { readonly thrown: unknown } | undefined;
    const through = attempt(
      () => steps(exchange),
      (thrown) => {
        failure = { thrown };
        return undefined;
      },
    );
    const from = (at: number): Outcome => {
      const completion = completions[at];
      if (completion === undefined) return undefined;
      const run = () =>
        completion.isParallel ? copied(route, completion, exchange) : inPlace(route, completion, exchange);
      return after(wanted(exchange, completion, failure, run), () => from(at + 1));
    };
    return after(through, () =>
      after(from(0), () => {
        if (failure !== undefined) throw failure.thrown;
        return undefined;
      }),
    );
  };
}

/** Runs it with the exchange itself, as if that went on; how it ended is as before then. */
function inPlace(route: RouteCompiler, completion: Completion, exchange: Exchange): Outcome {
  const { isStopped, isHandled, isExhausted, rollback } = exchange;
  Object.assign(exchange, { isStopped: false, isHandled: false, isExhausted: false, rollback: undefined });
  prepare(exchange, completion, exchange);
  const through = attempt(
    () => completion.block(exchange),
    (thrown) => ignored(route, exchange, thrown),
  );
  return after(through, () => {
    Object.assign(exchange, { isStopped, isHandled, isExhausted, rollback });
    return undefined;
  });
}

function ignored({ context, model }: RouteCompiler, exchange: Exchange, thrown: unknown): undefined {
  const why = thrown instanceof Error ? thrown.message : String(thrown);
  context.log(
    'WARN',
    model.id,
    `Exception occurred during onCompletion. This exception will be ignored: ${why}`,
    exchange,
  );
}
