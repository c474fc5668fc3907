import { compileExpression, type Expression } from '../../expression/index.js';
import { badRequest } from '../../shared/errors.js';
import { choicesIn } from '../model/ad-hoc.js';
import { implicitStarts } from '../model/implicit-start.js';
import {
  type Element,
  type ElementType,
  type ErrorEvent,
  type EscalationEvent,
  type EventDefinition,
  type Flow,
  type Listener,
  type Loop,
  type Program,
  partsOf,
} from '../model/program.js';

/** A program with what a run looks up again and again: made once per program, in memory only. */
export interface Prepared {
  readonly places: readonly Place[];
  /** Positions of the inclusive and complex gateways that join: they must be looked at again whenever a token moves. */
  readonly watchful: ReadonlySet<number>;
  /** Whether it has conditions that wait for them: then changes of variables are noted. */
  readonly isConditional: boolean;
  /**
   * The scopes that are looked at as a whole, so that no token in them is ever away: by inclusive and complex gateways that join, event sub-processes, transactions, ad-hoc sub-processes that
   * let end what runs in them.
   */
  readonly gathering: ReadonlySet<number>;
  /** The compiled expression of a text. @throws what the compiler throws */
  expression(text: string): Expression;
}

/** An element at its position in the program, with what is looked up of it. */
export interface Place {
  readonly index: number;
  readonly element: Element;
  /** All outgoing flows. */
  readonly ways: readonly Way[];
  readonly defaultWay: Way | null;
  readonly startListeners: readonly Listener[];
  readonly endListeners: readonly Listener[];
  readonly taskListeners: readonly Listener[];
  /** Its boundary events. */
  readonly boundary: Catchers;
  /** The start events of its event sub-processes. */
  readonly inside: Catchers;
  /** Whether it is a gateway with more than one incoming flow that waits for them. */
  readonly joins: boolean;
  /** Whether each activity instance has a scope: a sub-process, an activity with inputs. */
  readonly scoped: boolean;
  /** Whether what is set as its own by `execution.setVariableLocal` is: as in Camunda an activity is a scope by what it waits for, holds, maps or is told of. */
  readonly keepsOwn: boolean;
  /** Of an activity that repeats: the place of each of its instances; null elsewhere. */
  readonly instance: Place | null;
  /** Of an ad-hoc sub-process: what can be chosen in it. */
  readonly choices: readonly number[];
  /**
   * Where a process or sub-process begins that nothing triggers: at its none start event, else at its only timer start event, else at its only start event, as in
   * Camunda; without a start event at all that no flow leads to. Empty: nowhere.
   */
  readonly initial: readonly number[];
  /** Whether an ad-hoc sub-process holds it: that is told when it is done. */
  readonly isChosen: boolean;
  /** Whether it is the place of an instance. */
  readonly isInstance: boolean;
  /** How many tokens its activity begins with, and how many each flow gets. */
  readonly takes: number;
  readonly gives: number;
  /** Whether a token goes in as it comes: it neither repeats, nor is an instance of what does, nor waits for other tokens. */
  readonly isPlain: boolean;
}

/** Events that happen to an activity. */
export interface Catchers {
  /** Those that wait for something by themselves: timer, message, signal. */
  readonly armed: readonly number[];
  /** Those that wait for a condition, or for one among others: before the activity works, for it may hold already. */
  readonly conditional: readonly number[];
  /** Those that are found by what is thrown; with a code before those that catch all. */
  readonly errors: readonly Catcher<ErrorEvent>[];
  readonly escalations: readonly Catcher<EscalationEvent>[];
  /** A cancel event, or the start event of what compensates. */
  readonly undoing: number | null;
}

/** An event, or a part of a multiple one, that catches errors or escalations. */
export interface Catcher<E extends ErrorEvent | EscalationEvent = ErrorEvent | EscalationEvent> {
  readonly at: number;
  readonly event: E;
}

/** An outgoing flow, with its listeners. */
export interface Way {
  readonly index: number;
  readonly flow: Flow;
  readonly listeners: readonly Listener[];
}

const FORMAT = 1;
const known = new WeakMap<Program, Prepared>();

/** The tables of a program. @throws BAD_REQUEST for a format that a newer compiler wrote */
export function prepare(program: Program): Prepared {
  const found = known.get(program);
  if (found !== undefined) return found;
  if (program.format > FORMAT) {
    throw badRequest(`expected process '${program.key}' in format ${FORMAT} or older, but it is in ${program.format}`);
  }
  const places = program.elements.map((element, index) => placeOf(program, element, index));
  const expressions = new Map<string, Expression>();
  const joining = places.filter(({ joins, element }) => joins && element.type !== 'parallelGateway');
  const prepared: Prepared = {
    places,
    watchful: new Set(joining.map(({ index }) => index)),
    gathering: new Set([...joining.map(({ element }) => element.parent), ...goingOn(program)]),
    isConditional: program.elements.some(isConditional),
    expression(text) {
      let expression = expressions.get(text);
      if (expression === undefined) {
        expression = compileExpression(text);
        expressions.set(text, expression);
      }
      return expression;
    },
  };
  known.set(program, prepared);
  return prepared;
}

const isConditional = ({ event, activationCondition }: Element): boolean =>
  activationCondition !== undefined || partsOf(event).some(({ kind }) => kind === 'conditional');

const joins = ({ type, incoming, activationCondition }: Element): boolean =>
  activationCondition !== undefined ||
  ((type === 'parallelGateway' || type === 'inclusiveGateway') && incoming.length > 1);

/**
 * The scopes that go on when all else in them is ended: by their event sub-processes, or cancelled as transactions; and where some tokens are ended and others
 * are not.
 */
const goingOn = ({ elements }: Program): number[] =>
  elements.flatMap(({ triggeredByEvent, event, parent, adHoc }, index) => {
    if (adHoc?.cancelRemaining === false) return [index];
    return triggeredByEvent || partsOf(event).some(({ kind }) => kind === 'cancel') ? [parent] : [];
  });

function initialOf(elements: readonly Element[], index: number): readonly number[] {
  const startEvents = elements[index]?.startEvents ?? [];
  if (startEvents.length === 0) return implicitStarts(elements, index);
  const ofKind = (kind: EventDefinition['kind'] | undefined) =>
    startEvents.filter((at) => elements[at]?.type === 'startEvent' && elements[at]?.event?.kind === kind);
  const [none] = ofKind(undefined);
  const timers = ofKind('timer');
  if (none !== undefined) return [none];
  if (timers.length === 1) return timers;
  return startEvents.length === 1 ? startEvents : [];
}

function placeOf(program: Program, element: Element, index: number): Place {
  const ways = element.outgoing.map((flow) => wayOf(program, flow));
  const listeners = (event: string) => element.listeners.filter((l) => l.on === 'execution' && l.event === event);
  const place: Place = {
    index,
    element,
    ways,
    defaultWay: ways.find((way) => way.index === element.defaultFlow) ?? null,
    startListeners: listeners('start'),
    endListeners: listeners('end'),
    taskListeners: element.listeners.filter((listener) => listener.on === 'task'),
    boundary: catchersOf(program, element.boundaries),
    inside: catchersOf(
      program,
      (element.eventSubProcesses ?? []).flatMap((at) => program.elements[at]?.startEvents ?? []),
    ),
    joins: joins(element),
    scoped: element.type === 'subProcess' || (element.io?.inputs.length ?? 0) > 0 || element.data !== undefined,
    keepsOwn: keepsOwn(element),
    instance: null,
    choices: element.adHoc === undefined ? [] : choicesIn(program.elements, index),
    initial: initialOf(program.elements, index),
    isChosen: program.elements[element.parent]?.adHoc !== undefined,
    isInstance: false,
    takes: element.startQuantity ?? 1,
    gives: element.completionQuantity ?? 1,
    isPlain: (element.startQuantity ?? 1) === 1,
  };
  return element.loop === undefined ? place : bodyOf(place, element.loop);
}

const KEEPING = new Set<ElementType>([
  'subProcess',
  'callActivity',
  'receiveTask',
  'intermediateCatchEvent',
  'eventBasedGateway',
]);

function keepsOwn({ type, io, data, boundaries, listeners, work, event }: Element): boolean {
  if (KEEPING.has(type) || io !== null || data !== undefined || boundaries.length > 0) return true;
  if (work?.kind === 'handler' && work.external !== undefined) return true;
  const throws = type === 'intermediateThrowEvent' || type === 'endEvent';
  return (
    (throws && partsOf(event).some(({ kind }) => kind === 'compensate')) ||
    listeners.some(({ timer }) => timer !== undefined)
  );
}

/** What an activity that repeats is as a whole: events and flows are the body's, work, listeners, mappings and data its instances'. */
function bodyOf(place: Place, loop: Loop): Place {
  const { element } = place;
  const { data: _, ...whole } = element;
  const nothing = { asyncBefore: false, asyncAfter: false, exclusive: true };
  const each = { ...nothing, ...(loop.kind === 'multiInstance' && loop.each) };
  const instance: Place = {
    ...place,
    element: { ...element, ...each, retryCycle: each.retryCycle ?? element.retryCycle, boundaries: [] },
    ways: [],
    defaultWay: null,
    boundary: NOTHING,
    isChosen: false,
    isInstance: true,
    ...{ takes: 1, gives: 1, isPlain: false },
  };
  return {
    ...place,
    element: { ...whole, io: null },
    startListeners: [],
    endListeners: [],
    scoped: true,
    instance,
    isPlain: false,
  };
}

/** An activity to which nothing happens. */
export const NOTHING: Catchers = { armed: [], conditional: [], errors: [], escalations: [], undoing: null };

function catchersOf(program: Program, events: readonly number[]): Catchers {
  const parts = events.flatMap((at) => partsOf(program.elements[at]?.event).map((event) => ({ at, event })));
  const sought = <E extends ErrorEvent | EscalationEvent>(kind: E['kind']) =>
    parts
      .flatMap(({ at, event }) => (event.kind === kind ? [{ at, event: event as E }] : []))
      .sort((a, b) => Number(a.event.code === null) - Number(b.event.code === null));
  const places = (found: typeof parts) => [...new Set(found.map(({ at }) => at))];
  const conditional = places(parts.filter(({ event }) => event.kind === 'conditional'));
  return {
    armed: places(parts.filter(({ at, event }) => isAwaited(event) && !conditional.includes(at))),
    conditional,
    errors: sought('error'),
    escalations: sought('escalation'),
    undoing: parts.find(({ at, event }) => event.kind === 'cancel' || isRecovery(program, at, event))?.at ?? null,
  };
}

/** A compensation boundary event is none that happens: its handler is known by its activity. */
const isRecovery = ({ elements }: Program, at: number, { kind }: EventDefinition): boolean =>
  kind === 'compensate' && elements[at]?.type === 'startEvent';

/** Whether something waits for the event, rather than being found by what is thrown. */
export const isAwaited = ({ kind }: EventDefinition): boolean =>
  kind === 'timer' || kind === 'message' || kind === 'signal' || kind === 'conditional';

function wayOf(program: Program, index: number): Way {
  const flow = program.flows[index];
  if (flow === undefined) throw new RangeError(`process '${program.key}' has no flow ${index}`);
  return { index, flow, listeners: flow.listeners ?? [] };
}
