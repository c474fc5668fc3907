import type { Node } from 'slimdom';
import { isStream } from '../conversion/java-class.js';
import type { Exchange } from '../exchange/exchange.js';
import { ExchangeFailure } from '../exchange/failure.js';
import { Asked, type Expression, type ExpressionModel, type Language } from '../exchange/language.js';
import { sourceOf } from '../exchange/source.js';
import { withText } from '../format/payload.js';
import { documentOf, isNode, parseXml } from './document.js';
import { environmentOf, namespacesOf } from './xpath-environment.js';
import { type Environment, evaluate, toBoolean, toNodes, toNumber, toText, type Value } from './xpath-evaluate.js';
import { parseXPath, type XPath } from './xpath-parser.js';

export interface XpathParts {
  readonly simple: Language;
  readonly convert: (value: unknown, type: string, exchange: Exchange) => unknown;
}

type ResultName = 'STRING' | 'NUMBER' | 'BOOLEAN' | 'NODE' | 'NODESET';

/**
 * XPath 1.0 with Camel's variables (`$body`, `$name` of a header or property, `$in:header.name`) and functions (`in:body()`, `in:header('name')`, `function:simple('…')`,
 * `function:properties('key')`). Bodies are texts, bytes, streams or nodes.
 */
export function xpath(parts: XpathParts): Language {
  return {
    expression: (model) => compiled(model, undefined, parts),
    predicate: (model) => {
      const expression = compiled(model, 'BOOLEAN', parts);
      return (exchange) => {
        const value = expression(exchange);
        return value instanceof Asked ? value.map((one) => one === true) : value === true;
      };
    },
  };
}

function compiled(model: ExpressionModel, always: ResultName | undefined, parts: XpathParts): Expression {
  const tree = parsed(model);
  const namespaces = namespacesOf(model);
  const source = sourceOf(model.options.source);
  const { resultType } = model.options;
  const type = always === undefined && typeof resultType === 'string' && resultType !== '' ? resultType : undefined;
  const result = always ?? (type === undefined ? resultName(model) : resultOfType(type));
  return (exchange) => {
    const environment = environmentOf(exchange, namespaces, parts.simple, model);
    return withDocument(source(exchange), (node) => {
      const value = evaluated(model, tree, node, environment, result);
      return type === undefined ? value : typed(value, type, exchange, parts);
    });
  };
}

function evaluated(
  model: ExpressionModel,
  tree: XPath,
  node: Node | undefined,
  environment: Environment,
  result: ResultName,
): unknown {
  try {
    return asResult(evaluate(tree, { node, position: 1, size: 1, environment }), result);
  } catch (thrown) {
    if (!(thrown instanceof ExchangeFailure)) throw thrown;
    throw new ExchangeFailure(
      'org.apache.camel.language.xpath.InvalidXPathException',
      `Invalid xpath: ${model.text}. Reason: ${thrown.type}: ${thrown.message}`,
      { cause: thrown },
    );
  }
}

function asResult(value: Value, result: ResultName): unknown {
  switch (result) {
    case 'STRING':
      return toText(value);
    case 'NUMBER':
      return toNumber(value);
    case 'BOOLEAN':
      return toBoolean(value);
    case 'NODE':
      return toNodes(value)[0] ?? null;
    case 'NODESET':
      return toNodes(value);
  }
}

function parsed(model: ExpressionModel): XPath {
  const { options, text, at } = model;
  for (const name of ['factoryRef', 'objectModel', 'documentType']) {
    const value = options[name];
    if (value !== undefined && value !== '' && value !== 'org.w3c.dom.Document') {
      throw illegal(text, `xpath in line ${at.line}: the option ${name} is not supported: it names something of Java`);
    }
  }
  if (String(options.saxon) === 'true') {
    throw illegal(text, `xpath in line ${at.line}: saxon (XPath 3) is not supported: leave it out for XPath 1.0`);
  }
  try {
    return parseXPath(text);
  } catch (thrown) {
    throw illegal(text, thrown instanceof Error ? thrown.message : String(thrown), thrown);
  }
}

const illegal = (text: string, message: string, cause?: unknown) =>
  new ExchangeFailure('org.apache.camel.ExpressionIllegalSyntaxException', `Illegal syntax: ${text}: ${message}`, {
    cause,
  });

function resultName({ options, text }: ExpressionModel): ResultName {
  const written = String(options.resultQName ?? options.resultTypeName ?? 'NODESET').toUpperCase();
  const found = (['STRING', 'NUMBER', 'BOOLEAN', 'NODE', 'NODESET'] as const).find((name) => name === written);
  if (found === undefined)
    throw illegal(text, `expected resultQName to be STRING, NUMBER, BOOLEAN, NODE or NODESET, got ${written}`);
  return found;
}

const NUMBERS = /^(?:java\.lang\.)?(?:int|Integer|long|Long|short|Short|byte|Byte|double|Double|float|Float|Number)$/;

function resultOfType(type: string): ResultName {
  if (/^(?:java\.lang\.)?String$/.test(type)) return 'STRING';
  if (/^(?:java\.lang\.)?[bB]oolean$/.test(type)) return 'BOOLEAN';
  if (NUMBERS.test(type)) return 'NUMBER';
  return /^(?:org\.w3c\.dom\.)?(?:Node|Element|Document)$/.test(type) ? 'NODE' : 'NODESET';
}

function typed(value: unknown, type: string, exchange: Exchange, { convert }: XpathParts): unknown {
  if (typeof value !== 'number')
    return isNode(value) || typeof value === 'string' || Array.isArray(value) ? value : convert(value, type, exchange);
  // What is no number is no integer, but a double.
  if (Number.isNaN(value)) return /(?:double|float|Number)$/i.test(type) ? value : null;
  return convert(value, type, exchange);
}

/** `use` with the root of the document that a value is; `undefined`: there is no value. */
function withDocument(value: unknown, use: (node: Node | undefined) => unknown): unknown {
  if (isNode(value)) return use(documentOf(value));
  if (Array.isArray(value) && isNode(value[0])) return use(documentOf(value[0]));
  if (value === null || value === undefined) return use(undefined);
  if (typeof value === 'string' || value instanceof Uint8Array || isStream(value))
    return withText(value, (text) => use(read(text)));
  throw new ExchangeFailure(
    'org.apache.camel.NoTypeConversionAvailableException',
    `No type converter available to convert from type: ${typeof value} to the required type: org.w3c.dom.Document`,
  );
}

function read(text: string): Node {
  try {
    return parseXml(text) as unknown as Node;
  } catch (cause) {
    if (!(cause instanceof ExchangeFailure)) throw cause;
    throw new ExchangeFailure(
      'org.apache.camel.TypeConversionException',
      `Error during type conversion to the required type: org.w3c.dom.Document with value ${text.slice(0, 200)} due to ${cause.type}: ${cause.message}`,
      { cause },
    );
  }
}
