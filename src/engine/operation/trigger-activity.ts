import { ServiceError } from '../../shared/errors.js';
import { nearestHint } from '../../shared/nearest.js';
import type { ProcessInstance } from '../collections.js';
import { type OpenAdHoc, openAdHocs } from '../element/open-ad-hoc.js';
import type { EngineServices } from '../engine-services.js';
import { badArgument, instanceNotFound, instanceNotIn } from '../errors.js';
import { choicesIn } from '../model/ad-hoc.js';
import type { Program } from '../model/program.js';
import { typedVariables, type VariableInput } from '../rule/given-value.js';
import { requireInstanceRight } from '../rule/rights.js';
import { presentInstance } from '../run/instance-changes.js';
import { instanceOperation, sceneOf } from '../run/instance-operation.js';
import { runInstance } from '../run/run-instance.js';

/** Input of `triggerActivity`. */
interface TriggerActivity {
  readonly processInstanceId: string;
  readonly activityId: string;
  /** The activity instance of the ad-hoc sub-process. Default: the only one that holds the activity. */
  readonly parentActivityInstanceId?: string | null;
  readonly variables?: readonly VariableInput[] | null;
}

/**
 * Starts an activity that an active ad-hoc sub-process offers. Answers the instance's id. Allowed to its starter, supervisors and administrators.
 * @throws NOT_FOUND (instance, activity), BAD_REQUEST (the activity is not one that can be chosen; a variable), FORBIDDEN, CONFLICT (the instance does not go on; no
 * such sub-process is active, or several are; another activity runs, and they go one after the other), EXECUTION_FAILED
 */
export const triggerActivity = (services: EngineServices) =>
  instanceOperation<TriggerActivity, string>(
    'triggerActivity',
    (state, input, context) => {
      const { processInstanceId, activityId } = input;
      const instance = presentInstance(state, processInstanceId);
      if (instance === undefined) throw instanceNotFound(processInstanceId);
      requireInstanceRight(context.caller, instance, 'start an activity of process instance');
      if (instance.actor.value !== 'active') throw instanceNotIn(instance, 'start an activity of');
      const program = services.programs.of(state, instance.definitionId);
      const { scope } = adHocOf(program, instance, input);
      const scene = sceneOf(services, state, context);
      const variables = typedVariables(input.variables);
      const end = runInstance(scene, {
        command: 'triggerActivity',
        instance,
        event: 'step',
        input: { type: 'triggerActivity', scope, activityId, variables },
      });
      return 'ask' in end ? end : scene.changes.decision(processInstanceId);
    },
    (_, { processInstanceId }) => processInstanceId,
  );

/** The ad-hoc sub-process in which the activity can be started now. @throws NOT_FOUND, BAD_REQUEST, CONFLICT */
function adHocOf(program: Program, instance: ProcessInstance, input: TriggerActivity): OpenAdHoc {
  const { activityId, parentActivityInstanceId } = input;
  const element = chosen(program, activityId);
  const wanted = parentActivityInstanceId || null;
  const open = openAdHocs(program, instance.state, element).filter(
    ({ scope }) => wanted === null || wanted === `${instance.id}:${scope}`,
  );
  const [found, another] = open;
  const conflict = (reason: string, what: string) =>
    new ServiceError(
      'CONFLICT',
      `expected exactly one active ad-hoc sub-process of instance '${instance.id}' that offers activity '${activityId}', but ${what}`,
      { reason, resourceId: activityId, details: { found: open.length } },
    );
  if (found === undefined)
    throw conflict('activity_not_enabled', wanted === null ? 'there is none' : `'${wanted}' does not`);
  if (another !== undefined)
    throw conflict('activity_ambiguous', `there are ${open.length}: say which by parentActivityInstanceId`);
  if (found.isBusy)
    throw conflict('activity_not_enabled', 'another activity runs in it, and they go one after the other');
  return found;
}

/** The activity's position. @throws NOT_FOUND, BAD_REQUEST (it cannot be chosen) */
function chosen({ key, elements }: Program, activityId: string): number {
  const found = elements.findIndex(({ id, type }) => id === activityId && type !== 'process');
  const element = elements[found];
  if (element === undefined) {
    const known = elements.slice(1).map(({ id }) => id);
    throw new ServiceError(
      'NOT_FOUND',
      `expected process '${key}' to have an activity with id '${activityId}', but there is none${nearestHint(activityId, known)}`,
      { reason: 'activity_not_found', resourceId: activityId },
    );
  }
  const { parent } = element;
  if (elements[parent]?.adHoc !== undefined && choicesIn(elements, parent).includes(found)) return found;
  throw badArgument('activityId', 'an activity of an ad-hoc sub-process that no sequence flow leads to', activityId);
}
