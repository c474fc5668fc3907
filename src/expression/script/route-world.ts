import { type RouteInput, type RouteOutcome, routePreludeSource } from './route-prelude.js';
import { outputProblem } from './script-output.js';
import type { ScriptWorld } from './script-world.js';

const NOTHING: RouteInput = {
  now: 0,
  seed: [1, 2, 3, 4],
  body: { a: [1] },
  headers: [['a', 1]],
  properties: [],
  variables: [],
  facts: { exchangeId: '', contextName: '', fromRouteId: '', pattern: '' },
};

/** The world of scripts of routes. */
export const ROUTE_WORLD: ScriptWorld = {
  prelude: routePreludeSource(),
  warmUp: { source: `headers.put('b', body.a); message.setBody(String(headers.a))`, input: JSON.stringify(NOTHING) },
  read: (text) => {
    const problem = outputProblem(text);
    if (problem !== undefined) return { error: problem };
    try {
      return checked(JSON.parse(text) as RouteOutcome);
    } catch {
      return { error: { kind: 'output', message: 'expected a result and changes that can be written as JSON' } };
    }
  },
};

/** The script may have written the text itself: no more of it is kept than what is known. */
function checked({ result, body, headers, properties, variables }: RouteOutcome): RouteOutcome {
  return {
    result: result ?? null,
    ...(Array.isArray(body) && { body: [body[0]] as const }),
    headers: changes(headers),
    properties: changes(properties),
    variables: changes(variables),
  };
}

const changes = ({ set, removed }: RouteOutcome['headers']): RouteOutcome['headers'] => ({
  set: set.map(([name, value]) => [String(name), value] as const),
  removed: removed.map(String),
});
