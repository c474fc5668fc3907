import { messageOf } from '../../shared/errors.js';
import { isStream } from '../conversion/java-class.js';
import type { Exchange } from '../exchange/exchange.js';
import { ExchangeFailure } from '../exchange/failure.js';
import { Asked, type ExpressionModel, type Language } from '../exchange/language.js';
import { sourceOf } from '../exchange/source.js';
import { variableOf } from '../exchange/variable.js';
import { readJson } from '../format/json-text.js';
import { writeJson } from '../format/json-writer.js';
import { withText } from '../format/payload.js';
import { ScriptPool, type ScriptSandboxOptions } from '../script/script-pool.js';

/** The most that a filter is given, and may give, in characters of JSON. */
const TEXT_MAX = 8_388_608;

/** What its thread is asked with, beside the filter. */
export interface JqInput {
  /** The document. */
  readonly text: string;
  /** Of its variables: JSON by name. */
  readonly names: Readonly<Record<string, string>>;
}

/** Runs filters of jq in threads of their own, which are ended where one takes too long. */
export class JqFilters {
  readonly #pool: ScriptPool<{ readonly output: string }>;

  constructor(options: ScriptSandboxOptions = {}) {
    this.#pool = new ScriptPool(options, 'route', new URL('./jq-thread.js', import.meta.url));
  }

  /** What a filter gives for a document, a value a line. @throws ExchangeFailure */
  async run(filter: string, input: JqInput): Promise<string> {
    const answer = await this.#pool.ask({ source: filter, input: JSON.stringify(input) }).catch((thrown: unknown) => {
      throw new ExchangeFailure('java.util.concurrent.RejectedExecutionException', messageOf(thrown));
    });
    if ('error' in answer) throw filterFailed(answer.error.message);
    if (answer.output.length <= TEXT_MAX) return answer.output;
    throw filterFailed(`expected a result of at most ${TEXT_MAX} characters`);
  }

  /** Ends its threads; filters that run or wait fail. */
  close(): Promise<void> {
    return this.#pool.close();
  }
}

export interface JqParts {
  readonly convert: (value: unknown, type: string, exchange: Exchange) => unknown;
}

/**
 * jq, with Camel's functions `header`, `property` and `variable` (each with a name, and with a second argument for where there is none) and `constant`. One value is the
 * result, several are a list, none is null. A filter that cannot be read fails where it is evaluated.
 */
export function jq(filters: JqFilters, { convert }: JqParts): Language {
  const asked = (model: ExpressionModel) => {
    const source = sourceOf(model.options.source);
    const filter = `${DEFINITIONS}${model.text}`;
    return (exchange: Exchange) => {
      const run = (text: string) => filters.run(filter, { text: checked(text), names: namesOf(model.text, exchange) });
      const answer = document(source(exchange), run);
      return new Asked(answer instanceof Asked ? answer.answer : (answer as Promise<unknown>), (output) =>
        resultOf(String(output)),
      );
    };
  };
  return {
    expression: (model) => {
      const { resultType } = model.options;
      const ask = asked(model);
      if (typeof resultType !== 'string' || resultType === '') return ask;
      const converted = (value: unknown, exchange: Exchange) =>
        value === null ? null : convert(value, resultType, exchange);
      return (exchange) => ask(exchange).map((value) => converted(value, exchange));
    },
    predicate: (model) => {
      const ask = asked(model);
      return (exchange) => ask(exchange).map((value) => value === true || (Array.isArray(value) && value.length > 0));
    },
  };
}

/** On one line, so that errors tell the line of the filter. */
const DEFINITIONS =
  'def header($n): $__headers[$n | ascii_downcase]; def header($n; $d): header($n) // $d; def property($n): $__properties[$n]; def property($n; $d): property($n) // $d; def variable($n): $__variables[$n]; def variable($n; $d): variable($n) // $d; def constant($v): $v; ';

/** Only what a filter asks for is handed over, as texts. */
function namesOf(filter: string, exchange: Exchange): JqInput['names'] {
  const texts = (isAsked: boolean, entries: Iterable<readonly [string, unknown]>) => {
    if (!isAsked) return '{}';
    const known = [...entries].filter(([, value]) => value !== null && value !== undefined && !isStream(value));
    return checked(JSON.stringify(Object.fromEntries(known.map(([name, value]) => [name, textOf(value)]))));
  };
  const headers = [...exchange.headers].map(([name, value]) => [name.toLowerCase(), value] as const);
  return {
    __headers: texts(/\bheader\b/.test(filter), headers),
    __properties: texts(/\bproperty\b/.test(filter), exchange.properties),
    __variables: texts(/\bvariable\b/.test(filter), variablesOf(filter, exchange)),
  };
}

/** Those of the exchange, and what is named with a scope. */
function variablesOf(filter: string, exchange: Exchange): [string, unknown][] {
  const scoped = [...filter.matchAll(/"((?:global|route):[^"\\]+)"/g)].map(([, name = '']) => name);
  return [...exchange.variables, ...scoped.map((name): [string, unknown] => [name, variableOf(exchange, name)])];
}

const textOf = (value: unknown): string => {
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.length).toString();
  return typeof value === 'object' ? writeJson(value) : String(value);
};

function document(value: unknown, use: (text: string) => unknown): unknown {
  if (typeof value === 'string' || value instanceof Uint8Array || isStream(value)) return withText(value, use);
  if (value !== null && value !== undefined) return use(writeJson(value));
  throw new ExchangeFailure(
    'org.apache.camel.InvalidPayloadException',
    'No body available of type: com.fasterxml.jackson.databind.JsonNode',
  );
}

function checked(text: string): string {
  if (text.length <= TEXT_MAX) return text;
  throw filterFailed(`expected a document of at most ${TEXT_MAX} characters, but found ${text.length}`);
}

function resultOf(output: string): unknown {
  const values = output
    .split('\n')
    .filter((line) => line !== '')
    .map(readJson);
  return values.length > 1 ? values : (values[0] ?? null);
}

function filterFailed(message: string): ExchangeFailure {
  const cause = new ExchangeFailure('net.thisptr.jackson.jq.exception.JsonQueryException', message);
  return new ExchangeFailure('org.apache.camel.RuntimeCamelException', `${cause.type}: ${message}`, { cause });
}
