import { idOf, isA, type ModdleElement, many, one, text } from './moddle-element.js';
import type { Element } from './program.js';

/** The names of the lanes, from the outermost on, of each flow node that a lane of the process, or of a sub-process in it, names. A lane without a name has its id. */
export function lanesWithin(container: ModdleElement): ReadonlyMap<ModdleElement, readonly string[]> {
  const found = new Map<ModdleElement, readonly string[]>();
  addAll(container, found);
  return found;
}

function addAll(container: ModdleElement, found: Map<ModdleElement, readonly string[]>): void {
  for (const set of many(container, 'laneSets')) addSet(set, [], found);
  for (const child of many(container, 'flowElements')) if (isA(child, 'bpmn:SubProcess')) addAll(child, found);
}

/** Modelers name a node in a lane and in each one around it: the innermost one counts. */
function addSet(set: ModdleElement, around: readonly string[], found: Map<ModdleElement, readonly string[]>): void {
  for (const lane of many(set, 'lanes')) {
    const names = [...around, text(lane, 'name') ?? idOf(lane) ?? ''];
    for (const node of many(lane, 'flowNodeRef')) found.set(node, names);
    const inner = one(lane, 'childLaneSet');
    if (inner !== null) addSet(inner, names, found);
  }
}

/** The lanes of an element: those that name it, else those of the sub-process that holds it. */
export function lanesOf(elements: readonly Element[], position: number): readonly string[] {
  for (let at = position; at >= 0; at = elements[at]?.parent ?? -1) {
    const { lanes } = elements[at] ?? {};
    if (lanes !== undefined) return lanes;
  }
  return [];
}
