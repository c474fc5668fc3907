import type { Bean } from '../../expression/index.js';
import { setBusinessKey } from './business-key.js';
import type { At } from './evaluate.js';
import type { Run } from './run.js';
import { callOnVariables } from './variable-bean.js';

/** `execution` in an expression: Camunda's DelegateExecution, as far as a model can use it. */
export class ExecutionBean implements Bean {
  readonly #run: Run;
  readonly #at: At;

  constructor(run: Run, at: At) {
    this.#run = run;
    this.#at = at;
  }

  property(name: string): unknown {
    if (name === 'variables' || name === 'variablesLocal' || name === 'variableNames')
      return this.call(getter(name), []);
    if (name === 'parentId') return parentId(this.#run, this.#at);
    return Object.hasOwn(FACTS, name) ? executionFacts(this.#run, this.#at)[name as keyof ExecutionFacts] : undefined;
  }

  call(method: string, args: readonly unknown[]): unknown {
    if (method === 'setProcessBusinessKey' && args.length === 1) {
      setBusinessKey(this.#run, args[0]);
      return null;
    }
    const found = callOnVariables(this.#run, this.#at, method, args);
    if (found !== undefined || args.length > 0 || !method.startsWith('get')) return found;
    return this.property(method.charAt(3).toLowerCase() + method.slice(4));
  }
}

/** What expressions and scripts may know of where they run. */
export interface ExecutionFacts {
  /** `<instanceId>:<token>`; the instance's id in the process's own listeners. */
  readonly id: string;
  readonly processInstanceId: string;
  readonly processBusinessKey: string | null;
  readonly businessKey: string | null;
  readonly processDefinitionId: string;
  readonly currentActivityId: string;
  readonly currentActivityName: string | null;
  /** The sequence flow that is taken, in its listener. */
  readonly currentTransitionId: string | null;
  readonly activityInstanceId: string | null;
  readonly eventName: string | null;
  readonly tenantId: null;
}

export function executionFacts(run: Run, { token, place, event, flow }: At): ExecutionFacts {
  const { instanceId, definitionId } = run.context;
  const { businessKey } = run;
  const ofProcess = place.index === 0;
  const activity = token.activity === null ? null : `${instanceId}:${token.activity}`;
  return {
    id: ofProcess ? instanceId : `${instanceId}:${token.id}`,
    processInstanceId: instanceId,
    processBusinessKey: businessKey,
    businessKey,
    processDefinitionId: definitionId,
    currentActivityId: place.element.id,
    currentActivityName: place.element.name,
    currentTransitionId: flow ?? null,
    activityInstanceId: ofProcess ? instanceId : activity,
    eventName: event ?? null,
    tenantId: null,
  };
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
  currentActivityName: true,
  currentTransitionId: true,
  activityInstanceId: true,
  eventName: true,
  tenantId: true,
};

const getter = (name: string) => `get${name.charAt(0).toUpperCase()}${name.slice(1)}`;
