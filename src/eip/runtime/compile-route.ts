import {
  Exchange,
  ExchangeFailure,
  type ExpressionModel,
  type Language,
  type Predicate,
  type RouteExpression,
} from '../../expression/routes.js';
import { withBean } from '../bean/named-bean.js';
import type { ComponentContext, Endpoint, KameletCall } from '../component/component.js';
import { errorHandlingOf } from '../error/compile-error-handling.js';
import { guarded, located } from '../error/guarded.js';
import { withOriginal } from '../error/original-message.js';
import { type Flow, pipeline } from '../flow/flow.js';
import type { Step } from '../flow/outcome.js';
import { historyPolicy } from '../history/history-policy.js';
import { maskedUri, secretOptions } from '../model/endpoint-uri.js';
import type { ElementModel, Options, RouteModel, StepModel } from '../model/route-model.js';
import { placedAt } from '../pattern/options.js';
import type { Channel, Kept, Pattern, RouteCompiler } from '../pattern/pattern.js';
import { type Diversion, diversionOf, type Interception, interceptFrom, interceptionOf } from '../scoped/intercept.js';
import { withCompletions } from '../scoped/on-completion.js';
import type { RouteScopes } from '../scoped/scopes.js';
import type { ExchangeHistory } from './exchange-history.js';
import { counting, type Meters } from './meters.js';

/** Services that all compilations of routes of a context share. */
export interface CompileServices {
  readonly context: ComponentContext;
  readonly patterns: Readonly<Record<string, Pattern>>;
  /** @throws where there is no such language */
  language(name: string): Language;
  resolved(text: string): string;
  endpoint(uri: string, parameters?: Options): Endpoint;
  computed(uri: string): Endpoint;
  /** The route of a template as it is called. @throws ExchangeFailure */
  template(call: KameletCall): RouteModel;
  /** The routes of templates that stand for the endpoint at which the route begins, the outermost first. */
  readonly sources: readonly RouteModel[];
  /** Steps with which exchanges begin: they fail while whoever deployed the route may not act. */
  asDeployer(step: Step): Step;
  /** What steps keep between exchanges. */
  readonly kept: Kept[];
  /** Told of each step that cannot be compiled, so that all are found. Undefined: the first one is thrown. */
  readonly problem?: ((thrown: unknown, step: ElementModel) => void) | undefined;
  /** What is kept of exchanges. Undefined: nothing. */
  readonly history?: ExchangeHistory | undefined;
  /** What is counted. */
  readonly meters: Meters;
}

/** A version of a route, compiled. */
export interface CompiledRoute {
  readonly version: number;
  readonly from: Endpoint;
  readonly steps: Step;
  readonly kept: readonly Kept[];
}

/** A route's steps as one. What failed, and nobody handled, is thrown. @throws ExchangeFailure where the model is wrong, with line and step */
export function compileRoute(model: RouteModel, services: CompileServices, scopes: RouteScopes): Step {
  const bare = new Compiler(model, services, { channel: (step, { id }) => located(step, id) });
  const plain = bare.with({ diversion: diversionOf(bare, scopes) });
  const handling = errorHandlingOf(plain, scopes);
  const guard: Channel = (step, it) => (handling === undefined ? located(step, it.id) : guarded(step, it, handling));
  const handled = plain.with({ channel: guard });
  const before = interceptFrom(handled, scopes, services.endpoint(model.from.uri, model.from.parameters));
  const interception = interceptionOf(handled, scopes, (outer) => handled.with({ interception: outer }));
  const route = handled.with({ interception });
  const own = route.with({ isOwn: true }).block(model.steps);
  const steps = withCompletions(
    services.sources.reduce((sink, { steps }) => route.with({ sink }).block(steps), own),
    route,
    scopes,
  );
  const first = before.map((it) => guard(it.step, it.model));
  const whole = services.asDeployer(withOriginal(pipeline([...first, steps], route.flow), route));
  const policy = historyPolicy(model, services.resolved);
  const [endpoint = ''] = maskedUri(services.resolved(model.from.uri)).split('?', 1);
  return services.history?.recorded(whole, { routeId: model.id, endpoint, policy }) ?? whole;
}

/** Wrappers of the steps of a route, from the outside in. */
interface Around {
  readonly channel: Channel;
  readonly interception?: Interception | undefined;
  /** The steps are the route's own: what is wrong with them has its place in its file. */
  readonly isOwn?: boolean;
  /** What stands around sending to an endpoint. */
  readonly diversion?: Diversion | undefined;
  /** What steps of a template have as `kamelet:sink`. */
  readonly sink?: Step | undefined;
  /** How many templates they are within. */
  readonly depth?: number;
}

/** How deep templates may stand in each other. */
const DEPTH_MAX = 20;

const KAMELET_FAILURE = 'org.apache.camel.component.kamelet.FailedToCreateKameletException';

const noConsumer =
  ({ uri }: Endpoint): Step =>
  () => {
    throw new ExchangeFailure(
      'org.apache.camel.component.kamelet.KameletConsumerNotAvailableException',
      `No consumers available on endpoint: ${uri}`,
    );
  };

class Compiler implements RouteCompiler {
  readonly model: RouteModel;
  readonly #services: CompileServices;
  readonly #around: Around;

  constructor(model: RouteModel, services: CompileServices, around: Around) {
    this.model = model;
    this.#services = services;
    this.#around = around;
  }

  get context(): ComponentContext {
    return this.#services.context;
  }

  get flow(): Flow {
    return this.#services.context.flow;
  }

  block(steps: readonly StepModel[]): Step {
    return pipeline(
      steps.map((model) => this.#compiled(model)),
      this.flow,
    );
  }

  beginning(steps: readonly StepModel[]): Step {
    return this.#services.asDeployer(this.block(steps));
  }

  #compiled(model: StepModel): Step {
    const { channel, interception, isOwn = false } = this.#around;
    const { problem } = this.#services;
    try {
      const step = this.#step(model);
      return this.#traced(channel(interception?.(step, model) ?? step, model), model);
    } catch (thrown) {
      if (problem === undefined || !isOwn) throw thrown;
      problem(thrown, model);
      return () => undefined;
    }
  }

  with(around: Partial<Around>): Compiler {
    return new Compiler(this.model, this.#services, { ...this.#around, ...around });
  }

  guarded(step: Step, model: StepModel): Step {
    return this.#around.channel(step, model);
  }

  within(channel: Channel): RouteCompiler {
    return this.with({ channel });
  }

  unguarded(): RouteCompiler {
    return this.within((step, { id }) => located(step, id));
  }

  expression(element: ElementModel, option = 'expression'): RouteExpression {
    const model = this.#expression(element, option);
    return this.#placed(model, () =>
      this.#services.language(model.language).expression({ ...model, text: this.resolved(model.text) }),
    );
  }

  predicate(element: ElementModel, option = 'expression'): Predicate {
    const model = this.#expression(element, option);
    return this.#placed(model, () =>
      this.#services.language(model.language).predicate({ ...model, text: this.resolved(model.text) }),
    );
  }

  /** What is wrong with an expression of the route's own has its place. */
  readonly #placed = <T>({ at }: ExpressionModel, make: () => T): T =>
    this.#around.isOwn === true ? placedAt(at, make) : make();

  textExpression(text: string, { at }: ElementModel, language = 'simple'): RouteExpression {
    return this.#services.language(language).expression({ language, text: this.resolved(text), options: {}, at });
  }

  has(element: ElementModel, option: string): boolean {
    return element.expressions[option] !== undefined;
  }

  keep(kept: Kept): void {
    this.#services.kept.push(kept);
  }

  emptyExchange(): Exchange {
    return new Exchange(this.context, { routeId: this.model.id, endpointUri: this.model.from.uri });
  }

  resolved(text: string): string {
    return this.#services.resolved(text);
  }

  endpoint(uri: string, parameters?: Options): Endpoint {
    return this.#services.endpoint(uri, parameters);
  }

  computedEndpoint(uri: string): Endpoint {
    return this.#services.computed(uri);
  }

  producer(uri: string, parameters?: Options): Step {
    return this.producerOf(this.endpoint(uri, parameters));
  }

  producerOf(endpoint: Endpoint): Step {
    return this.#sending(endpoint, this.#sendTo(endpoint));
  }

  kamelet(endpoint: Endpoint, sink: Step): Step {
    return this.#sending(endpoint, this.#inline(endpoint, sink));
  }

  #sendTo(endpoint: Endpoint): Step {
    if (endpoint.kamelet === 'sink') return this.#around.sink ?? noConsumer(endpoint);
    if (endpoint.kamelet !== undefined) return this.#inline(endpoint, undefined);
    if (endpoint.producer !== undefined) return endpoint.producer();
    throw new ExchangeFailure('java.lang.UnsupportedOperationException', `${endpoint.uri} takes no messages`);
  }

  /** The steps of a template, within the error handling of this route. */
  #inline({ uri, kamelet }: Endpoint, sink: Step | undefined): Step {
    if (typeof kamelet !== 'object')
      throw new ExchangeFailure('java.lang.UnsupportedOperationException', `${uri} takes no messages`);
    const { depth = 0 } = this.#around;
    if (depth >= DEPTH_MAX)
      throw new ExchangeFailure(
        KAMELET_FAILURE,
        `${uri} stands within itself, or within more than ${DEPTH_MAX} templates`,
      );
    const { from, steps } = this.#services.template(kamelet);
    if (!/^kamelet:(\/\/)?source\b/.test(from.uri))
      throw new ExchangeFailure(
        KAMELET_FAILURE,
        `${uri} takes no messages: its template begins at ${from.uri}, not at kamelet:source`,
      );
    const compiler = kamelet.noErrorHandler ? this.with({ channel: (step, { id }) => located(step, id) }) : this;
    return compiler.with({ sink, depth: depth + 1, isOwn: false }).block(steps);
  }

  #sending(endpoint: Endpoint, send: Step): Step {
    const { uri: address } = endpoint;
    const counts = this.#services.meters.endpoint(address);
    const counted = counts === undefined ? send : counting(counts, send);
    const sending: Step = (exchange) => {
      exchange.toEndpoint = address;
      return counted(exchange);
    };
    return this.#around.diversion?.(sending, endpoint) ?? sending;
  }

  #traced(step: Step, { id, options: { uri } }: StepModel): Step {
    const endpointUri = typeof uri === 'string' ? maskedUri(this.resolved(uri), secretOptions(uri)) : null;
    return this.#services.history?.traced(step, { routeId: this.model.id, stepId: id, endpointUri }) ?? step;
  }

  #expression(element: ElementModel, option: string) {
    const model = element.expressions[option];
    if (model !== undefined) return withBean(model, (ref) => this.context.bean(this.resolved(ref)));
    throw new ExchangeFailure(
      'java.lang.IllegalArgumentException',
      `${element.kind} in line ${element.at.line}: expected an expression (${option})`,
    );
  }

  #step(step: StepModel): Step {
    const pattern = this.#services.patterns[step.kind];
    if (pattern !== undefined) return pattern(step, this);
    throw new ExchangeFailure(
      'java.lang.IllegalArgumentException',
      `line ${step.at.line}: ${step.kind} is no step that is run`,
    );
  }
}
