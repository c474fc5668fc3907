import type { ThrownAfter } from '../element/instance-state.js';
import type { EngineServices } from '../engine-services.js';
import { deliveryTo } from '../run/delivery.js';
import { partitionJob } from '../run/job-operation.js';
import { findReceiver, remainingOf } from '../run/message-receiver.js';

/** What the job of a thrown message knows. */
export interface ThrownMessage {
  readonly messageName: string;
  /** The thrower's; also the started instance's. */
  readonly businessKey: string | null;
  /** The subscriptions that it may be for; absent: a former version threw it, and it is for who waits now. */
  readonly receivers?: readonly string[];
  /** The steps that had led to it. */
  readonly steps?: ThrownAfter;
}

/**
 * A message that a process threw, and that several waited for then, goes to the one of them that still does. Where none does it is lost. Sent by the
 * job. @throws CONFLICT (several wait)
 */
export const deliverMessage = (services: EngineServices) =>
  partitionJob(services, 'deliverMessage', ({ state, changes }, job) => {
    const { messageName, businessKey, steps, receivers } = job.input as ThrownMessage;
    const message = { messageName, businessKey };
    const receiver = receivers === undefined ? findReceiver(state, message) : remainingOf(state, receivers, message);
    if (receiver === undefined) return 'gone';
    changes.job(deliveryTo(state, receiver, { businessKey, variables: {}, steps }));
    return 'done';
  });
