import { type JobAttempt, takeOutcome } from '../../store/index.js';
import { processDefinitions, processInstances } from '../collections.js';
import type { EngineServices } from '../engine-services.js';
import { instanceOperation } from '../run/instance-operation.js';
import { type JobResult, mailboxOfJob } from '../run/job-operation.js';
import { sceneOf } from '../run/open-task.js';
import { swept } from '../run/present-instance.js';
import { flagSuspension, putSuspension } from '../run/suspension.js';

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
      const present = swept(instance, definition);
      // Another command has written the instance meanwhile, but not what hangs on it.
      if (present.actor.value === instance.actor.value) flagSuspension(scene, present);
      else
        putSuspension(
          scene,
          definition?.sweep?.event === 'suspend' ? 'suspendProcessDefinition' : 'activateProcessDefinition',
          present,
        );
      return scene.changes.decision('done');
    },
    mailboxOfJob,
  );
