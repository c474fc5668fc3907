import { Headers } from './headers.js';

export type ExchangePattern = 'InOnly' | 'InOut';

/** The context of exchanges: the part that all of one workspace share, as expressions ask for it. */
export interface ExchangeContext {
  /** The name of the context: that of its workspace. */
  readonly name: string;
  /** Now by the domain's clock, in ms since 1970. */
  now(): number;
  /** At least 0 and below 1. */
  random(): number;
  /** An id that was never given before. */
  newId(): string;
  /** The value of a `{{…}}` placeholder, without the braces. `undefined`: there is none. */
  property(key: string): string | undefined;
  /** A bean of the registry by its name. `undefined`: there is none. */
  bean(name: string): unknown;
  /** Variables of the scope `global:`, the context's own. */
  readonly globalVariables: Map<string, unknown>;
  /** Variables of the scope `route:`, by route id. */
  routeVariables(routeId: string): Map<string, unknown>;
}

/** A call that is the same whenever it is made anew: what it did by then is known, and its branches with it. */
export interface ExchangeCall {
  readonly key: string;
  /** When it was made first, in ms since 1970. */
  readonly at: number;
}

/** Where an exchange began. */
export interface ExchangeOrigin {
  readonly routeId: string;
  readonly routeGroup?: string;
  /** The URI of the consumer's endpoint. */
  readonly endpointUri: string;
  /** Whoever sent it, where it began in no route. */
  readonly user?: { readonly userId: string; readonly principalId: string | null };
}

/** What is done at the end of an exchange, when its `exception` says whether it failed. Gives what must be waited for: an outcome of a step, or nothing. */
export interface Ending {
  readonly run: (exchange: Exchange) => object | undefined;
  /** It is done behind all others, when the consumer has its answer. */
  readonly isLast?: boolean;
}

/** Remembers which steps an exchange entered, by their numbers, and when, in ms of a clock that goes on by itself. */
export interface StepTrail {
  /** Gives where it is remembered, for {@link leave}. */
  enter(step: number, now: number): number;
  /** Gives how long it took, in µs. */
  leave(at: number, now: number): number;
}

/** Characters of a key of calls: what is copied again and again begins anew as another one. */
const CALL_KEY_MAX = 400;

/**
 * A header as expressions have it: where there is none of that name, the property of the exchange is it. So `${header.CamelSplitIndex}` is what it was when properties were headers.
 */
export const headerOf = ({ headers, properties }: Exchange, name: string): unknown =>
  headers.get(name) ?? properties.get(name);

/** One message on its way through routes (Camel's Exchange, with its message in it). Steps change it in place. */
export class Exchange {
  readonly context: ExchangeContext;
  readonly origin: ExchangeOrigin;
  /** By the domain's clock, in ms since 1970. */
  readonly createdAt: number;
  pattern: ExchangePattern;
  body: unknown;
  headers: Headers;
  /** What belongs to the exchange and leaves it with no message. */
  readonly properties: Map<string, unknown>;
  /** Variables of the exchange: those without a scope. */
  readonly variables: Map<string, unknown>;
  /** What failed, while that is neither handled nor caught. */
  exception: unknown;
  /** No step follows any more: `stop`, a handled failure, a rollback. */
  isStopped = false;
  /** It failed, and an error handler dealt with that. */
  isHandled = false;
  /** The error handler has done what it could for `exception`; no other one tries again. */
  isExhausted = false;
  /** It is to be undone: wholly, or only what the innermost transaction did. */
  rollback: 'all' | 'last' | undefined;
  /** The URI of the endpoint that it was last sent to. */
  toEndpoint: string | undefined;
  /** What is to be done when it is over, the latest first. `undefined`: nothing. */
  endings: Ending[] | undefined;
  /** The message with which it began, where a route of its context asks for that when something fails. */
  original: { readonly body: unknown; readonly headers: Headers } | undefined;
  /** The route and step where it is now: of the innermost route, where routes call each other. */
  routeId: string;
  stepId: string | undefined;
  /** Where its steps are remembered, and those of its branches; null: they are not. Undefined: the route that it comes to decides on that. */
  trail: StepTrail | null | undefined;
  /** The call that it is of, where that may have to be made anew after a crash. Undefined: it never begins anew. */
  call: ExchangeCall | undefined;
  /** The block whose changes are one commit, while it is within one. */
  transaction: object | undefined;
  #copies = 0;
  #id: string | undefined;

  constructor(context: ExchangeContext, origin: ExchangeOrigin, options: Partial<ExchangeParts> = {}) {
    this.context = context;
    this.origin = origin;
    this.routeId = origin.routeId;
    this.createdAt = options.createdAt ?? context.now();
    this.pattern = options.pattern ?? 'InOnly';
    this.body = options.body ?? null;
    this.headers = options.headers ?? new Headers();
    this.properties = options.properties ?? new Map();
    this.variables = options.variables ?? new Map();
    this.exception = undefined;
    this.rollback = undefined;
    this.toEndpoint = undefined;
    this.original = undefined;
    this.endings = undefined;
    this.stepId = undefined;
    this.trail = undefined;
    this.call = undefined;
    this.transaction = undefined;
    this.#id = options.id;
  }

  /** Its id: made when first asked for. */
  get id(): string {
    this.#id ??= this.context.newId();
    return this.#id;
  }

  /** Has something done when the exchange is over, be it that it failed. What was asked for later is done first. */
  atEnd(ending: Ending): void {
    if (this.endings === undefined) this.endings = [ending];
    else this.endings.push(ending);
  }

  /** As `atEnd`, where nothing is waited for. */
  whenEnded(work: (isFailed: boolean) => void): void {
    this.atEnd({
      run: ({ exception }) => {
        work(exception !== undefined);
        return undefined;
      },
    });
  }

  /** One more exchange with the same message, for a branch that goes on by itself. It has an id of its own, and neither failure nor stop. */
  copy(): Exchange {
    const copy = new Exchange(this.context, this.origin, {
      createdAt: this.createdAt,
      pattern: this.pattern,
      body: this.body,
      headers: this.headers.copy(),
      properties: copyOf(this.properties),
      variables: copyOf(this.variables),
    });
    copy.routeId = this.routeId;
    copy.stepId = this.stepId;
    copy.trail = this.trail;
    copy.transaction = this.transaction;
    if (this.call !== undefined && this.call.key.length < CALL_KEY_MAX)
      copy.call = { key: `${this.call.key}.${++this.#copies}`, at: this.call.at };
    return copy;
  }

  /** Takes over what an exchange became that went on in place of this one: its message, what belongs to it, and how it ended; but for its exception. */
  takeOver(result: Exchange): void {
    this.take(result);
    for (const [name, value] of result.properties) this.properties.set(name, value);
    for (const [name, value] of result.variables) this.variables.set(name, value);
    this.isStopped = result.isStopped;
    this.isHandled = result.isHandled;
    this.isExhausted = result.isExhausted;
    this.rollback = result.rollback;
  }

  /** Takes over the message of another exchange: body and headers. */
  take({ body, headers }: { readonly body: unknown; readonly headers: Headers }): void {
    this.body = body;
    this.headers = headers;
  }
}

/** In half the time that `new Map(map)` takes, and a third where it is empty. */
function copyOf(map: ReadonlyMap<string, unknown>): Map<string, unknown> {
  const copy = new Map<string, unknown>();
  if (map.size > 0) for (const [name, value] of map) copy.set(name, value);
  return copy;
}

export interface ExchangeParts {
  readonly id: string;
  readonly createdAt: number;
  readonly pattern: ExchangePattern;
  readonly body: unknown;
  readonly headers: Headers;
  readonly properties: Map<string, unknown>;
  readonly variables: Map<string, unknown>;
}
