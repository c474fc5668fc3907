import { RememberedState, type State } from '../../store/index.js';
import { type NewJob, processDefinitions, type Subscription, subscriptions } from '../collections.js';
import type { ThrownAfter, Variables } from '../element/instance-state.js';
import type { Changes } from './changes.js';
import { deliveryTo } from './delivery.js';
import { presentInstance } from './instance-changes.js';
import { jobNow } from './new-job.js';
import { presentSubscription } from './present.js';

/** A signal on its way to whoever waits for it. */
export interface Signal {
  readonly signalName: string;
  readonly variables: Variables;
  /** Of instances that start by it. Default: none. */
  readonly businessKey?: string;
  /** Only receivers in this instance. */
  readonly processInstanceId: string | null;
  /** Only what waits at this execution of it. Absent: all. */
  readonly executionId?: string;
  /** The revision that it was sent with: who begins to wait with it, or later, does not get it. Absent: a former version sent it. */
  readonly revision?: number;
  /** When it was sent, ms: as {@link revision}, for what a former version wrote. */
  readonly at: number;
  /** The instance that threw it: its own tokens have had it. */
  readonly thrower?: string | null;
  /** Of one that a process threw: the steps that had led to it. */
  readonly steps?: ThrownAfter;
  /** How far it was spread: the last receiver's place. */
  readonly after: { readonly receiver: 'instance' | 'start'; readonly id: string } | null;
}

/** Receivers of one decision. */
const SIGNAL_PAGE = 200;

/** The next receivers of a signal that is spread. */
export interface SignalReach {
  /** Subscriptions that waited for it; at most 200 of them. */
  readonly receivers: readonly Subscription[];
  /** Whether it goes on to more. */
  readonly hasMore: boolean;
}

/** Where a signal is spread. */
interface SpreadScene {
  readonly state: State;
  readonly changes: Changes;
}

/**
 * Makes a delivery of its own for each receiver, and a job for what is left beyond the first 200. Receivers are those that waited when the signal was
 * sent, and were not suspended.
 */
export function spreadSignal(scene: SpreadScene, signal: Signal, cause?: NewJob['cause']): SignalReach {
  const { state, changes } = scene;
  const found = signal.processInstanceId === null ? nextPage(scene, signal) : within(scene, signal);
  const page = found.slice(0, SIGNAL_PAGE);
  // Many of them may be of one instance.
  const known = new RememberedState(state);
  const receivers = page.filter(
    (each) => waitedFor(signal, each) && !isSuspended(known, each) && presentSubscription(known, each) !== undefined,
  );
  const { variables, steps, businessKey = null } = signal;
  for (const receiver of receivers) {
    changes.job(deliveryTo(state, receiver, { businessKey, variables, steps, cause }));
  }
  const last = page.at(-1);
  if (found.length <= SIGNAL_PAGE || last === undefined) return { receivers, hasMore: false };
  const after = { receiver: last.instanceId === null ? 'start' : 'instance', id: last.id } as const;
  const input: Signal = { ...signal, after };
  changes.job({ ...jobNow(state), type: 'signal', input, ...(cause && { cause }) });
  return { receivers, hasMore: true };
}

function waitedFor(signal: Signal, subscription: Subscription): boolean {
  const { eventType, instanceId, executionId, revision, created, within } = subscription;
  if (eventType !== 'signal' || (signal.executionId ?? executionId) !== executionId) return false;
  if (instanceId !== null && instanceId === signal.thrower && within === undefined) return false;
  return signal.revision === undefined || revision === undefined ? created <= signal.at : revision < signal.revision;
}

/** Whether what waits is suspended: what comes now is not for it, now or later. */
export function isSuspended(state: State, { instanceId, definitionId }: Subscription): boolean {
  if (instanceId !== null) return presentInstance(state, instanceId)?.actor.value === 'suspended';
  return state.get(processDefinitions, definitionId)?.suspended === true;
}

/** More than a page where there are more. */
function nextPage({ state }: SpreadScene, { signalName, after }: Signal): Subscription[] {
  const from = after === null ? ['signal', signalName] : ['signal', signalName, after.receiver, after.id];
  return state
    .range(subscriptions, 'name', from, SIGNAL_PAGE + 2)
    .filter((it) => it.eventType === 'signal' && it.eventName === signalName && it.id !== after?.id);
}

/** Messages of the name are among them. */
function within({ state }: SpreadScene, { signalName, processInstanceId, after }: Signal): Subscription[] {
  const from = [processInstanceId, signalName, ...(after === null ? [] : [after.id])];
  return state
    .range(subscriptions, 'instance', from, SIGNAL_PAGE + 2)
    .filter((it) => it.instanceId === processInstanceId && it.eventName === signalName && it.id !== after?.id);
}
