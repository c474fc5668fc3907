import { type Exchange, failureType } from '../../../expression/routes.js';
import { messageOf } from '../../../shared/errors.js';
import type { ComponentContext, Consumer, Intake } from '../component.js';
import type { HttpFront, HttpPlace, HttpReply, HttpRequest } from '../http-front.js';
import { type ReplyRules, replyOf } from './exchange-reply.js';
import { type IntakeRules, requestParts } from './request-exchange.js';

export interface HttpConsumerRules extends Omit<IntakeRules, 'bodyMax'>, Omit<ReplyRules, 'parameters'> {
  readonly place: Omit<HttpPlace, 'routeId'>;
  /** Media types of bodies that are taken; empty: all. */
  readonly consumes: readonly string[];
  /** Media types of answers; empty: whoever asks is told no more than the route says. */
  readonly produces: readonly string[];
  /** After so many ms whoever asks waits no more. 0: as long as it takes. */
  readonly timeoutMs: number;
  /** What is done around the route. */
  readonly binding?: HttpBinding;
}

/** A binding of a consumer: changes a message before it comes to the route, and its answer behind it. */
export interface HttpBinding {
  /** False: it is answered as it is now. */
  before(exchange: Exchange): boolean | Promise<boolean>;
  after(exchange: Exchange): void | Promise<void>;
}

/** Serves requests of a path with a route. */
export class HttpConsumer implements Consumer {
  readonly #front: HttpFront;
  readonly #intake: Intake;
  readonly #context: ComponentContext;
  readonly #rules: HttpConsumerRules;
  readonly #reply: ReplyRules;
  #unmount: (() => void) | undefined;
  #isSuspended = false;

  constructor(front: HttpFront, intake: Intake, context: ComponentContext, rules: HttpConsumerRules) {
    this.#front = front;
    this.#intake = intake;
    this.#context = context;
    this.#rules = rules;
    const names = [...rules.place.path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name.toLowerCase());
    this.#reply = { ...rules, parameters: new Set(names) };
  }

  start(): void {
    const { routeId } = this.#intake;
    this.#unmount = this.#front.mount({ ...this.#rules.place, routeId, serve: (request) => this.#serve(request) });
  }

  stop(): void {
    this.#unmount?.();
    this.#unmount = undefined;
    this.#isSuspended = false;
  }

  suspend(): void {
    this.#isSuspended = true;
  }

  resume(): void {
    this.#isSuspended = false;
  }

  async #serve(request: HttpRequest): Promise<HttpReply> {
    const refused = this.#refusal(request);
    if (refused !== undefined) return { status: refused, headers: [], body: null };
    const rules = { ...this.#rules, bodyMax: this.#context.host.bodyMax };
    let parts: ReturnType<typeof requestParts>;
    try {
      parts = requestParts(request, rules);
      if (parts instanceof Promise) parts = await parts;
    } catch (thrown) {
      this.#intake.failed(thrown);
      return { status: 413, headers: [], body: null };
    }
    const exchange = this.#intake.exchange(parts);
    const { binding } = this.#rules;
    const isRouted = binding === undefined || (await binding.before(exchange));
    if (!isRouted) return this.#replied(exchange);
    return this.#routed(exchange);
  }

  /** Resolves with its answer, at the latest when whoever asks waits no more; it goes on all the same. */
  #routed(exchange: Exchange): Promise<HttpReply> {
    const { timeoutMs, binding } = this.#rules;
    return new Promise((resolve) => {
      let isLate = false;
      const late = () => {
        isLate = true;
        resolve(TOO_LATE);
      };
      const forget = timeoutMs > 0 ? this.#context.flow.at(this.#context.now() + timeoutMs, late) : () => {};
      this.#intake.process(exchange, (ended) => {
        forget();
        if (isLate) return;
        if (binding === undefined) resolve(this.#replied(ended));
        else void this.#bound(ended, binding).then(resolve);
      });
    });
  }

  async #bound(exchange: Exchange, binding: HttpBinding): Promise<HttpReply> {
    try {
      if (exchange.exception === undefined) await binding.after(exchange);
    } catch (thrown) {
      exchange.exception = thrown;
    }
    return this.#replied(exchange);
  }

  #replied(exchange: Exchange): HttpReply {
    try {
      return replyOf(exchange, this.#reply);
    } catch (thrown) {
      const why = `${failureType(thrown)}: ${messageOf(thrown)}`;
      this.#context.log('ERROR', this.#intake.routeId, `the answer cannot be sent: ${why}`, exchange);
      return { status: 500, headers: [], body: null };
    }
  }

  /** The status of what is not taken. */
  #refusal({ headers, body }: HttpRequest): number | undefined {
    if (this.#isSuspended) return 503;
    const { consumes, produces } = this.#rules;
    if (consumes.length === 0 && produces.length === 0) return undefined;
    const header = (name: string) => headers.find(([known]) => known.toLowerCase() === name)?.[1];
    if (body !== null && consumes.length > 0 && !isOneOf(header('content-type') ?? '', consumes)) return 415;
    const accept = header('accept');
    if (accept === undefined || produces.length === 0) return undefined;
    return accept.split(',').some((range) => isOneOf(range, produces)) ? undefined : 406;
  }
}

const TOO_LATE: HttpReply = { status: 503, headers: [], body: null };

/** Whether a media type, or a range of them, is among others. Parameters do not count, but for `q=0`. */
function isOneOf(type: string, among: readonly string[]): boolean {
  if (/;\s*q=0(\.0*)?\s*(;|$)/i.test(type)) return false;
  const name = nameOf(type);
  return name !== '' && among.some((other) => matches(name, nameOf(other)) || matches(nameOf(other), name));
}

const nameOf = (type: string): string => (type.split(';', 1)[0] ?? '').trim().toLowerCase();

const matches = (range: string, type: string): boolean =>
  range === '*/*' || range === type || (range.endsWith('/*') && type.startsWith(range.slice(0, -1)));
