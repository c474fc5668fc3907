import { idOf, isA, kindOf, type ModdleElement, many } from './moddle-element.js';
import { nodeType } from './node-type.js';
import type { ElementType } from './program.js';
import { type Report, words } from './report.js';

/** A flow node, or the process itself, at its position in the program. */
export interface Node {
  readonly index: number;
  readonly element: ModdleElement;
  readonly id: string;
  readonly type: ElementType;
  /** The position of the scope that holds it; -1 for the process. */
  readonly parent: number;
  /** Whether a problem says that it, or what holds it, is not executed: then what it is to do is not looked at. */
  readonly refused: boolean;
}

export interface NodeTable {
  readonly nodes: readonly Node[];
  readonly indexOf: ReadonlyMap<ModdleElement, number>;
  /** All sequence flows, in document order. */
  readonly flows: readonly ModdleElement[];
}

/** The process and all its flow nodes in document order, each scope before what it holds. */
export function collectNodes(root: ModdleElement, report: Report): NodeTable {
  const collected: Collected = { nodes: [], indexOf: new Map(), flows: [] };
  add(root, { parent: -1, type: 'process', refused: false }, collected, report);
  return collected;
}

interface Collected {
  readonly nodes: Node[];
  readonly indexOf: Map<ModdleElement, number>;
  readonly flows: ModdleElement[];
}

type Placed = Pick<Node, 'parent' | 'type' | 'refused'>;

function add(element: ModdleElement, placed: Placed, collected: Collected, report: Report): void {
  const id = idOf(element);
  if (id === null) report.problem(element, `holds a ${words(kindOf(element))} without an id`, 'element-id');
  const index = collected.nodes.length;
  collected.nodes.push({ index, element, id: id ?? '', ...placed });
  collected.indexOf.set(element, index);
  // No deeper than the scanner lets elements be nested.
  if (isA(element, 'bpmn:FlowElementsContainer')) addChildren(element, index, collected, report);
}

function addChildren(scope: ModdleElement, parent: number, collected: Collected, report: Report): void {
  const refusedAll = collected.nodes[parent]?.refused === true;
  for (const child of many(scope, 'flowElements')) {
    if (isA(child, 'bpmn:SequenceFlow')) collected.flows.push(child);
    if (!isA(child, 'bpmn:FlowNode')) continue;
    const { type, refused } = nodeType(child, report);
    add(child, { parent, type, refused: refused || refusedAll }, collected, report);
  }
}
