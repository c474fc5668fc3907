import { badArgument } from '../errors.js';
import { begin, interrupt, settleAround } from './activity.js';
import { noteChosen, waitInside } from './ad-hoc.js';
import { compensatingFor } from './compensated.js';
import { awaitInside, beginInside } from './event-sub-process.js';
import type { Scope, StartInstruction, Token } from './instance-state.js';
import { leads } from './joining-gateway.js';
import { isAwaited } from './large-scope.js';
import { notify } from './listener.js';
import { addInstance, holdOne } from './loop-change.js';
import { holderOfFlow, type Named } from './named.js';
import type { Place } from './prepared.js';
import { at, type Run } from './run.js';
import { assignAll } from './variables.js';

// Something begins in the middle of a process: the scopes that it needs and that are not there begin around it.

/** A scope as the model says it: that of a sub-process, or the body of an activity that repeats. The process is the outermost one. */
interface Level {
  readonly element: number;
  readonly isBody: boolean;
}

/** A token comes to the flow, and goes on behind it. @throws BAD_REQUEST */
export function beginWithin(run: Run, way: number, instruction: StartInstruction): void {
  const flow = run.program.flows[way];
  if (flow === undefined) throw new RangeError(`process '${run.program.key}' has no flow ${way}`);
  const { scope, found, given } = prepared(run, levelsAround(run, holderOfFlow(run.program, flow)), instruction);
  noteChosen(run, found);
  const token = run.spawn(flow.target, scope.id, way);
  token.given = given;
  const source = run.place(flow.source);
  const { listeners } = source.ways.find(({ index }) => index === way) ?? { listeners: [] };
  notify(run, { ...at(run, token, source), flow: flow.id }, listeners, 'take');
  run.moving.push(token);
}

/** A token comes to the element. @throws BAD_REQUEST */
export function beginHere(run: Run, named: Named, instruction: StartInstruction): void {
  const place = run.place(named.element);
  const { element } = place;
  const around = run.place(element.parent).element;
  const event = element.triggeredByEvent ? element.startEvents[0] : place.index;
  const beginsInside = element.triggeredByEvent || (around.triggeredByEvent && element.type === 'startEvent');
  if (beginsInside && event !== undefined) {
    const outside = element.triggeredByEvent ? element.parent : around.parent;
    const { scope, given } = prepared(run, levelsAround(run, outside), instruction);
    beginInside(run, scope, event, given ?? {});
    return;
  }
  const isOne = element.loop?.kind === 'multiInstance' && !named.isBody;
  const levels = levelsAround(run, element.parent);
  const { scope, found, given } = prepared(
    run,
    isOne ? [...levels, { element: place.index, isBody: true }] : levels,
    instruction,
  );
  noteChosen(run, found);
  if (isOne) {
    run.moving.push(addInstance(run, scope, given ?? {}));
    return;
  }
  const token = tokenFor(run, place, scope);
  token.given = given;
  run.moving.push(token);
}

/** A token at the element: an interrupting boundary event takes that of its activity, as if it had come. */
function tokenFor(run: Run, place: Place, scope: Scope): Token {
  const { attachedTo, interrupting, id } = place.element;
  const hosts =
    interrupting && attachedTo !== null ? run.within(scope.id).filter((each) => each.element === attachedTo) : [];
  const [host, ...others] = hosts;
  if (others.length > 0)
    throw ambiguous(
      id,
      hosts.map(({ activity, id: token }) => activity ?? token),
      run,
    );
  if (host === undefined) return run.spawn(place.index, scope.id, place.joins ? missingFlow(run, place, scope) : null);
  interrupt(run, host);
  return Object.assign(host, { element: place.index, via: null });
}

/** The flow of a gateway that joins on which nothing waits, and by which nothing can come: what begins there stands for it. */
function missingFlow(run: Run, { index, element }: Place, scope: Scope): number | null {
  const within = run.within(scope.id);
  const free = element.incoming.filter(
    (flow) => !within.some((token) => token.element === index && token.via === flow),
  );
  const source = (flow: number) => run.program.flows[flow]?.source ?? 0;
  // Of a large scope some tokens are away.
  if (scope.size !== undefined) return free[0] ?? element.incoming[0] ?? null;
  const comes = (flow: number) =>
    within.some((token) => token.element !== index && leads(run, token.element, source(flow)));
  return free.find((flow) => !comes(flow)) ?? free[0] ?? element.incoming[0] ?? null;
}

/** The scopes of the model around what is directly in the element, from outside in, the process left out. */
function levelsAround(run: Run, element: number): Level[] {
  const levels: Level[] = [];
  for (let at = element; at > 0; at = run.place(at).element.parent) {
    levels.unshift({ element: at, isBody: false });
    if (run.place(at).instance !== null) levels.unshift({ element: at, isBody: true });
  }
  return levels;
}

/** Where something begins. */
interface Prepared {
  readonly scope: Scope;
  /** The one around it that was there: itself, where nothing had to begin. */
  readonly found: Scope;
  /** Variables that are still to be set: what begins has them for itself. */
  readonly given: StartInstruction['localVariables'] | undefined;
}

/** The innermost of the scopes: the one that there is, or that has begun now with those around it. @throws BAD_REQUEST (the ancestor, or several) */
function prepared(run: Run, levels: readonly Level[], instruction: StartInstruction): Prepared {
  const { variables, localVariables } = instruction;
  const { scope: found, missing } = nearestScope(run, levels, instruction);
  const scope = missing.reduce((around, level) => beginLevel(run, around, level), found);
  assignAll(run, scope.id, variables);
  const isNone = Object.keys(localVariables).length === 0;
  if (isNone || missing.length === 0 || scope.repeats !== undefined) {
    return { scope, found, given: isNone ? undefined : localVariables };
  }
  Object.assign(scope.variables, localVariables);
  return { scope, found, given: undefined };
}

/** The innermost scope that is there, and the levels within it that are not. */
function nearestScope(run: Run, levels: readonly Level[], { ancestor, id }: StartInstruction) {
  if (ancestor !== null) return ancestorOf(run, levels, { ancestor, id });
  for (let n = levels.length; n > 0; n--) {
    const [scope, ...others] = run.state.scopes.filter((each) => isAt(run, each, levels[n - 1]));
    if (scope === undefined) continue;
    if (others.length > 0)
      throw ambiguous(
        id,
        [scope, ...others].map((each) => each.id),
        run,
      );
    return { scope, missing: levels.slice(n) };
  }
  return { scope: run.scope(0), missing: levels };
}

function ancestorOf(run: Run, levels: readonly Level[], { ancestor, id }: { ancestor: number; id: string }) {
  if (ancestor === 0) return { scope: run.scope(0), missing: levels };
  const scope = run.find(ancestor);
  const level = scope === undefined ? -1 : levels.findIndex((each) => isAt(run, scope, each));
  if (scope !== undefined && level >= 0) return { scope, missing: levels.slice(level + 1) };
  const found = `${run.context.instanceId}:${ancestor}`;
  throw badArgument('ancestorActivityInstanceId', `an activity instance that is active and can hold '${id}'`, found);
}

/** Whether the scope is one of the level, and lives: what its activity has left behind, and what a body keeps for itself, does not. */
const isAt = (run: Run, scope: Scope, level: Level | undefined): boolean =>
  scope.element === level?.element &&
  (scope.repeats !== undefined) === level.isBody &&
  lives(run, scope.id) &&
  run.owner(scope.id)?.wait?.kind !== 'compensation' &&
  run.owner(scope.id) !== undefined;

/** Whether neither the scope nor one around it was left: what rests there still is as good as gone. */
export function lives(run: Run, id: number): boolean {
  for (let scope = run.find(id); scope !== undefined; scope = run.find(scope.parent ?? -1))
    if (scope.abandoned !== undefined) return false;
  return true;
}

/** The activity of the level begins within the scope around, with nothing in it. */
function beginLevel(run: Run, around: Scope, { element, isBody }: Level): Scope {
  if (around.repeats !== undefined && around.element === element) return beginEmpty(run, addInstance(run, around, {}));
  const token = run.spawn(element, around.id, null);
  return isBody ? beginBody(run, token) : beginEmpty(run, token);
}

function beginBody(run: Run, token: Token): Scope {
  const place = run.placeOf(token);
  begin(run, token, place);
  const scope = run.scope(run.innermost(token));
  holdOne(run, scope, place);
  token.wait = { kind: 'scope' };
  settleAround(run, token, place);
  return scope;
}

/** A sub-process begins, and what is to be in it comes from elsewhere. Gives its scope. */
export function beginEmpty(run: Run, token: Token): Scope {
  const place = run.placeOf(token);
  begin(run, token, place);
  token.wait = waitInside(place);
  settleAround(run, token, place);
  awaitInside(run, token);
  return run.scope(run.innermost(token));
}

const ambiguous = (id: string, numbers: readonly number[], { context }: Run) =>
  badArgument(
    'ancestorActivityInstanceId',
    `which of these '${id}' begins in: ${numbers
      .slice(0, 10)
      .map((number) => `'${context.instanceId}:${number}'`)
      .join(', ')}`,
    null,
  );

/** The token of the activity that would be empty without this one; undefined: others are in it, or it is the process. */
export function holderOf(run: Run, token: Token): Token | undefined {
  const { scope: id } = token;
  const scope = run.scope(id);
  const owner = run.owner(id);
  const along = compensatingFor(run, token).filter((each) => each.scope === id);
  const count = (scope.size ?? run.within(id).length) - along.length;
  // Others of a body are still to begin.
  return owner === undefined || count > 1 || isAwaited(run.state, id) || owner.wait?.kind !== 'scope'
    ? undefined
    : owner;
}
