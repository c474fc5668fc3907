import {
  answered,
  asText,
  convert,
  Double,
  Exchange,
  failureType,
  Headers,
  requiredClass,
} from '../../expression/routes.js';
import { badRequest, messageOf, ServiceError } from '../../shared/errors.js';
import type { Received } from '../component/mock/mock.js';
import type {
  Deployer,
  ExpressionToTry,
  MessageToSend,
  MockRecord,
  RouteTrials,
  SentExchange,
  TriedMessage,
} from '../route-port.js';
import type { RouteContext } from './route-context.js';

/** How deep a value is shown, and how many items of a list or entries of a map. */
const DEPTH_MAX = 32;
const ITEMS_MAX = 1000;

/** Messages and expressions that people try in a context. */
export class Trials implements RouteTrials {
  readonly #context: RouteContext;

  constructor(context: RouteContext) {
    this.#context = context;
  }

  async send({ endpointUri, body, headers, properties, pattern, user }: MessageToSend): Promise<SentExchange> {
    const context = this.#context;
    const endpoint = right(() => context.endpointOf(endpointUri));
    const producer = right(() => endpoint.producer?.());
    if (producer === undefined)
      throw badRequest(`expected an endpoint that takes messages, but '${endpointUri}' takes none`);
    const exchange = this.#exchange({ body, headers, properties }, pattern, user);
    exchange.toEndpoint = endpoint.uri;
    const began = context.elapsed();
    await new Promise<void>((resolve) => {
      context.runner.start(exchange, producer, (thrown) => {
        if (thrown !== undefined) exchange.exception = thrown;
        resolve();
      });
    });
    const { exception } = exchange;
    return {
      exchangeId: exchange.id,
      body: (await answered(asText(exchange.body))) as string | null,
      headers: shown(exchange.headers) as SentExchange['headers'],
      exception: exception === undefined ? null : { type: failureType(exception), message: messageOf(exception) },
      processingMs: Math.round(context.elapsed() - began),
    };
  }

  async mock(name: string): Promise<MockRecord> {
    const { counter, exchanges } = this.#mocks().get(name) ?? NOTHING;
    return { receivedCounter: counter, exchanges: await Promise.all(exchanges.map(shownMessage)) };
  }

  async resetMocks(): Promise<void> {
    for (const received of this.#mocks().values()) {
      received.counter = 0;
      received.exchanges.length = 0;
    }
  }

  async evaluate({ language, text, isPredicate, resultType, ...message }: ExpressionToTry): Promise<unknown> {
    const model = { language, text, options: {}, at: { line: 1, column: 1 } };
    const compiled = right(() => {
      const found = this.#context.language(language);
      return isPredicate ? found.predicate(model) : found.expression(model);
    });
    const type = resultType === null ? null : right(() => requiredClass(resultType));
    const exchange = this.#exchange(message, 'InOut');
    try {
      const value = await answered(compiled(exchange));
      return shown(type === null || isPredicate ? value : await answered(convert(value, type)));
    } catch (thrown) {
      throw failed(thrown);
    }
  }

  #mocks(): Map<string, Received> {
    return this.#context.shared('mock', () => new Map<string, Received>());
  }

  #exchange(
    { body, headers, properties, variables = {} }: TriedMessage,
    pattern: 'InOnly' | 'InOut',
    user?: Deployer,
  ): Exchange {
    const origin = { routeId: '', endpointUri: 'api:', ...(user !== undefined && { user }) };
    return new Exchange(this.#context, origin, {
      body,
      pattern,
      headers: new Headers(Object.entries(headers)),
      properties: new Map(Object.entries(properties)),
      variables: new Map(Object.entries(variables)),
    });
  }
}

const NOTHING: Received = { counter: 0, exchanges: [] };

/** What was thrown of something that is wrong as it was given. */
function right<T>(work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    throw badRequest(messageOf(thrown), { details: { exceptionType: failureType(thrown) } });
  }
}

const failed = (thrown: unknown): ServiceError =>
  thrown instanceof ServiceError
    ? thrown
    : new ServiceError('EXECUTION_FAILED', messageOf(thrown), { details: { exceptionType: failureType(thrown) } });

async function shownMessage({ body, headers, properties }: Exchange): Promise<MockRecord['exchanges'][number]> {
  const value = typeof body === 'object' && body !== null && !isPlain(body) ? await answered(asText(body)) : body;
  const of = (entries: Iterable<readonly [string, unknown]>) => shown(new Map(entries)) as Record<string, unknown>;
  return { body: shown(value), headers: of(headers), properties: of(properties) };
}

const isPlain = (value: object): boolean =>
  Array.isArray(value) || value instanceof Map || Object.getPrototypeOf(value) === Object.prototype;

/** A value as JSON has it: texts, numbers, lists and maps as they are, dates as texts, whatever else as its text. */
function shown(value: unknown, depth = 0): unknown {
  if (value === undefined || value === null) return null;
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object') return value;
  if (value instanceof Double) return Number(value);
  if (value instanceof Date) return value.toISOString();
  if (depth >= DEPTH_MAX) return null;
  if (Array.isArray(value)) return value.slice(0, ITEMS_MAX).map((item) => shown(item, depth + 1));
  if (value instanceof Map || value instanceof Headers) return entriesShown(value, depth);
  if (isPlain(value)) return entriesShown(Object.entries(value), depth);
  const text = asText(value);
  return typeof text === 'string' ? text : null;
}

const entriesShown = (entries: Iterable<readonly [unknown, unknown]>, depth: number) =>
  Object.fromEntries([...entries].slice(0, ITEMS_MAX).map(([name, item]) => [String(name), shown(item, depth + 1)]));
