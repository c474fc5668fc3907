import { type JobAttempt, takeOutcome } from '../../store/index.js';
import { type ProcessDefinition, processDefinitions } from '../collections.js';
import type { EngineServices } from '../engine-services.js';
import { nextStart } from '../rule/start-timer.js';
import { startOperation } from '../run/instance-operation.js';
import { holdJob } from '../run/job-changes.js';
import type { JobResult } from '../run/job-operation.js';
import { sceneOf } from '../run/open-task.js';
import type { TimerStartInput } from '../run/publish-definition.js';
import type { RunScene } from '../run/run-instance.js';
import { startInstance } from '../run/start-instance.js';

/** A timer start event is due: an instance starts, and a cycle gets its next job. Waits while the definition is suspended. Sent by the job. */
export const startByTimer = (services: EngineServices) =>
  startOperation<JobAttempt, JobResult>('startByTimer', (state, outcome, context) => {
    const { job, done } = takeOutcome(state, outcome);
    const definition = state.get(processDefinitions, job.definitionId ?? '');
    if (definition === undefined || definition.deleting) return { write: [done], answer: 'gone' };
    const scene = sceneOf(services, state, context);
    if (definition.suspended) {
      holdJob(scene, job);
      return scene.changes.decision('held');
    }
    scene.changes.add([done]);
    const input = job.input as TimerStartInput;
    repeat(scene, definition, job.id, input);
    const end = startInstance(scene, {
      command: 'startByTimer',
      definition,
      element: input.elementId,
      businessKey: null,
      variables: {},
    });
    return 'ask' in end ? end : scene.changes.decision('done');
  });

function repeat(
  { state, changes }: RunScene,
  definition: ProcessDefinition,
  fired: string,
  { elementId, repeat: left }: TimerStartInput,
): void {
  const timerJobIds = definition.timerJobIds.filter((id) => id !== fired);
  const next = left === null ? null : nextStart(left, state.now);
  if (next !== null) {
    const id = state.ids.next();
    const { id: definitionId, key: definitionKey } = definition;
    const input: TimerStartInput = { elementId, repeat: next.repeat };
    changes.job({ id, type: 'timerStart', dueAt: next.at, definitionId, definitionKey, activityId: elementId, input });
    timerJobIds.push(id);
  }
  changes.put(processDefinitions, { ...definition, timerJobIds });
}
