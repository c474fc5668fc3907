import type { Bean } from '../../expression/index.js';
import { bounded } from '../rule/given-value.js';
import type { TypedValue, VariableType } from './instance-state.js';
import { native, textOf, typed } from './native.js';
import { type At, at, type Run } from './run.js';
import { assign, assignOwn, lookUp, unassign, visible } from './variables.js';

/** `execution` in an expression: Camunda's DelegateExecution, as far as a model can use it. */
export class ExecutionBean implements Bean {
  readonly #run: Run;
  readonly #at: At;

  constructor(run: Run, at: At) {
    this.#run = run;
    this.#at = at.task === undefined ? at : withoutTask(at);
  }

  property(name: string): unknown {
    if (name === 'variables' || name === 'variablesLocal' || name === 'variableNames')
      return this.call(getter(name), []);
    if (name === 'parentId') return parentId(this.#run, this.#at);
    if (name === 'parent') return parentOf(this.#run, this.#at);
    if (name === 'processInstance') return processOf(this.#run);
    return Object.hasOwn(FACTS, name) ? executionFacts(this.#run, this.#at)[name as keyof ExecutionFacts] : undefined;
  }

  call(method: string, args: readonly unknown[]): unknown {
    if (method === 'setProcessBusinessKey' && args.length === 1) {
      setBusinessKey(this.#run, args[0]);
      return null;
    }
    const found = callOnVariables(this.#run, this.#at, method, args);
    if (found !== undefined || args.length > 0) return found;
    if (method === 'isCanceled') return this.property('canceled');
    return method.startsWith('get') ? this.property(method.charAt(3).toLowerCase() + method.slice(4)) : undefined;
  }
}

const processOf = (run: Run) => new ExecutionBean(run, { token: run.root, place: run.place(0), scope: 0 });

/** The execution around, as {@link parentId} names it. */
function parentOf(run: Run, { token, place }: At): ExecutionBean | null {
  if (place.index === 0) return null;
  const around = run.owner(token.scope);
  return around === undefined ? processOf(run) : new ExecutionBean(run, at(run, around, run.placeOf(around)));
}

/** Facts of an execution, for expressions and scripts. */
export interface ExecutionFacts {
  /** `<instanceId>:<token>`; the instance's id in the process's own listeners. */
  readonly id: string;
  readonly processInstanceId: string;
  readonly processBusinessKey: string | null;
  readonly businessKey: string | null;
  readonly processDefinitionId: string;
  /** Null in end listeners of a process that is cancelled. */
  readonly currentActivityId: string | null;
  /** The same. Absent: a former version asked. */
  readonly activityId?: string | null;
  readonly currentActivityName: string | null;
  /** The sequence flow that is taken, in its listener. */
  readonly currentTransitionId: string | null;
  readonly activityInstanceId: string | null;
  readonly eventName: string | null;
  /** Of an end listener: whether its activity is left before it is done. Absent: a former version asked. */
  readonly canceled?: boolean;
  readonly tenantId: null;
}

export function executionFacts(run: Run, { token, place, event, flow, canceled = false }: At): ExecutionFacts {
  const { instanceId, definitionId } = run.context;
  const { businessKey } = run;
  const ofProcess = place.index === 0;
  const activity = token.activity === null ? null : `${instanceId}:${token.activity}`;
  // As in Camunda the listeners of a process are told at what it begins or ends with.
  const { index, element } = ofProcess && run.rules >= 7 ? run.placeOf(token) : place;
  // Where it is cancelled it is at nothing any more.
  const { id: activityId, name } = index === 0 && run.rules >= 8 ? { id: null, name: null } : element;
  const facts = {
    id: ofProcess ? instanceId : `${instanceId}:${token.id}`,
    processInstanceId: instanceId,
    processBusinessKey: businessKey,
    businessKey,
    processDefinitionId: definitionId,
    currentActivityId: activityId,
    currentActivityName: name,
    currentTransitionId: flow ?? null,
    activityInstanceId: ofProcess ? instanceId : activity,
    eventName: event ?? null,
    tenantId: null,
  };
  return run.rules < 7 ? facts : { ...facts, activityId, canceled };
}

/** The execution around: the sub-process's, else the instance's; null in the process's own listeners. Looked for, so not among the facts. */
export function parentId(run: Run, { token, place }: At): string | null {
  if (place.index === 0) return null;
  const around = run.owner(token.scope);
  return around === undefined ? run.context.instanceId : `${run.context.instanceId}:${around.id}`;
}

const FACTS: Readonly<Record<keyof ExecutionFacts, true>> = {
  id: true,
  processInstanceId: true,
  processBusinessKey: true,
  businessKey: true,
  processDefinitionId: true,
  currentActivityId: true,
  activityId: true,
  currentActivityName: true,
  currentTransitionId: true,
  activityInstanceId: true,
  eventName: true,
  canceled: true,
  tenantId: true,
};

const getter = (name: string) => `get${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** What a listener of a task sets by the execution is the execution's. */
function withoutTask({ task: _, ...at }: At): At {
  return at;
}

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
      assignOwn(run, at, { [name]: typedOf(args[1]) });
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
      assignOwn(run, at, Object.fromEntries(entries.map(([name, value]) => [name, typedOf(value)])));
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

/** Camunda's TypedValue, as `getVariableTyped` gives it. */
class TypedValueBean implements Bean {
  readonly typed: TypedValue;

  constructor(typed: TypedValue) {
    this.typed = typed;
  }

  property(name: string): unknown {
    switch (name) {
      case 'value':
        return native(this.typed);
      case 'type':
        return new ValueTypeBean(this.typed.type);
      case 'transient':
        return false;
      default:
        return undefined;
    }
  }

  call(method: string, args: readonly unknown[]): unknown {
    return args.length === 0 ? this.property(PROPERTIES[method] ?? '') : undefined;
  }
}

const PROPERTIES: Readonly<Record<string, string>> = { getValue: 'value', getType: 'type', isTransient: 'transient' };

class ValueTypeBean implements Bean {
  readonly #type: VariableType;

  constructor(type: VariableType) {
    this.#type = type;
  }

  property(name: string): unknown {
    return name === 'name' ? this.#type.toLowerCase() : undefined;
  }

  call(method: string, args: readonly unknown[]): unknown {
    return (method === 'getName' || method === 'toString') && args.length === 0 ? this.property('name') : undefined;
  }
}

/** The typed value that a variable gets of an expression's value. */
const typedOf = (value: unknown): TypedValue => (value instanceof TypedValueBean ? value.typed : typed(value));

/** Gives the instance another business key, or none. @throws BAD_REQUEST, LIMIT_EXCEEDED (a text that no business key can be) */
export function setBusinessKey(run: Run, value: unknown): void {
  run.businessKey = bounded('businessKey', textOf(value), 'name');
  run.effects.push({ type: 'businessKey', businessKey: run.businessKey });
}
