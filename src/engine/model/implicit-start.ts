import type { Element } from './program.js';

/**
 * BPMN 2.0 §10.5.2: where the process or sub-process at this position begins, which has no start event: at each of its elements that no sequence flow leads to; in
 * document order. What an event, a compensation or a link leads to waits for that.
 */
export function implicitStarts(elements: readonly Element[], scope: number): number[] {
  const { type, startEvents = [], adHoc, triggeredByEvent } = elements[scope] ?? {};
  if (startEvents.length > 0 || adHoc !== undefined || triggeredByEvent) return [];
  if (type !== 'process' && type !== 'subProcess') return [];
  return elements.flatMap((element, index) => (element.parent === scope && begins(element) ? [index] : []));
}

const begins = ({ type, event, incoming, triggeredByEvent, isForCompensation }: Element): boolean =>
  type !== 'boundaryEvent' &&
  incoming.length === 0 &&
  event?.kind !== 'link' &&
  !triggeredByEvent &&
  !isForCompensation;
