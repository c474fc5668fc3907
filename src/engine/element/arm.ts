import { endOfDuration, firstOfCycle, inZone, parseInstant, quartzOf, type Repeat } from '../../expression/index.js';
import type { EventDefinition, TimerEvent } from '../model/program.js';
import { evaluate, textAt } from './evaluate.js';
import { executionFailed } from './failure.js';
import type { Armed, RunSubscription, Scope, Token, Wait } from './instance-state.js';
import { textOf } from './native.js';
import { createJob } from './park.js';
import { isAwaited, type Place } from './prepared.js';
import { type At, at, type Run } from './run.js';

/**
 * Makes the token wait for the event of the place, or for those parts of it that can be waited for: a timer's job, or a subscription, each. None:
 * the event never comes. `come`: the part that has come. @throws EXECUTION_FAILED
 */
export function arm(run: Run, token: Token, place: Place, come?: number): Armed[] {
  const { event } = place.element;
  const element = place.index;
  if (event?.kind !== 'multiple') {
    const wait = armPart(run, at(run, token, place), event);
    return wait === null ? [] : [{ element, wait }];
  }
  return event.parts.flatMap((each, part) => {
    const wait = part !== come && isAwaited(each) ? armPart(run, at(run, token, place), each) : null;
    return wait === null ? [] : { element, part, wait };
  });
}

/**
 * The wait of the token, for one event of the place; null: it never comes. `again`: the id of the job or subscription that is there already, and waits for
 * this from now on. @throws EXECUTION_FAILED
 */
export function armPart(run: Run, where: At, event: EventDefinition | null, again?: string): Wait | null {
  if (event?.kind === 'timer') return armTimer(run, where, event, again);
  if (event?.kind === 'message' || event?.kind === 'signal') {
    return subscribe(run, where, { eventType: event.kind, eventName: eventName(run, where, event.name) }, again);
  }
  if (event?.kind === 'conditional') {
    const wait = { kind: 'condition' } as const;
    run.fresh.add(wait);
    return wait;
  }
  throw executionFailed(where.place, { expected: 'an event to wait for', cause: `it has ${event?.kind ?? 'none'}` });
}

/** Makes the token, which is at a task, wait for the times at which `timeout` listeners are told. `of`: of these listeners alone. */
export function armTimeouts(run: Run, token: Token, place: Place, of?: readonly number[]): void {
  const armed = place.taskListeners.flatMap(({ timer }, listener) => {
    if (timer === undefined || of?.includes(listener) === false) return [];
    const wait = armTimer(run, at(run, token, place), timer);
    return wait === null ? [] : { element: place.index, listener, wait };
  });
  if (armed.length > 0) token.boundaries = [...(token.boundaries ?? []), ...armed];
}

/**
 * The event that the armed one is has come, or a part of it: whether it has happened, which one that waits for several together has only when all its
 * parts have come. `all`: what is armed beside it.
 */
export function isWhole(run: Run, armed: Armed, all: readonly Armed[]): boolean {
  const { event } = run.place(armed.element).element;
  if (event?.kind !== 'multiple' || !event.parallel) return true;
  if (armed.wait.kind !== 'job') disarm(run, armed.wait);
  armed.wait = { kind: 'happened' };
  return all.every(({ element, wait }) => element !== armed.element || wait.kind === 'happened');
}

/** A message's or a signal's name, which may be an expression. */
export const eventName = (run: Run, where: At, text: string): string => textAt(run, where, text) ?? '';

/** Waits for a message or a signal of this name. `again`: by the subscription of this id. */
export function subscribe(
  run: Run,
  { token, place }: At,
  event: Pick<RunSubscription, 'eventType' | 'eventName'>,
  again?: string,
): Wait {
  const fresh = run.context.ids.next();
  const id = again ?? fresh;
  const { eventName } = event;
  const where = { element: place.index, tokenId: token.id };
  run.effects.push(
    again === undefined
      ? { type: 'subscribe', subscription: { id, ...event, ...where } }
      : { type: 'moved', wait: 'subscription', id, eventName, ...where },
  );
  return { kind: 'subscription', id };
}

function armTimer(run: Run, where: At, timer: TimerEvent, again?: string): Wait | null {
  const { token, place } = where;
  if (timer.timer === 'cycle') {
    const first = firstOf(run, where, timer);
    if (first === null) return null;
    return createJob(run, token, place, {
      of: 'timer',
      dueAt: first.at,
      ...(first.repeat && { repeat: first.repeat }),
      ...(again !== undefined && { again }),
    });
  }
  const read = timer.timer === 'duration' ? endOfDuration : parseInstant;
  const dueAt = instantOf(run, where, timer.text, read);
  if (dueAt !== null)
    return createJob(run, token, place, { of: 'timer', dueAt, ...(again !== undefined && { again }) });
  throw executionFailed(place, {
    expected: `a time from '${timer.text}'`,
    expression: timer.text,
    cause: 'it gives nothing',
  });
}

/** Takes back what the token waited for, except tokens within: those are the caller's. */
export function disarm(run: Run, wait: Wait): void {
  if (wait.kind === 'subscription') run.effects.push({ type: 'unsubscribe', subscriptionId: wait.id });
  if (wait.kind === 'task') run.effects.push({ type: 'endTask', taskId: wait.id, outcome: 'cancelled' });
  if (wait.kind === 'external') run.effects.push({ type: 'endExternalTask', taskId: wait.id, isCancelled: true });
  if (wait.kind === 'called') run.effects.push({ type: 'cancelCalled', instanceId: wait.id });
  if (wait.kind !== 'job') return;
  // Several tokens of a cut wait for one job; the last of them takes it back.
  const others = run.state.tokens.filter((token) => token.wait?.kind === 'job' && token.wait.id === wait.id);
  if (wait.of !== 'cut' || others.length <= 1) run.effects.push({ type: 'removeJob', jobId: wait.id });
}

/** Takes back what the token's boundary events, or the events behind its gateway, wait for. */
export function disarmAll(run: Run, token: Token): void {
  const armed = token.boundaries;
  token.boundaries = undefined;
  for (const each of armed ?? []) disarm(run, each.wait);
}

/** Takes back what the event sub-processes of the scope wait for. */
export function disarmScope(run: Run, scope: Scope): void {
  const armed = scope.events;
  scope.events = undefined;
  for (const each of armed ?? []) disarm(run, each.wait);
}

/** When a timer is due, and what follows it. */
interface Due {
  readonly at: number;
  readonly repeat?: Repeat;
}

/** The instant that a date or a duration (counted from now) means, ms; null for nothing. Both are taken for both, as in Camunda. @throws EXECUTION_FAILED */
export function instantOf(run: Run, where: At, text: string, read = parseInstant): number | null {
  const value = evaluate(run, where, text);
  if (value instanceof Date) return value.getTime();
  if (typeof value === 'number') return value;
  const written = textOf(value)?.trim() ?? '';
  if (written === '') return null;
  return reading(where, text, () => read(inZone(written, run.program.timeZone), run.context.now));
}

/** When the cycle comes for the first time; null: never. @throws EXECUTION_FAILED */
function firstOf(run: Run, where: At, { text, cron }: TimerEvent): Due | null {
  const given = textOf(evaluate(run, where, text)) ?? '';
  const written = inZone(cron === 'spring' ? quartzOf(given) : given, run.program.timeZone);
  return reading(where, text, () => firstOfCycle(written, run.context.now));
}

function reading<T>(where: At, text: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw executionFailed(where.place, { expected: `a time from '${text}'`, expression: text, cause });
  }
}
