import type { State } from '../../store/index.js';
import { definitionModels, type ProcessDefinition, resources } from '../collections.js';
import { loadText } from '../run/stored-text.js';

/** The BPMN text that the definition was deployed with; undefined when its file is gone. */
export function definitionXml(state: Pick<State, 'get'>, { id }: ProcessDefinition): string | undefined {
  const model = state.get(definitionModels, id);
  const resource = model && state.get(resources, model.resourceId);
  return resource && loadText(state, resource.id, resource);
}
