import { badArgument } from '../errors.js';
import type { Scope, Token, Variables } from './instance-state.js';
import { type Body, count, setCounter } from './loop.js';
import { typed } from './native.js';
import type { Place } from './prepared.js';
import type { Run } from './run.js';

// What a modification does to the instances of an activity that repeats.

/** A body that a modification begins with nothing in it: what is added to it is all that it has. */
export function holdOne(run: Run, scope: Scope, { element: { loop } }: Place): void {
  const body: Body = Object.assign(scope, {
    repeats: {
      ...{ total: loop?.kind === 'standard' ? null : 0, begun: 0, ended: 0 },
      ...(loop?.kind === 'multiInstance' && loop.first && { first: loop.first }),
    },
  });
  if (loop?.kind !== 'multiInstance') return setCounter(run, body, 'loopCounter', 0);
  setCounter(run, body, 'nrOfInstances', 0);
  count(run, body, loop);
}

/**
 * One more instance of a body, as in Camunda: with the next number, and without an item, unless the variables say one.
 * @throws BAD_REQUEST: it has one, and they are one after the other
 */
export function addInstance(run: Run, scope: Scope, variables: Variables): Token {
  const body = scope as Body;
  const { loop, id } = run.place(scope.element).element;
  const isParallel = loop?.kind === 'multiInstance' && !loop.sequential;
  if (!isParallel && !run.isEmpty(scope.id)) {
    throw badArgument('activityId', 'an activity whose instances go on together', `'${id}', of which one goes on`);
  }
  const index = loop?.kind === 'multiInstance' ? Number(body.variables.nrOfInstances?.value ?? 0) : body.repeats.begun;
  const token = run.spawn(scope.element, scope.id, null);
  run.open(token, run.number());
  Object.assign(run.scope(run.innermost(token)).variables, {
    loopCounter: typed(index + (body.repeats.first ?? 0)),
    ...variables,
  });
  if (loop?.kind !== 'multiInstance') {
    body.repeats.begun++;
    return token;
  }
  body.repeats.extra = (body.repeats.extra ?? 0) + 1;
  setCounter(run, body, 'nrOfInstances', index + 1);
  count(run, body, loop);
  return token;
}

/** An instance has been cancelled: if it was one of a parallel multi-instance, that no longer waits for it. */
export function forgetInstance(run: Run, scope: number): void {
  const body = run.find(scope);
  const { loop } = run.place(body?.element ?? 0).element;
  if (body?.repeats === undefined || loop?.kind !== 'multiInstance') return;
  body.repeats.extra = (body.repeats.extra ?? 0) - 1;
  count(run, body as Body, loop);
}
