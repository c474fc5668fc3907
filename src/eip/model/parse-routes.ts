import type { ThreadService } from '../../shared/thread-service.js';
import { type ReadDefinition, type ReadOptions, readXml, readYaml } from './read-routes.js';
import { ROUTE_LIMITS, type RouteLimits } from './written.js';

/** A definition that is to be read. */
export interface DefinitionText {
  readonly text: string;
  /** Default: XML, where the text begins with `<`; else YAML. */
  readonly format?: 'yaml' | 'xml';
  /** As in {@link ReadOptions}. */
  readonly name?: string;
}

/** Reads a definition, here and now. Takes up to a second for large ones: `RouteParser` does it in a thread. */
export function parseRoutes(
  { text, format, name }: DefinitionText,
  limits: RouteLimits = ROUTE_LIMITS,
): ReadDefinition {
  const options: ReadOptions = { ...(name === undefined ? {} : { name }), limits };
  const isXml = format === undefined ? /^\uFEFF?\s*</.test(text) : format === 'xml';
  return isXml ? readXml(text, options) : readYaml(text, options);
}

/** The thread of `RouteParser`. */
export const inThread = (limits: RouteLimits): ThreadService<DefinitionText, ReadDefinition> => ({
  answer: (source) => parseRoutes(source, limits),
});
