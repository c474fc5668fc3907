import { Exchange, type ExchangeContext, ExchangeFailure, type Language } from '../../expression/routes.js';
import { Beans } from '../bean/beans.js';
import type { OperatorBeans } from '../bean/operator-beans.js';
import type { Component, ComponentContext, Endpoint, KameletCall, LogLevel } from '../component/component.js';
import { type ComponentHost, NO_HOST } from '../component/component-host.js';
import type { Flow } from '../flow/flow.js';
import type { Step } from '../flow/outcome.js';
import { schemeOf, secretOptions, withParameters } from '../model/endpoint-uri.js';
import { resolveUri } from '../model/placeholder.js';
import type { Options, RouteModel } from '../model/route-model.js';
import { placedAt } from '../pattern/options.js';
import type { Kept, Pattern } from '../pattern/pattern.js';
import type { PreparedRoute, RouteEndpoint, RouteToRun, SharedDefinitions } from '../route-port.js';
import { type CompiledRoute, type CompileServices, compileRoute } from './compile-route.js';
import { ExchangeHistory, type HistoryOptions } from './exchange-history.js';
import { type Meter, Meters } from './meters.js';
import { componentOf, resolveEndpoint } from './resolve-endpoint.js';
import { Runner, type RunnerTime } from './runner.js';
import { SettableTime } from './runner-time.js';
import { acting, Standings } from './standings.js';
import { Templates } from './templates.js';

/** Parts and services of a context. */
export interface RouteContextOptions {
  readonly name: string;
  readonly time: RunnerTime;
  readonly patterns: Readonly<Record<string, Pattern>>;
  readonly components: readonly Component[];
  /** What components may do and reach. Default: nothing. */
  readonly host?: Partial<ComponentHost>;
  /** Told of the route in which an exchange computes from now on. Default: nobody is. */
  readonly entered?: (routeId: string) => void;
  language(name: string): Language;
  /** The text with its placeholders resolved. @throws where one is not known */
  resolved(text: string): string;
  property(key: string): string | undefined;
  /** Beans of the operator's module. Default: none. */
  readonly operator?: OperatorBeans | undefined;
  random(): number;
  newId(): string;
  log(level: LogLevel, logger: string, message: string, exchange?: Exchange, marker?: string): void;
  /** What becomes of what is kept of exchanges. Undefined: nothing is. */
  readonly history?: HistoryOptions | undefined;
  /** Told of what is counted from now on. */
  readonly counted?: ((meters: readonly Meter[]) => void) | undefined;
}

/** How many endpoints whose URIs messages give are kept. Each has up to two entries. */
const COMPUTED_MAX = 2000;

/** The routes of one workspace, and what they share: endpoints, beans, variables (Camel's CamelContext). */
export class RouteContext implements ComponentContext, ExchangeContext {
  readonly runner: Runner;
  readonly entered: RouteContextOptions['entered'];
  readonly globalVariables = new Map<string, unknown>();
  readonly history: ExchangeHistory | undefined;
  readonly meters: Meters;
  readonly standings = new Standings();
  /** Whether each step of each exchange is written to the log. */
  isTracing = false;
  readonly redelivered = (routeId: string): void => this.meters.routes.get(routeId)?.redelivered();
  readonly #options: RouteContextOptions;
  readonly #host: ComponentHost;
  readonly #routeVariables = new Map<string, Map<string, unknown>>();
  readonly #endpoints = new Map<string, Endpoint>();
  readonly #computed = new Map<string, Endpoint>();
  readonly #shared = new Map<string, unknown>();
  readonly #beans: Beans;
  readonly #templates: Templates;
  readonly #files = new Map<string, SharedDefinitions>();

  constructor(options: RouteContextOptions) {
    this.#options = options;
    this.#host = { ...NO_HOST, ...options.host };
    this.#beans = new Beans(options);
    this.#templates = new Templates({
      all: () => [...this.#files.values()].flatMap(({ templates }) => templates),
      property: (key) => this.property(key),
      endpoint: (uri, parameters) => this.endpointOf(uri, parameters),
      beans: this.#beans,
    });
    this.entered = options.entered;
    const failed = (thrown: unknown, exchange: Exchange) =>
      this.log('WARN', exchange.routeId, `at the end of exchange ${exchange.id}: ${String(thrown)}`, exchange);
    this.runner = new Runner(options.time, failed, options.entered);
    this.meters = new Meters(options.counted);
    this.history = options.history && new ExchangeHistory(this, options.history);
  }

  get name(): string {
    return this.#options.name;
  }

  get flow(): Flow {
    return this.runner;
  }

  get host(): ComponentHost {
    return this.#host;
  }

  language(name: string): Language {
    return this.#options.language(name);
  }

  now(): number {
    return this.#options.time.now();
  }

  /** The domain clock, where it is set: what is due is done. */
  setClock(now: number): void {
    const { time } = this.#options;
    if (time instanceof SettableTime) time.set(now);
  }

  /** The earliest instant that something waits for where the clock is set; Infinity: nothing does. */
  nextDue(): number {
    const { time } = this.#options;
    return time instanceof SettableTime ? time.nextDue() : Number.POSITIVE_INFINITY;
  }

  /** A clock that goes on by itself, in ms. */
  elapsed(): number {
    return this.#options.time.elapsed();
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
    return this.#beans.find(name);
  }

  bind(name: string, bean: unknown): void {
    this.#beans.bind(name, bean);
  }

  log(level: LogLevel, logger: string, message: string, exchange?: Exchange, marker?: string): void {
    this.#options.log(level, logger, message, exchange, marker);
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
    const { components, resolved } = this.#options;
    const syntax = componentOf(schemeOf(uri), components)?.syntax;
    const text = parameters === undefined ? uri : withParameters(uri, parameters, syntax);
    return resolveEndpoint(resolveUri(text, resolved), components, this.#endpoints, this, secretOptions(text));
  }

  /** As {@link endpointOf}, of a URI that comes of a message: placeholders in it are text, as a message names no secrets. The latest ones are kept. */
  computedEndpoint(uri: string): Endpoint {
    const { components } = this.#options;
    const defined = this.#endpoints.get(uri);
    if (defined !== undefined) return defined;
    for (const oldest of this.#computed.keys()) {
      if (this.#computed.size < COMPUTED_MAX) break;
      this.#computed.delete(oldest);
    }
    return resolveEndpoint(uri, components, this.#computed, this);
  }

  failure(type: string, message: string): ExchangeFailure {
    return new ExchangeFailure(type, message);
  }

  /** Ends what its endpoints do by themselves, and the connections that they share. */
  close(): void {
    for (const endpoint of new Set([...this.#endpoints.values(), ...this.#computed.values()])) endpoint.close?.();
    for (const shared of this.#shared.values()) if (isClosing(shared)) shared.close();
  }

  /** Calls `work` after so many ms of the machine's clock. Gives what takes that back. */
  after(ms: number, work: () => void): () => void {
    return this.#options.time.after(ms, work);
  }

  /** What a file gives to all routes. `null`: nothing any more. */
  share(file: string, given: SharedDefinitions | null): void {
    this.#beans.share(file, given?.beans ?? []);
    if (given === null) this.#files.delete(file);
    else this.#files.set(file, given);
  }

  /** A context as this one would be with that file, in which nothing runs. */
  trial(file: string, given: SharedDefinitions): RouteContext {
    const { history: _, counted: __, ...options } = this.#options;
    const trial = new RouteContext(options);
    this.#beans.bindTo(trial.#beans);
    for (const [name, shared] of this.#files) trial.share(name, shared);
    trial.share(file, given);
    return trial;
  }

  /** What is known of a route without running it. `problem`: as in {@link CompileServices}. @throws ExchangeFailure where something else of it is wrong */
  prepared(route: RouteToRun, problem?: CompileServices['problem']): PreparedRoute {
    const { from } = this.compile(route, problem);
    const { autoStartup = true, startupOrder } = route.model.options;
    const read = (value: unknown) => this.#options.resolved(String(value));
    // One may be known by several URIs.
    const endpoints = [...new Set([from, ...this.#endpoints.values()])]
      .filter(({ kamelet }) => kamelet === undefined)
      .map((endpoint): RouteEndpoint => {
        const role = endpoint === from ? 'consumer' : 'producer';
        return { uri: endpoint.uri, component: endpoint.uri.split(':', 1)[0] ?? '', role };
      });
    return {
      isIncluded: this.#isIncluded(route.model),
      autoStartup: read(autoStartup) !== 'false',
      startupOrder: startupOrder === undefined ? null : Number(read(startupOrder)),
      endpoints,
    };
  }

  /** Whether the route's `precondition` holds, a condition in Simple on what placeholders stand for. */
  #isIncluded({ id, at, options: { precondition } }: RouteModel): boolean {
    if (precondition === undefined || precondition === null || precondition === '') return true;
    const model = { language: 'simple', text: this.#options.resolved(String(precondition)), options: {}, at };
    const exchange = new Exchange(this, { routeId: id, endpointUri: '' });
    return this.language('simple').predicate(model)(exchange) === true;
  }

  /** A version of a route, ready to take exchanges. @throws ExchangeFailure where something of it is wrong */
  compile({ model, version, scoped, deployer }: RouteToRun, problem?: CompileServices['problem']): CompiledRoute {
    const { history, meters } = this;
    const { resolved, patterns } = this.#options;
    const language = (name: string) => this.language(name);
    const endpoint = (uri: string, parameters?: Options) => this.endpointOf(uri, parameters);
    const computed = (uri: string) => this.computedEndpoint(uri);
    const kept: Kept[] = [];
    const template = (call: KameletCall) => this.#templates.filled(call, kept);
    const { from, sources } = placedAt(model.from.at, () => this.#templates.beginning(model.from, kept));
    const configurations = [...this.#files.values()].flatMap((shared) => shared.configurations);
    const scopes = { file: scoped, configurations };
    const standing = this.standings.of(deployer);
    const asDeployer = (step: Step) => acting(step, model.id, standing, deployer);
    const shared = { context: this, patterns, language, resolved, endpoint, computed, history, meters, problem };
    const steps = compileRoute(model, { ...shared, template, sources, kept, asDeployer }, scopes);
    return { version, steps, kept, from };
  }
}

const isClosing = (shared: unknown): shared is { close(): void } =>
  typeof shared === 'object' && shared !== null && typeof Reflect.get(shared, 'close') === 'function';
