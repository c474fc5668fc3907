import { seedOf } from '../shared/ids.js';
import type { KeptDefinition, PreparedRoute, RouteDefinition, RouteToRun, SharedDefinitions } from './route-port.js';

/** How the routes of a file are kept that `prepared` tells of. */
export function keptDefinitions(
  routes: readonly (RouteDefinition | RouteToRun)[],
  prepared: readonly PreparedRoute[],
  shared: SharedDefinitions,
): KeptDefinition[] {
  const { templates: _templates, ...all } = shared;
  const common = withoutPlaces(all);
  return routes.map(({ file, scoped, model, template }, index) => {
    const definition: RouteDefinition = { file, scoped, model, template };
    const hash = seedOf(`${withoutPlaces(definition)}${JSON.stringify(prepared[index])}${common}`);
    return { hash, text: JSON.stringify(definition) };
  });
}

/** The value as text, without the places in the file that its parts stand at: what moved by some lines is the same. */
const withoutPlaces = (value: unknown): string =>
  JSON.stringify(value, (key, part) => (key === 'at' && typeof part?.line === 'number' ? undefined : part));
