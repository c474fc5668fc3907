import { finished, type Readable } from 'node:stream';
import type { Agent, Dispatcher } from 'undici';
import { ExchangeFailure } from '../../../expression/routes.js';
import type { HostRules } from './host-rules.js';
import { httpFailure } from './http-failure.js';
import type { HttpOptions } from './http-options.js';
import { targetOf } from './http-url.js';

export type HeaderPair = readonly [name: string, value: string];

export interface ClientRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: readonly HeaderPair[];
  /** A stream is sent once: what would have to be sent again is answered as it was. */
  readonly body: Uint8Array | AsyncIterable<Uint8Array> | null;
}

export interface ClientReply {
  readonly status: number;
  readonly statusText: string;
  /** In the order and letter case in which they came. */
  readonly headers: readonly HeaderPair[];
  /** As it came. It holds a connection until it is read or destroyed. */
  readonly body: Readable;
  /** Where it came from in the end. */
  readonly url: string;
}

/** How many redirects are followed, and how many requests of a workspace are under way at a time. */
const REDIRECTS_MAX = 50;
const REQUESTS_MAX = 200;
/** How many ways of connecting are kept: endpoints with the same options share one. */
const AGENTS_MAX = 20;

/** Sends requests of the routes of a workspace to hosts that these may reach. */
export class HttpClient {
  readonly #rules: HostRules;
  readonly #slots = new Slots(REQUESTS_MAX);
  readonly #agents = new Map<string, Agent>();

  constructor(rules: HostRules) {
    this.#rules = rules;
  }

  /** Resolves when the head of the answer is there. @throws ExchangeFailure as Camel's client does */
  async send(request: ClientRequest, options: HttpOptions): Promise<ClientReply> {
    let reply = await this.#authorized(request, options);
    if (!options.followsRedirects) return reply;
    const visited = new Set<string>();
    let sent = request;
    for (let count = 0; ; count++) {
      const next = redirected(sent, reply);
      if (next === undefined) return reply;
      reply.body.destroy();
      if (count === REDIRECTS_MAX) throw redirectFailure('Redirect', `Maximum redirects (${REDIRECTS_MAX}) exceeded`);
      if (visited.has(next.url)) throw redirectFailure('CircularRedirect', `Circular redirect to '${next.url}'`);
      visited.add(next.url);
      const isSameOrigin = originOf(next.url) === originOf(request.url);
      reply = await (isSameOrigin ? this.#authorized(next, options) : this.#sent(next, options));
      sent = next;
    }
  }

  /** Ends all connections. */
  close(): void {
    for (const agent of this.#agents.values()) void agent.destroy();
    this.#agents.clear();
  }

  /** Shows credentials at once, or when it is asked for them. */
  async #authorized(request: ClientRequest, options: HttpOptions): Promise<ClientReply> {
    const { credentials } = options;
    if (credentials === undefined || !isShownTo(credentials.host, request.url)) return this.#sent(request, options);
    const headers = request.headers.filter(([name]) => name.toLowerCase() !== 'authorization');
    const shown = { ...request, headers: [...headers, ['Authorization', credentials.value] as const] };
    if (credentials.isPreemptive) return this.#sent(shown, options);
    const reply = await this.#sent(request, options);
    if (!isAsked(reply) || !isRepeatable(request)) return reply;
    reply.body.destroy();
    return this.#sent(shown, options);
  }

  async #sent({ url, method, headers, body }: ClientRequest, options: HttpOptions): Promise<ClientReply> {
    const target = targetOf(url, url);
    this.#rules.require(target.hostname, target.port);
    const free = await this.#slots.take(options.connectionMs);
    try {
      const agent = await this.#agentOf(options);
      const reply = await agent.request({
        ...{ origin: target.origin, path: target.path, method: method as Dispatcher.HttpMethod },
        ...{ headers: headers.flat(), body: body as Uint8Array | null, responseHeaders: 'raw' },
        ...{ headersTimeout: options.answerMs, bodyTimeout: options.silenceMs, reset: options.closes },
      });
      finished(reply.body, free);
      return {
        ...{ status: reply.statusCode, statusText: reply.statusText, body: reply.body, url },
        headers: pairsOf(reply.headers as unknown as readonly (string | Buffer)[]),
      };
    } catch (thrown) {
      free();
      throw httpFailure(thrown, target);
    }
  }

  async #agentOf({ connectMs, connectionsPerHost }: HttpOptions): Promise<Agent> {
    const key = `${connectMs} ${connectionsPerHost}`;
    const known = this.#agents.get(key);
    if (known !== undefined) return known;
    const { Agent, buildConnector } = await import('undici');
    const rules = this.#rules;
    const agent =
      this.#agents.get(key) ??
      new Agent({
        connections: connectionsPerHost,
        maxHeaderSize: HEAD_BYTES_MAX,
        // A connector for each connection, as the check of its addresses is one of that host.
        connect: (to, done) => {
          const port = to.port || (to.protocol === 'https:' ? '443' : '80');
          const connector = buildConnector({ timeout: connectMs, lookup: rules.lookupFor(to.hostname, port) });
          return connector(to, done);
        },
      });
    this.#agents.set(key, agent);
    const [oldest] = this.#agents;
    if (oldest !== undefined && this.#agents.size > AGENTS_MAX) {
      this.#agents.delete(oldest[0]);
      void oldest[1].close();
    }
    return agent;
  }
}

const HEAD_BYTES_MAX = 64 * 1024;

function pairsOf(raw: readonly (string | Buffer)[]): HeaderPair[] {
  const pairs: HeaderPair[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) pairs.push([text(raw[at]), text(raw[at + 1])]);
  return pairs;
}

const text = (part: string | Buffer | undefined): string =>
  typeof part === 'string' ? part : (part?.toString('latin1') ?? '');

export const headerOf = (headers: readonly HeaderPair[], name: string): string | undefined =>
  headers.find(([known]) => known.toLowerCase() === name)?.[1];

const isRepeatable = ({ body }: ClientRequest): boolean => body === null || body instanceof Uint8Array;

const isAsked = ({ status, headers }: ClientReply): boolean =>
  status === 401 && /^\s*basic\b/i.test(headerOf(headers, 'www-authenticate') ?? '');

const originOf = (url: string): string => targetOf(url, url).origin;

const isShownTo = (host: string | undefined, url: string): boolean =>
  host === undefined || targetOf(url, url).hostname === host.toLowerCase();

/** The request that a redirect asks for; undefined: it asks for none, or it would take along what is for one host alone. */
function redirected(request: ClientRequest, { status, headers }: ClientReply): ClientRequest | undefined {
  const location = headerOf(headers, 'location');
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return undefined;
  if (!URL.canParse(location, request.url)) return undefined;
  const { href, origin } = new URL(location, request.url);
  const isElsewhere = origin !== originOf(request.url);
  if (isElsewhere && request.headers.some(([name]) => /^(authorization|cookie)$/i.test(name))) return undefined;
  const url = href.replace(/#.*$/, '');
  const isKept = status > 303 || request.method === 'GET' || request.method === 'HEAD';
  if (isKept) return isRepeatable(request) ? { ...request, url } : undefined;
  return {
    ...request,
    url,
    method: 'GET',
    body: null,
    headers: request.headers.filter(([name]) => !OF_BODY.test(name)),
  };
}

const OF_BODY = /^content-/i;

const redirectFailure = (kind: string, message: string) =>
  new ExchangeFailure('org.apache.hc.client5.http.ClientProtocolException', message, {
    cause: new ExchangeFailure(`org.apache.hc.client5.http.${kind}Exception`, message),
  });

/** So many things at a time; who comes when all are taken waits in line. */
class Slots {
  #free: number;
  readonly #line: (() => void)[] = [];

  constructor(most: number) {
    this.#free = most;
  }

  /** Resolves with what gives the slot back, which may be called more than once. @throws ExchangeFailure `ConnectionRequestTimeoutException` after `timeoutMs`; 0: never */
  async take(timeoutMs: number): Promise<() => void> {
    if (this.#free > 0) this.#free--;
    else await this.#turn(timeoutMs);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const next = this.#line.shift();
      if (next === undefined) this.#free++;
      else next();
    };
  }

  #turn(timeoutMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const turn = () => {
        clearTimeout(timer);
        resolve();
      };
      const late = () => {
        this.#line.splice(this.#line.indexOf(turn), 1);
        reject(tooLate(timeoutMs));
      };
      const timer = timeoutMs > 0 ? setTimeout(late, timeoutMs) : undefined;
      this.#line.push(turn);
    });
  }
}

const tooLate = (timeoutMs: number) =>
  new ExchangeFailure(
    'org.apache.hc.core5.http.ConnectionRequestTimeoutException',
    `Timeout deadline: ${timeoutMs} MILLISECONDS, and no connection was free`,
  );
