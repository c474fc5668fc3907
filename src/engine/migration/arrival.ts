import { elementAt, scopesAround } from '../model/elements.js';
import type { Program } from '../model/program.js';
import type { Mapping } from './mapping.js';

/**
 * The flows into an element, and which of those into the element that it goes to take their place: one of the same id, else a new one that its way leads to, else
 * any that is left. Two flows become two, as long as there are as many, for a gateway waits for each.
 */
export function arrivals(mapping: Omit<Mapping, 'instructions'>, element: number): ReadonlyMap<number, number> {
  const { source, target, elements } = mapping;
  const before = elementAt(source, element).incoming;
  const after = elementAt(target, elements[element] ?? 0).incoming;
  const found = new Map<number, number>();
  const left = new Set(after);
  const take = (flow: number, wanted: (into: number) => boolean) => {
    if (found.has(flow)) return;
    for (const into of left) {
      if (!wanted(into)) continue;
      found.set(flow, into);
      left.delete(into);
      return;
    }
  };
  const id = (program: Program, flow: number) => program.flows[flow]?.id;
  for (const flow of before) take(flow, (into) => id(target, into) === id(source, flow));
  for (const flow of before) {
    const from = elements[source.flows[flow]?.source ?? 0] ?? -1;
    take(flow, (into) => from >= 0 && leads(target, from, into));
  }
  for (const flow of before) take(flow, () => true);
  for (const flow of before) if (!found.has(flow) && after[0] !== undefined) found.set(flow, after[0]);
  return found;
}

/** Whether the way from the element, or out of the scopes around it, leads to the flow without passing what that leads to. */
function leads(program: Program, from: number, flow: number): boolean {
  const sought = new Set([from, ...scopesAround(program, from).slice(0, -1)]);
  const end = program.flows[flow]?.target;
  const seen = new Set([program.flows[flow]?.source ?? 0]);
  for (const at of seen) {
    if (sought.has(at)) return true;
    const { incoming, attachedTo } = elementAt(program, at);
    if (attachedTo !== null) seen.add(attachedTo);
    for (const each of incoming) {
      const before = program.flows[each]?.source;
      if (before !== undefined && before !== end) seen.add(before);
    }
  }
  return false;
}
