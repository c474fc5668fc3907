import type { Tree } from './feel-syntax.js';

// What stands between the brackets of a filter: an index, or a test of each item. The library takes for a test only what compares.

type Node = Tree['topNode'];

/** Functions that say true or false. */
const TESTS: ReadonlySet<string> = new Set([
  ...['contains', 'starts with', 'ends with', 'matches', 'is blank', 'is empty', 'is defined', 'list contains'],
  ...['odd', 'even', 'not', 'all', 'any', 'is', 'before', 'after', 'meets', 'met by', 'overlaps', 'includes', 'during'],
  ...['overlaps before', 'overlaps after', 'finishes', 'finished by', 'starts', 'started by', 'coincides'],
]);

/** `test`: of each item; `either`: nobody knows before it is evaluated; `index`: a number, or what the library knows to be a test. */
export function kindOfFilter(node: Node, text: string): 'test' | 'either' | 'index' {
  switch (node.name) {
    case 'ParenthesizedExpression': {
      const inner = node.firstChild?.nextSibling;
      return inner == null ? 'index' : kindOfFilter(inner, text);
    }
    case 'FunctionInvocation':
      return saysTruth(node, text) || isOfItems(node, text) ? 'test' : 'either';
    case 'IfExpression':
      return saysTruth(node.lastChild, text) || isOfItems(node, text) ? 'test' : 'either';
    case 'VariableName':
    case 'PathExpression':
      return isOfItems(node, text) ? 'test' : 'either';
    default:
      return 'index';
  }
}

/** Whether it is a test of `item` and of nothing within it. */
export function testsItemAlone(node: Node, text: string): boolean {
  if (!CONDITIONS.has(node.name) && node.name !== 'FunctionInvocation') return false;
  const names = namesIn(node, text);
  return names.includes('item') && names.every((name) => PLAIN.test(name));
}

const CONDITIONS: ReadonlySet<string> = new Set(['Comparison', 'Conjunction', 'Disjunction']);

/** All that is mentioned; what lies within something is no plain name. */
function namesIn(node: Node, text: string): string[] {
  if (node.name === 'PathExpression' || node.name === 'FilterExpression') return ['.'];
  const isFunction = node.parent?.name === 'FunctionInvocation' && node.prevSibling === null;
  if (node.name === 'VariableName') return isFunction ? [] : [text.slice(node.from, node.to)];
  const names: string[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) names.push(...namesIn(child, text));
  return names;
}

/** Whether a condition is surely true, false or null. */
export function saysTruthAlone(node: Node, text: string): boolean {
  if (node.name !== 'ParenthesizedExpression') return CONDITIONS.has(node.name) || saysTruth(node, text);
  const inner = node.firstChild?.nextSibling;
  return inner != null && saysTruthAlone(inner, text);
}

/** Whether it mentions an item, or a name that is known in items alone: those with spaces and signs have to be told to the reader. */
function isOfItems(node: Node, text: string): boolean {
  if (NAMES.has(node.name)) {
    const name = text.slice(node.from, node.to);
    return name === 'item' || !PLAIN.test(name);
  }
  for (let child = node.firstChild; child !== null; child = child.nextSibling) if (isOfItems(child, text)) return true;
  return false;
}

const NAMES: ReadonlySet<string> = new Set(['VariableName', 'PathName']);
const PLAIN = /^[\p{L}_][\p{L}\p{N}_]*$/u;

function saysTruth(node: Node | null, text: string): boolean {
  if (node?.name !== 'FunctionInvocation') return node?.name === 'BooleanLiteral' || node?.name === 'Comparison';
  const called = node.firstChild;
  return called !== null && TESTS.has(text.slice(called.from, called.to).replace(/`/g, '').replace(/\s+/g, ' ').trim());
}
