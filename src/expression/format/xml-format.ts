import type { Element, Node } from 'slimdom';
import { Double, doubleText } from '../exchange/double.js';
import { ExchangeFailure } from '../exchange/failure.js';
import { parseXml } from '../xpath/document.js';
import type { DataFormat } from './data-format.js';
import type { FormatOptions } from './format-options.js';
import { withText } from './payload.js';

const INCLUDES = ['ALWAYS', 'NON_NULL', 'NON_ABSENT', 'NON_EMPTY', 'NON_DEFAULT', 'USE_DEFAULTS'] as const;
const XSI = 'http://www.w3.org/2001/XMLSchema-instance';
const XMLNS = 'http://www.w3.org/2000/xmlns/';
const DEPTH_MAX = 1_000;

/** XML as maps and lists, as Jackson's XmlMapper has it. @throws ExchangeFailure where an option is wrong, or asks for a class of Java */
export function xmlFormat(options: FormatOptions): DataFormat {
  const pretty = options.boolean('prettyPrint', false);
  const setsContentType = options.boolean('contentTypeHeader', true);
  const include = options.oneOf('include', INCLUDES, 'ALWAYS');
  const type = options.text('unmarshalType') ?? options.text('unmarshalTypeName');
  const asList =
    options.boolean('useList', false) || options.text('collectionType') !== undefined || /List$/.test(type ?? '');
  if (
    type !== undefined &&
    !/^(?:java\.(?:lang|util)\.)?(?:Object|(?:Linked|Tree)?(?:Hash)?Map|(?:Array|Linked)?List)$/.test(type)
  ) {
    throw options.failure(`the unmarshalType ${type} is not supported: classes of Java do not exist here`);
  }
  options.refuse('xmlMapper', 'jsonView', 'moduleClassNames', 'moduleRefs', 'enableFeatures', 'disableFeatures');
  options.refuse('allowUnmarshallType', 'allowJmsType');
  options.ignore('enableJaxbAnnotationModule', 'timezone', 'maxStringLength');
  options.end();
  const writer = new Writer(pretty, include === 'ALWAYS' || include === 'USE_DEFAULTS' ? undefined : include);
  return {
    marshal: (exchange, value) => {
      const text = writer.document(value);
      if (setsContentType) exchange.headers.set('Content-Type', 'application/xml');
      return Buffer.from(text);
    },
    unmarshal: (_, body) =>
      withText(body, (text) => {
        const root = parsedRoot(text);
        return asList ? itemsOf(root) : mapOf(root);
      }),
  };
}

function parsedRoot(text: string): Element {
  try {
    return parseXml(text).documentElement as Element;
  } catch (thrown) {
    if (!(thrown instanceof ExchangeFailure)) throw thrown;
    throw new ExchangeFailure('com.fasterxml.jackson.core.JsonParseException', thrown.message, { cause: thrown });
  }
}

/** Attributes, elements and texts by their names; that of a text is ''. What comes more than once is a list. */
function mapOf(element: Element): Map<string, unknown> | Record<string, unknown> {
  const map = new Map<string, unknown[]>();
  const add = (name: string, value: unknown) => {
    const values = map.get(name);
    if (values === undefined) map.set(name, [value]);
    else values.push(value);
  };
  for (const { localName, value } of attributesOf(element)) add(localName, value);
  for (const part of partsOf(element)) {
    if (typeof part === 'string') add('', part);
    else add(part.localName, elementValue(part));
  }
  const entries = [...map].map(([name, values]): [string, unknown] => [name, values.length === 1 ? values[0] : values]);
  return entries.some(([name]) => /^\d+$/.test(name)) ? new Map(entries) : Object.fromEntries(entries);
}

function elementValue(element: Element): unknown {
  if (element.getAttributeNS(XSI, 'nil') === 'true') return null;
  const isPlain = attributesOf(element).length === 0 && element.firstElementChild === null;
  return isPlain ? (element.textContent ?? '') : mapOf(element);
}

/** Of a list, whatever the elements are called. */
function itemsOf(root: Element): unknown[] {
  const items = partsOf(root).map((part) => {
    if (typeof part === 'string') throw mismatched('expected elements, but found a text');
    const value = elementValue(part);
    return typeof value === 'string' && value.trim() === '' ? {} : value;
  });
  return [...attributesOf(root).map(({ localName, value }) => ({ [localName]: value })), ...items];
}

const attributesOf = (element: Element) =>
  element.attributes.filter(
    ({ namespaceURI, localName }) => namespaceURI !== XMLNS && !(namespaceURI === XSI && localName === 'nil'),
  );

/** Child elements, and texts between them that are not blank. */
function partsOf(element: Element): (Element | string)[] {
  const parts: (Element | string)[] = [];
  let text = '';
  const end = () => {
    if (text.trim() !== '') parts.push(text);
    text = '';
  };
  for (const node of element.childNodes as Node[]) {
    if (node.nodeType === 3 || node.nodeType === 4) text += node.nodeValue ?? '';
    if (node.nodeType !== 1) continue;
    end();
    parts.push(node as Element);
  }
  end();
  return parts;
}

/** Writes values as elements: maps by name, lists as an element for each item. */
class Writer {
  readonly #pretty: boolean;
  readonly #include: string | undefined;

  constructor(pretty: boolean, include: string | undefined) {
    this.#pretty = pretty;
    this.#include = include;
  }

  document(value: unknown): string {
    const isList = Array.isArray(value) || value instanceof Set;
    const text = this.#element(rootName(value), isList ? new Map([['item', [...value]]]) : value, '', 0);
    return this.#pretty ? `${text}\n` : text;
  }

  #element(name: string, value: unknown, indent: string, depth: number): string {
    if (depth > DEPTH_MAX) throw unwritable(`expected a value of at most ${DEPTH_MAX} levels`);
    if (!/^[\p{L}_][\p{L}\p{N}_.-]*$/u.test(name))
      throw unwritable(`expected a name of an element, but found '${name.slice(0, 80)}'`);
    if (value === null || value === undefined) return `<${name}/>`;
    const text = textOf(value);
    if (text !== undefined) return `<${name}>${escaped(text)}</${name}>`;
    const inner = this.#pretty ? `\n${indent}  ` : '';
    const parts = this.#parts(value as object, `${indent}  `, depth + 1);
    if (parts.length === 0) return `<${name}/>`;
    return `<${name}>${parts.map((part) => inner + part).join('')}${this.#pretty ? `\n${indent}` : ''}</${name}>`;
  }

  #parts(value: object, indent: string, depth: number): string[] {
    const prototype = Object.getPrototypeOf(value);
    if (!(value instanceof Map) && prototype !== Object.prototype && prototype !== null) {
      throw unwritable(
        `expected texts, numbers, booleans, lists and maps, but found ${value.constructor?.name ?? 'an object'}`,
      );
    }
    const entries: [unknown, unknown][] = value instanceof Map ? [...value] : Object.entries(value);
    return entries.flatMap(([name, inner]) => this.#entry(String(name), inner, indent, depth));
  }

  #entry(name: string, value: unknown, indent: string, depth: number): string[] {
    if (depth > DEPTH_MAX) throw unwritable(`expected a value of at most ${DEPTH_MAX} levels`);
    if (this.#leavesOut(value)) return [];
    if (Array.isArray(value) || value instanceof Set) {
      return [...value].flatMap((item) => this.#entry(name, item, indent, depth + 1));
    }
    // What was read as a text between elements is written as one.
    const text = name === '' ? textOf(value) : undefined;
    return [text === undefined ? this.#element(name, value, indent, depth) : escaped(text)];
  }

  #leavesOut(value: unknown): boolean {
    if (this.#include === undefined) return false;
    return value === null || value === undefined || (this.#include === 'NON_EMPTY' && value === '');
  }
}

/** Java's name of the class, which is that of the root. */
function rootName(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'string') return 'String';
  if (typeof value === 'boolean') return 'Boolean';
  if (typeof value === 'bigint') return 'Long';
  if (typeof value === 'number' || value instanceof Double) return Number.isSafeInteger(value) ? 'Integer' : 'Double';
  return Array.isArray(value) || value instanceof Set ? 'ArrayList' : 'LinkedHashMap';
}

/** `undefined`: it is no single value. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : doubleText(value);
  if (typeof value !== 'object') return String(value);
  if (value instanceof Double) return value.toString();
  if (value instanceof Date) return String(value.getTime());
  if (!(value instanceof Uint8Array)) return undefined;
  return Buffer.from(value.buffer, value.byteOffset, value.length).toString('base64');
}

function escaped(text: string): string {
  if (/(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/u.test(text)) throw unwritable('expected a text without control characters');
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll(']]>', ']]&gt;').replaceAll('\r', '&#xd;');
}

const unwritable = (message: string) =>
  new ExchangeFailure('com.fasterxml.jackson.databind.JsonMappingException', `${message} to write as XML`);
const mismatched = (message: string) =>
  new ExchangeFailure('com.fasterxml.jackson.databind.exc.MismatchedInputException', message);
