import type { ThreadService } from '../../shared/thread-service.js';
import { type ReadRoutes, type ReadRoutesOptions, readXml, readYaml } from './read-routes.js';
import { ROUTE_LIMITS, type RouteLimits } from './written.js';

/** A definition that is to be read. */
export interface RouteSource {
  readonly text: string;
  /** Default: XML, where the text begins with `<`; else YAML. */
  readonly form?: 'yaml' | 'xml';
  /** As in {@link ReadRoutesOptions}. */
  readonly name?: string;
}

/** Reads a definition, here and now. Takes up to a second for large ones: `RouteParser` does it in a thread. */
export function parseRoutes({ text, form, name }: RouteSource, limits: RouteLimits = ROUTE_LIMITS): ReadRoutes {
  const options: ReadRoutesOptions = { ...(name === undefined ? {} : { name }), limits };
  const isXml = form === undefined ? /^\uFEFF?\s*</.test(text) : form === 'xml';
  return isXml ? readXml(text, options) : readYaml(text, options);
}

/** The thread of `RouteParser`. */
export const inThread = (limits: RouteLimits): ThreadService<RouteSource, ReadRoutes> => ({
  answer: (source) => parseRoutes(source, limits),
});
