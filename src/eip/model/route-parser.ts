import type { Position } from '../../expression/index.js';
import { limitExceeded } from '../../shared/errors.js';
import { WorkThread } from '../../store/index.js';
import type { DefinitionText, ParsedDefinition, ParserAnswer, ParserQuestion } from './parse-routes.js';
import type { RouteText } from './route-text.js';
import { ROUTE_LIMITS, type RouteLimits } from './written.js';

interface RouteParserOptions {
  /** How long one definition may take, in ms. Default 2,000. */
  readonly budgetMs?: number;
  /** How many definitions may wait. Default 100. */
  readonly waitingMax?: number;
  /** Default {@link ROUTE_LIMITS}. */
  readonly limits?: RouteLimits;
}

/** Reads, converts and edits definitions of routes in a thread of its own, one after the other: see {@link WorkThread}. */
export class RouteParser {
  readonly #thread: WorkThread<ParserQuestion, ParserAnswer>;
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
  parse(definition: DefinitionText): Promise<ParsedDefinition> {
    return this.#ask({ read: definition }, definition.text) as Promise<ParsedDefinition>;
  }

  /** The same in the other form, written from the model. `null`: it could not be read. @throws as {@link parse} */
  convert(definition: DefinitionText, to: RouteText['format']): Promise<string | null> {
    return this.#ask({ convert: definition, to }, definition.text) as Promise<string | null>;
  }

  /**
   * A file with another text in the place of a route (its `at`), or with none; all else stays as it is written. `null`: the route has no text of its own there, as in a
   * list in brackets. @throws as {@link parse}
   */
  replace(file: string, at: Position, by: string | null): Promise<string | null> {
    return this.#ask({ replace: file, at, by }, file) as Promise<string | null>;
  }

  /** Ends the thread; definitions that are not done are refused. */
  close(): Promise<void> {
    return this.#thread.close();
  }

  #ask(question: ParserQuestion, { length }: string): Promise<ParserAnswer> {
    const { bytes } = this.#limits;
    // What is not even sent there: a text is at least as long in bytes.
    if (length <= bytes) return this.#thread.ask(question);
    return Promise.reject(limitExceeded(`expected a definition of at most ${bytes} bytes, but found more`));
  }
}
