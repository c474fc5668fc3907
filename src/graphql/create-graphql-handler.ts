import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GraphQLSchema } from 'graphql';
import type { Caller } from '../shared/caller.js';
import { systemClock } from '../shared/clock.js';
import { newId } from '../shared/ids.js';
import { systemTime, type Timers } from '../shared/time.js';
import { Admission, OVERLOADED } from './admission/admission.js';
import type { ExecutionContext, RequestFacts } from './context.js';
import { type Asked, OperationRunner } from './execution/operation-runner.js';
import { UnderWay } from './execution/under-way.js';
import type { EarliestPosition } from './feed-iterator.js';
import { type FormatError, formatError, statusOf } from './format-error.js';
import { answerOperation, failureOf, isPlain, refuseAtDoor, respond } from './http/answer.js';
import { BodyBudget, type BodyShare } from './http/memory-budget.js';
import {
  type Acceptable,
  acceptable,
  challengeOf,
  isJson,
  isStreamCall,
  isStreamed,
  placesOf,
  preflightHeaders,
  type RequestTarget,
  readTarget,
  refuseCrossSite,
  refuseMethod,
} from './http/request-head.js';
import {
  discardBody,
  type JsonLimits,
  paramsOfBody,
  paramsOfSearch,
  type RequestParams,
  readBody,
  withExtensions,
} from './http/request-params.js';
import { malformed, notAcceptable, signedOut, TransportError, unsupportedMediaType } from './http/transport-error.js';
import { defaultLimits, defaultStreamLimits, type GraphqlLimits, type StreamLimits } from './limits.js';
import { DeliveryTurns } from './sse/delivery-turns.js';
import { type StreamOptions, serveDistinct } from './sse/distinct-connection.js';
import { SingleConnections } from './sse/single-connection.js';
import { StreamRegistry } from './sse/stream-registry.js';

/** Parts and options of a GraphQL endpoint; `W` is whatever a workspace is to the server. */
export interface GraphqlHandlerOptions<W> {
  readonly schema: GraphQLSchema;
  /** The one of `makeSchema`: something damaged below one object of a list takes no other with it. Default: none. */
  readonly sparing?: GraphQLSchema;
  /** Who sends the request, by its headers; null for a guest. Its `workspace` is set from the path afterwards. */
  readonly authenticate: (request: IncomingMessage) => Caller | null | Promise<Caller | null>;
  /** Whether there is a sign-in by password. Default: yes. */
  readonly hasPasswords?: boolean;
  /** The client's address. Default: where the connection comes from. */
  readonly addressOf?: (request: IncomingMessage) => string;
  /** The workspace of that name, once it is ready for the caller; undefined: there is none. @throws NOT_FOUND, UNAVAILABLE when it cannot be served now */
  readonly workspace: (name: string, caller: Caller) => W | undefined | Promise<W | undefined>;
  /** The context value of one execution, or of one event of a subscription: a new object each time. */
  readonly context: (facts: RequestFacts<W>) => ExecutionContext;
  /** How positions of events compare: for ids of streams with several operations. */
  readonly earliestPosition: EarliestPosition;
  /** Whether the caller's session still stands, asked when a body has come, and at every event and every heartbeat of a stream. Default: yes. */
  readonly stillValid?: (caller: Caller) => boolean | Promise<boolean>;
  /** The caller with the groups and roles of this moment. Default: as it came. @throws UNAUTHORIZED when the user is disabled or gone */
  readonly callerNow?: (caller: Caller) => Caller;
  /** Who may ask for the schema. Default: whoever has a role. */
  readonly mayIntrospect?: (caller: Caller) => boolean;
  /** Default: the one of `format-error.ts`. */
  readonly formatError?: FormatError;
  /** Where the endpoint lies. Default `/bin/graphql.cgi`. */
  readonly mount?: string;
  /** Origins of other sites, such as `https://intranet.example`, whose pages may use the endpoint with the caller's cookie. Default none. */
  readonly allowedOrigins?: Iterable<string>;
  /** How clients reach the server. Default: not known, so that any page of the request's host is its own. */
  readonly baseUrl?: string;
  readonly limits?: Partial<GraphqlLimits>;
  /** Counts the bodies of requests, those of others than GraphQL's too. Default: one of its own. */
  readonly bodies?: BodyBudget;
  readonly streamLimits?: Partial<StreamLimits>;
  /** Default: the machine's. */
  readonly timers?: Timers;
}

/** GraphQL over HTTP and SSE as a request listener. */
export interface GraphqlHandler {
  /** Answers one request, whatever comes; never rejects. */
  (request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Ends the event streams of a session at once: its sign-out. */
  endSession(sessionId: string): void;
  /** Ends the event streams of callers whose session stands no more, or whose workspace is none that takes calls, soon. */
  lookAgain(): void;
  /** Resolves when every operation, and the delivery of every event, is over that goes on now. */
  over(): Promise<void>;
  /**
   * The workspace takes no calls any more: resolves when those that are under way are answered, or after so long, and its event streams are ended then.
   * `name`: as it is in paths.
   */
  leave(name: string, withinMs: number): Promise<void>;
  /** Ends all event streams: the server stops, and their clients go on elsewhere. */
  close(): void;
}

/** Serves a schema at `<mount>/<workspace>`, and its event streams there and at `<mount>/<workspace>/stream`, in both modes of the protocol. */
export function createGraphqlHandler<W>(options: GraphqlHandlerOptions<W>): GraphqlHandler {
  const endpoint = new Endpoint(options);
  return Object.assign((request: IncomingMessage, response: ServerResponse) => endpoint.serve(request, response), {
    endSession: (sessionId: string) => endpoint.registry.drop(({ owner }) => owner.sessionId === sessionId),
    lookAgain: () => endpoint.registry.lookAgain(),
    over: () => endpoint.over(),
    leave: (name: string, withinMs: number) => endpoint.leave(name, withinMs),
    close: () => endpoint.registry.drop(),
  });
}

const UNAUTHENTICATED = { errors: [{ message: 'Authentication required', extensions: { code: 'UNAUTHORIZED' } }] };

const remoteAddress = ({ socket }: IncomingMessage): string => socket.remoteAddress ?? '';

/** One request on its way, past the door. */
interface Admitted<W> {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly target: RequestTarget;
  readonly accepts: Acceptable;
  readonly asked: Asked<W>;
}

/** One request of somebody who is known. */
interface Received extends Omit<Admitted<unknown>, 'asked'> {
  readonly caller: Caller;
  readonly facts: { readonly requestId: string; readonly body: BodyShare };
}

class Endpoint<W> {
  readonly registry: StreamRegistry;
  readonly #options: GraphqlHandlerOptions<W>;
  readonly #limits: GraphqlLimits;
  readonly #json: JsonLimits;
  readonly #bodies: BodyBudget;
  readonly #admission: Admission;
  readonly #timers: Timers;
  readonly #allowedOrigins: ReadonlySet<string>;
  readonly #baseUrl: string;
  readonly #runner: OperationRunner<W>;
  readonly #underWay: UnderWay;
  readonly #streams: StreamOptions<W>;
  readonly #single: SingleConnections<W>;

  constructor(options: GraphqlHandlerOptions<W>) {
    this.#options = options;
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#json = { depthMax: this.#limits.jsonDepthMax, valuesMax: this.#limits.jsonValuesMax };
    const { bodiesBytesMax: bytesMax, bodiesPerClientBytesMax: perClientMax } = this.#limits;
    this.#bodies = options.bodies ?? new BodyBudget({ bytesMax, perClientMax });
    this.#timers = options.timers ?? systemTime;
    const { mutationsMax, requestWaitMs: waitMs, requestsWaitingMax: waitingMax } = this.#limits;
    this.#admission = new Admission({ mutationsMax, waitMs, waitingMax }, this.#timers);
    this.#allowedOrigins = new Set(options.allowedOrigins);
    this.#baseUrl = options.baseUrl ?? '';
    const limits = { ...defaultStreamLimits, ...options.streamLimits };
    this.registry = new StreamRegistry(limits);
    this.#runner = new OperationRunner({
      schema: options.schema,
      ...(options.sparing && { sparing: options.sparing }),
      limits: this.#limits,
      timers: this.#timers,
      admission: this.#admission,
      context: options.context,
      formatError: options.formatError ?? formatError,
      mayIntrospect: options.mayIntrospect ?? (({ roles }) => roles.length > 0),
    });
    const turns = new DeliveryTurns(this.#timers);
    this.#underWay = new UnderWay(this.#timers);
    this.#streams = {
      runner: this.#runner,
      turns,
      registry: this.registry,
      underWay: this.#underWay,
      limits,
      timers: this.#timers,
      stillValid: options.stillValid ?? (() => true),
      callerNow: options.callerNow ?? ((caller) => caller),
    };
    this.#single = new SingleConnections({ ...this.#streams, earliestPosition: options.earliestPosition });
  }

  over(): Promise<void> {
    return this.#runner.over();
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const isFull = this.#admission.isFull(request.socket.bytesWritten === 0);
    if (isFull && isPlain(request)) return refuseAtDoor(request, response);
    const requestId = String(response.getHeader('x-request-id') ?? newId(systemClock.now()));
    try {
      const body = this.#bodies.share();
      await body.during(() => this.#serve(request, response, { requestId, body }, isFull));
    } catch (thrown) {
      this.#fail(request, response, thrown, requestId);
    }
  }

  async leave(name: string, withinMs: number): Promise<void> {
    await this.#underWay.none(name, withinMs);
    this.registry.drop(({ workspace }) => workspace === name);
  }

  async #serve(
    request: IncomingMessage,
    response: ServerResponse,
    facts: { readonly requestId: string; readonly body: BodyShare },
    isFull: boolean,
  ): Promise<void> {
    const shared = refuseCrossSite(request, this.#allowedOrigins, this.#baseUrl);
    for (const [name, value] of Object.entries(shared)) response.setHeader(name, value);
    const target = readTarget(request.url ?? '', this.#options.mount ?? '/bin/graphql.cgi');
    if (request.method === 'OPTIONS' && 'vary' in shared) {
      response.writeHead(204, preflightHeaders(request)).end();
      return;
    }
    refuseMethod(request, target);
    const accepts = acceptable(request.headers.accept);
    if (!target.stream && !accepts.eventStream && isFull) throw OVERLOADED;
    const caller = await this.#options.authenticate(request);
    if (caller === null) {
      const headers = { 'www-authenticate': challengeOf(request, this.#options.hasPasswords) };
      respond(response, UNAUTHENTICATED, { type: accepts.json ?? 'application/json', status: 401, headers });
      return discardBody(request, this.#discardedBytesMax);
    }
    facts.body.belongsTo(`user:${caller.userId}`);
    const call = { request, response, target, accepts, caller, facts };
    // Counted before its workspace is looked for: a workspace that is being left is left behind it, or not found any more.
    return this.#underWay.during(target.workspace, () => this.#serveIn(call));
  }

  async #serveIn({ request, response, target, accepts, caller, facts }: Received): Promise<void> {
    const workspace = await this.#options.workspace(target.workspace, caller);
    if (workspace === undefined) throw malformed(`expected a workspace, but '${target.workspace}' is none`);
    const asked = {
      ...placesOf(request, target.search),
      caller: { ...caller, workspace: target.workspace },
      workspace,
      address: (this.#options.addressOf ?? remoteAddress)(request),
      requestId: facts.requestId,
      body: facts.body,
    };
    if (isStreamCall(request, target, accepts)) {
      const params = () => this.#readParams(request, target.search, asked);
      return this.#single.serve({ request, response, search: target.search, asked, params });
    }
    return this.#serveOperation({ request, response, target, accepts, asked });
  }

  async #serveOperation({ request, response, target, accepts, asked }: Admitted<W>): Promise<void> {
    if (accepts.json === null && !accepts.eventStream) throw notAcceptable(request.headers.accept ?? '');
    const params = await this.#readParams(request, target.search, asked);
    const keyed = withExtensions(asked, params);
    const work = this.#runner.prepare(params, keyed);
    if (Array.isArray(work)) {
      if (accepts.json === null) serveDistinct(response, { errors: work }, keyed, this.#streams);
      else respond(response, { errors: work }, { type: accepts.json });
      return;
    }
    if (isStreamed(request.method, work.operation.type, accepts)) serveDistinct(response, work, keyed, this.#streams);
    else {
      const how = {
        type: accepts.json ?? 'application/json',
        timers: this.#timers,
        stallMs: this.#limits.answerStallMs,
      };
      const giveCookie = (cookie: string) => void response.appendHeader('set-cookie', cookie);
      await answerOperation(this.#runner, work, { ...keyed, giveCookie }, response, how);
    }
  }

  async #readParams(request: IncomingMessage, search: URLSearchParams, asked: Asked<W>): Promise<RequestParams> {
    if (request.method === 'GET') return paramsOfSearch(search, this.#json);
    const { 'content-type': type, 'content-encoding': encoding } = request.headers;
    if (!isJson(type) || (encoding !== undefined && encoding !== 'identity'))
      throw unsupportedMediaType(encoding ?? type);
    this.#admission.refuseLarge(request.headers);
    const body = await readBody(request, this.#limits.bodyBytesMax, asked.body);
    // It may have been long on its way.
    if (!(await this.#streams.stillValid(asked.caller))) throw signedOut();
    return paramsOfBody(body, this.#json);
  }

  /** A client that sends all of a body before it reads the answer is borne with as long as that is one which might have been taken. */
  get #discardedBytesMax(): number {
    return 2 * this.#limits.bodyBytesMax;
  }

  /** Answers a request that did not get as far as GraphQL. */
  #fail(request: IncomingMessage, response: ServerResponse, thrown: unknown, requestId: string): void {
    const error = this.#runner.formatted(thrown, { requestId });
    const status = thrown instanceof TransportError ? thrown.status : statusOf(error);
    const challenge = status === 401 ? { 'www-authenticate': challengeOf(request, this.#options.hasPasswords) } : {};
    const headers = thrown instanceof TransportError ? thrown.headers : challenge;
    const type = acceptable(request.headers.accept).json ?? 'application/json';
    respond(response, failureOf(error), { type, status, headers });
    discardBody(request, this.#discardedBytesMax);
  }
}
