import { subscriptions } from '../collections.js';
import type { ThrownAfter, Variables } from '../element/instance-state.js';
import type { EngineServices } from '../engine-services.js';
import { instanceJob } from '../run/job-operation.js';

/** What the job of a delivery knows. */
export interface DeliveryInput {
  readonly subscriptionId: string;
  readonly variables: Variables;
  readonly steps?: ThrownAfter;
}

/** A message or signal reaches the token that waits for it; where none waits any more, nothing happens. Sent by the job. */
export const triggerSubscription = (services: EngineServices) =>
  instanceJob(services, {
    name: 'triggerSubscription',
    input: (state, job) => {
      const { subscriptionId, variables, steps } = job.input as DeliveryInput;
      if (state.get(subscriptions, subscriptionId) === undefined) return null;
      return { type: 'trigger', subscriptionId, variables, steps };
    },
  });
