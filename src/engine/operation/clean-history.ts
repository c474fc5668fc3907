import { operation, type State } from '../../store/index.js';
import { definitionModels, type ProcessInstance, processDefinitions, processInstances } from '../collections.js';
import { Changes } from '../run/changes.js';
import { eraseInstance } from '../run/erase-instance.js';
import { eraseText } from '../run/stored-text.js';

/** Instances that one decision erases: what they hold is read and removed with it. */
const INSTANCES_MAX = 3;

/** Erases ended instances whose history has been kept long enough, oldest first. Answers whether there may be more. */
export const cleanHistory = operation('cleanHistory', (state, { endedBefore }: { readonly endedBefore: number }) => {
  const changes = new Changes();
  const oldest = state.range(processInstances, 'ended', [0], INSTANCES_MAX, { skipDamaged: true });
  const old = oldest.filter(({ endTime }) => endTime !== null && endTime < endedBefore);
  const gone = old.filter((instance) => eraseInstance(state, changes, instance));
  for (const definitionId of new Set(gone.map((instance) => instance.definitionId))) {
    if (isLeftOver(state, definitionId, gone)) eraseText(state, changes, definitionModels, definitionId);
  }
  return changes.decision(old.length === INSTANCES_MAX || changes.size > 0);
});

/** Whether a model outlived its definition only for the history of these instances. */
function isLeftOver(state: State, definitionId: string, gone: readonly ProcessInstance[]): boolean {
  if (state.get(processDefinitions, definitionId) !== undefined) return false;
  const ids = new Set(gone.map(({ id }) => id));
  return state
    .range(processInstances, 'definition', [definitionId], gone.length + 1)
    .every((instance) => instance.definitionId !== definitionId || ids.has(instance.id));
}
