import type { State } from '../../store/index.js';
import type { ProgramStore } from '../program-store.js';

/** The name that the model gives to an activity; null where it gives none, or is gone. */
export function activityName(
  programs: ProgramStore,
  state: Pick<State, 'get'>,
  { definitionId, activityId }: { readonly definitionId: string | null; readonly activityId: string | null },
): string | null {
  const program = definitionId === null ? undefined : programs.find(state, definitionId);
  return program?.elements.find(({ id }) => id === activityId)?.name ?? null;
}
