import type { Element, Program } from './program.js';

/** The element at a position. @throws RangeError where there is none */
export function elementAt(program: Program, position: number): Element {
  const element = program.elements[position];
  if (element === undefined) throw new RangeError(`program '${program.key}' has no element ${position}`);
  return element;
}

/** The scopes around an element, from inside out; the process is the last. */
export function scopesAround(program: Program, position: number): number[] {
  const found: number[] = [];
  for (let at = elementAt(program, position).parent; at >= 0; at = elementAt(program, at).parent) found.push(at);
  return found;
}

/** BPMN's activities: tasks, sub-processes and call activities. */
export const isActivity = (type: string): boolean => /task$|subProcess$|callActivity$/i.test(type);
