import { processDefinitions, processInstances } from '../collections.js';
import type { EngineServices } from '../engine-services.js';
import { partitionJob } from '../run/job-operation.js';
import { type SweepInput, sweepOn } from '../run/suspend-definition.js';

/** Instances of one decision. */
const SWEEP_PAGE = 200;

/** A sweep goes to the next 200 running instances of its definition, by a job for each. A newer sweep takes its place. Sent by the job. */
export const sweepInstances = (services: EngineServices) =>
  partitionJob(services, 'sweepInstances', (scene, job) => {
    const { state, changes } = scene;
    const { sweepId, after } = job.input as SweepInput;
    const definition = state.get(processDefinitions, job.definitionId ?? '');
    if (definition === undefined || definition.sweep?.id !== sweepId) return 'gone';
    const found = state
      .range(processInstances, 'running', [definition.id, after], SWEEP_PAGE + 1)
      .filter((instance) => instance.definitionId === definition.id && instance.id !== after);
    for (const { id: instanceId, definitionId, definitionKey } of found.slice(0, SWEEP_PAGE)) {
      const common = { id: state.ids.next(), dueAt: state.now, immediate: true, exclusive: instanceId };
      changes.job({ ...common, type: 'suspension', instanceId, definitionId, definitionKey, input: { sweepId } });
    }
    const last = found.slice(0, SWEEP_PAGE).at(-1);
    if (last !== undefined) sweepOn(scene, definition, { sweepId, after: last.id });
    return 'done';
  });
