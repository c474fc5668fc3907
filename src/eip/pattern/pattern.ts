import type { Exchange, Predicate, RouteExpression } from '../../expression/routes.js';
import type { ComponentContext, Endpoint } from '../component/component.js';
import type { Flow } from '../flow/flow.js';
import type { Step } from '../flow/outcome.js';
import type { ElementModel, Options, RouteModel, StepModel } from '../model/route-model.js';

/** The implementation of a kind of step of the DSL: compiled once, when its route is loaded. @throws ExchangeFailure where an option is wrong */
export type Pattern = (step: StepModel, route: RouteCompiler) => Step;

/** The route under compilation, as patterns see it. */
export interface RouteCompiler {
  readonly model: RouteModel;
  readonly flow: Flow;
  readonly context: ComponentContext;
  /** The steps of a block, each within the route's error handling. */
  block(steps: readonly StepModel[]): Step;
  /** As {@link block}, of steps with which exchanges begin by themselves: they fail while whoever deployed the route may not act. */
  beginning(steps: readonly StepModel[]): Step;
  /** The same route where something else handles errors: within doTry, or where a pattern has a handler of its own. */
  within(channel: Channel): RouteCompiler;
  /** The same route where no failure is dealt with: within doTry, onException. */
  unguarded(): RouteCompiler;
  /** A step that is made for each exchange, such as sending to an endpoint that it names, as if it stood in a block: within the error handling of a step. */
  guarded(step: Step, model: StepModel): Step;
  /** An expression of an element by its option. @throws where there is none */
  expression(element: ElementModel, option?: string): RouteExpression;
  predicate(element: ElementModel, option?: string): Predicate;
  /** A text of an element that is an expression of its own: of `simple`, if no other language is named. */
  textExpression(text: string, element: ElementModel, language?: string): RouteExpression;
  /** Whether an element has that expression. */
  has(element: ElementModel, option: string): boolean;
  /** Tells the route of what a step keeps between exchanges. */
  keep(kept: Kept): void;
  /** An exchange of the route without content: what is asked while the route is loaded. */
  emptyExchange(): Exchange;
  /** A text with its `{{…}}` resolved. */
  resolved(text: string): string;
  /** The endpoint of a URI, with the options of `parameters` in it. @throws ResolveEndpointFailedException */
  endpoint(uri: string, parameters?: Options): Endpoint;
  /** Sends to the endpoint of a URI. */
  producer(uri: string, parameters?: Options): Step;
  /** The endpoint of a URI that comes of a message. @throws ResolveEndpointFailedException */
  computedEndpoint(uri: string): Endpoint;
  /** Sends to the endpoint. */
  producerOf(endpoint: Endpoint): Step;
  /** The steps of the template that stands for an endpoint. `sink`: what these have as `kamelet:sink`. @throws ExchangeFailure where there is no such template */
  kamelet(endpoint: Endpoint, sink: Step): Step;
}

/** A wrapper of each step of a block: error handling, interceptors, counters. */
export type Channel = (step: Step, model: StepModel) => Step;

/** State of a step between exchanges: groups of an aggregator, messages that wait for their order. */
export interface Kept {
  /** How many exchanges are still under way, or have to be waited for, when the route is to stop. */
  readonly pending: number;
  /** Nothing comes any more: gives out what is to be given out before the end. */
  stop(): void;
  /** The route is gone: lets go of timers, and of what is left. */
  end(): void;
  /** Told by `pending` becoming 0; set by whoever waits for that. */
  drained?: () => void;
}
