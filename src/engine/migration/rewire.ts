import { arm, armPart, armTimeouts, disarm } from '../element/arm.js';
import { insideOf } from '../element/event-sub-process.js';
import { executionFailed } from '../element/failure.js';
import type { Armed, Scope, Token, Wait } from '../element/instance-state.js';
import type { Place } from '../element/prepared.js';
import { type At, at, type Run } from '../element/run.js';
import { elementAt } from '../model/elements.js';
import { type EventDefinition, partsOf, type TimerEvent } from '../model/program.js';
import type { Moving } from './moving.js';

/**
 * Lets tokens and scopes wait for what the new program has them wait for: events that migrate are kept, or awaited anew, those that are gone are not
 * awaited any more, and those that have come are. The history is told where each activity goes on.
 */
export function rewire(moving: Moving): void {
  const { run, tokens, scopes } = moving;
  const wiring: Wiring = { ...moving, known: new Set(moving.move.elements), renewed: new Set(moving.move.renewed) };
  for (const token of tokens) {
    if (!run.state.tokens.includes(token)) continue;
    token.wait = token.wait && rewireWait(wiring, token, token.wait);
    rewireBoundaries(wiring, token);
    if (token.activity !== null) run.history.push([6, token.activity, token.element, token.scope]);
  }
  for (const scope of scopes) if (run.state.scopes.includes(scope)) rewireInside(wiring, scope);
}

interface Wiring extends Moving {
  /** The positions in the new program that something migrates to. */
  readonly known: ReadonlySet<number>;
  readonly renewed: ReadonlySet<number>;
}

/** What the token itself waits for. */
function rewireWait({ run, renewed }: Wiring, token: Token, wait: Wait): Wait {
  if (renewed.has(token.element) && isOfEvent(wait)) {
    const again = renewedWait(run, token, { element: token.element, wait });
    if (again !== null) return again;
    throw executionFailed(run.place(token.element), { expected: 'a timer that comes', cause: 'it never comes' });
  }
  if (isNamed(run, wait)) tell(run, wait, token, token.element);
  return wait;
}

/** A run that was cut goes on by one job for all of its tokens: it is at the one that moves next. */
function isNamed({ state }: Run, wait: Wait): boolean {
  if (wait.kind !== 'job' || wait.of !== 'cut') return true;
  const ranks = state.tokens.map((token) => (token.wait?.kind === 'job' ? (token.wait.rank ?? 0) : 0));
  return wait.rank === Math.max(...ranks);
}

/** Whether it waits for the event of its element, rather than for its turn. */
const isOfEvent = (wait: Wait): boolean =>
  wait.kind === 'subscription' || wait.kind === 'condition' || (wait.kind === 'job' && wait.of === 'timer');

/** As the new program has it; null: it never comes. */
function renewedWait(run: Run, token: Token, { element, part = 0, wait }: Armed): Wait | null {
  if (wait.kind === 'happened') return wait;
  const place = run.place(element);
  const [event = null] = partsOf(place.element.event).slice(part);
  // A receive task without a message waits for one with the name of its own id.
  return awaitAnew(run, at(run, token, place), wait, event ?? { kind: 'message', name: place.element.id, work: null });
}

/** Waits for the event instead, under the same id; null: it never comes. */
function awaitAnew(run: Run, where: At, wait: Wait, event: EventDefinition): Wait | null {
  const again = armPart(run, where, event, 'id' in wait ? wait.id : undefined);
  if (again === null || !('id' in again)) disarm(run, wait);
  return again;
}

/** What is stored belongs to the new element. */
function tell(run: Run, wait: Wait, { id: tokenId }: Token, element: number): void {
  if ('id' in wait) run.effects.push({ type: 'moved', wait: wait.kind, id: wait.id, element, tokenId });
}

function rewireBoundaries(wiring: Wiring, token: Token): void {
  const { run } = wiring;
  const timeouts = (token.boundaries ?? []).filter(({ listener }) => listener !== undefined);
  const events = (token.boundaries ?? []).filter(({ listener }) => listener === undefined);
  // Of an instance whose loop is taken away they were the loop's.
  const wasInstance = token.opens !== undefined && isFreed(wiring, token);
  const wanted = expectedAt(run, token);
  const kept = reconcile(wiring, token, { armed: events, wanted, isNew: (at) => wasInstance || !wiring.known.has(at) });
  token.boundaries = kept;
  rewireTimeouts(wiring, token, timeouts);
  if (token.boundaries.length === 0) token.boundaries = undefined;
}

/** The times at which listeners of a task are told: those of the listeners that migrate are kept, those of new ones begin. */
function rewireTimeouts(wiring: Wiring, token: Token, timeouts: readonly Armed[]): void {
  const { run, former, move } = wiring;
  const place = run.placeOf(token);
  const from = move.elements.indexOf(token.element);
  const before = from < 0 ? [] : timedOf(former.place(from));
  const now = timedOf(place);
  const goTo = before.map((timed, index) => successor(run, timed, now[index], now));
  for (const armed of timeouts) {
    const timed = goTo[before.findIndex(({ listener }) => listener === armed.listener)];
    if (timed === undefined) disarm(run, armed.wait);
    else token.boundaries?.push(...rewireTimeout(wiring, at(run, token, place), armed, timed));
  }
  if (token.wait?.kind !== 'task' || (before.length > 0 && run.rules < 8)) return;
  const come = now.filter((timed) => !goTo.includes(timed)).map(({ listener }) => listener);
  if (come.length > 0) armTimeouts(run, token, place, come);
}

interface Timed {
  readonly listener: number;
  readonly timer: TimerEvent;
  readonly id: string | undefined;
}

const timedOf = ({ taskListeners }: Place): Timed[] =>
  taskListeners.flatMap(({ timer, id }, listener) => (timer ? [{ listener, timer, id }] : []));

/** The listener that takes the place of the one before: that of the same id; where they have none, the one in its place. */
function successor({ rules }: Run, { id }: Timed, there: Timed | undefined, now: readonly Timed[]): Timed | undefined {
  const isNamed = rules >= 8 && id !== undefined && now.some((each) => each.id !== undefined);
  return isNamed ? now.find((each) => each.id === id) : there;
}

function rewireTimeout({ run, renewed }: Wiring, where: At, armed: Armed, { listener, timer }: Timed): Armed[] {
  const element = where.place.index;
  const moved = { ...armed, element, listener };
  if (renewed.has(element)) {
    const wait = awaitAnew(run, where, armed.wait, timer);
    return wait === null ? [] : [{ ...moved, wait }];
  }
  tell(run, armed.wait, where.token, element);
  return [moved];
}

/** Whether the token was an instance of a loop that is taken away. */
const isFreed = ({ run, former, move }: Wiring, token: Token): boolean =>
  elementAt(run.program, token.element).loop === undefined &&
  move.elements.some((to, from) => to === token.element && elementAt(former.program, from).loop !== undefined);

/** The events that the token waits for, beside or instead of its work. */
function expectedAt(run: Run, token: Token): number[] {
  const { element, index, boundary, ways } = run.placeOf(token);
  const boundaries = token.activity === null ? [] : [...boundary.armed, ...boundary.conditional];
  if (token.wait?.kind !== 'events') return boundaries;
  return element.type === 'eventBasedGateway'
    ? ways.map(({ flow }) => flow.target)
    : [index, ...boundaries.filter((at) => at !== index)];
}

function rewireInside(wiring: Wiring, scope: Scope): void {
  const { run } = wiring;
  if (scope.kept || scope.abandoned !== undefined) return;
  const { armed, conditional } = insideOf(run, scope);
  const wanted = scope.interrupted ? [] : [...armed, ...conditional];
  const owner = run.owner(scope.id) ?? (scope.parent === null ? run.root : undefined);
  if (owner === undefined || (owner.id !== 0 && owner.wait?.kind !== 'scope' && owner.wait?.kind !== 'adHoc')) return;
  const events = reconcile(wiring, owner, {
    armed: scope.events ?? [],
    wanted,
    isNew: (at) => !wiring.known.has(at),
  });
  scope.events = events.length === 0 ? undefined : events;
}

interface Awaited {
  readonly armed: readonly Armed[];
  /** What is to be awaited. */
  readonly wanted: readonly number[];
  /** Whether nothing migrates there: what has happened already is not awaited once more. */
  readonly isNew: (position: number) => boolean;
}

function reconcile({ run, move, renewed }: Wiring, token: Token, { armed, wanted, isNew }: Awaited): Armed[] {
  const kept = armed.flatMap((each): Armed[] => {
    const element = move.elements[each.element] ?? -1;
    if (!wanted.includes(element)) {
      disarm(run, each.wait);
      return [];
    }
    const moved = { ...each, element };
    if (renewed.has(element)) {
      const wait = renewedWait(run, token, moved);
      return wait === null ? [] : [{ ...moved, wait }];
    }
    tell(run, each.wait, token, element);
    return [moved];
  });
  const come = wanted.filter((at) => isNew(at) && !kept.some(({ element }) => element === at));
  return [...kept, ...come.flatMap((at) => arm(run, token, run.place(at)))];
}
