import { answered, asText, dataFormat, type Exchange, isStream, StreamCache } from '../../../expression/routes.js';
import type { EndpointAddress } from '../component.js';
import { listOf } from '../http-place.js';
import type { HttpBinding } from '../platform-http/http-consumer.js';

type Options = EndpointAddress['options'];

const JSON_FORMAT = { kind: 'json', options: {}, at: { line: 1, column: 1 } };

/** The binding of a service of `rest`, before a request comes to its route and before its answer goes: defaults, validation, JSON read and written. */
export const restBinding = (options: Options): HttpBinding => new RestBinding(options);

class RestBinding implements HttpBinding {
  readonly #options: Options;
  readonly #defaults: readonly (readonly [name: string, value: string])[];
  /** Undefined: nothing is asked. */
  readonly #rules: Rules | undefined;
  readonly #isBound: boolean;
  readonly #json = dataFormat(JSON_FORMAT);

  constructor(options: Options) {
    this.#options = options;
    this.#defaults = [...named(options, 'defaultValue.')];
    this.#rules = options.clientRequestValidation === true ? rulesOf(options) : undefined;
    this.#isBound = options.bindingMode === 'json';
  }

  before(exchange: Exchange): boolean | Promise<boolean> {
    const { headers } = exchange;
    for (const [name, value] of this.#defaults) if (!headers.has(name)) headers.set(name, value);
    return this.#rules === undefined && !this.#isBound ? true : this.#looked(exchange);
  }

  async after(exchange: Exchange): Promise<void> {
    const { headers } = exchange;
    const { skipBindingOnErrorCode, enableNoContentResponse } = this.#options;
    if (skipBindingOnErrorCode === true && Number(headers.get('CamelHttpResponseCode') ?? 0) >= 300) return;
    const [produces] = listOf(this.#options.produces);
    const type = headers.get('Content-Type') ?? produces ?? (this.#isBound ? 'application/json' : undefined);
    if (type !== undefined) headers.set('Content-Type', type);
    if (!this.#isBound || !/json/i.test(String(type))) return;
    await written(exchange, (value) => this.#json.marshal(exchange, value), enableNoContentResponse === true);
  }

  async #looked(exchange: Exchange): Promise<boolean> {
    const rules = this.#rules;
    const isJson = this.#isBound || /\bjson\b/i.test(String(exchange.headers.get('Content-Type') ?? ''));
    const text = isJson || rules?.isBodyRequired === true ? await answered(asText(exchange.body)) : undefined;
    const wrong = rules && problemOf(exchange, rules, text);
    if (wrong !== undefined) return refused(exchange, wrong);
    if (!isJson || typeof text !== 'string' || text.trim() === '') return true;
    return this.#read(exchange, text);
  }

  async #read(exchange: Exchange, text: string): Promise<boolean> {
    try {
      const value = await answered(this.#json.unmarshal(exchange, text));
      if (this.#isBound) exchange.body = value;
      return true;
    } catch (thrown) {
      if (this.#rules !== undefined) return refused(exchange, 'Invalid JSon payload.');
      exchange.headers.set('CamelHttpResponseCode', 400);
      exchange.exception = thrown;
      return false;
    }
  }
}

/** Writes the body as JSON. Bytes and streams are taken to be that already. */
async function written(exchange: Exchange, marshal: (value: unknown) => unknown, isNothingEmpty: boolean) {
  const { body } = exchange;
  if (body === null || body === undefined || body instanceof Uint8Array || isStream(body)) return;
  exchange.body = await answered(marshal(body));
  if (!isNothingEmpty) return;
  const bytes = exchange.body instanceof StreamCache ? exchange.body.bytes : exchange.body;
  if (!(bytes instanceof Uint8Array) || !/^(\[\]|\{\})$/.test(Buffer.from(bytes).toString())) return;
  exchange.headers.set('CamelHttpResponseCode', 204);
  exchange.body = null;
}

/** Requirements of a request, by which it is validated. */
interface Rules {
  readonly query: readonly string[];
  readonly headers: readonly string[];
  readonly isBodyRequired: boolean;
  readonly allowed: readonly (readonly [name: string, values: readonly string[]])[];
}

const rulesOf = (options: Options): Rules => ({
  query: [...listOf(options['required.query']), ...listOf(options['required.formData'])],
  headers: listOf(options['required.header']),
  isBodyRequired: options['required.body'] !== undefined,
  allowed: [...named(options, 'allowedValues.')].map(([name, values]) => [name, listOf(values)]),
});

function* named(options: Options, prefix: string): Generator<[name: string, value: string]> {
  for (const [name, value] of Object.entries(options))
    if (name.startsWith(prefix)) yield [name.slice(prefix.length), String(value)];
}

/** In the words of Camel. */
function problemOf({ headers }: Exchange, rules: Rules, body: unknown): string | undefined {
  if (!rules.query.every((name) => headers.has(name))) return 'Some of the required query parameters are missing.';
  if (!rules.headers.every((name) => headers.has(name))) return 'Some of the required HTTP headers are missing.';
  const isOdd = ([name, values]: Rules['allowed'][number]) =>
    headers.has(name) && !values.includes(String(headers.get(name)));
  if (rules.allowed.some(isOdd)) return 'Some of the query parameters or HTTP headers has a not-allowed value.';
  if (rules.isBodyRequired && (typeof body !== 'string' || body === '')) return 'The request body is missing.';
  return undefined;
}

/** It is answered instead of routed. */
function refused(exchange: Exchange, why: string): false {
  exchange.headers.set('CamelHttpResponseCode', 400);
  exchange.headers.set('Content-Type', 'text/plain; charset=utf-8');
  exchange.body = why;
  return false;
}
