import { badRequest } from '../../shared/errors.js';
import type { State } from '../../store/index.js';
import { type ProcessInstance, processInstances, type RunCommand, runId, runs } from '../collections.js';
import type { Input } from '../element/instance-state.js';
import type { EngineServices } from '../engine-services.js';
import { instanceNotFound, instanceNotIn } from '../errors.js';
import type { GivenInstruction } from '../rule/given-instruction.js';
import { requireSupervisor } from '../rule/rights.js';
import { definitionOf, sceneOf, startInstance, startOperation } from '../run/instance-operation.js';
import { processVariables } from '../run/seen-variables.js';
import { loadText } from '../run/stored-text.js';
import { type Modification, modificationOf } from './modify-process-instance.js';

/** How what has ended begins anew. */
export interface Restart extends Omit<Modification, 'instructions'> {
  /** Where it begins. Default: where it began before. */
  readonly instructions?: readonly GivenInstruction[] | null;
  /** Whether it has the variables that it was started with, rather than those that it ended with. Default false. */
  readonly initialVariables?: boolean | null;
  /** Whether it has no business key. Default: that of before. */
  readonly withoutBusinessKey?: boolean | null;
}

/** Input of `restartProcessInstance`. */
interface RestartProcessInstance extends Restart {
  readonly processInstanceId: string;
}

/**
 * Starts an instance as one that has ended was: by the same definition, at the same start event or where the instructions say. Answers the new one's id. Allowed
 * to supervisors and administrators.
 * @throws NOT_FOUND (the instance, its definition), FORBIDDEN, BAD_REQUEST (an instruction; it has compensated another one), CONFLICT (it has not ended; the definition is suspended), EXECUTION_FAILED
 */
export const restartProcessInstance = (services: EngineServices) =>
  startOperation<RestartProcessInstance, string>('restartProcessInstance', (state, input, context) => {
    requireSupervisor(context.caller, 'restart process instances');
    const { processInstanceId: id, instructions, ...how } = input;
    const before = state.get(processInstances, id);
    if (before === undefined) throw instanceNotFound(id);
    if (before.endTime === null) throw instanceNotIn(before, 'restart');
    if (before.state.undoes !== undefined) throw compensatesAnother(before.id, before.state.undoes);
    const modification = instructions?.length
      ? modificationOf({ ...how, instructions }, null, context.caller.userId)
      : undefined;
    const scene = sceneOf(services, state, context);
    const end = startInstance(scene, {
      command: 'restartProcessInstance',
      definition: definitionOf(state, before.definitionId),
      ...asBefore(state, before, how),
      restarts: id,
      ...(modification && { modification }),
    });
    return 'ask' in end ? end : scene.changes.decision(end.instance.id);
  });

/** It began with what the other one had left behind, for the caller that waited for it. */
const compensatesAnother = (id: string, undoes: string) =>
  badRequest(
    `expected a process instance that began by itself or was called, but '${id}' compensated process instance '${undoes}'`,
    { reason: 'process_instance_compensates', resourceId: id },
  );

/** Start event, business key and variables of one that has ended, as it began, or as it ended. */
function asBefore(state: State, before: ProcessInstance, { initialVariables, withoutBusinessKey }: Restart) {
  const { element = null, part, variables = {} } = startOf(state, before) ?? {};
  return {
    element,
    part,
    businessKey: withoutBusinessKey ? null : before.businessKey,
    variables: initialVariables ? variables : processVariables(state, before),
  };
}

/** How the instance began: its first command is kept as long as it is. */
function startOf(state: State, { id }: ProcessInstance): Extract<Input, { type: 'start' }> | undefined {
  const run = state.get(runs, runId(id, 1));
  if (run === undefined) return undefined;
  const { command, pieces } = run;
  const kept = command ?? (JSON.parse(loadText(state, run.id, { text: null, pieces })) as RunCommand);
  return kept.input?.type === 'start' ? kept.input : undefined;
}
