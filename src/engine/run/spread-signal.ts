import type { NewJob } from '../../store/index.js';
import { type Subscription, subscriptions } from '../collections.js';
import type { ThrownAfter, Variables } from '../element/instance-state.js';
import type { EventStartInput } from '../operation/start-by-event.js';
import type { DeliveryInput } from '../operation/trigger-subscription.js';
import type { RunScene } from './run-instance.js';

/** A signal on its way. */
export interface Signal {
  readonly signalName: string;
  readonly variables: Variables;
  /** Only receivers in this instance. */
  readonly processInstanceId: string | null;
  /** When it was sent: who begins to wait later does not get it. ms */
  readonly at: number;
  /** Of one that a process threw: the steps that had led to it. */
  readonly steps?: ThrownAfter;
  /** How far it was spread: the last receiver's place. */
  readonly after: { readonly receiver: 'instance' | 'start'; readonly id: string } | null;
}

/** Receivers of one decision. */
export const SIGNAL_PAGE = 200;

/** Who gets a signal. */
export interface SignalReach {
  /** What waited for it; at most 200 of them. */
  readonly receivers: readonly Subscription[];
  /** Whether it goes on to more. */
  readonly hasMore: boolean;
}

/** Makes a delivery of its own for each receiver, and a job for what is left beyond the first 200. */
export function spreadSignal(scene: RunScene, signal: Signal): SignalReach {
  const { state, changes } = scene;
  const found = signal.processInstanceId === null ? nextPage(scene, signal) : within(scene, signal);
  const page = found.slice(0, SIGNAL_PAGE);
  const receivers = page.filter(({ created }) => created <= signal.at);
  for (const receiver of receivers) changes.job(deliveryOf(scene, signal, receiver));
  const last = page.at(-1);
  if (found.length <= SIGNAL_PAGE || last === undefined) return { receivers, hasMore: false };
  const after = { receiver: last.instanceId === null ? 'start' : 'instance', id: last.id } as const;
  const input: Signal = { ...signal, after };
  changes.job({ id: state.ids.next(), type: 'signal', dueAt: state.now, immediate: true, input });
  return { receivers, hasMore: true };
}

/** At most one more than a page. */
function nextPage({ state }: RunScene, { signalName, after }: Signal): Subscription[] {
  const from = after === null ? ['signal', signalName] : ['signal', signalName, after.receiver, after.id];
  return state
    .range(subscriptions, 'name', from, SIGNAL_PAGE + 2)
    .filter((it) => it.eventType === 'signal' && it.eventName === signalName && it.id !== after?.id)
    .slice(0, SIGNAL_PAGE + 1);
}

const within = ({ state }: RunScene, { signalName, processInstanceId }: Signal): Subscription[] =>
  state
    .range(subscriptions, 'instance', [processInstanceId, signalName], SIGNAL_PAGE)
    .filter((it) => it.instanceId === processInstanceId && it.eventType === 'signal' && it.eventName === signalName);

function deliveryOf({ state }: RunScene, { variables, steps }: Signal, receiver: Subscription): NewJob {
  const { instanceId, definitionId, definitionKey, elementId, executionId } = receiver;
  const common = {
    id: state.ids.next(),
    dueAt: state.now,
    immediate: true,
    definitionId,
    definitionKey,
    activityId: elementId,
  };
  if (instanceId === null) {
    const input: EventStartInput = { elementId, businessKey: null, variables, steps };
    return { ...common, type: 'eventStart', input };
  }
  const input: DeliveryInput = { subscriptionId: receiver.id, variables, steps };
  return { ...common, type: 'delivery', exclusive: instanceId, instanceId, executionId, input };
}
