import { limitExceeded } from '../../shared/errors.js';
import { WorkThread } from '../../store/index.js';
import { MODEL_LIMITS, type ModelLimits } from '../model/scan-xml.js';
import type { ParsedDecisions } from './compile-decisions.js';

interface DecisionParserOptions {
  /** How long one file may take, in ms. Default 2,000. */
  readonly budgetMs?: number;
  /** Default {@link MODEL_LIMITS}. */
  readonly limits?: ModelLimits;
}

/** Compiles DMN files in a thread of its own, one after the other: see {@link WorkThread}. */
export class DecisionParser {
  readonly #thread: WorkThread<string, ParsedDecisions>;
  readonly #limits: ModelLimits;

  constructor({ budgetMs = 2_000, limits = MODEL_LIMITS }: DecisionParserOptions = {}) {
    const module = new URL('./compile-decisions.js', import.meta.url);
    this.#limits = limits;
    this.#thread = new WorkThread({ module, data: limits, budgetMs, thing: 'model' });
  }

  /**
   * Compiles a file; its problems are in the result.
   * @throws BAD_REQUEST (a DTD, a foreign entity, a reserved id), LIMIT_EXCEEDED (too large, or longer than the budget), UNAVAILABLE
   */
  parse(xml: string): Promise<ParsedDecisions> {
    if (xml.length <= this.#limits.bytes) return this.#thread.ask(xml);
    return Promise.reject(limitExceeded(`expected a model of at most ${this.#limits.bytes} bytes, but found more`));
  }

  /** Ends the thread; files that are not done are refused. */
  close(): Promise<void> {
    return this.#thread.close();
  }
}
