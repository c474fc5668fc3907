import type { ExpressionModel, Position } from '../../expression/routes.js';

/**
 * Routes as they are defined, whatever they were written in: YAML and XML are read into this, and written from it. Immutable, plain JSON, and without defaults: an
 * option that nobody wrote is not there. Names are those of Camel's canonical YAML DSL. Placeholders (`{{…}}`) are still in the texts; compiling resolves them.
 */
export interface RouteFile {
  readonly routes: readonly RouteModel[];
  readonly templates: readonly TemplateModel[];
  readonly templatedRoutes: readonly TemplatedRouteModel[];
  readonly configurations: readonly ConfigurationModel[];
  readonly rests: readonly ElementModel[];
  readonly restConfiguration?: ElementModel;
  readonly beans: readonly ElementModel[];
  readonly dataFormats: readonly ElementModel[];
  /** What stands at the top of the file and holds for all of its routes. */
  readonly scoped: ScopedModel;
}

/** Error handling, completion and interceptors of a whole route, a `routeConfiguration`, or a file. */
export interface ScopedModel {
  readonly errorHandler?: ElementModel;
  readonly onException: readonly StepModel[];
  readonly onCompletion: readonly StepModel[];
  readonly intercept: readonly StepModel[];
  readonly interceptFrom: readonly StepModel[];
  readonly interceptSendToEndpoint: readonly StepModel[];
}

export interface RouteModel {
  /** As written, or made of the file and its place in it. */
  readonly id: string;
  readonly isIdGiven: boolean;
  readonly at: Position;
  /** autoStartup, startupOrder, precondition, group, description, routeConfigurationId, messageHistory, … as written. */
  readonly options: Options;
  readonly from: FromModel;
  readonly steps: readonly StepModel[];
  readonly scoped: ScopedModel;
}

export interface FromModel {
  readonly id?: string;
  readonly at: Position;
  readonly uri: string;
  readonly parameters: Options;
  readonly options: Options;
}

export interface TemplateModel {
  readonly id: string;
  readonly at: Position;
  readonly options: Options;
  readonly parameters: readonly {
    readonly name: string;
    readonly required: boolean;
    readonly defaultValue?: string;
    readonly description?: string;
  }[];
  readonly beans: readonly ElementModel[];
  readonly route: RouteModel;
}

export interface TemplatedRouteModel {
  readonly at: Position;
  /** routeTemplateRef, routeId, prefixId, group. */
  readonly options: Options;
  readonly parameters: Readonly<Record<string, string>>;
  readonly beans: readonly ElementModel[];
}

export interface ConfigurationModel {
  /** None: it holds for all routes. */
  readonly id?: string;
  readonly at: Position;
  readonly options: Options;
  readonly scoped: ScopedModel;
}

/** One step of a route, or a part of one (when, otherwise, doCatch, onFallback). */
export interface StepModel extends ElementModel {
  /** The id: as written, or kind and number (`setBody1`), as Camel gives it. */
  readonly id: string;
  readonly isIdGiven: boolean;
  /** The steps of its block. */
  readonly steps: readonly StepModel[];
  /** Its parts, by the name in the DSL, in their order: choice has when and otherwise, doTry has doCatch and doFinally, circuitBreaker onFallback. */
  readonly parts: Readonly<Record<string, readonly StepModel[]>>;
}

/** An element of the DSL: its own expressions are apart, all else that was written are options. */
export interface ElementModel {
  /** Its name in the DSL: setBody, choice, to, … or that of the bean, data format or error handler. */
  readonly kind: string;
  readonly at: Position;
  readonly options: Options;
  /** By option: `expression` is its own; correlationExpression, completionPredicate, handled, onWhen, … */
  readonly expressions: Readonly<Record<string, ExpressionModel>>;
}

/** Options as written: texts, numbers, booleans, lists of names, nested elements (`marshal: {json: {…}}` has the option json). `exception` of onException is a list. */
export type Options = Readonly<Record<string, OptionValue>>;
export type OptionValue =
  | string
  | number
  | boolean
  | null
  | readonly OptionValue[]
  | { readonly [name: string]: OptionValue };
