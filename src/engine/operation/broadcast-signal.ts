import type { EngineServices } from '../engine-services.js';
import { partitionJob } from '../run/job-operation.js';
import { type Signal, spreadSignal } from '../run/spread-signal.js';

/** A signal that a process threw, or what is left of one with many receivers, goes to the next 200. Sent by the job. */
export const broadcastSignal = (services: EngineServices) =>
  partitionJob(services, 'broadcastSignal', (scene, job) => {
    spreadSignal(scene, job.input as Signal);
    return 'done';
  });
