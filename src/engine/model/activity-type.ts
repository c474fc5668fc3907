import type { ElementType, EventDefinition } from './program.js';

type Kind = EventDefinition['kind'] | 'none';

const EVENTS: Partial<Readonly<Record<ElementType, Partial<Readonly<Record<Kind, string>>>>>> = {
  startEvent: {
    none: 'startEvent',
    message: 'messageStartEvent',
    timer: 'startTimerEvent',
    signal: 'signalStartEvent',
  },
  intermediateCatchEvent: {
    message: 'intermediateMessageCatch',
    timer: 'intermediateTimer',
    signal: 'intermediateSignalCatch',
  },
  intermediateThrowEvent: {
    none: 'intermediateNoneThrowEvent',
    message: 'intermediateMessageThrowEvent',
    signal: 'intermediateSignalThrow',
  },
  boundaryEvent: {
    message: 'boundaryMessage',
    timer: 'boundaryTimer',
    signal: 'boundarySignal',
    error: 'boundaryError',
  },
  endEvent: {
    none: 'noneEndEvent',
    message: 'messageEndEvent',
    signal: 'signalEndEvent',
    error: 'errorEndEvent',
    terminate: 'terminateEndEvent',
  },
};

/** The word that Camunda's history has for an element. */
export function activityType(type: ElementType, event: EventDefinition | null): string {
  if (type === 'process') return 'processDefinition';
  return EVENTS[type]?.[event?.kind ?? 'none'] ?? type;
}

/** The kinds of event that an element can be of, `none` for no definition; null: it is no event. */
export const eventKinds = (type: ElementType): readonly string[] | null => {
  const kinds = EVENTS[type];
  return kinds === undefined ? null : Object.keys(kinds);
};
