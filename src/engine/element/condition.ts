import { ServiceError } from '../../shared/errors.js';
import type { Ask } from '../../store/index.js';
import { type ConditionalEvent, type Program, partsOf, type Source } from '../model/program.js';
import { trigger, type Waiting, waitsWhere } from './catch-event.js';
import { activate, waitingGateways } from './complex-gateway.js';
import { Asked } from './failure.js';
import type { Armed, InstanceState, RunContext, Token, Variables } from './instance-state.js';
import { at, Run } from './run.js';
import { holds } from './source.js';

/**
 * BPMN 2.0 §10.5.1: conditional events happen when what they read has changed so that their condition holds, and where it holds when they begin to be
 * waited for.
 */
export function lookAtConditions(run: Run): void {
  if (run.changed.length === 0 && run.fresh.size === 0) return;
  const waiting = waitsWhere(run, ({ kind }) => kind === 'condition');
  const fresh = new Set(run.fresh);
  const { changed } = run;
  run.changed = [];
  run.fresh.clear();
  const begun: Token[][] = [];
  for (const each of waiting) {
    if (!isAwaited(each)) continue;
    const event = eventOf(run, each);
    const isTouched = fresh.has(each.wait) || changed.some((change) => concerns(run, each, event, change));
    if (isTouched && isTrue(run, each, event)) begun.unshift(happen(run, each));
  }
  if (begun.length > 1 && run.rules >= 5) goFirst(run, begun.flat());
  lookAtGateways(run, changed);
}

/** A complex gateway may go on, as what its condition reads has changed. */
function lookAtGateways(run: Run, changed: readonly Change[]): void {
  for (const { place, scope } of waitingGateways(run)) {
    const { activationCondition: condition } = place.element;
    const isTouched = ({ name, scope: at }: Change) =>
      condition !== undefined && reads(condition, name) && isSeen(run, scope, at);
    if (changed.some(isTouched)) activate(run, place, scope);
  }
}

/** As in Camunda: what has happened first goes on first, until it waits. */
function goFirst(run: Run, tokens: readonly Token[]): void {
  for (const token of tokens) {
    const at = run.moving.indexOf(token);
    if (at >= 0) run.moving.push(...run.moving.splice(at, 1));
  }
}

type Change = Run['changed'][number];

/** Whether it waits still: another one may have interrupted it. */
function isAwaited({ token, wait, armed, scope }: Waiting): boolean {
  if (armed === undefined) return token.wait === wait;
  return ((scope === undefined ? token.boundaries : scope.events) ?? []).some(
    (each) => each === armed && each.wait === wait,
  );
}

/** Gives what moves by it. */
function happen(run: Run, waiting: Waiting): Token[] {
  const { begun } = run;
  const before = new Set(run.moving);
  const activity = begun?.activity;
  trigger(run, waiting, {});
  // What is in the middle of its beginning goes on with it.
  if (begun !== null && activity != null && begun.activity === activity) run.begun = begun;
  return run.moving.filter((token) => !before.has(token));
}

function eventOf(run: Run, { token, armed }: Waiting): ConditionalEvent {
  const { event } = run.place(armed?.element ?? token.element).element;
  const found = partsOf(event)[armed?.part ?? 0];
  if (found?.kind === 'conditional') return found;
  throw new RangeError(`expected element ${armed?.element ?? token.element} to have a condition`);
}

/** Whether the change may have made the condition true: of a variable that it reads, or that the event names, seen from where it is evaluated. */
function concerns(run: Run, { token }: Waiting, event: ConditionalEvent, { scope, name, change }: Change): boolean {
  const isNamed = event.changes.length > 0;
  if (isNamed && !event.changes.includes(change)) return false;
  const isAny = isNamed && run.rules >= 7; // As in Camunda: who names changes alone means them of any variable.
  if (event.variable === null ? !isAny && !reads(event.condition, name) : event.variable !== name) return false;
  return isSeen(run, run.innermost(token), scope);
}

/** Whether variables of the one scope are seen from the other. */
function isSeen(run: Run, from: number, scope: number): boolean {
  let seen: number | null = from;
  while (seen !== null && seen !== scope) seen = run.scope(seen).parent;
  return seen === scope;
}

/** Where a condition is evaluated. */
interface Evaluated {
  readonly token: Token;
  readonly armed?: Pick<Armed, 'element'> | undefined;
}

/** As in Camunda a condition does not hold where it reads a variable that is not there. */
function isTrue(run: Run, { token, armed }: Evaluated, { condition }: ConditionalEvent): boolean {
  const where = at(run, token, run.place(armed?.element ?? token.element));
  try {
    return holds(run, where, condition);
  } catch (thrown) {
    if (thrown instanceof ServiceError && LACKING.test(thrown.message)) return false;
    throw thrown;
  }
}

/** Causes of failures by a variable that is not there: of an expression, of a script, of FEEL. */
const LACKING = /there is no variable or bean of that name|ReferenceError|it is null/;

/** Whether the condition of a start event holds for these variables, when no instance is there; or what must be known to tell. @throws EXECUTION_FAILED */
export function startHolds(
  program: Program,
  { element: id, part = 0 }: { readonly element: string; readonly part?: number | undefined },
  variables: Variables,
  context: RunContext,
): boolean | { readonly ask: Ask } {
  const state: InstanceState = { next: 1, scopes: [{ id: 0, parent: null, element: 0, variables }], tokens: [] };
  const run = new Run(program, state, context);
  const place = run.prepared.places.find(({ element }) => element.id === id);
  const event = partsOf(place?.element.event)[part];
  if (place === undefined || event?.kind !== 'conditional') return false;
  if (event.variable !== null && !Object.hasOwn(variables, event.variable)) return false;
  try {
    return isTrue(run, { token: run.root, armed: { element: place.index } }, event);
  } catch (thrown) {
    if (thrown instanceof Asked) return { ask: thrown.ask };
    throw thrown;
  }
}

/** Names that a condition may read. */
interface Names {
  readonly names: readonly string[];
  /** It may read others than those that it names: by `execution.getVariable` and its like. */
  readonly others: boolean;
}

const known = new WeakMap<Source, Names>();

function reads(condition: Source, name: string): boolean {
  const { names, others } = namesIn(condition);
  return others || names.includes(name);
}

function namesIn(condition: Source): Names {
  const found = known.get(condition);
  if (found !== undefined) return found;
  const names = [...new Set(condition.text.match(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu))];
  const made = { names, others: names.some((name) => OPEN.has(name)) };
  known.set(condition, made);
  return made;
}

/** Names by which all variables can be reached. */
const OPEN: ReadonlySet<string> = new Set(['execution', 'globalThis', 'this', 'eval', 'Function', 'get']);
