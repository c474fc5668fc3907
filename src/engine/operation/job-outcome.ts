import type { JobAttempt } from '../../store/index.js';
import { typed } from '../element/native.js';
import type { EngineServices } from '../engine-services.js';
import { inferredVariables } from '../rule/typed-value.js';
import { withOutcome } from '../run/call-input.js';
import { instanceJob } from '../run/job-operation.js';

/** A handler's outcome: what it gave, and the variables that it set. Plain JSON. */
export interface CompleteCall extends JobAttempt {
  readonly result: unknown;
  readonly variables: Readonly<Record<string, unknown>>;
}

/**
 * A handler succeeded: its instance goes on. While the instance is suspended the outcome is kept with the job, and the handler is not called
 * again (unless the outcome is larger than 64 kB). Sent by the job.
 */
export const completeCall = (services: EngineServices) =>
  instanceJob<CompleteCall>(services, {
    name: 'completeCall',
    input: (_, { id: jobId }, { result, variables }) => ({
      type: 'callDone',
      jobId,
      result: typed(result),
      variables: inferredVariables(variables),
    }),
    held: (job, { result, variables }) => withOutcome(job.input, { result, variables }),
  });
