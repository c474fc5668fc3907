import { nextOfCycle, parseRetryCycle } from '../../expression/index.js';
import type { Caller } from '../../shared/caller.js';
import { badRequest } from '../../shared/errors.js';
import { type JobAttempt, type State, takeOutcome } from '../../store/index.js';
import { type Job, jobs, type ProcessDefinition, processDefinitions } from '../collections.js';
import type { ModifyInput } from '../element/instance-state.js';
import type { Variables } from '../element/typed-value.js';
import type { EngineServices } from '../engine-services.js';
import { badArgument } from '../errors.js';
import type { GivenInstruction } from '../rule/given-instruction.js';
import { bounded, typedVariables, type VariableInput } from '../rule/given-value.js';
import { requireStartRight, requireSupervisor } from '../rule/rights.js';
import type { EventStartInput } from '../run/delivery.js';
import { startFormOf, submitted } from '../run/forms.js';
import { holdJob } from '../run/instance-changes.js';
import { definitionOf, latestOf, sceneOf, startInstance, startOperation } from '../run/instance-operation.js';
import { type JobResult, partitionJob } from '../run/job-operation.js';
import type { TimerStartInput } from '../run/publish-definition.js';
import type { RunScene } from '../run/told-context.js';
import { type Modification, modificationOf } from './modify-process-instance.js';

/** Input of `startProcess`: one of key and id; with both, the id counts. */
interface StartProcess extends Omit<Modification, 'instructions' | 'annotation'> {
  /** The newest version of this key. */
  readonly definitionKey?: string | null;
  readonly definitionId?: string | null;
  /** The id that it gets, where whoever starts it has told of it before. Default: a new one. */
  readonly instanceId?: string | null;
  readonly businessKey?: string | null;
  readonly variables?: readonly VariableInput[] | null;
  /** Whether they were entered in the start form: they are checked by it. Default false. */
  readonly form?: boolean | null;
  /** Where it begins. Default: at its start event. */
  readonly instructions?: readonly GivenInstruction[] | null;
}

/**
 * Starts an instance as the caller and runs it to where every token waits; answers its id. Allowed to everyone signed in; where the model
 * declares candidate starters, to those, supervisors and administrators; where instructions say where it begins, to these two.
 * @throws BAD_REQUEST (neither key nor id; a variable; to skip without instructions), NOT_FOUND, FORBIDDEN, CONFLICT (the definition is suspended), EXECUTION_FAILED
 */
export const startProcess = (services: EngineServices) =>
  startOperation<StartProcess, string>('startProcess', (state, input, context) => {
    const { definitionId, definitionKey } = input;
    if (!definitionId && !definitionKey) {
      throw badRequest("expected 'definitionKey' or 'definitionId' to start a process, but found neither");
    }
    const definition = definitionId ? definitionOf(state, definitionId) : latestOf(state, definitionKey ?? '');
    requireStartRight(context.caller, definition);
    const modification = beginningOf(input, context.caller);
    const scene = sceneOf(services, state, context);
    const end = startInstance(scene, {
      command: 'startProcess',
      definition,
      element: null,
      businessKey: bounded('businessKey', input.businessKey, 'name'),
      ...(input.instanceId != null && { id: input.instanceId }),
      variables: startVariables(services, state, definition, input),
      ...(modification && { modification }),
    });
    return 'ask' in end ? end : scene.changes.decision(end.instance.id);
  });

/** What begins rather than the start event. @throws BAD_REQUEST (an instruction; to skip what begins by itself), FORBIDDEN */
function beginningOf(input: StartProcess, caller: Caller): ModifyInput | undefined {
  const { instructions } = input;
  if (!instructions?.length) {
    requireNoSkipping(input);
    return undefined;
  }
  requireSupervisor(caller, 'start process instances by instructions');
  if (instructions.some(({ type }) => type === 'cancel'))
    throw badArgument('instructions', 'instructions that begin something', 'cancel');
  return modificationOf({ ...input, instructions }, null, caller.userId);
}

/** As in Camunda: listeners and mappings are skipped of what begins by instructions alone. @throws BAD_REQUEST */
function requireNoSkipping({ skipCustomListeners, skipIoMappings }: StartProcess): void {
  if (!skipCustomListeners && !skipIoMappings) return;
  const argument = skipCustomListeners ? 'skipCustomListeners' : 'skipIoMappings';
  throw badArgument(argument, 'false where there are no instructions', true);
}

/** The first variables; what was entered in the form of the none start event is checked by it. @throws BAD_REQUEST (each field) */
function startVariables(
  services: EngineServices,
  state: State,
  definition: ProcessDefinition,
  { variables, form: isForm, instructions }: StartProcess,
): Variables {
  const given = typedVariables(variables);
  // What begins elsewhere has no start event with a form.
  const isEntered = isForm === true && !instructions?.length;
  const form = isEntered ? startFormOf(services.programs.of(state, definition.id)) : undefined;
  return form === undefined
    ? given
    : submitted(state, form, { given, present: {} }, { definition, resourceId: definition.id });
}

/** A message or signal starts an instance; a definition that was suspended or deleted meanwhile lets it pass. Sent by the job. */
export const startByEvent = (services: EngineServices) =>
  partitionJob(services, 'startByEvent', (scene, job) => {
    const definition = scene.state.get(processDefinitions, job.definitionId ?? '');
    // One that is being deleted is suspended, too.
    if (definition?.suspended !== false) return 'gone';
    const { elementId: element, instanceId: id, ...begun } = job.input as EventStartInput;
    return startInstance(scene, {
      command: 'startByEvent',
      definition,
      element,
      ...(id !== undefined && { id }),
      ...begun,
    });
  });

/** A timer start event is due: an instance starts, and a cycle gets its next job. Waits while the definition is suspended. Sent by the job. */
export const startByTimer = (services: EngineServices) =>
  startOperation<JobAttempt, JobResult>('startByTimer', (state, outcome, context) => {
    const { job, done } = takeOutcome(state, outcome, jobs);
    const definition = state.get(processDefinitions, job.definitionId ?? '');
    if (definition?.deleting !== false) return { write: [done], answer: 'gone' };
    const scene = sceneOf(services, state, context);
    if (definition.suspended) {
      holdJob(scene, job);
      return scene.changes.decision('held');
    }
    scene.changes.add([done]);
    const input = job.input as TimerStartInput;
    const left = definition.timerJobIds.filter((id) => id !== job.id);
    const timerJobIds = [...left, ...nextStart(scene, definition, job, input)];
    scene.changes.put(processDefinitions, { ...definition, timerJobIds });
    const end = startInstance(scene, {
      command: 'startByTimer',
      definition,
      element: input.elementId,
      part: input.part,
      businessKey: null,
      variables: {},
    });
    return 'ask' in end ? end : scene.changes.decision('done');
  });

/** The job of the cycle's next time; gives its id, none where there is no next one. */
export function nextStart(
  { state, changes }: RunScene,
  { id: definitionId, key: definitionKey }: ProcessDefinition,
  { priority, retryCycle }: Job,
  { repeat, ...start }: TimerStartInput,
): string[] {
  const next = repeat === null ? null : nextOfCycle(repeat, state.now);
  if (next === null) return [];
  const id = state.ids.next();
  const input: TimerStartInput = { ...start, repeat: next.repeat };
  const { elementId: activityId } = start;
  changes.job({
    id,
    type: 'timerStart',
    dueAt: next.at,
    definitionId,
    definitionKey,
    activityId,
    input,
    priority,
    retryCycle,
    ...(retryCycle !== null && { retries: parseRetryCycle(retryCycle).retries }),
  });
  return [id];
}
