import { badRequest } from '../../shared/errors.js';
import type { ElementType } from '../model/program.js';
import { awaitEvents, begin, settle } from './activity.js';
import { firstInside, startInside } from './ad-hoc.js';
import { enterCall } from './call-activity.js';
import { enterCatch, enterReceiveTask, enterStart } from './catch-event.js';
import { goOnCompensating } from './compensation.js';
import { arrive, enterSplit } from './complex-gateway.js';
import { enterEnd } from './end-event.js';
import { awaitBehind } from './event-based-gateway.js';
import { awaitInside } from './event-sub-process.js';
import type { Token } from './instance-state.js';
import { joinParallel } from './joining-gateway.js';
import { complete, goesOn } from './leave.js';
import { beginNext, enterLoop, leaveInstance } from './loop.js';
import { park } from './park.js';
import type { Place } from './prepared.js';
import { at, type Run } from './run.js';
import { enterServiceTask } from './service-task.js';
import { enterThrow } from './throw-event.js';
import { enterUserTask } from './user-task.js';

/** Behaviour of an element once a token's activity in it has begun: complete it now, or make the token wait. */
type Behaviour = (run: Run, token: Token, place: Place) => void;

const BEHAVIOURS: Readonly<Record<ElementType, Behaviour>> = {
  process: complete,
  subProcess: enterSubProcess,
  task: complete,
  manualTask: complete,
  callActivity: enterCall,
  userTask: enterUserTask,
  serviceTask: enterServiceTask,
  scriptTask: enterServiceTask,
  businessRuleTask: enterServiceTask,
  sendTask: enterThrow,
  receiveTask: enterReceiveTask,
  startEvent: enterStart,
  intermediateCatchEvent: enterCatch,
  intermediateThrowEvent: enterThrow,
  boundaryEvent: complete,
  endEvent: enterEnd,
  exclusiveGateway: complete,
  parallelGateway: complete,
  inclusiveGateway: complete,
  complexGateway: enterSplit,
  eventBasedGateway: awaitBehind,
};

/** One step: a token arrives at its element. */
export function visit(run: Run, token: Token): void {
  run.steps++;
  const place = run.placeOf(token);
  if (token.compensation !== undefined) goOnCompensating(run, token);
  else if (!place.isPlain && isElsewhere(run, token, place)) return;
  else if (place.element.asyncBefore) park(run, token, place, 'before');
  else enter(run, token, place);
}

/** Whether the token, at an activity that repeats or takes several, does something else than to go in: then it is done. */
function isElsewhere(run: Run, token: Token, place: Place): boolean {
  if (place.isInstance && token.left) leaveInstance(run, token, place);
  else if (place.instance !== null && token.activity !== null) beginNext(run, token, place);
  else if (place.takes > 1 && token.via !== null && !isEnough(run, token, place)) token.wait = { kind: 'join' };
  else return false;
  return true;
}

/** BPMN 2.0 §13.3.2: the activity begins once so many tokens have come, on whatever flow; they are one then. */
function isEnough(run: Run, token: Token, { index, takes }: Place): boolean {
  const others = run
    .within(token.scope)
    .filter((other) => other.element === index && other.wait?.kind === 'join' && other.activity === null);
  const wanted = takes - 1;
  if (others.length < wanted) return false;
  for (const other of others.slice(0, wanted)) run.drop(other);
  return true;
}

/** The token goes into the element: its activity begins, and works or, at a gateway that joins, waits for others first. */
export function enter(run: Run, token: Token, place: Place): void {
  begin(run, token, place);
  if (place.boundary.conditional.length > 0 && !awaitConditions(run, token, place)) return;
  // Without a flow the gateway itself was started: there is nothing to join.
  if (place.joins && token.via !== null) gather(run, token, place);
  else if (place.instance !== null) enterLoop(run, token, place);
  else BEHAVIOURS[place.element.type](run, token, place);
  if (run.begun === token) settle(run, token, place);
}

/** Conditions at the activity's boundary are looked at before it works. Gives whether it goes on. */
function awaitConditions(run: Run, token: Token, place: Place): boolean {
  awaitEvents(run, token, place.boundary.conditional);
  return goesOn(run, token);
}

function gather(run: Run, token: Token, place: Place): void {
  if (place.element.type === 'parallelGateway') joinParallel(run, token, place);
  else if (place.element.type === 'complexGateway') arrive(run, token, place);
  else token.wait = { kind: 'join' }; // Whether it is the last one is looked at after every step.
}

/**
 * BPMN 2.0 §10.3.5: the embedded sub-process begins at its none start event, and is complete when its last inner token is consumed; an ad-hoc one by what is
 * chosen.
 */
function enterSubProcess(run: Run, token: Token, place: Place): void {
  const { adHoc } = place.element;
  const first = adHoc === undefined ? initialStarts(place) : firstInside(run, at(run, token, place), adHoc);
  token.wait = { kind: adHoc === undefined ? 'scope' : 'adHoc' };
  settle(run, token, place);
  awaitInside(run, token);
  if (goesOn(run, token) && !run.scope(run.innermost(token)).interrupted) startInside(run, token, first);
}

/** Where a process or sub-process begins that nothing triggered ({@link Place.initial}). @throws BAD_REQUEST where it does not */
export function initialStarts({ initial, element: { id, startEvents } }: Place): readonly number[] {
  if (initial.length > 0) return initial;
  throw badRequest(
    `expected '${id}' to have a none start event, or no more than one of another kind, but it has ${startEvents.length}`,
    { reason: 'none_start_event_missing', resourceId: id },
  );
}
