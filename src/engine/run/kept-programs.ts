import type { State } from '../../store/index.js';
import {
  type Departure,
  definitionModels,
  departures,
  type ProcessInstance,
  processDefinitions,
  processInstances,
} from '../collections.js';
import type { Changes } from './changes.js';
import { eraseText } from './stored-text.js';

// A program outlives its definition as long as there are instances that go or went on by it: their history is told by it.

/** Instances are erased with this decision: so are the programs that none but they had need of. */
export function erasePrograms(state: State, changes: Changes, gone: readonly ProcessInstance[]): void {
  const instanceIds = new Set(gone.map(({ id }) => id));
  const left = gone.flatMap(({ id }) => state.find(departures, 'instance', [id]));
  for (const { id } of left) changes.remove(departures, id);
  const erased: Erased = { instanceIds, left };
  const definitionIds = new Set([...gone, ...left].map(({ definitionId }) => definitionId));
  for (const id of definitionIds) {
    const isDefined = state.get(processDefinitions, id) !== undefined;
    if (!isDefined && !isNamed(state, id, erased)) eraseText(state, changes, definitionModels, id);
  }
}

/** What goes with the decision, though the state still has it. */
interface Erased {
  readonly instanceIds: ReadonlySet<string>;
  readonly left: readonly Departure[];
}

/** Whether there are instances of the definition, or ones that have left it by a migration. */
export function isNamed(state: State, definitionId: string, erased: Erased = NOTHING): boolean {
  const { instanceIds, left } = erased;
  if (state.get(definitionModels, definitionId)?.left) return true;
  const own = state.range(processInstances, 'definition', [definitionId], instanceIds.size + 1);
  if (own.some((it) => it.definitionId === definitionId && !instanceIds.has(it.id))) return true;
  const former = state.range(departures, 'definition', [definitionId], left.length + 1);
  return former.some((it) => it.definitionId === definitionId && !instanceIds.has(it.instanceId));
}

const NOTHING: Erased = { instanceIds: new Set(), left: [] };
