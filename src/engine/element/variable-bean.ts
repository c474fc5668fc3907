import type { At } from './evaluate.js';
import type { TypedValue } from './instance-state.js';
import { native } from './native.js';
import type { Run } from './run.js';
import { TypedValueBean, typedOf } from './typed-value-bean.js';
import { assign, assignLocal, lookUp, unassign, visible } from './variables.js';

/** The methods that `execution` and `task` share: Camunda's VariableScope. undefined: there is no such method. */
export function callOnVariables(run: Run, at: At, method: string, args: readonly unknown[]): unknown {
  const name = String(args[0]);
  switch (method) {
    case 'getVariable':
      return nativeOf(lookUp(run, at.scope, name));
    case 'getVariableLocal':
      return nativeOf(local(run, at)[name]);
    case 'getVariableTyped':
      return typedBean(lookUp(run, at.scope, name));
    case 'getVariableLocalTyped':
      return typedBean(local(run, at)[name]);
    case 'hasVariable':
      return lookUp(run, at.scope, name) !== undefined;
    case 'hasVariableLocal':
      return Object.hasOwn(local(run, at), name);
    case 'setVariable':
      assign(run, at.scope, name, typedOf(args[1]));
      return null;
    case 'setVariableLocal':
      assignLocal(run, at.token, name, typedOf(args[1]));
      return null;
    case 'removeVariable':
      unassign(run, at.scope, name);
      return null;
    case 'removeVariableLocal':
      delete local(run, at)[name];
      return null;
    default:
      return allOf(run, at, method, args);
  }
}

function allOf(run: Run, at: At, method: string, args: readonly unknown[]): unknown {
  switch (method) {
    case 'getVariables':
      return natives(visible(run, at.scope));
    case 'getVariablesLocal':
      return natives(local(run, at));
    case 'getVariableNames':
      return Object.keys(visible(run, at.scope));
    case 'getVariableNamesLocal':
      return Object.keys(local(run, at));
    case 'hasVariables':
      return Object.keys(visible(run, at.scope)).length > 0;
    case 'hasVariablesLocal':
      return Object.keys(local(run, at)).length > 0;
    default:
      return changeAll(run, at, method, args);
  }
}

/** As in Camunda: without names, the activity's own are removed. */
function changeAll(run: Run, at: At, method: string, [given]: readonly unknown[]): unknown {
  const entries = typeof given === 'object' && given !== null ? Object.entries(given) : [];
  const names = given === undefined ? Object.keys(local(run, at)) : entries.map(([, name]) => String(name));
  switch (method) {
    case 'setVariables':
      for (const [name, value] of entries) assign(run, at.scope, name, typedOf(value));
      return null;
    case 'setVariablesLocal':
      for (const [name, value] of entries) assignLocal(run, at.token, name, typedOf(value));
      return null;
    case 'removeVariables':
      for (const name of names) unassign(run, at.scope, name);
      return null;
    case 'removeVariablesLocal':
      for (const name of names) delete local(run, at)[name];
      return null;
    default:
      return undefined;
  }
}

/** The names of the variables that are the activity's own. */
export const ownNames = (run: Run, at: At): string[] => Object.keys(local(run, at));

const typedBean = (value: TypedValue | undefined) => (value === undefined ? null : new TypedValueBean(value));

const local = (run: Run, { token, place }: At) => run.scope(place.index === 0 ? 0 : run.innermost(token)).variables;

const nativeOf = (value: Parameters<typeof native>[0] | undefined) => (value === undefined ? null : native(value));

const natives = (variables: Parameters<typeof Object.entries<Parameters<typeof native>[0]>>[0]) =>
  Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, native(value)]));
