import { type EventDefinition, type Given, partsOf } from '../model/program.js';
import { eventName } from './arm.js';
import { trigger, waitOf, waitsWhere } from './catch-event.js';
import { compensate } from './compensation.js';
import { guarded } from './error.js';
import { escalate } from './escalation.js';
import { textAt } from './evaluate.js';
import type { RunSubscription, Token, Variables } from './instance-state.js';
import { complete } from './leave.js';
import type { Place } from './prepared.js';
import { type At, at, type Run } from './run.js';
import { work } from './service-task.js';
import { transferred } from './transferred.js';

/** An intermediate throw event, or a send task: throws, and goes on. */
export function enterThrow(run: Run, token: Token, place: Place): void {
  if (throwEvent(run, at(run, token, place))) complete(run, token, place);
}

/**
 * Throws the place's messages, signals and escalations, one after the other. Gives whether the thrower goes on; else a handler was called for it, or
 * what it threw has interrupted it.
 */
export function throwEvent(run: Run, where: At): boolean {
  const { event, work: own } = where.place.element;
  const definition = own ?? (event?.kind === 'message' ? event.work : null);
  if (definition !== null) return work(run, where, definition);
  return throwDefinition(run, where, event);
}

/** As {@link throwEvent}, for an event that the place's element throws beside its own. */
export const throwDefinition = (run: Run, where: At, event: EventDefinition | null): boolean =>
  partsOf(event).every((part) => {
    if (part.kind === 'escalation') return escalate(run, where, part);
    return part.kind === 'compensate' ? compensate(run, where, part) : tell(run, where, part);
  });

/** What waits for the message or signal in this instance gets it now, others by jobs after the commit. A message without a name is none. */
function tell(run: Run, where: At, event: EventDefinition): boolean {
  if ((event.kind !== 'message' && event.kind !== 'signal') || event.name === '') return true;
  const name = eventName(run, where, event.name);
  const receivers = run.isFormer ? [] : waitingFor(run, event.kind, name);
  const told = event.given === undefined ? NOTHING : taken(run, where, event.given);
  tellOthers(run, where, { event, name, receivers, ...told });
  // A message is for one: where several wait, nobody knows for which.
  if (receivers.length === 0 || (event.kind === 'message' && receivers.length > 1)) return true;
  run.writeBegun(where.token);
  deliver(run, receivers, told.variables);
  return where.token.activity !== null;
}

/** Business key and variables that a message or a signal takes along. */
interface Taken {
  /** Of instances that start by it; of a message, of the one that is meant. */
  readonly businessKey: string | null;
  readonly variables: Variables;
}

const NOTHING: Taken = { businessKey: null, variables: {} };

const taken = (run: Run, where: At, { businessKey, inputs }: Given): Taken => ({
  businessKey: textAt(run, where, businessKey),
  variables: transferred(run, where, inputs),
});

interface Thrown extends Taken {
  readonly event: EventDefinition;
  readonly name: string;
  /** The subscriptions of this instance to it. */
  readonly receivers: readonly string[];
}

function tellOthers(run: Run, { place }: At, { event, name, receivers, businessKey, variables }: Thrown): void {
  const told = { name, elementId: place.element.id, steps: run.stepsUnwaited };
  if (event.kind === 'signal') run.effects.push({ type: 'throwSignal', ...told, businessKey, variables });
  else if (receivers.length !== 1) {
    const taken = { ...(businessKey !== null && { businessKey }), ...(isSome(variables) && { variables }) };
    run.effects.push({ type: 'throwMessage', ...told, ...taken, ...(receivers.length > 1 && { own: receivers }) });
  }
}

const isSome = (variables: Variables): boolean => Object.keys(variables).length > 0;

/** The instance's subscriptions to the event as they are now, those of outer activities first. */
function waitingFor(run: Run, type: RunSubscription['eventType'], name: string): readonly string[] {
  const ids = new Set(run.context.subscribed?.(type, name));
  for (const effect of run.effects) {
    if (effect.type !== 'subscribe') continue;
    const { eventType, eventName, id } = effect.subscription;
    if (eventType === type && eventName === name) ids.add(id);
  }
  if (ids.size === 0) return [];
  return waitsWhere(run, (wait) => wait.kind === 'subscription' && ids.has(wait.id)).flatMap(({ wait }) =>
    wait.kind === 'subscription' ? [wait.id] : [],
  );
}

/** Each has its event at once; then the thrower goes on, then the receivers, the first one first: Camunda's order. */
function deliver(run: Run, receivers: readonly string[], variables: Variables): void {
  const before = new Set(run.moving);
  const seen = new Set(before);
  const going: Token[] = [];
  for (const id of receivers) {
    const found = waitOf(run, id);
    // One before it may have interrupted it.
    if (found === undefined) continue;
    guarded(run, found, (_, waiting) => trigger(run, waiting, variables));
    going.unshift(...run.moving.filter((token) => !seen.has(token)));
    for (const token of going) seen.add(token);
  }
  const rest = new Set(run.moving);
  run.moving.length = 0;
  for (const token of [...before, ...going]) if (rest.has(token)) run.moving.push(token);
}
