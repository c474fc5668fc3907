import type { NewJob, State } from '../../store/index.js';
import type { Subscription } from '../collections.js';
import type { EventStartInput } from '../operation/start-by-event.js';
import type { DeliveryInput } from '../operation/trigger-subscription.js';

/** What is brought. */
export interface Delivered extends Omit<EventStartInput, 'elementId'> {
  /** Default: that of the command. */
  readonly cause?: NewJob['cause'] | undefined;
}

/** The job that brings a message or a signal to the one that waits for it, or starts an instance by it. */
export function deliveryTo(state: State, receiver: Subscription, event: Delivered): NewJob {
  const { instanceId, definitionId, definitionKey, elementId, executionId } = receiver;
  const { businessKey, variables, steps, cause } = event;
  const common = {
    id: state.ids.next(),
    dueAt: state.now,
    immediate: true,
    definitionId,
    definitionKey,
    activityId: elementId,
    ...(cause && { cause }),
  };
  if (instanceId === null) {
    const input: EventStartInput = { elementId, businessKey, variables, steps };
    return { ...common, type: 'eventStart', input };
  }
  const input: DeliveryInput = { subscriptionId: receiver.id, variables, steps };
  return { ...common, type: 'delivery', exclusive: instanceId, instanceId, executionId, input };
}
