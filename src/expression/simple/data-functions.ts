import { createHash, getHashes } from 'node:crypto';
import { asText, convert } from '../conversion/convert.js';
import { isStream } from '../conversion/java-class.js';
import { ExchangeFailure } from '../exchange/failure.js';
import type { Expression } from '../exchange/language.js';
import { mapped, streamBytes } from '../exchange/stream.js';
import { inLines } from '../format/base64-format.js';
import { unquoted, withoutQuotes } from './arguments.js';
import { body, type FunctionCall, type FunctionMaker, onText } from './function-call.js';
import { prettyText, toJson } from './json-text.js';
import { SyntaxProblem } from './syntax-error.js';

const DIGESTS: Readonly<Record<string, string>> = {
  MD5: 'md5',
  'SHA-1': 'sha1',
  'SHA-224': 'sha224',
  'SHA-256': 'sha256',
  'SHA-384': 'sha384',
  'SHA-512': 'sha512',
};
for (const bits of [224, 256, 384, 512]) Object.assign(DIGESTS, { [`SHA3-${bits}`]: `sha3-${bits}` });

/** In hexadecimal digits. */
const hash: FunctionMaker = (call) => {
  const [, value = '', , algorithm = 'SHA-256'] = /^([\s\S]*?)(,\s*([\w-]+)\s*)?$/.exec(call.text) ?? [];
  if (value === '') throw call.wrong('hash(value,algorithm)');
  const digest = DIGESTS[algorithm.trim().toUpperCase()];
  if (digest === undefined || !getHashes().includes(digest)) {
    throw new SyntaxProblem(
      0,
      `${algorithm} MessageDigest not available: expected one of ${Object.keys(DIGESTS).join(', ')}`,
    );
  }
  const source = call.template(value.trim());
  return (exchange) =>
    mapped(source(exchange), (known) => {
      if (known === null) return null;
      return mapped(isStream(known) ? streamBytes(known) : (convert(known, 'byte[]') ?? asText(known)), (bytes) =>
        createHash(digest)
          .update(bytes as Buffer)
          .digest('hex'),
      );
    });
};

const base64Encode: FunctionMaker = (call) => {
  const subject = call.subject();
  return (exchange) =>
    mapped(subject(exchange), (value) => {
      if (value === null) return null;
      return mapped(isStream(value) ? streamBytes(value) : value, (known) =>
        inLines(Buffer.from((convert(known, 'byte[]') ?? asText(known)) as Buffer).toString('base64')),
      );
    });
};

/** Text, where it is text that was encoded. */
const base64Decode: FunctionMaker = (call) => onText(call.subject(), (text) => Buffer.from(text, 'base64').toString());

/** A language of its own, by its registry: `name(exp)`, `name(header:key,exp)`. */
const delegated: FunctionMaker = (call: FunctionCall) => {
  let text = unquoted(call.text);
  const [, source] = /^\s*((?:header|property|exchangeProperty|variable):[^,]*),/.exec(text) ?? [];
  if (source !== undefined) text = text.slice(text.indexOf(',') + 1).trim();
  const options = source === undefined ? {} : { source: source.trim() };
  return call.compiler
    .languageOf(call.name)
    .expression({ language: call.name, text: unquoted(text), options, at: { line: 1, column: 1 } });
};

/** Names with dots between, and `[n]`, in an object or list: `a.b[1]`. */
const simpleJsonpath: FunctionMaker = (call) => {
  let text = unquoted(call.text);
  const [, kind, key = ''] = /^\s*(header|property|exchangeProperty|variable):([^,]*),/.exec(text) ?? [];
  if (kind !== undefined) text = text.slice(text.indexOf(',') + 1).trim();
  const source: Expression =
    kind === undefined ? body : call.template(`\${${kind === 'property' ? 'exchangeProperty' : kind}.${key.trim()}}`);
  const path = unquoted(text);
  const steps = path.split(/[.[\]]+/).filter((it) => it !== '');
  return (exchange) => mapped(mapped(source(exchange), asJson), (known) => stepsTo(known, steps, path));
};

/** What is no text counts as what was read from one. */
const asJson = (value: unknown): unknown => {
  if (typeof value === 'object' && value !== null && !isStream(value) && !(value instanceof Uint8Array)) return value;
  return mapped(asText(value), (text) => (typeof text === 'string' ? parsed(text) : text));
};

function stepsTo(from: unknown, steps: readonly string[], path: string): unknown {
  let value = from;
  for (const step of steps) {
    if (Array.isArray(value)) value = value[step === 'last' ? value.length - 1 : Number(step)];
    else value = member(value, step);
  }
  if (value !== undefined && value !== null) return value;
  throw new ExchangeFailure('java.lang.IllegalArgumentException', `JSonObject path ${path} is null`);
}

const member = (value: unknown, name: string): unknown => {
  if (value instanceof Map) return value.get(name);
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new ExchangeFailure(
      'org.apache.camel.util.json.DeserializationException',
      `expected JSON: ${String(cause)}`,
      { cause },
    );
  }
}

const written =
  (write: (value: unknown) => unknown): FunctionMaker =>
  (call) => {
    const value = call.text === '' ? body : call.template(unquoted(call.text));
    return (exchange) =>
      mapped(value(exchange), (known) => (isStream(known) ? mapped(asText(known), write) : write(known)));
  };

const pretty = (value: unknown): unknown =>
  mapped(asText(value), (text) => (text === null ? null : prettyText(text as string)));

const refused =
  (what: string): FunctionMaker =>
  (call) => {
    throw new SyntaxProblem(0, `${call.name}: there are no ${what} here, which this function needs`);
  };

export const DATA_CALLS: Readonly<Record<string, FunctionMaker>> = {
  hash,
  base64Encode,
  base64Decode,
  jq: delegated,
  jsonpath: delegated,
  xpath: delegated,
  simpleJsonpath,
  pretty: written(pretty),
  toJson: written((value) => toJson(value, false)),
  toPrettyJson: written((value) => toJson(value, true)),
  load: (call) => {
    throw new SyntaxProblem(0, `load(${withoutQuotes(call.text)}): there is no Java classpath here to load from`);
  },
  htmlClean: refused('HTML parsers'),
  htmlParse: refused('HTML parsers'),
  htmlDecode: refused('HTML parsers'),
  attachmentsContentAs: refused('attachments'),
  attachmentsHeader: refused('attachments'),
  attachmentsHeaderAs: refused('attachments'),
  setAttachment: refused('attachments'),
};

export const DATA_FUNCTIONS: Readonly<Record<string, Expression>> = {
  prettyBody: (exchange) => pretty(exchange.body),
  toJsonBody: (exchange) => toJson(exchange.body, false),
  toPrettyJsonBody: (exchange) => toJson(exchange.body, true),
  base64Encode: (exchange) =>
    mapped(exchange.body, (value) =>
      value === null ? null : inLines(Buffer.from(asText(value) as string).toString('base64')),
    ),
  base64Decode: onText(body, (text) => Buffer.from(text, 'base64').toString()),
};
