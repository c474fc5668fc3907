import { unwrapped } from './kamelet.js';
import { readRouteFile } from './read-route-file.js';
import { readYamlText } from './read-yaml-text.js';
import type { RouteFile } from './route-model.js';
import { type RouteProblem, RouteProblems, UnreadableRoute } from './route-problems.js';
import { ROUTE_LIMITS, type RouteLimits, type Written } from './written.js';
import { writtenOfXml } from './xml-to-written.js';
import { readXmlTree } from './xml-tree.js';

/** A definition, read: routes and more, or what is wrong with it. */
export interface ReadDefinition {
  /** Absent where there are errors. */
  readonly file?: RouteFile;
  /** At most 101. */
  readonly errors: readonly RouteProblem[];
  /** Doubts: perhaps not meant so. At most 101. */
  readonly warnings: readonly RouteProblem[];
}

export interface ReadOptions {
  /** What routes without an id are called by, with their number in the file: `orders-1`. Default: they are called as Camel does, `route1`. */
  readonly name?: string;
  /** Default {@link ROUTE_LIMITS}. */
  readonly limits?: RouteLimits;
}

/** Reads routes in Camel's YAML DSL: its canonical form, and what Camel takes beside it. Takes its time: `RouteParser` does it in a thread. */
export const readYaml = (text: string, options?: ReadOptions): ReadDefinition =>
  read(text, options, (limits) => unwrapped(readYamlText(text, limits)));

/** Reads routes in Camel's XML DSL. As {@link readYaml}. */
export const readXml = (text: string, options?: ReadOptions): ReadDefinition =>
  read(text, options, (limits) => writtenOfXml(readXmlTree(text, limits)));

function read(
  text: string,
  { name, limits = ROUTE_LIMITS }: ReadOptions = {},
  written: (limits: RouteLimits) => Written,
): ReadDefinition {
  const problems = new RouteProblems();
  try {
    if (Buffer.byteLength(text) > limits.bytes)
      throw new UnreadableRoute(null, `expected a definition of at most ${limits.bytes} bytes, but found more`);
    const file = readRouteFile(written(limits), name, problems);
    const { errors, warnings } = problems;
    return errors.length === 0 ? { file, errors, warnings } : { errors, warnings };
  } catch (thrown) {
    if (!(thrown instanceof UnreadableRoute)) throw thrown;
    problems.error(thrown.at, null, thrown.message);
    return { errors: problems.errors, warnings: problems.warnings };
  }
}
