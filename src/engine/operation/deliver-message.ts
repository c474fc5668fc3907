import type { ThrownAfter } from '../element/instance-state.js';
import type { EngineServices } from '../engine-services.js';
import { partitionJob } from '../run/job-operation.js';
import { findReceiver } from '../run/message-receiver.js';
import type { EventStartInput } from './start-by-event.js';
import type { DeliveryInput } from './trigger-subscription.js';

/** What the job of a thrown message knows. */
export interface ThrownMessage {
  readonly messageName: string;
  /** The thrower's; also the started instance's. */
  readonly businessKey: string | null;
  /** The steps that had led to it. */
  readonly steps?: ThrownAfter;
}

/**
 * A message that a process threw goes to the one that waits for it: with the thrower's business key, or to the process that it starts. Where
 * nobody waits it is lost, as a message to an outside participant is. Sent by the job. @throws CONFLICT (several wait)
 */
export const deliverMessage = (services: EngineServices) =>
  partitionJob(services, 'deliverMessage', ({ state, changes }, job) => {
    const { messageName, businessKey, steps } = job.input as ThrownMessage;
    const receiver = findReceiver(state, { messageName, businessKey });
    if (receiver === undefined) return 'gone';
    const { instanceId, definitionId, definitionKey, elementId, executionId } = receiver;
    const id = state.ids.next();
    const common = { id, dueAt: state.now, immediate: true, definitionId, definitionKey, activityId: elementId };
    if (instanceId === null) {
      const input: EventStartInput = { elementId, businessKey, variables: {}, steps };
      changes.job({ ...common, type: 'eventStart', input });
    } else {
      const input: DeliveryInput = { subscriptionId: receiver.id, variables: {}, steps };
      changes.job({ ...common, type: 'delivery', exclusive: instanceId, instanceId, executionId, input });
    }
    return 'done';
  });
