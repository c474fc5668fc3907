import type { Element, Node } from 'slimdom';
import { ExchangeFailure } from '../exchange/failure.js';
import {
  type Context,
  toBoolean,
  toNodes,
  toNumber,
  toText,
  type Value,
  type XPathFunction,
} from './xpath-evaluate.js';
import { localName, stringValue } from './xpath-nodes.js';

/** The functions of XPath 1.0, 4. */
export const FUNCTIONS: Readonly<Record<string, XPathFunction>> = {
  last: (_, { size }) => size,
  position: (_, { position }) => position,
  count: ([nodes]) => toNodes(required('count', nodes)).length,
  // Without a DTD no attribute is an id.
  id: () => [],
  name: ([nodes], context) => nameOf(nodes, context, (node) => node.nodeName),
  'local-name': ([nodes], context) => nameOf(nodes, context, localName),
  'namespace-uri': ([nodes], context) => nameOf(nodes, context, (node) => (node as Element).namespaceURI ?? ''),
  string: ([value], context) => textOr(value, context),
  concat: (given) => given.map(toText).join(''),
  'starts-with': ([text, part]) =>
    toText(required('starts-with', text)).startsWith(toText(required('starts-with', part))),
  contains: ([text, part]) => toText(required('contains', text)).includes(toText(required('contains', part))),
  'substring-before': ([text = '', part = '']) => {
    const [whole, at] = [toText(text), toText(text).indexOf(toText(part))];
    return at < 0 ? '' : whole.slice(0, at);
  },
  'substring-after': ([text = '', part = '']) => {
    const [whole, at] = [toText(text), toText(text).indexOf(toText(part))];
    return at < 0 ? '' : whole.slice(at + toText(part).length);
  },
  substring: ([text = '', start = 1, length]) => {
    const from = rounded(toNumber(start));
    const end = length === undefined ? Number.POSITIVE_INFINITY : from + rounded(toNumber(length));
    return [...toText(text)].filter((_, at) => at + 1 >= from && at + 1 < end).join('');
  },
  'string-length': ([value], context) => [...textOr(value, context)].length,
  'normalize-space': ([value], context) =>
    textOr(value, context)
      .trim()
      .replace(/[ \t\r\n]+/g, ' '),
  translate: ([text = '', from = '', to = '']) => {
    const [signs, others] = [[...toText(from)], [...toText(to)]];
    const replaced = (sign: string) => (signs.includes(sign) ? (others[signs.indexOf(sign)] ?? '') : sign);
    return [...toText(text)].map(replaced).join('');
  },
  boolean: ([value]) => toBoolean(required('boolean', value)),
  not: ([value]) => !toBoolean(required('not', value)),
  true: () => true,
  false: () => false,
  lang: () => false,
  number: ([value], context) => (value === undefined ? toNumber(textOr(undefined, context)) : toNumber(value)),
  sum: ([nodes]) => toNodes(required('sum', nodes)).reduce((total, node) => total + toNumber(stringValue(node)), 0),
  floor: ([value]) => Math.floor(toNumber(required('floor', value))),
  ceiling: ([value]) => Math.ceil(toNumber(required('ceiling', value))),
  round: ([value]) => rounded(toNumber(required('round', value))),
};

/** Half goes up. */
const rounded = (value: number): number => Math.floor(value + 0.5);

const textOr = (value: Value | undefined, { node }: Context): string => {
  if (value !== undefined) return toText(value);
  return node === undefined ? '' : stringValue(node);
};

function nameOf(value: Value | undefined, { node }: Context, name: (node: Node) => string): string {
  const one = value === undefined ? node : toNodes(value)[0];
  return one === undefined || (one.nodeType !== 1 && one.nodeType !== 2 && one.nodeType !== 7) ? '' : name(one);
}

function required(name: string, value: Value | undefined): Value {
  if (value !== undefined) return value;
  throw new ExchangeFailure('javax.xml.xpath.XPathExpressionException', `FuncCall ${name} expects an argument`);
}
