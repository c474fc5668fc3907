import type { State } from '../../store/index.js';
import { jobs, type ProcessInstance } from '../collections.js';
import type { Instruction, Token } from '../element/instance-state.js';
import { isCut, tokensOn } from '../element/large-scope.js';
import { elementNamed, flowNamed } from '../element/named.js';
import type { EngineServices } from '../engine-services.js';
import { instanceNotFound, instanceNotIn } from '../errors.js';
import type { Program } from '../model/program.js';
import { type GivenInstruction, typedInstructions } from '../rule/given-instruction.js';
import { bounded } from '../rule/given-value.js';
import { requireSupervisor } from '../rule/rights.js';
import { presentInstance } from '../run/instance-changes.js';
import { instanceOperation, sceneOf } from '../run/instance-operation.js';
import { runInstance } from '../run/run-instance.js';
import { type Touched, touchedBy } from '../run/touched-parts.js';

/** Modification of a process instance: its instructions, and the listeners and mappings that it skips. */
export interface Modification {
  readonly instructions: readonly GivenInstruction[];
  /** Whether listeners are not told of what begins and ends by it. Default false. */
  readonly skipCustomListeners?: boolean | null;
  /** Whether inputs and outputs of what begins and ends by it are not mapped. Default false. */
  readonly skipIoMappings?: boolean | null;
  /** Kept with the command. */
  readonly annotation?: string | null;
}

/** Input of `modifyProcessInstance`. */
interface ModifyProcessInstance extends Modification {
  readonly processInstanceId: string;
}

/**
 * Begins and cancels activities of an instance, one instruction after the other. With nothing left in it, the instance ends. Answers its id. Allowed to
 * supervisors and administrators.
 * @throws NOT_FOUND, FORBIDDEN, BAD_REQUEST (an instruction), CONFLICT (it has ended; it is suspended, and something is to begin), EXECUTION_FAILED
 */
export const modifyProcessInstance = (services: EngineServices) =>
  instanceOperation<ModifyProcessInstance, string>(
    'modifyProcessInstance',
    (state, { processInstanceId, ...given }, context) => {
      requireSupervisor(context.caller, 'modify process instances');
      const instance = presentInstance(state, processInstanceId);
      if (instance === undefined) throw instanceNotFound(processInstanceId);
      const input = modificationOf(given, processInstanceId, context.caller.userId);
      // As in Camunda: what is held cannot begin anything.
      if (instance.actor.value === 'suspended' && input.instructions.some(({ type }) => type !== 'cancel'))
        throw instanceNotIn(instance, 'begin activities of');
      const scene = sceneOf(services, state, context);
      const instead = isRefused(state, instance);
      const look = instead || !waits(instance) ? touchedBy : touchedLater;
      const touched = look(state, instance, services.programs.of(state, instance.definitionId), input.instructions);
      const end = runInstance(scene, {
        command: 'modifyProcessInstance',
        instance,
        event: 'modify',
        input: {
          ...input,
          ...(instead && { instead }),
          ...(!touched.isAll && { here: tokensOn(touched.paths) }),
        },
        within: touched.paths,
      });
      return 'ask' in end ? end : scene.changes.decision(processInstanceId);
    },
    (_, { processInstanceId }) => processInstanceId,
  );

/** Whether an earlier modification waits that was refused when it was to go on, as often as it was tried: an incident tells so. */
function isRefused(state: State, { state: { modifying, tokens } }: ProcessInstance): true | undefined {
  if (modifying === undefined) return undefined;
  if (modifying.job !== undefined) return state.get(jobs, modifying.job)?.actor.value === 'dead' || undefined;
  // Former versions carried it out in the run that went on with what had been cut.
  const isStuck = ({ wait }: Token): boolean => {
    const job = isCut(wait) ? state.get(jobs, wait.id) : undefined;
    return job?.actor.value === 'dead' && job.failure?.code === 'BAD_REQUEST';
  };
  return tokens.some(isStuck) || undefined;
}

/** Whether it is carried out by a job: behind an earlier one, or behind what was cut. */
const waits = ({ state: { modifying, tokens } }: ProcessInstance): boolean =>
  modifying?.job !== undefined || tokens.some(({ wait }) => isCut(wait));

/** What is carried out by a job is looked for then. @throws BAD_REQUEST: the process has no such activity, or flow */
function touchedLater(_: State, __: ProcessInstance, program: Program, instructions: readonly Instruction[]): Touched {
  for (const each of instructions) {
    if (each.type === 'startTransition') flowNamed(program, each.id);
    else if (each.type !== 'cancel') elementNamed(program, each.id);
    else if ('activityId' in each.what) elementNamed(program, each.what.activityId);
  }
  return { paths: [], isAll: true };
}

/** The run's input. @throws BAD_REQUEST */
export function modificationOf(given: Modification, instanceId: string | null, userId: string) {
  const { instructions, skipCustomListeners, skipIoMappings, annotation } = given;
  const note = bounded('annotation', annotation ?? null, 'annotation');
  return {
    type: 'modify' as const,
    instructions: typedInstructions(instructions, instanceId),
    reason: `modified by ${userId}`,
    ...(skipCustomListeners && { skipListeners: true as const }),
    ...(skipIoMappings && { skipMappings: true as const }),
    ...(note !== null && { annotation: note }),
  };
}
