import type { JobAttempt, Operation, State } from '../../store/index.js';
import { bundleId, completedBundles } from '../collections.js';
import type { EngineServices } from '../engine-services.js';
import { forgettingJob } from '../run/bundles.js';
import type { Changes } from '../run/changes.js';
import { presentInstance } from '../run/instance-changes.js';
import { dropVariable } from '../run/instance-store.js';
import { instanceWork, type JobResult } from '../run/job-operation.js';
import { variableId } from '../run/load-instance.js';

/** Documents that one decision forgets. */
const FORGOTTEN_MAX = 100;

/** The next bundles of what can no longer be compensated are removed, with those before them. Sent by the job. */
export const forgetBundles = (services: EngineServices): Operation<JobAttempt, JobResult> =>
  instanceWork(services, 'forgetBundles', ({ state, changes }, job) => {
    const instance = presentInstance(state, job.instanceId ?? '');
    if (instance === undefined) return 'gone';
    const left = [...(job.input as { readonly bundles: readonly number[] }).bundles];
    for (let next = left.pop(); next !== undefined; next = changes.size < FORGOTTEN_MAX ? left.pop() : undefined)
      left.push(...forget(state, changes, bundleId(instance.id, next)));
    if (left.length > 0) changes.job(forgettingJob(state, instance, left));
    return 'done';
  });

/** Removes a bundle with its large variables; gives those before it. */
function forget(state: State, changes: Changes, id: string): number[] {
  const bundle = state.get(completedBundles, id);
  if (bundle === undefined) return [];
  changes.remove(completedBundles, id);
  for (const { scope, name } of bundle.spilled)
    dropVariable(changes, state, variableId(bundle.instanceId, scope, name));
  return bundle.scopes.flatMap(({ done = [] }) => done.flatMap((each) => each.bundle ?? []));
}
