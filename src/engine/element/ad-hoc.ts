import { nearestHint } from '../../shared/nearest.js';
import { isActivity } from '../model/elements.js';
import type { AdHoc } from '../model/program.js';
import { clear, dropAll } from './activity.js';
import { executionFailed } from './failure.js';
import type { Input, Scope, Token, Wait } from './instance-state.js';
import { textOf } from './native.js';
import type { Place } from './prepared.js';
import { type At, at, type Run } from './run.js';
import { evaluateSource, holds } from './source.js';
import { assignAll } from './variables.js';

// BPMN 2.0 §13.3.5: an ad-hoc sub-process. Its token waits for what is chosen, and for that; once its completion condition has held, or an interrupting event
// sub-process has begun in it, the choice is over.

/** Activities that begin with the ad-hoc sub-process. @throws EXECUTION_FAILED (no list of ids, or one that names what cannot be chosen) */
export function firstInside(run: Run, where: At, { first }: AdHoc): readonly number[] {
  if (first === undefined) return [];
  const value = evaluateSource(run, where, first);
  const failed = (cause: string) =>
    executionFailed(where.place, {
      expected: `a list of ids of activities that can be chosen, from '${first.text}'`,
      expression: first.text,
      cause,
    });
  if (!Array.isArray(value)) throw failed(value == null ? 'it gives nothing' : `it gives a ${typeof value}`);
  return value.map((each: unknown) => {
    const id = textOf(each) ?? 'null';
    const found = choiceOf(run, where.place, id);
    if (found !== undefined) return found;
    const choices = where.place.choices.map((choice) => run.place(choice).element.id);
    throw failed(`'${id}' is none of them${nearestHint(id, choices)}`);
  });
}

const choiceOf = (run: Run, { choices }: Place, id: string): number | undefined =>
  choices.find((choice) => run.place(choice).element.id === id);

/** Begins what is to begin in the sub-process of the token: where it takes one after the other, the first of it. */
export function startInside(run: Run, owner: Token, elements: readonly number[]): void {
  let begun = elements;
  if (owner.wait?.kind === 'adHoc' && elements.length > 0) {
    if (run.placeOf(owner).element.adHoc?.sequential) begun = elements.slice(0, 1);
    const next = elements.slice(begun.length);
    owner.wait = { kind: 'adHoc', begun: true, ...(next.length > 0 && { next }) };
  }
  const tokens = begun.map((element) => run.spawn(element, run.innermost(owner), null));
  run.moving.push(...tokens.reverse());
}

/** Starts a chosen activity of an ad-hoc sub-process. */
export function startChosen(run: Run, input: Extract<Input, { type: 'triggerActivity' }>): void {
  const owner = run.owner(input.scope);
  const chosen = owner && choiceOf(run, run.placeOf(owner), input.activityId);
  if (owner?.wait?.kind !== 'adHoc' || owner.wait.over || chosen === undefined)
    throw new RangeError(`activity '${input.activityId}' cannot be chosen in scope ${input.scope}`);
  assignAll(run, input.scope, input.variables);
  startInside(run, owner, [chosen]);
}

/** The wait of the token of a sub-process in which something begins from outside. */
export const waitInside = ({ element }: Place): Wait =>
  element.adHoc === undefined ? { kind: 'scope' } : { kind: 'adHoc', begun: true };

/** What begins from outside in a scope counts as chosen, if that is an ad-hoc sub-process's: it does not wait for the first choice any more. */
export function noteChosen(run: Run, { id }: Scope): void {
  const owner = run.owner(id);
  if (owner?.wait?.kind === 'adHoc' && !owner.wait.over) owner.wait = { ...owner.wait, begun: true };
}

const OVER = { kind: 'adHoc', over: true } as const;

/** Nothing is chosen any more in the scope, if it is an ad-hoc sub-process's. */
export function endChoice(run: Run, { id }: Scope): void {
  const owner = run.owner(id);
  if (owner?.wait?.kind === 'adHoc') owner.wait = OVER;
}

/**
 * What an ad-hoc sub-process holds is done. Gives whether it is followed by nothing: the completion condition holds, or has held. Then other activities that run
 * are cancelled, or end for themselves.
 */
export function endsByChoice(run: Run, token: Token, place: Place): boolean {
  const owner = run.owner(token.scope);
  if (owner?.wait?.kind !== 'adHoc' || token.compensates !== undefined) return false;
  if (owner.wait.over) return true;
  const whole = run.placeOf(owner);
  const { adHoc } = whole.element;
  if (adHoc === undefined || !isActivity(place.element.type)) return false;
  const { completionCondition } = adHoc;
  if (completionCondition === null || !holds(run, at(run, owner, whole), completionCondition)) return false;
  owner.wait = OVER;
  if (adHoc.cancelRemaining) clear(run, token.scope, token);
  else dropIdle(run, token);
  return true;
}

/** All that is at no activity would lead to others, or wait for what never comes. */
function dropIdle(run: Run, token: Token): void {
  const isIdle = (other: Token) =>
    (other.activity === null || !isActivity(run.placeOf(other).element.type)) &&
    other.compensates === undefined &&
    other.compensation === undefined;
  dropAll(
    run,
    run.within(token.scope).filter((other) => other !== token && isIdle(other)),
  );
}

/** Nothing runs any more in the scope of the token: whether it waits for what is chosen, or goes on with what is next. */
export function staysForChoice(run: Run, owner: Token): boolean {
  if (owner.wait?.kind !== 'adHoc' || owner.wait.over) return false;
  const { begun, next = [] } = owner.wait;
  if (next.length === 0) return begun !== true || run.placeOf(owner).element.adHoc?.completionCondition != null;
  startInside(run, owner, next);
  return true;
}
