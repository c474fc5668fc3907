import { begin, finish, interrupt } from './activity.js';
import { arm, isWhole } from './arm.js';
import { forget } from './boundary-event.js';
import type { Armed, Token, Variables } from './instance-state.js';
import { complete } from './leave.js';
import { notify } from './listener.js';
import type { Place, Way } from './prepared.js';
import { at, type Run } from './run.js';
import { assignAll, give } from './variables.js';

/** BPMN 2.0 §10.6.6: waits for all events behind it; the first one to happen is the way on, the others are not awaited any more. */
export function awaitBehind(run: Run, token: Token, place: Place): void {
  if (place.element.parallelEvents) return awaitAll(run, token, place);
  if (token.part !== undefined) return startBehind(run, token, place, token.part);
  const armed: Armed[] = [];
  for (const { flow } of place.ways) {
    armed.push(...arm(run, token, run.place(flow.target)));
  }
  token.wait = { kind: 'events' };
  token.boundaries = armed;
}

/** One of the events behind the gateway has happened: the token goes on from there. */
export function happenBehind(run: Run, token: Token, armed: Armed, variables: Variables): void {
  const gateway = run.placeOf(token);
  if (!isWhole(run, armed, token.boundaries ?? [])) return assignAll(run, run.innermost(token), variables);
  forget(run, token, armed);
  // As in Camunda: the gateway's activity does not end, it is left.
  interrupt(run, token);
  const way = gateway.ways.find(({ flow }) => flow.target === armed.element);
  if (way !== undefined) notify(run, { ...at(run, token, gateway), flow: way.flow.id }, way.listeners, 'take');
  token.element = armed.element;
  token.via = way?.index ?? null;
  const place = run.place(armed.element);
  begin(run, token, place);
  give(run, token, variables);
  complete(run, token, place);
}

/** The event that has come has started the instance: it is the way on. */
function startBehind(run: Run, token: Token, place: Place, part: number): void {
  const way = place.ways[part];
  if (way === undefined) throw new RangeError(`gateway '${place.element.id}' has no flow ${part}`);
  interrupt(run, token);
  goTo(run, token, way);
  token.part = 0;
}

/** Each event has a token of its own; the one that has started the instance has come. */
function awaitAll(run: Run, token: Token, place: Place): void {
  const come = token.part;
  token.part = undefined;
  finish(run, token, place);
  const tokens = place.ways.map((way, index) =>
    index === 0 ? token : run.spawn(way.flow.target, token.scope, way.index),
  );
  for (const [index, way] of [...place.ways.entries()].reverse()) {
    const going = tokens[index] ?? token;
    goTo(run, going, way);
    if (index === come) going.part = 0;
  }
}

function goTo(run: Run, token: Token, way: Way): void {
  token.element = way.flow.target;
  token.via = way.index;
  run.moving.push(token);
}
