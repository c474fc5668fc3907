import { nearest } from '../../shared/nearest.js';
import { badArgument } from '../errors.js';
import type { Flow, Program } from '../model/program.js';

// What operators call elements and flows: by the ids of the model; what holds the instances of an activity that repeats as histories call it.

/** An element as it is named. */
export interface Named {
  readonly element: number;
  /** Whether what holds the instances of a multi-instance is meant, rather than an instance. */
  readonly isBody: boolean;
}

const BODY = /#(multiInstanceBody|loopBody)$/;

/** The element of the id. @throws BAD_REQUEST: the process has none */
export function elementNamed({ key, elements }: Program, given: string): Named {
  const id = given.replace(BODY, '');
  const element = elements.findIndex((each, index) => index > 0 && each.id === id);
  const isBody = id !== given;
  if (element > 0 && (!isBody || elements[element]?.loop !== undefined)) return { element, isBody };
  const known = elements.slice(1).map((each) => each.id);
  throw badArgument('activityId', `an activity of process '${key}'${hint(id, known)}`, given);
}

/** The flow of the id. @throws BAD_REQUEST: the process has none */
export function flowNamed({ key, flows }: Program, id: string): number {
  const flow = flows.findIndex((each) => each.id === id);
  if (flow >= 0) return flow;
  const known = flows.map((each) => each.id);
  throw badArgument('transitionId', `a sequence flow of process '${key}'${hint(id, known)}`, id);
}

/** The flow by which the element is left. @throws BAD_REQUEST: there is none, or a choice */
export function onlyWay({ elements }: Program, { element }: Named): number {
  const { id = '', outgoing = [] } = elements[element] ?? {};
  const [way, ...others] = outgoing;
  if (way !== undefined && others.length === 0) return way;
  throw badArgument(
    'activityId',
    'an activity with one outgoing sequence flow, or a transitionId',
    `'${id}', which has ${outgoing.length}`,
  );
}

function hint(id: string, known: readonly string[]): string {
  const meant = nearest(id, known);
  return meant === undefined ? '' : `, such as '${meant}'`;
}

/** The scope that a flow lies in: the element that holds its source. */
export const holderOfFlow = ({ elements }: Program, { source }: Flow): number => elements[source]?.parent ?? 0;
