import type { Exchange, ExchangeContext, ExchangeParts, Language } from '../../expression/routes.js';
import type { Flow } from '../flow/flow.js';
import type { Outcome, Step } from '../flow/outcome.js';
import type { ComponentHost } from './component-host.js';

/** A kind of endpoints, by the scheme of their URIs. */
export interface Component {
  /** The schemes it answers to; the first one is its name. */
  readonly schemes: readonly string[];
  /** The path as Camel's catalogue names its parts: `timerName`, `groupName/triggerName`. These may be `parameters` of a step. */
  readonly syntax: string;
  /** What may stand in the query of a URI, by name. `undefined`: anything (the rest goes to somebody else, as HTTP's). */
  readonly options: Readonly<Record<string, OptionKind>>;
  /** Options that are not in the table are passed on instead of refused (Camel's lenientProperties). */
  readonly isLenient?: boolean;
  /** The endpoint of a URI, one for each URI of a context. @throws ExchangeFailure `org.apache.camel.ResolveEndpointFailedException` where the path or an option is wrong */
  endpoint(address: EndpointAddress, context: ComponentContext): Endpoint;
}

/**
 * The kind of an option: a text, …, one of some words (in any letter case), or refused: an option of Camel's that there is no use for here. `bean`: a text
 * that names one (`#name`). A name that ends in `*` stands for all that begin so.
 */
export type OptionKind = 'text' | 'number' | 'duration' | 'boolean' | 'secret' | 'bean' | 'refused' | readonly string[];

/** A URI taken apart: placeholders resolved, options decoded, and of their kinds (durations in ms). */
export interface EndpointAddress {
  /** The URI as Camel writes it (`timer://tick?period=1000`), secrets masked. */
  readonly uri: string;
  readonly scheme: string;
  /** What stands between the scheme and the query, decoded, without the two slashes that may lead it. */
  readonly path: string;
  readonly options: Readonly<Record<string, string | number | boolean>>;
  /** What a component passes on: options that are not in its table, in their order, each as often as it stands there. */
  readonly passedOn: readonly (readonly [name: string, value: string])[];
}

/** One endpoint: what sends to it, what takes from it, or both. */
export interface Endpoint {
  readonly uri: string;
  /** It is no place of its own: the steps of a template are in its place, or (within those) what is around them. */
  readonly kamelet?: KameletCall | 'source' | 'sink';
  /** Sends an exchange there. Absent: nothing can be sent there. */
  producer?(): Step;
  /** Takes exchanges from there for a route. Absent: a route cannot begin there. */
  consumer?(intake: Intake): Consumer;
  /** Ends what it does by itself, when its context ends. */
  close?(): void;
  /** Takes one message from there, and goes on with it: `undefined` when none came within `timeout` ms (negative: waits; 0: only what is there). Absent: cannot be polled. */
  poll?(timeout: number, then: (exchange: Exchange | undefined) => Outcome): Outcome;
}

/** A template in the place of an endpoint. */
export interface KameletCall {
  readonly templateId: string;
  /** What the route of the template is called; undefined: its callers name none. */
  readonly routeId: string | undefined;
  readonly parameters: Readonly<Record<string, string>>;
  /** What fails in it is left to whoever calls it: no step of it is tried again by itself. */
  readonly noErrorHandler: boolean;
}

/** Where a consumer puts what it takes: the beginning of its route. */
export interface Intake {
  readonly routeId: string;
  /** An exchange of the route. */
  exchange(parts: Partial<ExchangeParts>): Exchange;
  /**
   * Takes it through the route. `ended` is called once, when it is through; what failed, and nobody handled, is `exchange.exception`. `freed` is called whenever
   * it begins to wait in a way that leaves whoever took it free to take the next one meanwhile: Camel's delayer gives the consumer's thread back.
   */
  process(exchange: Exchange, ended: (exchange: Exchange) => void, freed?: () => void): void;
  /** Takes somebody else's exchange through the route, and back: what `direct` does. What failed, and nobody handled, is thrown. */
  readonly call: Step;
  /** What goes wrong without an exchange: a directory that is gone. It is logged, and is the route's last error. */
  failed(thrown: unknown): void;
}

/** The beginning of a route that is there. `stop` and `suspend` are through when nothing more is taken; exchanges under way go on. */
export interface Consumer {
  start(): Promise<void> | void;
  stop(): Promise<void> | void;
  /** As `stop`, but comes back soon. Default: `stop`, and `start`. */
  suspend?(): Promise<void> | void;
  resume?(): Promise<void> | void;
  /** Takes what already lies with it (the queue of seda) before it stops. Through when nothing is left, or when it was stopped. */
  drain?(): Promise<void> | void;
}

/** The Camel context as components see it: languages, endpoints, log. One for each workspace. */
export interface ComponentContext extends ExchangeContext {
  readonly flow: Flow;
  /** What the server lets components do and reach. */
  readonly host: ComponentHost;
  /** @throws ExchangeFailure where there is no such language */
  language(name: string): Language;
  /** The endpoint of a URI. @throws ExchangeFailure `org.apache.camel.ResolveEndpointFailedException` */
  endpointOf(uri: string): Endpoint;
  /** Something of a component that all of its endpoints in this context share (queues of seda, mocks), made when first asked for. */
  shared<T>(component: string, make: () => T): T;
  /** A step of the route is tried once more. */
  redelivered?(routeId: string): void;
  /** Writes to the log: `log:`, and steps. */
  log(level: LogLevel, logger: string, message: string, exchange?: Exchange, marker?: string): void;
}

export type LogLevel = 'TRACE' | 'DEBUG' | 'INFO' | 'WARN' | 'ERROR' | 'OFF';
