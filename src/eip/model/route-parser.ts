import { limitExceeded } from '../../shared/errors.js';
import { WorkThread } from '../../store/index.js';
import type { DefinitionText } from './parse-routes.js';
import type { ReadDefinition } from './read-routes.js';
import { ROUTE_LIMITS, type RouteLimits } from './written.js';

interface RouteParserOptions {
  /** How long one definition may take, in ms. Default 2,000. */
  readonly budgetMs?: number;
  /** How many definitions may wait. Default 100. */
  readonly waitingMax?: number;
  /** Default {@link ROUTE_LIMITS}. */
  readonly limits?: RouteLimits;
}

/** Reads definitions of routes in a thread of its own, one after the other: see {@link WorkThread}. */
export class RouteParser {
  readonly #thread: WorkThread<DefinitionText, ReadDefinition>;
  readonly #limits: RouteLimits;

  constructor({ budgetMs = 2_000, waitingMax = 100, limits = ROUTE_LIMITS }: RouteParserOptions = {}) {
    const module = new URL('./parse-routes.js', import.meta.url);
    this.#limits = limits;
    this.#thread = new WorkThread({ module, data: limits, budgetMs, waitingMax, thing: 'route definition' });
  }

  /**
   * Reads a definition; what is wrong with it is in the result.
   * @throws LIMIT_EXCEEDED (too large, or longer than the budget), UNAVAILABLE (too many wait, or closed)
   */
  parse(source: DefinitionText): Promise<ReadDefinition> {
    const { bytes } = this.#limits;
    // What is not even sent there: the text is at least as long in bytes.
    if (source.text.length <= bytes) return this.#thread.ask(source);
    return Promise.reject(limitExceeded(`expected a definition of at most ${bytes} bytes, but found more`));
  }

  /** Ends the thread; definitions that are not done are refused. */
  close(): Promise<void> {
    return this.#thread.close();
  }
}
