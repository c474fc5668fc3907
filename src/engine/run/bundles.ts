import { limitExceeded } from '../../shared/errors.js';
import type { State } from '../../store/index.js';
import { bundleId, completedBundles, type ProcessInstance } from '../collections.js';
import { bundleOf } from '../element/bundle.js';
import type { Input } from '../element/instance-state.js';
import { jobBehind } from './large-instance-jobs.js';
import { bringBundles, type LoadedInstance } from './load-instance.js';
import type { Making } from './new-job.js';

/** Brings back the bundle that the input is about, if it is about one. */
export function bringAwaited(state: Pick<State, 'get'>, loaded: LoadedInstance, input: Input): void {
  if (input.type !== 'job') return;
  const bundle = bundleOf(loaded.state, input.jobId);
  const found = bundle === undefined ? undefined : state.get(completedBundles, bundleId(loaded.document.id, bundle));
  if (found !== undefined) bringBundles(loaded, state, [found]);
}

/** How many bundles are handed on at once, as one input. */
const HANDED_ON_MAX = 200;

/** Brings back all bundles of an instance. @throws LIMIT_EXCEEDED where they are too many */
export function bringAll(state: State, loaded: LoadedInstance): LoadedInstance {
  const { id } = loaded.document;
  const found = state
    .range(completedBundles, 'instance', [id], HANDED_ON_MAX + 1)
    .filter(({ instanceId }) => instanceId === id);
  if (found.length > HANDED_ON_MAX) throw tooMany(id);
  bringBundles(loaded, state, found);
  return loaded;
}

const tooMany = (instanceId: string) =>
  limitExceeded(
    `expected no more than some ${HANDED_ON_MAX * 20} activities to have completed that can be compensated in process instance '${instanceId}', which is to be compensated as a whole, but there are more`,
    { reason: 'compensation_too_large', resourceId: instanceId },
  );

/** The job by which bundles are forgotten that nobody will ever ask for. */
export const forgettingJob = (making: Making, instance: ProcessInstance, bundles: readonly number[]) => ({
  ...jobBehind(making, instance),
  type: 'forgetting',
  input: { bundles },
});
