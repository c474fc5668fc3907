import type { Attr, Element, Node } from 'slimdom';
import type { Axis } from './xpath-parser.js';

const [ELEMENT, ATTRIBUTE, TEXT, CDATA, DOCUMENT] = [1, 2, 3, 4, 9];

/** Attributes that declare namespaces are none to XPath. */
const XMLNS = 'http://www.w3.org/2000/xmlns/';

export const localName = (node: Node): string => (node as Element).localName ?? node.nodeName;

/** XPath 1.0, 5: of elements and documents all text within. */
export function stringValue(node: Node): string {
  if (node.nodeType !== ELEMENT && node.nodeType !== DOCUMENT) return node.nodeValue ?? '';
  let text = '';
  for (const inner of axisNodes('descendant', node)) {
    if (inner.nodeType === TEXT || inner.nodeType === CDATA) text += inner.nodeValue ?? '';
  }
  return text;
}

const parentOf = (node: Node): Node | null =>
  node.nodeType === ATTRIBUTE ? (node as Attr).ownerElement : node.parentNode;

/** The nodes of an axis, in its order: reverse axes begin next to the node. */
export const axisNodes = (axis: Axis, node: Node): Iterable<Node> => AXES[axis](node);

const AXES: Readonly<Record<Axis, (node: Node) => Iterable<Node>>> = {
  self: (node) => [node],
  child: (node) => node.childNodes,
  attribute: (node) => (node.nodeType === ELEMENT ? attributesOf(node) : []),
  parent: (node) => [parentOf(node)].filter((parent) => parent !== null),
  ancestor: ancestors,
  'ancestor-or-self': (node) => withSelf(node, ancestors),
  descendant: descendants,
  'descendant-or-self': (node) => withSelf(node, descendants),
  'following-sibling': (node) => siblings(node, 'nextSibling'),
  'preceding-sibling': (node) => siblings(node, 'previousSibling'),
  following,
  preceding,
  // Nodes of namespaces are not made: nothing finds them in practice.
  namespace: () => [],
};

const attributesOf = (node: Node): Node[] => (node as Element).attributes.filter((one) => one.namespaceURI !== XMLNS);

function* withSelf(node: Node, more: (node: Node) => Iterable<Node>): Generator<Node> {
  yield node;
  yield* more(node);
}

function* siblings(node: Node, next: 'nextSibling' | 'previousSibling'): Generator<Node> {
  for (let one = node[next]; one !== null; one = one[next]) yield one;
}

function* ancestors(node: Node): Generator<Node> {
  for (let parent = parentOf(node); parent !== null; parent = parentOf(parent)) yield parent;
}

/** Without recursion: documents may be deep. */
function* descendants(node: Node): Generator<Node> {
  let next: Node | null = node.firstChild;
  while (next !== null) {
    yield next;
    if (next.firstChild !== null) next = next.firstChild;
    else {
      while (next !== null && next !== node && next.nextSibling === null) next = next.parentNode;
      next = next === null || next === node ? null : next.nextSibling;
    }
  }
}

function* following(node: Node): Generator<Node> {
  const owner = node.nodeType === ATTRIBUTE ? parentOf(node) : node;
  if (owner === null) return;
  if (owner !== node) yield* descendants(owner);
  for (const one of withSelf(owner, ancestors)) {
    for (const next of siblings(one, 'nextSibling')) yield* withSelf(next, descendants);
  }
}

function* preceding(node: Node): Generator<Node> {
  const owner = node.nodeType === ATTRIBUTE ? parentOf(node) : node;
  if (owner === null) return;
  for (const one of withSelf(owner, ancestors)) {
    for (const next of siblings(one, 'previousSibling')) yield* [...withSelf(next, descendants)].reverse();
  }
}

/** Sorts nodes of one document as they stand in it; attributes come behind their element. */
export function documentOrder(nodes: Node[]): Node[] {
  const [first] = nodes;
  if (nodes.length < 2 || first === undefined) return nodes;
  let root: Node = first;
  for (const up of ancestors(first)) root = up;
  const wanted = new Set(nodes);
  const sorted: Node[] = [];
  for (const node of inOrder(root)) {
    if (wanted.delete(node)) sorted.push(node);
    if (wanted.size === 0) break;
  }
  return [...sorted, ...wanted];
}

function* inOrder(root: Node): Generator<Node> {
  for (const node of withSelf(root, descendants)) {
    yield node;
    if (node.nodeType === ELEMENT) yield* (node as Element).attributes;
  }
}
