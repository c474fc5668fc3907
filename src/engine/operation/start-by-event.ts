import { processDefinitions } from '../collections.js';
import type { ThrownAfter, Variables } from '../element/instance-state.js';
import type { EngineServices } from '../engine-services.js';
import { partitionJob } from '../run/job-operation.js';
import { startInstance } from '../run/start-instance.js';

/** What the job of a start by message or signal knows. */
export interface EventStartInput {
  readonly elementId: string;
  readonly businessKey: string | null;
  readonly variables: Variables;
  readonly steps?: ThrownAfter;
}

/** A message or signal starts an instance; a definition that was suspended or deleted meanwhile lets it pass. Sent by the job. */
export const startByEvent = (services: EngineServices) =>
  partitionJob(services, 'startByEvent', (scene, job) => {
    const definition = scene.state.get(processDefinitions, job.definitionId ?? '');
    if (definition === undefined || definition.suspended || definition.deleting) return 'gone';
    const { elementId: element, businessKey, variables, steps } = job.input as EventStartInput;
    return startInstance(scene, { command: 'startByEvent', definition, element, businessKey, variables, steps });
  });
