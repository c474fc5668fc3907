import { type State, start } from '../../store/index.js';
import { type ProcessDefinition, type ProcessInstance, processDefinitions } from '../collections.js';
import { newInstance } from '../element/advance.js';
import type { ThrownAfter, Variables } from '../element/instance-state.js';
import { definitionNotFound, definitionSuspended, keyNotFound } from '../errors.js';
import { processInstanceMachine } from '../machine/process-instance.js';
import { type RunEnd, type RunScene, runInstance } from './run-instance.js';

/** How an instance begins. */
export interface StartRequest {
  /** The operation's name. */
  readonly command: string;
  readonly definition: ProcessDefinition;
  /** The start event that was triggered; null: the none start event. */
  readonly element: string | null;
  readonly businessKey: string | null;
  readonly variables: Variables;
  /** Of one that a process started by a message or signal: the steps that had led to it. */
  readonly steps?: ThrownAfter;
}

/** A new instance, run to where every token waits. @throws CONFLICT (the definition is suspended), EXECUTION_FAILED */
export function startInstance(scene: RunScene, request: StartRequest): RunEnd {
  const { command, definition, element, variables, steps } = request;
  if (definition.suspended) throw definitionSuspended(definition.id);
  const instance = instanceOf(scene, request);
  return runInstance(scene, { command, instance, event: 'start', input: { type: 'start', element, variables, steps } });
}

/** The definition of an id; one that is being deleted is gone. @throws NOT_FOUND */
export function definitionOf(state: State, id: string): ProcessDefinition {
  const definition = state.get(processDefinitions, id);
  if (definition === undefined || definition.deleting) throw definitionNotFound(id);
  return definition;
}

/** The newest version of a key. @throws NOT_FOUND */
export function latestOf(state: State, key: string): ProcessDefinition {
  const [latest] = state.range(processDefinitions, 'latest', [1, key], 1);
  if (latest?.key === key) return latest;
  const deployed = state.range(processDefinitions, 'latest', [1], KEYS_MAX);
  throw keyNotFound(
    key,
    deployed.map((definition) => definition.key),
  );
}

/** Among how many keys the nearest one is looked for. */
const KEYS_MAX = 500;

function instanceOf({ state, context }: RunScene, { definition, businessKey }: StartRequest): ProcessInstance {
  return {
    id: state.ids.next(),
    definitionId: definition.id,
    definitionKey: definition.key,
    businessKey,
    startUserId: context.caller.userId,
    startTime: state.now,
    endTime: null,
    deleteReason: null,
    incidentCount: 0,
    runs: 0,
    sweep: definition.sweep?.id ?? null,
    actor: start(processInstanceMachine, { started: false }),
    state: newInstance(),
    spilled: [],
  };
}
