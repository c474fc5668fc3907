import type { Position } from '../../expression/index.js';
import type { ThreadService } from '../../shared/thread-service.js';
import { type ReadDefinition, type ReadOptions, readXml, readYaml } from './read-routes.js';
import { type RouteText, sourcesOf, withTextAt } from './route-text.js';
import { writeXml, writeYaml } from './write-routes.js';
import { ROUTE_LIMITS, type RouteLimits } from './written.js';

/** A definition that is to be read. */
export interface DefinitionText {
  readonly text: string;
  /** Default: XML, where the text begins with `<`; else YAML. */
  readonly format?: RouteText['format'];
  /** As in {@link ReadOptions}. */
  readonly name?: string;
}

/** A definition that was read, with the texts of its routes, in their order. */
export interface ParsedDefinition extends ReadDefinition {
  readonly sources: readonly RouteText[];
}

/** A question to the thread of `RouteParser`. */
export type ParserQuestion =
  | { readonly read: DefinitionText }
  | { readonly convert: DefinitionText; readonly to: RouteText['format'] }
  | { readonly replace: string; readonly at: Position; readonly by: string | null };

export type ParserAnswer = ParsedDefinition | string | null;

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
export const inThread = (limits: RouteLimits): ThreadService<ParserQuestion, ParserAnswer> => ({
  answer: (question) => {
    if ('read' in question) return parsed(question.read, limits);
    if ('replace' in question) return withTextAt(question.replace, question.at, question.by) ?? null;
    const { file } = parseRoutes(question.convert, limits);
    if (file === undefined) return null;
    return question.to === 'xml' ? writeXml(file) : writeYaml(file);
  },
});

function parsed(definition: DefinitionText, limits: RouteLimits): ParsedDefinition {
  const read = parseRoutes(definition, limits);
  return { ...read, sources: read.file === undefined ? [] : sourcesOf(definition.text, read.file.routes) };
}
