import { type JobAttempt, takeOutcome } from '../../store/index.js';
import { type ProcessInstance, processDefinitions, processInstances } from '../collections.js';
import type { EngineServices } from '../engine-services.js';
import type { ProcessInstanceAction } from '../machine/process-instance.js';
import { performOnInstance } from '../run/instance-changes.js';
import { instanceOperation } from '../run/instance-operation.js';
import { type JobResult, mailboxOfJob } from '../run/job-operation.js';
import { sceneOf } from '../run/open-task.js';
import { takeSweep } from '../run/present-instance.js';
import { keepQuietRun } from '../run/run-instance.js';

/** A sweep reaches an instance, its tasks and its jobs. Sent by the job. */
export const applySweep = (services: EngineServices) =>
  instanceOperation<JobAttempt, JobResult>(
    'applySweep',
    (state, outcome, context) => {
      const { job, done } = takeOutcome(state, outcome);
      const scene = sceneOf(services, state, context);
      scene.changes.add([done]);
      const instance = state.get(processInstances, job.instanceId ?? '');
      if (instance === undefined || instance.endTime !== null) return scene.changes.decision('gone');
      const definition = state.get(processDefinitions, instance.definitionId);
      const [present, actions] = takeSweep(instance, definition);
      if (actions.length > 0) {
        const command =
          definition?.sweep?.event === 'suspend' ? 'suspendProcessDefinition' : 'activateProcessDefinition';
        performOnInstance({ ...scene, instance: keepQuietRun(scene, command, present) }, actions);
      } else performOnInstance({ ...scene, instance: present }, followed(present));
      return scene.changes.decision('done');
    },
    mailboxOfJob,
  );

/** Another command has written the instance meanwhile, but not what hangs on it. */
function followed({ actor }: ProcessInstance): ProcessInstanceAction[] {
  const params = { suspended: actor.value === 'suspended' };
  return [{ type: 'store' }, { type: 'suspendTasks', params }, { type: 'suspendJobs', params }];
}
