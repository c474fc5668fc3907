import { badRequest } from '../../shared/errors.js';
import { type JobAttempt, type State, takeOutcome } from '../../store/index.js';
import {
  isGone,
  type Job,
  jobs,
  type ProcessDefinition,
  type ProcessInstance,
  processDefinitions,
  processInstances,
} from '../collections.js';
import { leftBehind } from '../element/compensated.js';
import type { LeftBehind, Undone, Variables } from '../element/instance-state.js';
import { missed, rootOf } from '../element/large-scope.js';
import { whereLed } from '../element/move.js';
import type { EngineServices } from '../engine-services.js';
import { definitionNotFound, instanceNotFound } from '../errors.js';
import type { Transfer } from '../model/program.js';
import { bringAll } from '../run/bundles.js';
import { callerOf, type EscalationInput, type ReturnInput, type StartCalledInput } from '../run/called-instance.js';
import { holdJob, performOnInstance, presentInstance, stepInstance } from '../run/instance-changes.js';
import { definitionOf, latestOf, sceneOf, startInstance, startOperation } from '../run/instance-operation.js';
import { partsOn } from '../run/instance-parts.js';
import { instanceJob, instanceWork, type JobResult } from '../run/job-operation.js';
import { rehydrate } from '../run/load-instance.js';
import { keepQuietRun, type RunEnd, runInstance } from '../run/run-instance.js';
import { dropText, loadText } from '../run/stored-text.js';
import type { RunScene } from '../run/told-context.js';

/**
 * A called process starts, as whoever started its caller. While the caller is suspended the job is held. Sent by the job.
 * @throws NOT_FOUND (no such definition), CONFLICT (it is suspended), EXECUTION_FAILED
 */
export const startCalled = (services: EngineServices) =>
  callJob(services, 'startCalled', (scene, job, caller) => {
    const { state, changes } = scene;
    const { variables: stored, steps, ...called } = job.input as StartCalledInput;
    dropText(changes, job.id, stored);
    if (caller === null) return 'gone';
    return startInstance(scene, {
      command: 'startCalled',
      id: job.id,
      definition: calledDefinition(state, called, caller),
      element: null,
      businessKey: called.businessKey,
      variables: JSON.parse(loadText(state, job.id, stored)) as Variables,
      steps,
      calledBy: { ...callerOf(job), startUserId: caller.startUserId },
    });
  });

/**
 * A called instance that has completed is compensated: by another one that begins with what that has left behind, at the event sub-process of its process. While the
 * caller is suspended the job is held. Sent by the job.
 * @throws NOT_FOUND (the instance or its definition was deleted), CONFLICT (the definition is suspended), EXECUTION_FAILED
 */
export const undoCalled = (services: EngineServices) =>
  callJob(services, 'undoCalled', (scene, job, caller) => {
    const { state } = scene;
    const { undoes, steps } = job.input as Undone;
    if (caller === null) return 'gone';
    const undone = state.get(processInstances, undoes);
    if (undone === undefined) throw instanceNotFound(undoes);
    return startInstance(scene, {
      command: 'undoCalled',
      id: job.id,
      definition: definitionOf(state, undone.definitionId),
      element: null,
      businessKey: undone.businessKey,
      variables: {},
      steps,
      calledBy: { ...callerOf(job), startUserId: caller.startUserId },
      undoes: {
        undoes,
        left: JSON.parse(JSON.stringify(leftBehind(bringAll(state, rehydrate(state, undone)).state))) as LeftBehind,
      },
    });
  });

/** A job of a caller that starts another instance. While the caller is suspended it is held. `caller`: null where it has ended. */
const callJob = (
  services: EngineServices,
  name: string,
  begin: (scene: RunScene, job: Job, caller: ProcessInstance | null) => RunEnd | JobResult,
) =>
  startOperation<JobAttempt, JobResult>(name, (state, outcome, context) => {
    const { job, done } = takeOutcome(state, outcome, jobs);
    const scene = sceneOf(services, state, context);
    const caller = presentInstance(state, job.instanceId ?? '');
    if (caller?.actor.value === 'suspended') {
      holdJob(scene, job);
      return scene.changes.decision('held');
    }
    scene.changes.add([done]);
    const end = begin(scene, job, caller?.endTime === null ? caller : null);
    if (typeof end === 'string') return scene.changes.decision(end);
    return 'ask' in end ? end : scene.changes.decision('done');
  });

/** @throws NOT_FOUND */
function calledDefinition(
  state: State,
  { process, binding, version }: Pick<StartCalledInput, 'process' | 'binding' | 'version'>,
  caller: ProcessInstance,
): ProcessDefinition {
  if (binding === 'latest') return latestOf(state, process);
  const own = state.get(processDefinitions, caller.definitionId);
  const wanted = {
    deployment: (it: ProcessDefinition) => it.deploymentId === own?.deploymentId,
    version: (it: ProcessDefinition) => it.version === Number(version),
    versionTag: (it: ProcessDefinition) => it.versionTag === version,
  }[binding];
  const found = state
    .range(processDefinitions, 'key', [process], VERSIONS_MAX)
    .find((it) => it.key === process && !it.deleting && wanted(it));
  if (found !== undefined) return found;
  const which = {
    deployment: "in the caller's deployment",
    version: `in version ${version}`,
    versionTag: `with version tag '${version}'`,
  };
  throw badRequest(`expected process '${process}' ${which[binding]} to be deployed, but it is not`, {
    reason: definitionNotFound(process).info.reason ?? 'definition_not_found',
  });
}

/** Among how many versions, the newest ones, a called one is looked for. */
const VERSIONS_MAX = 1_000;

/** A called instance has ended: its caller goes on. Where that does not wait for it any more, nothing happens. Sent by the job. */
export const returnCalled = (services: EngineServices) =>
  instanceJob(services, {
    name: 'returnCalled',
    input: (state, job) => {
      const { calledId, outcome, error, steps } = job.input as ReturnInput;
      const awaiting = awaitedAt(state, job, calledId);
      if (awaiting === undefined) return null;
      return {
        type: 'calledEnded',
        calledId,
        outcome,
        error,
        steps,
        variables: resultOf(services, state, calledId, awaiting),
        ...(state.get(processInstances, calledId)?.state.undoable && { undoable: true }),
      };
    },
  });

/** An escalation that nothing in a called instance catches comes to its caller. Sent by the job. */
export const escalateCalled = (services: EngineServices) =>
  instanceJob(services, {
    name: 'escalateCalled',
    input: (state, job) => {
      const { calledId, code, steps } = job.input as EscalationInput;
      const awaiting = awaitedAt(state, job, calledId);
      if (awaiting === undefined) return null;
      const variables = resultOf(services, state, calledId, awaiting);
      return { type: 'calledEscalated', calledId, code, steps, variables };
    },
  });

/** A called instance, suspended or not, whose caller does not want it any more is cancelled. Sent by the job. */
export const cancelCalled = (services: EngineServices) =>
  instanceWork(services, 'cancelCalled', (scene, job) => {
    const instance = presentInstance(scene.state, job.instanceId ?? '');
    if (instance?.endTime !== null) return 'gone';
    const { reason } = job.input as { readonly reason: string };
    return runInstance(scene, {
      command: 'cancelCalled',
      instance,
      event: 'cancel',
      input: { type: 'cancel', reason },
    });
  });

/**
 * A called instance is suspended with its caller, and goes on with it: unless somebody has suspended it for itself, or let it go on. Sent by the job.
 */
export const followCaller = (services: EngineServices) =>
  instanceWork(services, 'followCaller', (scene, job) => {
    const instance = presentInstance(scene.state, job.instanceId ?? '');
    if (instance?.endTime !== null) return 'gone';
    const caller = presentInstance(scene.state, instance.calledBy?.instanceId ?? '');
    const follows = caller?.actor.value === 'suspended' ? HELD : RELEASED;
    if (!follows.isDue(instance)) return 'gone';
    const [actor, actions] = stepInstance(instance, { type: follows.event });
    const changed = keepQuietRun(scene, follows.command, { ...instance, actor, heldByCaller: follows.heldByCaller });
    performOnInstance({ ...scene, instance: changed }, actions.length > 0 ? actions : [{ type: 'store' }]);
    return 'done';
  });

const HELD = {
  isDue: ({ actor }: ProcessInstance) => actor.value === 'active',
  event: 'suspend',
  command: 'suspendProcessInstance',
  heldByCaller: true,
} as const;

const RELEASED = {
  isDue: ({ heldByCaller }: ProcessInstance) => heldByCaller === true,
  event: 'activate',
  command: 'activateProcessInstance',
  heldByCaller: undefined,
} as const;

/** A call activity that waits, by its position in the program of its instance. */
interface Awaiting {
  readonly caller: ProcessInstance;
  readonly element: number;
}

function awaitedAt(state: State, { instanceId }: Job, calledId: string): Awaiting | undefined {
  const caller = state.get(processInstances, instanceId ?? '');
  const within = state.get(processInstances, calledId)?.calledBy?.within;
  if (caller === undefined || isGone(state, caller, { id: calledId, within })) return undefined;
  const away = within === undefined ? [] : partsOn(state, caller.id, [within]);
  const tokens = [caller.state, ...away].flatMap((part) => part.tokens);
  const token = tokens.find(({ wait }) => wait?.kind === 'called' && wait.id === calledId);
  if (token === undefined) return undefined;
  // In a large scope it may stand where a migration is still to take it from.
  const root = within && rootOf({ within, tokens });
  const behind = root === undefined ? [] : missed(caller.state, root);
  return { caller, element: whereLed(0, token.element, behind)[1] };
}

/** The variables of the called process that its caller takes. */
function resultOf(services: EngineServices, state: State, calledId: string, { caller, element }: Awaiting): Variables {
  const called = state.get(processInstances, calledId);
  if (called === undefined) return {};
  const outputs = services.programs.of(state, caller.definitionId).elements[element]?.call?.outputs ?? [];
  if (outputs.length === 0) return {};
  const variables = rehydrate(state, called).state.scopes.find(({ id }) => id === 0)?.variables ?? {};
  if (!outputs.every(isNamed)) return variables;
  return Object.fromEntries(
    outputs.flatMap(({ source }) => {
      const value = variables[source];
      return value === undefined ? [] : [[source, value]];
    }),
  );
}

const isNamed = (each: Transfer): each is Extract<Transfer, { kind: 'variable' }> => each.kind === 'variable';
