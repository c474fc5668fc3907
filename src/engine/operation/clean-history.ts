import { operation } from '../../store/index.js';
import { processInstances } from '../collections.js';
import { Changes } from '../run/changes.js';
import { eraseInstance } from '../run/erase-instance.js';

/** Instances that one decision erases: what they hold is read and removed with it. */
const INSTANCES_MAX = 3;

/** Erases ended instances whose history has been kept long enough, oldest first. Answers whether there may be more. */
export const cleanHistory = operation('cleanHistory', (state, { endedBefore }: { readonly endedBefore: number }) => {
  const changes = new Changes();
  const oldest = state.range(processInstances, 'ended', [0], INSTANCES_MAX);
  const old = oldest.filter(({ endTime }) => endTime !== null && endTime < endedBefore);
  for (const instance of old) eraseInstance(state, changes, instance);
  return changes.decision(old.length === INSTANCES_MAX || changes.size > 0);
});
