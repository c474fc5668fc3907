import type { State } from '../../store/index.js';
import { type ProcessDefinition, processDefinitions } from '../collections.js';

/** How a definition is named: by its id; by key and version, or by key alone for the latest. */
export interface DefinitionName {
  readonly id?: string | null;
  readonly key?: string | null;
  readonly version?: number | null;
}

/** The definition of that name; undefined when there is none, it is being deleted, or neither id nor key is given. */
export function findDefinition(
  state: Pick<State, 'get' | 'find'>,
  name: DefinitionName,
): ProcessDefinition | undefined {
  const definition = named(state, name);
  return definition?.deleting ? undefined : definition;
}

function named(
  state: Pick<State, 'get' | 'find'>,
  { id, key, version }: DefinitionName,
): ProcessDefinition | undefined {
  if (id != null) return state.get(processDefinitions, id);
  if (key == null) return undefined;
  if (version != null) return state.find(processDefinitions, 'key', [key, -version])[0];
  return state.find(processDefinitions, 'latest', [1, key])[0];
}
