import type { ConfigurationModel, ElementModel, RouteModel, ScopedModel, TemplateModel } from './model/route-model.js';
import type { RouteProblem } from './model/route-problems.js';
import type { RouteNumbers } from './runtime/route-statistics.js';

// What stands between the life of routes and their running: the actors of `machine/` decide what is to be so, the runtime makes it so, and tells. Everything that
// passes is plain data, so that the runtime may have a thread of its own.

/** The runtime of the routes of one workspace. Nothing of it outlives the server; what is to run is said anew at each start. */
export interface RouteRuntime extends RouteTrials, RouteCounters {
  /** Calls a route, and gives its reply, or what failed and nobody handled. @throws where there is no such endpoint, or the route that has it ends */
  call(call: RouteCall): Promise<RouteReply>;
  /** What files give to all routes of the workspace, remembered for whatever thread comes next. A file is replaced as a whole; `null`: it gives nothing any more. What runs goes on as it was compiled. */
  share(file: string, given: SharedDefinitions | null): Promise<void>;
  /**
   * Compiles routes as they would run, beside whatever runs, and takes nothing in: each endpoint, expression, bean and placeholder is looked up. `given`: of their
   * file, in place of what is shared of it now. Where it finds problems, nothing is prepared.
   */
  prepare(
    routes: readonly RouteToRun[],
    given: { readonly file: string; readonly shared: SharedDefinitions },
  ): Promise<Prepared>;
  /**
   * Starts the consumer. Resolves when it takes exchanges. Of a route that is suspended, as `resume`; of one that runs in this version, nothing; in another, as `swap`.
   * @throws what keeps it from starting; nothing of it runs then
   */
  start(route: RouteToRun): Promise<void>;
  /** Pauses the consumer, and waits for exchanges under way; behind the time they go on all the same. Of a route that does not run, nothing. */
  suspend(routeId: string, within: DrainTime): Promise<Drained>;
  /** The consumer of a suspended route goes on, in this version; of one that does not run, as `start`. @throws what keeps it from that; nothing of it runs then */
  resume(route: RouteToRun): Promise<void>;
  /**
   * Stops the consumer for good, at once also where it is just starting, and waits for exchanges under way, with what lies in queues of the route; what is stuck behind
   * the time is ended. Nothing of the route is left then but its counters. Of a route that does not run, nothing.
   */
  stop(routeId: string, within: DrainTime): Promise<Drained>;
  /**
   * Other versions of routes that run or are suspended: their consumers change hands in one turn, all or none. No timer fires twice, no message is refused; what is under way
   * ends on the old ones. What is suspended stays so. @throws what keeps a new one from starting; all old ones have their consumers back then
   */
  swap(routes: readonly RouteToRun[]): Promise<void>;
  /** Forgets a stopped route: its counters, too. */
  remove(routeId: string): Promise<void>;
  /**
   * Where the domain clock is set: sets it, never back, and does what is due by then, the earliest first. Resolves when nothing computes any more or awaits I/O, with the
   * earliest instant that something waits for then; Infinity: nothing does.
   */
  advance(now: number): Promise<number>;
  /** Whether each step of each exchange is written to the log from now on, also by whatever thread comes next. */
  trace(isOn: boolean): Promise<void>;
  /** Users who are disabled or gone, in place of those who were so before: what comes to a route that one of them has deployed fails, also in whatever thread comes next. */
  refuse(gone: readonly Deployer[]): Promise<void>;
  /** Counts anew: one route, with its steps; null: all that is counted. What is under way still is. */
  reset(routeId: string | null): Promise<void>;
  /** Stops what is left, at once, and ends the thread. */
  close(): Promise<void>;
}

/** A call of a route from outside of all routes. Values are plain data. */
export interface RouteCall {
  /** `direct:` or `seda:` */
  readonly endpointUri: string;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, unknown>>;
  /** The same whenever the same call is made again: what routes have done by then in their workspace is not done again. */
  readonly key: string;
  /** When it was made first, ms. */
  readonly at: number;
}

/** Reply of a called route, as JSON has it. */
export interface RouteReply {
  readonly body: unknown;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly exception: SentExchange['exception'];
}

/** The counters of the routes of one workspace. They outlive the thread that counts. */
export interface RouteCounters {
  /** Whether each step of each exchange is written to the log. */
  readonly isTracing: boolean;
  /** What is counted of a route, at this instant; it goes on where the route is stopped and started. */
  statistics(routeId: string): RouteNumbers;
  /** Times of the steps of a route, of exchanges that are kept. */
  steps(routeId: string): readonly StepStatistics[];
  /** What routes have sent to an endpoint. */
  endpoint(uri: string): Omit<CountedEndpoint, 'uri'>;
  /** What is counted of routes, and of endpoints, as it is kept over a restart. */
  counted(routeIds: readonly string[]): Counted;
  /** Goes on from what was counted before; called before anything runs. */
  restore(counted: Counted): void;
}

/** How long a step took, in µs, within an eighth; null: it was not entered. */
export interface StepStatistics {
  readonly stepId: string;
  /** Where it sends to, secrets masked; null: nowhere. */
  readonly endpointUri: string | null;
  readonly count: number;
  readonly p50: number | null;
  readonly p90: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
  readonly max: number | null;
}

/** Counts of routes and endpoints, as plain data. */
export interface Counted {
  readonly routes: readonly CountedRoute[];
  readonly endpoints: readonly CountedEndpoint[];
}

export interface CountedRoute {
  readonly routeId: string;
  readonly numbers: RouteNumbers;
  /** How often each took how long: by the numbers of the buckets of a histogram. */
  readonly steps: readonly {
    readonly stepId: string;
    readonly endpointUri: string | null;
    readonly counts: readonly (readonly [bucket: number, count: number])[];
  }[];
}

export interface CountedEndpoint {
  readonly uri: string;
  readonly completed: number;
  readonly failed: number;
}

/** Opens the runtime of a workspace. Its thread may come and go with the routes that run; whoever asks does not see that. */
export type OpenRuntime = (workspace: RuntimeWorkspace, told: RuntimeReports) => RouteRuntime;

export interface RuntimeWorkspace {
  /** Id of its partition. */
  readonly partition: string;
  /** Its name. */
  readonly workspace: string;
}

/** Reports of the runtime that nobody asked for. */
export interface RuntimeReports {
  /** The route's consumer cannot go on, and has ended; the route asked for nothing. Failures of exchanges are none. */
  failed(routeId: string, fault: RouteFault): void;
  /** All that ran has ended: the thread has died. `culprits`: the routes that computed then, as far as that is known. Whatever was asked is rejected before. */
  ended(fault: RouteFault, culprits: readonly string[]): void;
}

/** Why something of a route failed. */
export interface RouteFault {
  readonly message: string;
  /** Java class name of the exception, where it has one. */
  readonly exceptionType?: string;
  readonly stack?: string;
}

/** How long exchanges under way are waited for, in ms of the system's clock. */
export interface DrainTime {
  readonly timeoutMs: number;
}

/** The exchanges that were still under way when the time was over; none: all had ended. */
export interface Drained {
  readonly stuck: readonly StuckExchange[];
}

export interface StuckExchange {
  readonly exchangeId: string;
  /** The step that it is in; null: it lies in a queue. */
  readonly stepId: string | null;
  /** Since it came to that step. */
  readonly elapsedMs: number;
}

/** A version of a route, with all that it needs beside what is shared. */
export interface RouteToRun extends RouteDefinition {
  readonly routeId: string;
  readonly version: number;
  /** The user as whom it acts: who deployed it. */
  readonly deployer: Deployer;
}

export interface Deployer {
  readonly userId: string;
  /** Who that was when it was deployed; null: nobody knew. Another user of that name is another one. */
  readonly principalId: string | null;
}

/** A route as its file defines it. */
export interface RouteDefinition {
  /** Path of the file. */
  readonly file: string;
  readonly model: RouteModel;
  /** What stands at the top of its file, and holds for its routes. */
  readonly scoped: ScopedModel;
  /** The template that `model` was made of, with these values of its placeholders; null: it was written by itself. */
  readonly template: { readonly id: string; readonly parameters: Readonly<Record<string, string>> } | null;
}

/** Definitions of one file that all routes of its workspace share. */
export interface SharedDefinitions {
  readonly templates: readonly TemplateModel[];
  readonly configurations: readonly ConfigurationModel[];
  readonly beans: readonly ElementModel[];
  readonly dataFormats: readonly ElementModel[];
  readonly restConfiguration?: ElementModel;
}

export interface Prepared {
  readonly problems: readonly RouteProblem[];
  /** Empty where there are problems; else one for each route, in their order. */
  readonly routes: readonly PreparedRoute[];
  /** How they are kept, in the same order. */
  readonly kept: readonly KeptDefinition[];
}

export type { RouteProblem } from './model/route-problems.js';

/** The definition of a route as it is kept. Made where it is prepared: of ten thousand steps, it holds up whoever makes it. */
export interface KeptDefinition {
  /** The same as long as the route does the same. */
  readonly hash: string;
  /** JSON of its `RouteDefinition`. */
  readonly text: string;
}

/** A route that was prepared and does not run yet. */
export interface PreparedRoute {
  /** Whether it is to be there at all: its `precondition`. */
  readonly isIncluded: boolean;
  /** `autoStartup`, its placeholder resolved. */
  readonly autoStartup: boolean;
  /** `startupOrder`; null: behind those that have one, in the order in which they were defined. */
  readonly startupOrder: number | null;
  readonly endpoints: readonly RouteEndpoint[];
}

export interface RouteEndpoint {
  /** Secrets and user info masked. */
  readonly uri: string;
  /** The component's name. */
  readonly component: string;
  readonly role: 'consumer' | 'producer';
}

/** Trials in the context of a workspace: messages, mocks, expressions. */
export interface RouteTrials {
  /** Sends a message to an endpoint, and gives what became of it when that is through with it. @throws where there is no such endpoint */
  send(message: MessageToSend): Promise<SentExchange>;
  /** What a mock endpoint got, by its name. */
  mock(name: string): Promise<MockRecord>;
  /** All mock endpoints forget what they got. */
  resetMocks(): Promise<void>;
  /** The value of an expression, as JSON. @throws where it is wrong, or fails */
  evaluate(question: ExpressionToTry): Promise<unknown>;
}

/** A message as people give it: values of JSON. */
export interface TriedMessage {
  readonly body: unknown;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly variables?: Readonly<Record<string, unknown>>;
}

export interface MessageToSend extends TriedMessage {
  readonly endpointUri: string;
  /** Who sends it: as whom the endpoint acts, where it is in no route. */
  readonly user: Deployer;
  readonly pattern: 'InOnly' | 'InOut';
}

export interface SentExchange {
  readonly exchangeId: string;
  readonly body: string | null;
  readonly headers: Readonly<Record<string, unknown>>;
  /** What failed, and nobody handled; null: nothing. */
  readonly exception: { readonly type: string; readonly message: string } | null;
  readonly processingMs: number;
}

export interface MockRecord {
  readonly receivedCounter: number;
  /** Some of them: at most a thousand. */
  readonly exchanges: readonly {
    readonly body: unknown;
    readonly headers: Readonly<Record<string, unknown>>;
    readonly properties: Readonly<Record<string, unknown>>;
  }[];
}

export interface ExpressionToTry extends TriedMessage {
  readonly language: string;
  readonly text: string;
  readonly isPredicate: boolean;
  /** Name of a Java class; null: as it is. */
  readonly resultType: string | null;
}
