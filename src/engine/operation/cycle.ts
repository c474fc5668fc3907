import type { State } from '../../store/index.js';
import { type Job, jobs, type NewJob, processDefinitions } from '../collections.js';
import { CYCLE_FAILED_MAX } from '../element/cycle.js';
import type { EngineServices } from '../engine-services.js';
import { instanceJob, partitionJob } from '../run/job-operation.js';
import { jobNow } from '../run/new-job.js';
import type { TimerStartInput } from '../run/publish-definition.js';
import { shiftOf, type TimerInput } from './job.js';
import { nextStart } from './start-process.js';

/** Input of the job by which a cycle goes on beside a time of it that has failed. */
interface CycleInput {
  /** The job of the time that has failed. */
  readonly jobId: string;
}

/** The job by which the cycle of a timer goes on, none where it has no cycle. */
export function cycleBeside(state: State, job: Job): readonly NewJob[] {
  const { id: jobId, type, instanceId, definitionId, definitionKey, activityId, executionId, exclusive } = job;
  const { cycle, within, repeat = null } = job.input as TimerInput & Partial<TimerStartInput>;
  const place = { definitionId, definitionKey, activityId };
  if (type === 'timerStart')
    return repeat === null ? [] : [{ ...jobNow(state), type: 'startCycle', ...place, input: { jobId } }];
  const input = { jobId, ...(within && { within }) };
  return cycle ? [{ ...jobNow(state), type: 'cycle', ...place, instanceId, executionId, exclusive, input }] : [];
}

/** A timer of an instance has failed: its cycle goes on. Sent by the job. */
export const goOnCycle = (services: EngineServices) =>
  instanceJob(services, {
    name: 'goOnCycle',
    input: (state, job) => {
      const failed = state.get(jobs, (job.input as CycleInput).jobId);
      return failed === undefined ? null : { type: 'cycle', jobId: failed.id, ...shiftOf(failed.input) };
    },
  });

/** A timer start event has failed: its cycle goes on. Sent by the job. */
export const goOnStartCycle = (services: EngineServices) =>
  partitionJob(services, 'goOnStartCycle', (scene, job) => {
    const { state, changes } = scene;
    const failed = state.get(jobs, (job.input as CycleInput).jobId);
    const definition = state.get(processDefinitions, job.definitionId ?? '');
    if (failed === undefined || definition?.deleting !== false) return 'gone';
    const input = failed.input as TimerStartInput;
    const isHeld = definition.timerJobIds.length > CYCLE_FAILED_MAX;
    if (input.repeat === null || isHeld) return 'gone';
    const timerJobIds = [...definition.timerJobIds, ...nextStart(scene, definition, failed, input)];
    changes.put(processDefinitions, { ...definition, timerJobIds });
    changes.put(jobs, { ...failed, input: { ...input, repeat: null } });
    return 'done';
  });
