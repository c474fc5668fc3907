import { createRequire } from 'node:module';
import type { Document, Element, Node } from 'slimdom';
import { messageOf } from '../../shared/errors.js';
import { ExchangeFailure } from '../exchange/failure.js';

/** How long a document may be, in characters, and how deep elements may be nested. */
const LENGTH_MAX = 8_388_608;
const DEPTH_MAX = 1_000;

/** Loaded with the first document: most servers have none. */
const load = createRequire(import.meta.url);
const slimdom = () => load('slimdom') as typeof import('slimdom');

/** A text as a document. DTDs are refused, and with them entities of their own. @throws ExchangeFailure SAXParseException */
export function parseXml(text: string): Document {
  if (text.length > LENGTH_MAX) throw parseFailure(`expected a document of at most ${LENGTH_MAX} characters`);
  const written = text.codePointAt(0) === 0xfeff ? text.slice(1) : text;
  if (hasDoctype(written)) throw parseFailure('DOCTYPE is disallowed');
  const document = parsed(written);
  if (text.length > DEPTH_MAX * '<a></a>'.length && depthOf(document) > DEPTH_MAX) {
    throw parseFailure(`expected elements of at most ${DEPTH_MAX} levels`);
  }
  return document;
}

function parsed(text: string): Document {
  try {
    return slimdom().parseXmlDocument(text);
  } catch (thrown) {
    throw parseFailure((messageOf(thrown).split('\n')[0] ?? '').slice(0, 500));
  }
}

/** Before the first element there are blanks, comments and processing instructions alone, unless there is a DTD. */
function hasDoctype(text: string): boolean {
  let at = 0;
  for (let end = endOfMisc(text, at); end > at; end = endOfMisc(text, at)) at = end;
  return /^<!DOCTYPE/i.test(text.slice(at, at + 9));
}

/** Where what stands at `at` ends, if it is blank, a comment or an instruction; else `at`. */
function endOfMisc(text: string, at: number): number {
  for (const [open, close] of [
    ['<?', '?>'],
    ['<!--', '-->'],
  ] as const) {
    if (text.startsWith(open, at)) return text.indexOf(close, at) + close.length;
  }
  return /\s/.test(text[at] ?? '') ? at + 1 : at;
}

function depthOf(document: Document): number {
  let [depth, deepest] = [0, 0];
  let node: Node | null = document.firstChild;
  while (node !== null) {
    if (node.firstChild !== null) {
      deepest = Math.max(deepest, ++depth);
      node = node.firstChild;
      continue;
    }
    while (node !== null && node.nextSibling === null) {
      node = node.parentNode;
      depth--;
    }
    node = node?.nextSibling ?? null;
  }
  return deepest;
}

const parseFailure = (message: string) => new ExchangeFailure('org.xml.sax.SAXParseException', message);

/** Where XPath begins with a node: an element is a document of its own, as in Camel, whatever document it was taken from; all else is what it is. */
export function documentOf(node: Node): Node {
  if (node.nodeType !== ELEMENT) return node;
  const known = documents.get(node);
  if (known !== undefined) return known;
  const { ownerDocument } = node;
  const document = ownerDocument?.documentElement === node ? ownerDocument : ofItsOwn(node);
  documents.set(node, document);
  return document;
}

const documents = new WeakMap<Node, Document>();

function ofItsOwn(element: Node): Document {
  const document = new (slimdom().Document)();
  document.appendChild(document.importNode(element, true));
  return document;
}

/** A node as text: markup of documents and elements, the value of anything else. */
export function nodeText(node: Node): string {
  const { nodeType } = node;
  return nodeType === ELEMENT || nodeType === DOCUMENT
    ? slimdom().serializeToWellFormedString(node as unknown as Element)
    : (node.nodeValue ?? '');
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'nodeType' in value && 'ownerDocument' in value;

const [ELEMENT, DOCUMENT] = [1, 9];
