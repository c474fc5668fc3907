import { isVariableName, VARIABLE_NAME } from '../../shared/sound-text.js';
import { badArgument } from '../errors.js';
import type { VariableChange } from '../model/program.js';
import { fitting } from './data.js';
import type { Scope, Token, TypedValue, Variables } from './instance-state.js';
import type { At, Run } from './run.js';

/** The variable's value as seen from the scope: the innermost scope that has the name. */
export function lookUp(run: Run, scope: number, name: string): TypedValue | undefined {
  const holder = holderOf(run, scope, name);
  return holder?.variables[name];
}

/** Sets the variable where the name is found going outwards, else on the process. */
export function assign(run: Run, scope: number, name: string, value: TypedValue): void {
  const holder = holderOf(run, scope, name) ?? run.scope(0);
  put(run, holder, name, value);
}

/**
 * Sets the variables that the token's activity is given as it ends, as {@link assign} does, or as its own, where its outputs alone say what leaves it. As
 * in Camunda, a user task's own variables stay as they are, and end with it.
 */
export function give(run: Run, token: Token, variables: Variables): void {
  if (run.placeOf(token).element.io?.keeps === true) {
    for (const [name, value] of Object.entries(variables)) assignLocal(run, token, name, value);
    return;
  }
  const scope = run.scope(run.innermost(token));
  const { ofTask } = scope;
  if (ofTask === undefined) return assignAll(run, scope.id, variables);
  const around = run.around(scope)?.id ?? 0;
  for (const [name, value] of Object.entries(variables))
    assign(run, ofTask.includes(name) ? around : scope.id, name, value);
}

/** As {@link assign}, for several variables at once. */
export function assignAll(run: Run, scope: number, variables: Variables): void {
  for (const name in variables) {
    const value = variables[name];
    if (value !== undefined) assign(run, scope, name, value);
  }
}

/** Sets the variable on the token's activity, which gets a scope if it has none; outside of any activity: on the scope it moves in. */
export function assignLocal(run: Run, token: Token, name: string, value: TypedValue): void {
  if (token.opens === undefined && token.activity !== null) run.open(token, token.activity);
  put(run, run.scope(run.innermost(token)), name, value);
}

/** As {@link assignLocal}, for variables of the user task itself. What has its activity had before, such as an input, stays its activity's. */
export function assignToTask(run: Run, token: Token, variables: Variables): void {
  const { opens } = token;
  const before = opens === undefined ? {} : run.scope(opens).variables;
  const names = Object.keys(variables).filter((name) => !Object.hasOwn(before, name));
  for (const [name, value] of Object.entries(variables)) assignLocal(run, token, name, value);
  const scope = run.scope(run.innermost(token));
  if (names.length > 0) scope.ofTask = [...new Set([...(scope.ofTask ?? []), ...names])];
}

/**
 * Sets what a listener of a task sets as the task's own; what else sets it, where `task` is absent, as {@link assignLocal} does. As in Camunda an activity
 * that is no scope has nothing of its own: where nothing else goes on around it, it is set there, and stays.
 */
export function assignOwn(
  run: Run,
  { token, place, task }: Pick<At, 'token' | 'place' | 'task'>,
  variables: Variables,
): void {
  const isFormer = run.rules < 8;
  if (task !== undefined && !isFormer) assignToTask(run, token, variables);
  else if (isFormer || token.opens !== undefined || place.keepsOwn || !isAlone(run, token))
    for (const [name, value] of Object.entries(variables)) assignLocal(run, token, name, value);
  else putAll(run, run.scope(token.scope), variables);
}

/** Whether nothing else goes on in the scope in which the token moves; of a large one not. */
const isAlone = (run: Run, { scope }: Token): boolean =>
  run.scope(scope).size === undefined && run.within(scope).length === 1;

/** Sets the variable on exactly this scope: whatever sets one comes through here. @throws BAD_REQUEST (its name) */
export function put(run: Run, scope: Scope, name: string, value: TypedValue): void {
  if (!isVariableName(name)) throw badArgument('variables', VARIABLE_NAME, name);
  if (value.transient) run.transient.push({ scope: scope.id, name });
  if (run.prepared.isConditional) note(run, scope, name, Object.hasOwn(scope.variables, name) ? 'update' : 'create');
  const { data } = run.place(scope.element).element;
  scope.variables[name] = data === undefined ? value : fitting(run, scope, name, value);
}

/** As {@link put}, for several variables at once. */
export function putAll(run: Run, scope: Scope, variables: Variables): void {
  for (const [name, value] of Object.entries(variables)) put(run, scope, name, value);
}

/** Removes variables that are there for this run alone. */
export function removeTransient(run: Run): void {
  for (const { scope, name } of run.transient) {
    const variables = run.find(scope)?.variables;
    if (variables?.[name]?.transient) delete variables[name];
  }
}

/** Removes the variable where it is found going outwards. */
export function unassign(run: Run, scope: number, name: string): void {
  const holder = holderOf(run, scope, name);
  if (holder !== undefined) remove(run, holder, name);
}

/** Removes the variable from exactly this scope. */
export function remove(run: Run, scope: Scope, name: string): void {
  if (run.prepared.isConditional && Object.hasOwn(scope.variables, name)) note(run, scope, name, 'delete');
  delete scope.variables[name];
}

function note(run: Run, { id: scope }: Scope, name: string, change: VariableChange): void {
  run.changed.push({ scope, name, change });
}

/** The number of a scope that is there for an evaluation alone. */
const ASIDE = -1;

/** Evaluates in a scope that is there for that alone; of one without a parent nothing else is seen. */
export function aside<T>(run: Run, scope: Pick<Scope, 'parent' | 'variables'>, evaluated: (scope: number) => T): T {
  const { scopes } = run.state;
  const own = { id: ASIDE, element: 0, ...scope };
  scopes.push(own);
  const value = evaluated(own.id);
  scopes.splice(scopes.indexOf(own), 1);
  return value;
}

/** All variables seen from the scope; inner ones hide outer ones. */
export function visible(run: Run, scope: number): Variables {
  const found = run.scope(scope);
  const around = run.around(found);
  if (around === undefined) return { ...found.variables };
  return { ...visible(run, around.id), ...found.variables };
}

function holderOf(run: Run, scope: number, name: string): Scope | undefined {
  let at: Scope | undefined = run.scope(scope);
  while (at !== undefined && !Object.hasOwn(at.variables, name)) at = run.around(at);
  return at;
}
