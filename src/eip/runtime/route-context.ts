import {
  Exchange,
  type ExchangeContext,
  ExchangeFailure,
  type ExchangeOrigin,
  type ExchangeParts,
  type Language,
} from '../../expression/index.js';
import type { Component, ComponentContext, Consumer, Endpoint, Intake, LogLevel } from '../component/component.js';
import type { Flow } from '../flow/flow.js';
import type { Step } from '../flow/outcome.js';
import type { Options, RouteModel } from '../model/route-model.js';
import type { Pattern } from '../pattern/pattern.js';
import { compileRoute } from './compile-route.js';
import { resolveEndpoint } from './resolve-endpoint.js';
import { Runner, type RunnerTime } from './runner.js';

/** What a context is made of. */
export interface RouteContextOptions {
  readonly name: string;
  readonly time: RunnerTime;
  readonly patterns: Readonly<Record<string, Pattern>>;
  readonly components: readonly Component[];
  language(name: string): Language;
  /** The text with its placeholders resolved. @throws where one is not known */
  resolved(text: string): string;
  property(key: string): string | undefined;
  random(): number;
  newId(): string;
  log(level: LogLevel, logger: string, message: string, exchange?: Exchange): void;
}

/** The routes of one workspace, and what they share: endpoints, beans, variables (Camel's CamelContext). */
export class RouteContext implements ComponentContext, ExchangeContext {
  readonly runner: Runner;
  readonly globalVariables = new Map<string, unknown>();
  readonly #options: RouteContextOptions;
  readonly #routeVariables = new Map<string, Map<string, unknown>>();
  readonly #endpoints = new Map<string, Endpoint>();
  readonly #shared = new Map<string, unknown>();
  readonly #beans = new Map<string, unknown>();
  readonly #routes = new Map<string, { readonly consumer: Consumer }>();

  constructor(options: RouteContextOptions) {
    this.#options = options;
    this.runner = new Runner(options.time);
  }

  get name(): string {
    return this.#options.name;
  }

  get flow(): Flow {
    return this.runner;
  }

  now(): number {
    return this.#options.time.now();
  }

  random(): number {
    return this.#options.random();
  }

  newId(): string {
    return this.#options.newId();
  }

  property(key: string): string | undefined {
    return this.#options.property(key);
  }

  bean(name: string): unknown {
    return this.#beans.get(name);
  }

  bind(name: string, bean: unknown): void {
    this.#beans.set(name, bean);
  }

  log(level: LogLevel, logger: string, message: string, exchange?: Exchange): void {
    this.#options.log(level, logger, message, exchange);
  }

  routeVariables(routeId: string): Map<string, unknown> {
    const variables = this.#routeVariables.get(routeId) ?? new Map<string, unknown>();
    this.#routeVariables.set(routeId, variables);
    return variables;
  }

  shared<T>(component: string, make: () => T): T {
    if (!this.#shared.has(component)) this.#shared.set(component, make());
    return this.#shared.get(component) as T;
  }

  endpointOf(uri: string, parameters?: Options): Endpoint {
    return resolveEndpoint(this.#options.resolved(uri), parameters, this.#options.components, this.#endpoints, this);
  }

  /** Compiles a route, and begins with what its consumer takes. */
  async start(model: RouteModel): Promise<void> {
    const { resolved, patterns } = this.#options;
    const language = (name: string) => this.#options.language(name);
    const endpoint = (uri: string, parameters?: Options) => this.endpointOf(uri, parameters);
    const steps = compileRoute(model, { context: this, patterns, language, resolved, endpoint });
    const from = this.endpointOf(model.from.uri, model.from.parameters);
    if (from.consumer === undefined)
      throw new ExchangeFailure('java.lang.UnsupportedOperationException', `no route can begin at ${from.uri}`);
    const consumer = from.consumer(new RouteIntake(this, { routeId: model.id, endpointUri: from.uri }, steps));
    await consumer.start();
    this.#routes.set(model.id, { consumer });
  }

  async stop(routeId: string): Promise<void> {
    await this.#routes.get(routeId)?.consumer.stop();
    this.#routes.delete(routeId);
  }
}

class RouteIntake implements Intake {
  readonly call: Step;
  readonly #context: RouteContext;
  readonly #origin: ExchangeOrigin;

  constructor(context: RouteContext, origin: ExchangeOrigin, steps: Step) {
    this.#context = context;
    this.#origin = origin;
    this.call = steps;
  }

  get routeId(): string {
    return this.#origin.routeId;
  }

  exchange(parts: Partial<ExchangeParts>): Exchange {
    return new Exchange(this.#context, this.#origin, parts);
  }

  process(exchange: Exchange, ended: (exchange: Exchange) => void): void {
    this.#context.runner.start(exchange, this.call, (thrown) => {
      if (thrown !== undefined) exchange.exception = thrown;
      ended(exchange);
    });
  }

  failed(thrown: unknown): void {
    this.#context.log('ERROR', this.routeId, thrown instanceof Error ? thrown.message : String(thrown));
  }
}
