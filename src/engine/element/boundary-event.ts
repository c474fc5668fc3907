import { nextOfCycle } from '../../expression/index.js';
import { interrupt } from './activity.js';
import { arm, disarm, isWhole } from './arm.js';
import type { Armed, Token, Variables } from './instance-state.js';
import { goOnFrom } from './leave.js';
import { createJob } from './park.js';
import type { Run } from './run.js';
import { assignAll, putAll } from './variables.js';

/**
 * A boundary event that waited for something of the token's activity happens (BPMN 2.0 §10.5.4). An interrupting one takes the activity's token;
 * another one makes a token of its own, and may happen again while the activity lives, a timer as far as its cycle goes. `own`: for the scope in which it
 * goes on.
 */
export function happen(run: Run, { token, armed }: Happening, variables: Variables, own: Variables = {}): void {
  const place = run.place(armed.element);
  const { interrupting } = place.element;
  const isKept = place.element.io?.keeps === true;
  // As in Camunda: what comes with the event is known to what the interrupted activity still does, and to its outputs.
  if (!run.isFormer && !isKept) assignAll(run, aroundResult(run, token), variables);
  if (!isWhole(run, armed, token.boundaries ?? [])) return;
  if (interrupting) {
    forget(run, token, armed);
    interrupt(run, token);
  } else {
    again(run, token, armed);
  }
  const going = interrupting ? token : run.spawn(armed.element, token.scope, null);
  going.element = armed.element;
  going.via = null;
  if (isKept) going.given = variables;
  if (run.isFormer) assignAll(run, going.scope, variables);
  putAll(run, run.scope(going.scope), own);
  goOnFrom(run, going, place);
}

/** Where what comes for a boundary event is seen: in the activity, unless that keeps all that it is given to itself. */
export const aroundResult = (run: Run, token: Token): number =>
  run.placeOf(token).element.io?.keeps === true ? token.scope : run.innermost(token);

/** A boundary event that happens, and the token of its activity. */
interface Happening {
  readonly token: Token;
  readonly armed: Armed;
}

/** Stops awaiting an event, as it has happened. Its job is done, its subscription ends. */
export function forget(run: Run, token: Token, armed: Armed): void {
  token.boundaries = token.boundaries?.filter((each) => each !== armed);
  if (token.boundaries?.length === 0) token.boundaries = undefined;
  if (armed.wait.kind !== 'job') disarm(run, armed.wait);
}

/** Awaits the event again after it has come, where it may come again. */
export function again(run: Run, token: Token, armed: Armed): void {
  const left = awaitedAgain(run, token, armed, token.boundaries ?? []);
  token.boundaries = left.length === 0 ? undefined : left;
}

/**
 * What is awaited once the event, one of `all`, has happened without interrupting: a message, a signal or a condition whenever it comes again, a
 * timer as far as its cycle goes, several together once each of them has come anew.
 */
export function awaitedAgain(run: Run, token: Token, armed: Armed, all: readonly Armed[]): Armed[] {
  const place = run.place(armed.element);
  if (armed.wait.kind === 'happened') {
    return [...all.filter(({ element }) => element !== armed.element), ...arm(run, token, place)];
  }
  if (armed.wait.kind !== 'job') return [...all];
  const { repeat } = armed.wait;
  const next = repeat === undefined ? null : nextOfCycle(repeat, run.context.now);
  if (next?.repeat === undefined) return all.filter((each) => each !== armed);
  armed.wait = createJob(run, token, place, { of: 'timer', dueAt: next.at, repeat: next.repeat });
  return [...all];
}
