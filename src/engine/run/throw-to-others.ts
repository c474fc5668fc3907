import type { State } from '../../store/index.js';
import type { ProcessInstance } from '../collections.js';
import type { Effect } from '../element/instance-state.js';
import type { Changes } from './changes.js';
import { deliveryTo, type ThrownMessage } from './delivery.js';
import { receiversOfThrown } from './message-receiver.js';
import { causeOf, jobNow } from './new-job.js';
import { type Signal, spreadSignal } from './spread-signal.js';

/** Where what an instance throws goes. */
interface ThrowScene {
  readonly state: State;
  readonly changes: Changes;
  /** The thrower, as it is after the run. */
  readonly instance: ProcessInstance;
}

type EffectOf<T extends Effect['type']> = Extract<Effect, { type: T }>;

/** Deliveries of one commit beyond which a signal is spread by a job: what it is for is fixed by its revision, too. */
const SPREAD_MAX = 2_000;

/** Who waits for it now gets it, by jobs that outlive the instance. */
export function throwSignal({ state, changes, instance }: ThrowScene, effect: EffectOf<'throwSignal'>): void {
  const { name, elementId, steps, businessKey, variables } = effect;
  const input: Signal = {
    signalName: name,
    variables,
    ...(businessKey !== null && { businessKey }),
    processInstanceId: null,
    revision: state.revision,
    at: state.now,
    thrower: instance.id,
    after: null,
    steps,
  };
  if (changes.size < SPREAD_MAX) spreadSignal({ state, changes }, input, causeOf(instance));
  else changes.job({ ...thrownBy(state, instance, elementId), type: 'signal', input });
}

/** The one that waits for it now gets it by a job; where several do, a job of its own says so. */
export function throwMessage({ state, changes, instance }: ThrowScene, effect: EffectOf<'throwMessage'>): void {
  const { name: messageName, elementId, steps, own, variables = {} } = effect;
  const { businessKey = instance.businessKey } = effect;
  const found = own === undefined ? receiversOfThrown(state, instance.id, { messageName, businessKey }) : [];
  const receivers = own ?? found.map(({ id }) => id);
  const [only] = found;
  if (only !== undefined && receivers.length === 1) {
    changes.job(deliveryTo(state, only, { businessKey, variables, steps, cause: causeOf(instance) }));
  } else if (receivers.length > 0) {
    const taken = effect.variables && { variables };
    const input: ThrownMessage = { messageName, businessKey, receivers, steps, ...taken };
    changes.job({ ...thrownBy(state, instance, elementId), type: 'message', input });
  }
}

const thrownBy = (state: State, instance: ProcessInstance, activityId: string) => ({
  ...jobNow(state),
  activityId,
  cause: causeOf(instance),
});
