import type { Element, Flow } from './program.js';
import type { Report } from './report.js';

/** Warns of elements that no token can ever reach. */
export function checkReachable(elements: readonly Element[], flows: readonly Flow[], report: Report): void {
  const reached = new Set<number>([0]);
  // A set yields what is added while it is walked.
  for (const index of reached) {
    const element = elements[index];
    if (element === undefined) continue;
    for (const flow of element.outgoing) reached.add(flows[flow]?.target ?? 0);
    for (const next of [...element.startEvents, ...element.boundaries]) reached.add(next);
  }
  elements.forEach((element, index) => {
    if (!reached.has(index)) report.warn(element, 'can never be reached');
  });
}
