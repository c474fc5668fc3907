import type { JobAttempt } from '../../store/index.js';
import type { EngineServices } from '../engine-services.js';
import { inferredVariables } from '../rule/typed-value.js';
import { withOutcome } from '../run/call-input.js';
import { instanceJob } from '../run/job-operation.js';

/** A handler's BPMN error. */
export interface FailCall extends JobAttempt {
  readonly code: string;
  readonly message: string | null;
  readonly variables: Readonly<Record<string, unknown>>;
}

/**
 * A handler ended with a BPMN error: the event that catches its code goes on; uncaught, the attempt has failed. While the instance is
 * suspended the error is kept with the job. Sent by the job.
 */
export const failCall = (services: EngineServices) =>
  instanceJob<FailCall>(services, {
    name: 'failCall',
    input: (_, { id: jobId }, { code, message, variables }) => ({
      type: 'callError',
      jobId,
      code,
      message,
      variables: inferredVariables(variables),
    }),
    held: (job, { code, message, variables }) => withOutcome(job.input, { error: { code, message }, variables }),
  });
