import type { Position } from '../expression/index.js';
import type { RouteSource } from './collections.js';
import type { TemplateModel } from './model/route-model.js';
import type { Backoff } from './operation/route-changes.js';
import type {
  Deployer,
  KeptDefinition,
  PreparedRoute,
  RouteDefinition,
  RouteProblem,
  SharedDefinitions,
} from './route-port.js';

/** Services of the operations and jobs about routes. */
export interface EipServices {
  /** Reads a file, and prepares its routes, outside of the main thread. What is wrong in it is its `problems`. @throws LIMIT_EXCEEDED, UNAVAILABLE */
  readonly readRoutes: (question: ReadRoutesQuestion) => Promise<ReadRoutes>;
  /** Of routes that are started while nobody waits for it. */
  readonly backoff: Backoff;
  /** How long a route waits for exchanges under way when it stops or is suspended, unless whoever asks says another time, ms. */
  readonly drainMs: number;
}

/** The question that is answered with {@link ReadRoutes}. */
export interface ReadRoutesQuestion {
  /** Id of the partition. */
  readonly partition: string;
  /** Path of the file. */
  readonly file: string;
  readonly format: RouteSource['format'];
  readonly text: string;
  readonly deployer: Deployer;
}

/** A file as it was read. */
export interface ReadRoutes {
  readonly problems: readonly RouteProblem[];
  readonly warnings: readonly RouteProblem[];
  /** Empty where there are problems; else all that are to be there, in their order. */
  readonly routes: readonly ReadRoute[];
  readonly templates: readonly ReadTemplate[];
  readonly shared: SharedDefinitions;
}

/** A template as it was read. */
export interface ReadTemplate {
  readonly model: TemplateModel;
  readonly source: RouteSource;
}

export interface ReadRoute {
  readonly definition: RouteDefinition;
  /** Where it stands in the file. */
  readonly at: Position;
  readonly source: RouteSource;
  readonly prepared: PreparedRoute;
  readonly kept: KeptDefinition;
}
