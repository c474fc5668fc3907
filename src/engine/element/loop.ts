import type { MultiInstance, StandardLoop } from '../model/program.js';
import { clear, settle } from './activity.js';
import { executionFailed } from './failure.js';
import type { Repeats, Scope, Token, TypedValue } from './instance-state.js';
import { LARGE_FROM, noteThrough } from './large-scope.js';
import { complete } from './leave.js';
import { native, textOf, typed } from './native.js';
import type { Place } from './prepared.js';
import { type At, at, type Run } from './run.js';
import { evaluateSource, holds, typedSource } from './source.js';
import { throwDefinition } from './throw-event.js';
import { assign, lookUp, put } from './variables.js';

// An activity that repeats is a body: its token waits in the scope around, and opens a scope with the body's variables. Each instance is a token of the
// same element within that scope, with a scope of its own. `run.placeOf(token)` tells the one from the other.

/** The body begins: its first instance, or all of them. Without any it is complete at once. */
export function enterLoop(run: Run, token: Token, place: Place): void {
  const { loop } = place.element;
  if (loop?.kind === 'standard') enterStandard(run, token, place, loop);
  else if (loop !== undefined) enterMultiInstance(run, token, place, loop);
}

/** The token of a body moves as long as instances are to be begun: one at a time, so that a run can be cut between them. */
export function beginNext(run: Run, token: Token, place: Place): void {
  const { loop } = place.element;
  const body = bodyOf(run, token);
  const isLast =
    loop?.kind === 'standard' || loop?.sequential === true || body.repeats.begun + 1 === body.repeats.total;
  if (isLast) token.wait = { kind: 'scope' };
  else run.moving.push(token);
  if (isSpared(run, body, body.repeats.begun)) run.stepsBefore -= STEPS_TO_BEGIN;
  beginInstance(run, token, place, body);
  if (isLast && loop?.kind === 'multiInstance' && !loop.sequential) forgetItems(run, body, loop);
}

/** The step of the body, and the first one of its instance. */
const STEPS_TO_BEGIN = 2;

/** Of so many instances of a large body, one counts as steps without a wait. */
const COUNTED_OF = 50;

/** Whether what the body does for that instance counts as no step: it has many, and is done with them some time. */
const isSpared = (run: Run, { size }: Body, index: number): boolean =>
  size !== undefined && run.rules >= 8 && index % COUNTED_OF !== 0;

/** An instance has done its work, and leaves: the next one begins, or the body is complete. */
export function leaveInstance(run: Run, token: Token, place: Place): void {
  const owner = run.owner(token.scope);
  if (owner === undefined) throw new RangeError(`scope ${token.scope} is no body of a loop`);
  const whole = run.placeOf(owner);
  const body = bodyOf(run, owner);
  body.repeats.ended++;
  const { loop } = whole.element;
  if (isSpared(run, body, body.repeats.ended)) run.stepsBefore--;
  if (loop?.kind === 'multiInstance') {
    const where = at(run, token, place);
    count(run, body, loop);
    gather(run, where, body, loop);
    if (!throwEvents(run, where, { owner, whole, body, loop })) return;
    const isOver = loop.completionCondition !== null && holds(run, where, loop.completionCondition);
    run.close(token);
    run.drop(token);
    goOn(run, owner, whole, { isOver: isOver || isThrough(body), isNext: loop.sequential });
  } else if (loop !== undefined) {
    run.close(token);
    run.drop(token);
    setCounter(run, body, 'loopCounter', body.repeats.ended);
    goOn(run, owner, whole, { isOver: !goesRound(run, at(run, owner, whole), body, loop), isNext: true });
  }
}

/** Whether all instances have completed that there are to be. */
const isThrough = ({ repeats: { total, ended, extra = 0 } }: Body): boolean =>
  total !== null && ended === total + extra;

function goOn(run: Run, owner: Token, whole: Place, how: { readonly isOver: boolean; readonly isNext: boolean }): void {
  if (how.isOver) return endLoop(run, owner, whole);
  noteThrough(run, run.scope(owner.opens ?? -1));
  if (how.isNext) beginNext(run, owner, whole);
}

/** The body is complete; instances that still work are cancelled, and those that have not begun never do. */
export function endLoop(run: Run, owner: Token, whole: Place): void {
  const body = bodyOf(run, owner);
  clear(run, body.id);
  run.halt(owner);
  publish(run, owner, whole, body);
  complete(run, owner, whole);
}

/** The scope of a multi-instance body or of another loop's. */
export type Body = Scope & { readonly repeats: Repeats };

function bodyOf(run: Run, owner: Token): Body {
  const scope = run.scope(owner.opens ?? -1);
  if (scope.repeats === undefined) throw new RangeError(`scope ${scope.id} is no body of a loop`);
  return scope as Body;
}

/** BPMN 2.0 §10.3.7: goes round while the condition holds, and no more often than it may. */
function enterStandard(run: Run, token: Token, place: Place, loop: StandardLoop): void {
  const body: Body = Object.assign(run.scope(run.innermost(token)), { repeats: { total: null, begun: 0, ended: 0 } });
  setCounter(run, body, 'loopCounter', 0);
  const isEmpty = loop.maximum === 0 || (loop.testBefore && !goesRound(run, at(run, token, place), body, loop));
  if (isEmpty) return complete(run, token, place);
  settle(run, token, place);
  beginNext(run, token, place);
}

function goesRound(run: Run, where: At, { repeats }: Body, { maximum, condition }: StandardLoop): boolean {
  if (maximum !== null && repeats.ended >= maximum) return false;
  return condition === null || holds(run, where, condition);
}

function enterMultiInstance(run: Run, token: Token, place: Place, loop: MultiInstance): void {
  const where = at(run, token, place);
  const items = loop.collection === null ? null : itemsOf(run, where, loop);
  const total = loop.cardinality === null ? (items?.length ?? 0) : cardinalityOf(run, where, loop.cardinality);
  const repeats: Repeats = { total, begun: 0, ended: 0, ...(loop.first && { first: loop.first }) };
  const body: Body = Object.assign(run.scope(run.innermost(token)), { repeats });
  if (total === 0) {
    publish(run, token, place, body);
    return complete(run, token, place);
  }
  setCounter(run, body, 'nrOfInstances', total);
  count(run, body, loop);
  // As in Camunda: a sequential one looks at its collection each time, a parallel one once.
  if (items !== null && loop.elementVariable !== null && !loop.sequential) {
    keepItems(asideOf(run, body), items, total);
  }
  if (total >= LARGE_FROM && !loop.sequential) run.enlarge(body);
  settle(run, token, place);
  beginNext(run, token, place);
}

/** @throws EXECUTION_FAILED (no whole number, or one below 0) */
function cardinalityOf(run: Run, where: At, source: NonNullable<MultiInstance['cardinality']>): number {
  const value = evaluateSource(run, where, source);
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  // As in Camunda, a number is cut off to a whole one.
  if (typeof number === 'number' && number > -1 && number < COUNT_MAX) return Math.trunc(number);
  throw executionFailed(where.place, {
    expected: `a whole number from 0 as loopCardinality from '${source.text}'`,
    cause: `it gives '${textOf(value) ?? 'null'}'`,
    ...(source.kind === 'script' ? { script: source.text } : { expression: source.text }),
  });
}

const COUNT_MAX = 2 ** 31;

/** @throws EXECUTION_FAILED (no collection) */
function itemsOf(run: Run, where: At, { collection }: MultiInstance): readonly unknown[] {
  if (collection === null) return [];
  const value =
    collection.kind === 'variable' ? namedItems(run, where, collection.name) : evaluateSource(run, where, collection);
  if (Array.isArray(value)) return value;
  const text = collection.kind === 'variable' ? collection.name : collection.text;
  throw executionFailed(where.place, {
    expected: `a list as collection from '${text}'`,
    cause: value === null || value === undefined ? 'it gives nothing' : `it gives a ${typeof value}`,
    ...(collection.kind === 'expression' && { expression: text }),
  });
}

function namedItems(run: Run, where: At, name: string): unknown {
  const found = lookUp(run, where.scope, name);
  return found === undefined ? null : native(found);
}

function beginInstance(run: Run, owner: Token, place: Place, body: Body): void {
  const { loop } = place.element;
  const index = body.repeats.begun++;
  const token = run.spawn(owner.element, body.id, null);
  run.open(token, run.number());
  const { variables } = run.scope(run.innermost(token));
  variables.loopCounter = typed(index + (body.repeats.first ?? 0));
  if (loop?.kind === 'multiInstance') {
    if (loop.elementVariable !== null) variables[loop.elementVariable] = itemAt(run, at(run, owner, place), body, loop);
    const own = typeof loop.output?.item === 'string' ? loop.output.item : loop.output?.own;
    if (own !== undefined) variables[own] ??= NOTHING;
  }
  run.moving.push(token);
}

const NOTHING: TypedValue = { type: 'Null', value: null };

function itemAt(run: Run, where: At, body: Body, loop: MultiInstance): TypedValue {
  const index = body.repeats.begun - 1;
  if (loop.sequential) return typed(itemsOf(run, where, loop)[index] ?? null);
  const { variables } = asideOf(run, body);
  const together = itemsTogether(body.repeats.total ?? 0);
  const part = `items${Math.floor(index / together)}`;
  const items = variables[part]?.value as readonly unknown[] | undefined;
  if (index % together === together - 1) delete variables[part];
  return typed(items?.[index % together] ?? null);
}

/** Items are kept by so many together: a run that begins the next instances reads and writes no others. */
const itemsTogether = (total: number): number => Math.max(100, Math.ceil(total / 100));

function keepItems(aside: Scope, items: readonly unknown[], total: number): void {
  const together = itemsTogether(total);
  for (let part = 0; part * together < Math.min(total, items.length); part++) {
    const value = items.slice(part * together, (part + 1) * together);
    aside.variables[`items${part}`] = { type: 'Json', value };
  }
}

/** The scope in which a body keeps what nobody sees: the items of instances that are still to be begun, and the outputs of those that have completed. */
function asideOf(run: Run, body: Body): Scope {
  const { repeats } = body;
  const found = repeats.aside === undefined ? undefined : run.scope(repeats.aside);
  if (found !== undefined) return found;
  const aside: Scope = { id: run.number(), parent: body.id, element: body.element, variables: {} };
  repeats.aside = aside.id;
  run.state.scopes.push(aside);
  return aside;
}

function forgetItems(run: Run, body: Body, { output }: MultiInstance): void {
  if (body.repeats.aside === undefined) return;
  if (output === undefined) return run.closeAside(body);
  const { variables } = asideOf(run, body);
  for (const name of Object.keys(variables)) if (name.startsWith('items')) delete variables[name];
}

/** Camunda's counters: a sequential multi-instance always has one active instance. */
export function count(run: Run, body: Body, { sequential }: MultiInstance): void {
  const { total, ended, extra = 0 } = body.repeats;
  setCounter(run, body, 'nrOfCompletedInstances', ended);
  setCounter(run, body, 'nrOfActiveInstances', sequential ? 1 : (total ?? 0) + extra - ended);
}

/** Conditions that read it hear of it. */
export function setCounter(run: Run, body: Body, name: string, value: number): void {
  if (run.rules >= 5) put(run, body, name, typed(value));
  else body.variables[name] = typed(value);
}

/** The instance as it completes, for what its body throws then. */
interface Completing {
  readonly owner: Token;
  readonly whole: Place;
  readonly body: Body;
  readonly loop: MultiInstance;
}

/** BPMN 2.0 §10.3.7, `behavior`: gives whether the body goes on; else what it threw has interrupted it. */
function throwEvents(run: Run, where: At, { owner, whole, body, loop }: Completing): boolean {
  for (const { when, event } of loop.throws ?? []) {
    const isThrown = when === 'each' || (when === 'first' ? body.repeats.ended === 1 : holds(run, where, when));
    if (isThrown && !throwDefinition(run, { ...where, token: owner, place: whole }, event)) return false;
  }
  return true;
}

/** How many outputs are kept together: each instance that completes writes them. */
const OUTPUTS_TOGETHER = 50;

/** Keeps the output of the instance by its number. */
function gather(run: Run, where: At, body: Body, { output }: MultiInstance): void {
  if (output === undefined) return;
  const { token, scope } = where;
  const { item } = output;
  const found = typeof item === 'string' ? lookUp(run, scope, item) : typedSource(run, where, item);
  const index = Number(run.scope(run.innermost(token)).variables.loopCounter?.value ?? 0) - (body.repeats.first ?? 0);
  const { variables } = asideOf(run, body);
  const part = `outputs${Math.floor(index / OUTPUTS_TOGETHER)}`;
  const before = variables[part]?.value as object | undefined;
  variables[part] = { type: 'Json', value: { ...before, [index]: found?.value ?? null } };
}

/** The outputs become a list, in the order of the instances; null for each that has not completed. */
function publish(run: Run, owner: Token, place: Place, body: Body): void {
  const { loop } = place.element;
  if (loop?.kind !== 'multiInstance' || loop.output === undefined) return;
  const list: unknown[] = Array.from({ length: body.repeats.total ?? 0 }, () => null);
  const parts = body.repeats.aside === undefined ? {} : asideOf(run, body).variables;
  for (const [name, { value }] of Object.entries(parts)) {
    if (name.startsWith('outputs'))
      for (const [index, one] of Object.entries(value as object)) list[Number(index)] = one;
  }
  assign(run, owner.scope, loop.output.list, { type: 'Json', value: list });
}
