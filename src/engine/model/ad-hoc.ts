import { isActivity } from './elements.js';
import type { Element } from './program.js';

/**
 * BPMN 2.0 §13.3.5: what can be chosen in the ad-hoc sub-process at this position: its activities that no flow leads to, and, as in Camunda 8, such intermediate events;
 * in document order.
 */
export const choicesIn = (elements: readonly Element[], scope: number): number[] =>
  elements.flatMap((element, index) => (element.parent === scope && isChosen(element) ? [index] : []));

const isChosen = ({ type, event, incoming, triggeredByEvent, isForCompensation }: Element): boolean =>
  (isActivity(type) || type === 'intermediateCatchEvent' || type === 'intermediateThrowEvent') &&
  incoming.length === 0 &&
  event?.kind !== 'link' &&
  !triggeredByEvent &&
  !isForCompensation;
