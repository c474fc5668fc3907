import type { Exchange, Predicate } from '../../expression/routes.js';
import { exceptionClasses } from '../error/exception-policy.js';
import { isCaught } from '../error/failures.js';
import { after, attempt, evaluated, type Outcome, type Step } from '../flow/outcome.js';
import type { StepModel } from '../model/route-model.js';
import { refused } from './options.js';
import type { Pattern, RouteCompiler } from './pattern.js';

/**
 * A block, what catches its failures by class, and what is run in any case. Within, the route's error handler is off. `stop` ends all of it, also before `doFinally`;
 * what fails in `doFinally` is lost where something failed before. A rollback goes on behind what catches it.
 */
export const doTry: Pattern = (step, route) => {
  const inside = route.unguarded();
  const clauses = (step.parts.doCatch ?? []).map((model) => catchClause(inside, model));
  const last = step.parts.doFinally?.[0];
  if (clauses.length === 0 && last === undefined) throw refused(step, 'expected doCatch or doFinally');
  if (step.steps.length === 0) throw refused(step, 'expected steps');
  const tried = inside.block(step.steps);
  const finished = inside.block(last?.steps ?? []);
  return (exchange) => new Attempt(exchange, clauses, finished).run(tried);
};

interface CatchClause {
  readonly classes: readonly string[];
  readonly onWhen: Predicate | undefined;
  readonly block: Step;
}

const catchClause = (route: RouteCompiler, model: StepModel): CatchClause => ({
  classes: exceptionClasses(route, model),
  onWhen: route.has(model, 'onWhen') ? route.predicate(model, 'onWhen') : undefined,
  block: route.block(model.steps),
});

/** One exchange within a doTry. */
class Attempt {
  readonly #exchange: Exchange;
  readonly #clauses: readonly CatchClause[];
  readonly #finally: Step;
  /** What failed, and was not caught. */
  #failure: { readonly thrown: unknown } | undefined;

  constructor(exchange: Exchange, clauses: readonly CatchClause[], last: Step) {
    this.#exchange = exchange;
    this.#clauses = clauses;
    this.#finally = last;
  }

  run(block: Step): Outcome {
    const caught = () => (this.#failure === undefined ? undefined : this.#catch(0, this.#failure.thrown));
    const through = after(this.#taken(block), () => after(caught(), () => this.#end()));
    return after(through, () => {
      if (this.#failure !== undefined) throw this.#failure.thrown;
      return undefined;
    });
  }

  #taken(block: Step): Outcome {
    return attempt(
      () => block(this.#exchange),
      (thrown) => {
        this.#failure = { thrown };
        return undefined;
      },
    );
  }

  #catch(at: number, thrown: unknown): Outcome {
    const clause = this.#clauses[at];
    if (clause === undefined) return undefined;
    if (!isCaught(thrown, clause.classes)) return this.#catch(at + 1, thrown);
    if (clause.onWhen === undefined) return this.#handle(clause, thrown);
    const exchange = this.#exchange;
    // It may ask what failed.
    exchange.exception = thrown;
    return evaluated(clause.onWhen(exchange), (holds) => {
      exchange.exception = undefined;
      return holds === true ? this.#handle(clause, thrown) : this.#catch(at + 1, thrown);
    });
  }

  #handle({ block }: CatchClause, thrown: unknown): Outcome {
    const exchange = this.#exchange;
    const { rollback } = exchange;
    failedHere(exchange, thrown);
    exchange.isExhausted = false;
    exchange.rollback = undefined;
    this.#failure = undefined;
    return after(this.#taken(block), () => {
      exchange.isExhausted = false;
      if (rollback === undefined) return undefined;
      exchange.rollback = rollback;
      this.#failure = { thrown };
      return undefined;
    });
  }

  #end(): Outcome {
    const exchange = this.#exchange;
    const { isStopped, isHandled, rollback, isExhausted } = exchange;
    if (isStopped && !isHandled && rollback === undefined) return undefined;
    const failure = this.#failure;
    if (failure !== undefined) failedHere(exchange, failure.thrown);
    exchange.isStopped = false;
    exchange.isExhausted = false;
    return after(this.#taken(this.#finally), () => {
      exchange.isStopped ||= isStopped;
      if (failure === undefined) {
        exchange.properties.delete('CamelFailureEndpoint');
        exchange.properties.delete('CamelFailureRouteId');
        return undefined;
      }
      this.#failure = failure;
      exchange.isExhausted = isExhausted;
      exchange.properties.set('CamelExceptionCaught', failure.thrown);
      return undefined;
    });
  }
}

function failedHere(exchange: Exchange, thrown: unknown): void {
  const { properties, toEndpoint, routeId } = exchange;
  if (!properties.has('CamelFailureEndpoint') && toEndpoint !== undefined)
    properties.set('CamelFailureEndpoint', toEndpoint);
  properties.set('CamelFailureRouteId', routeId);
  properties.set('CamelExceptionCaught', thrown);
}
