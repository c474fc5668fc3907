import { type Element, type EventDefinition, type Program, partsOf } from '../model/program.js';

/** A start event; of a multiple one, which of its parts. */
export interface StartPart {
  readonly elementId: string;
  readonly part?: number;
}

/** What an instance starts by, and where. */
interface Start {
  readonly start: StartPart;
  readonly event: EventDefinition;
}

/** The elements at which an instance starts. */
export const startEventsOf = (program: Program): Element[] =>
  (program.elements[0]?.startEvents ?? []).flatMap((position) => program.elements[position] ?? []);

/** Starts of the program's instances: its start events, their parts, or those behind a gateway. */
export const startsOf = (program: Program): Start[] =>
  startEventsOf(program).flatMap((element) => startsAt(program, element));

function startsAt(program: Program, { id: elementId, type, event, outgoing }: Element): Start[] {
  if (type !== 'eventBasedGateway') {
    return partsOf(event).map((each, part) => ({
      start: event?.kind === 'multiple' ? { elementId, part } : { elementId },
      event: each,
    }));
  }
  return outgoing.flatMap((flow, part) => {
    const behind = program.elements[program.flows[flow]?.target ?? -1]?.event;
    return behind == null ? [] : [{ start: { elementId, part }, event: behind }];
  });
}

/** Where the message of this name starts an instance; undefined: nowhere. */
export const messageStartOf = (program: Program, name: string): StartPart | undefined =>
  startsOf(program).find(({ event }) => event.kind === 'message' && event.name === name)?.start;
