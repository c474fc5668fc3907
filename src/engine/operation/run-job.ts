import type { EngineServices } from '../engine-services.js';
import { instanceJob } from '../run/job-operation.js';

/** A timer fired, an asynchronous continuation or a run that was cut goes on. Sent by the job. */
export const runJob = (services: EngineServices) =>
  instanceJob(services, { name: 'runJob', input: (_, { id: jobId }) => ({ type: 'job', jobId }) });
