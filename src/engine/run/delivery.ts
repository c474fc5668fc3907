import type { State } from '../../store/index.js';
import type { NewJob, Subscription } from '../collections.js';
import type { ThrownAfter, Variables } from '../element/instance-state.js';
import { carried } from './message-payload.js';
import { jobOfSubscription } from './new-job.js';

/** Input of the job of a start by message or signal. */
export interface EventStartInput {
  readonly elementId: string;
  /** Of a multiple start event: which of its parts came. */
  readonly part?: number | undefined;
  /** The id that the instance gets, where it was told before. Default: a new one. */
  readonly instanceId?: string;
  readonly businessKey: string | null;
  readonly variables: Variables;
  readonly steps?: ThrownAfter;
}

/** Input of the job of a delivery. */
export interface DeliveryInput {
  readonly subscriptionId: string;
  readonly variables: Variables;
  /** Of a message: set on the receiver's own scope. */
  readonly localVariables?: Variables;
  /** Of a message: set on the scope that begins by it. */
  readonly scopeVariables?: Variables;
  readonly steps?: ThrownAfter;
}

/** Input of the job of a thrown message. */
export interface ThrownMessage {
  readonly messageName: string;
  /** The thrower's; also the started instance's. */
  readonly businessKey: string | null;
  /** The subscriptions that it may be for; absent: a former version threw it, and it is for who waits now. */
  readonly receivers?: readonly string[];
  /** The steps that had led to it. */
  readonly steps?: ThrownAfter;
  readonly variables?: Variables;
}

/** A message or a signal on its way to one receiver. */
interface Delivered
  extends Omit<EventStartInput, 'elementId' | 'part'>,
    Pick<DeliveryInput, 'localVariables' | 'scopeVariables'> {
  /** Default: that of the command. */
  readonly cause?: NewJob['cause'] | undefined;
}

/** The job that brings a message or a signal to the one that waits for it, or starts an instance by it. */
export function deliveryTo(state: State, receiver: Subscription, event: Delivered): NewJob {
  const { instanceId, elementId, part } = receiver;
  const { businessKey, variables, localVariables = {}, scopeVariables, steps, cause } = event;
  const common = jobOfSubscription(state, receiver, cause);
  if (instanceId === null) {
    const input: EventStartInput = {
      elementId,
      ...(part !== undefined && { part }),
      ...(event.instanceId !== undefined && { instanceId: event.instanceId }),
      businessKey,
      variables,
      steps,
    };
    return { ...common, type: 'eventStart', input };
  }
  const payload = carried({ variables, localVariables, scopeVariables });
  const input: DeliveryInput = { subscriptionId: receiver.id, ...payload, steps };
  return { ...common, type: 'delivery', input };
}
