import { messageOf } from '../../shared/errors.js';
import { isStream } from '../conversion/java-class.js';
import type { Exchange } from '../exchange/exchange.js';
import { ExchangeFailure } from '../exchange/failure.js';
import { Asked, type ExpressionModel, type Language } from '../exchange/language.js';
import { setVariable } from '../exchange/variable.js';
import { withText } from '../format/payload.js';
import type { RouteInput, RouteOutcome } from './route-prelude.js';
import { packed, unpacked } from './route-values.js';
import { ScriptPool, type ScriptSandboxOptions } from './script-pool.js';
import type { ScriptFailure, ThreadRequest } from './script-run.js';
import { seedWords } from './script-sandbox.js';

/** The most that a script is given, in characters of JSON. */
const INPUT_MAX = 8_388_608;

/** Runs the JavaScript of routes, in threads of its own: as those of processes, ended from outside with whatever takes too long or too much memory. */
export class RouteScripts {
  readonly #pool: ScriptPool<RouteOutcome>;

  constructor(options: ScriptSandboxOptions = {}) {
    this.#pool = new ScriptPool(options, 'route');
  }

  /** What a script gave, and changed. @throws ExchangeFailure where it threw, was ended, or could not be run */
  async run(request: ThreadRequest): Promise<RouteOutcome> {
    const outcome = await this.#pool.ask(request).catch((thrown: unknown) => {
      throw new ExchangeFailure('java.util.concurrent.RejectedExecutionException', messageOf(thrown));
    });
    if ('error' in outcome) throw scriptFailed(outcome.error);
    return outcome;
  }

  /** Ends its threads; scripts that run or wait fail. */
  close(): Promise<void> {
    return this.#pool.close();
  }
}

/** What js needs of the others. */
export interface JsParts {
  readonly convert: (value: unknown, type: string, exchange: Exchange) => unknown;
  readonly isTrue: (value: unknown) => boolean;
}

/**
 * JavaScript, with what Camel's js finds: exchange, message, body, headers, properties, variables, context, exchangeId. The value is that of the last statement, an
 * {@link Asked}; what the script changed is applied to the exchange when the value is taken.
 */
export function js(scripts: RouteScripts, { convert, isTrue }: JsParts): Language {
  const asked = (model: ExpressionModel, exchange: Exchange): Asked => {
    const run = (body: unknown) => scripts.run({ source: model.text, input: inputOf(exchange, body) });
    const { body } = exchange;
    const answer = isStream(body) ? withText(body, run) : run(body);
    return new Asked(answer instanceof Asked ? answer.answer : (answer as Promise<unknown>), (outcome) =>
      applied(exchange, outcome as RouteOutcome),
    );
  };
  return {
    expression: (model) => {
      const { resultType } = checked(model).options;
      if (typeof resultType !== 'string' || resultType === '') return (exchange) => asked(model, exchange);
      return (exchange) => asked(model, exchange).map((value) => convert(value, resultType, exchange));
    },
    predicate: (model) => {
      checked(model);
      return (exchange) => asked(model, exchange).map(isTrue);
    },
  };
}

function checked(model: ExpressionModel): ExpressionModel {
  if (!/^resource:/.test(model.text.trim())) return model;
  throw new ExchangeFailure(
    'org.apache.camel.ExpressionIllegalSyntaxException',
    `js in line ${model.at.line}: scripts of files (resource:) are not supported: write the script itself`,
  );
}

/** @throws ExchangeFailure where the message is larger than what scripts are given */
function inputOf(exchange: Exchange, body: unknown): string {
  const entries = (map: Iterable<readonly [string, unknown]>) =>
    [...map].map(([name, value]) => [name, packed(isStream(value) ? 'stream' : value)] as const);
  const input: RouteInput = {
    now: exchange.context.now(),
    seed: seedWords(exchange.id),
    body: packed(body),
    headers: entries(exchange.headers),
    properties: entries(exchange.properties),
    variables: entries(exchange.variables),
    facts: {
      exchangeId: exchange.id,
      contextName: exchange.context.name,
      fromRouteId: exchange.origin.routeId,
      pattern: exchange.pattern,
    },
  };
  const text = JSON.stringify(input);
  if (text.length <= INPUT_MAX) return text;
  throw new ExchangeFailure(
    'java.lang.IllegalArgumentException',
    `expected a message of at most ${INPUT_MAX} characters of JSON for a script, but found ${text.length}`,
  );
}

/** Changes the exchange as the script did; gives its value. */
function applied(exchange: Exchange, { result, body, headers, properties, variables }: RouteOutcome): unknown {
  if (body !== undefined) exchange.body = unpacked(body[0]);
  for (const name of headers.removed) exchange.headers.delete(name);
  for (const [name, value] of headers.set) exchange.headers.set(name, unpacked(value));
  for (const name of properties.removed) exchange.properties.delete(name);
  for (const [name, value] of properties.set) exchange.properties.set(name, unpacked(value));
  for (const name of variables.removed) exchange.variables.delete(name);
  for (const [name, value] of variables.set) setVariable(exchange, name, unpacked(value));
  return unpacked(result);
}

function scriptFailed({ kind, message, line }: ScriptFailure): ExchangeFailure {
  const type =
    kind === 'thrown' ? 'org.graalvm.polyglot.PolyglotException' : 'org.apache.camel.ExpressionEvaluationException';
  return new ExchangeFailure(type, line === undefined ? message : `${message} (line ${line} of the script)`);
}
