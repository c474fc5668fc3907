import { externalOf } from '../element/external-task.js';
import { isAwaited } from '../element/prepared.js';
import { elementAt } from '../model/elements.js';
import { type Element, type Program, partsOf } from '../model/program.js';

/** Migration instruction of one activity, by positions. */
export interface Instruction {
  readonly source: number;
  readonly target: number;
  /** Whether what it waits for is taken from the target: the due date, the name. */
  readonly renews: boolean;
  /** Nobody has asked for it, and instances only pass there: it goes without saying. */
  readonly unsaid?: true;
}

/** Two programs, and what goes where. */
export interface Mapping {
  readonly source: Program;
  readonly target: Program;
  readonly instructions: readonly Instruction[];
  /** By position in the source: the position in the target; -1: nowhere. */
  readonly elements: readonly number[];
}

/** Why an instance cannot migrate. */
export interface InstanceProblem {
  readonly rule: string;
  /** Where it is. */
  readonly activityId: string;
  /** A whole sentence. */
  readonly message: string;
}

/** Whether tokens at the one can go on at the other: the same type, event and kind of repetition. */
export const isSameKind = (one: Element, other: Element): boolean =>
  isSameType(one, other) && eventOf(one) === eventOf(other) && loopOf(one) === loopOf(other);

/** An external task is one, whatever kind of activity makes it, and nothing else is. */
export const isSameType = (one: Element, other: Element): boolean =>
  (externalOf(one) === undefined ? one.type === other.type : externalOf(other) !== undefined) &&
  (externalOf(one) === undefined) === (externalOf(other) === undefined) &&
  one.isForCompensation === other.isForCompensation &&
  (one.adHoc === undefined) === (other.adHoc === undefined) &&
  (one.activationCondition === undefined) === (other.activationCondition === undefined);

/** The event's definitions in a word; tasks have none, whatever message they wait for. */
export function eventOf({ type, event }: Element): string {
  if (!type.endsWith('Event')) return '';
  const kinds = partsOf(event).map(({ kind }) => kind);
  return event?.kind === 'multiple' ? `${event.parallel ? 'all' : 'any'} of ${kinds.join(', ')}` : (kinds[0] ?? 'none');
}

/** How the activity repeats, in a word. */
export function loopOf({ loop }: Element): string {
  if (loop === undefined) return 'not repeated';
  if (loop.kind === 'standard') return 'a standard loop';
  return loop.sequential ? 'a sequential multi-instance' : 'a parallel multi-instance';
}

/** Whether instances are found there, rather than passing: it waits for something, holds what does, or is entered or left by a transaction of its own. */
export const isHalt = (program: Program, element: Element): boolean => {
  const { type, parent, asyncBefore, asyncAfter, loop, work, event } = element;
  if (asyncBefore || asyncAfter || loop?.kind === 'multiInstance') return true;
  if (work?.kind === 'handler' || externalOf(element) !== undefined) return true;
  if (type === 'startEvent' && program.elements[parent]?.triggeredByEvent !== true) return false;
  if (type === 'startEvent' || type === 'boundaryEvent')
    return partsOf(event).some((part) => isAwaited(part) || part.kind === 'compensate');
  return HALTS.has(type);
};

const HALTS: ReadonlySet<Element['type']> = new Set<Element['type']>([
  ...(['userTask', 'receiveTask', 'callActivity', 'subProcess', 'intermediateCatchEvent'] as const),
  ...(['eventBasedGateway', 'parallelGateway', 'inclusiveGateway', 'complexGateway'] as const),
]);

/** Whether something is stored that waits for it: a timer, also of a user task's listener, a subscription; or a condition is looked at. */
export const isRenewable = ({ type, event, listeners }: Element): boolean =>
  type === 'receiveTask' ||
  listeners.some(({ timer }) => timer !== undefined) ||
  (WAITING.has(type) && partsOf(event).some(isAwaited));

const WAITING: ReadonlySet<Element['type']> = new Set<Element['type']>([
  'intermediateCatchEvent',
  'boundaryEvent',
  'startEvent',
]);

/** What awaits the event: the activity that a boundary event is attached to, the scope of an event sub-process, the gateway before it. Null: a token at the event. */
export function awaitedBy(program: Program, position: number): number | null {
  const { attachedTo, type, parent, incoming } = elementAt(program, position);
  if (attachedTo !== null) return attachedTo;
  if (type === 'startEvent') {
    const around = elementAt(program, parent);
    return around.triggeredByEvent ? around.parent : null;
  }
  const sources = incoming.map((flow) => program.flows[flow]?.source ?? 0);
  return sources.find((source) => elementAt(program, source).type === 'eventBasedGateway') ?? null;
}
