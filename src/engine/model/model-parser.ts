import { limitExceeded } from '../../shared/errors.js';
import { WorkThread } from '../../store/index.js';
import type { ModelToRead, ParsedModel } from './compile-model.js';
import type { ModelFiles } from './report.js';
import { MODEL_LIMITS, type ModelLimits } from './scan-xml.js';

interface ModelParserOptions {
  /** How long one model may take, in ms. Default 2,000. */
  readonly budgetMs?: number;
  /** How many models may wait. Default 100. */
  readonly waitingMax?: number;
  /** Default {@link MODEL_LIMITS}. */
  readonly limits?: ModelLimits;
  /** That of times which name none. Default UTC. */
  readonly timeZone?: string;
}

/** Compiles models in a thread of its own, one after the other: see {@link WorkThread}. */
export class ModelParser {
  readonly #thread: WorkThread<ModelToRead, ParsedModel>;
  readonly #limits: ModelLimits;
  readonly #timeZone: string;

  constructor({
    budgetMs = 2_000,
    waitingMax = 100,
    limits = MODEL_LIMITS,
    timeZone = 'UTC',
  }: ModelParserOptions = {}) {
    const module = new URL('./compile-model.js', import.meta.url);
    this.#limits = limits;
    this.#timeZone = timeZone;
    this.#thread = new WorkThread({ module, data: limits, budgetMs, waitingMax, thing: 'model' });
  }

  /**
   * Compiles a model, whose scripts may be in `files`, and which is warned of handlers other than those named; its problems are in the result.
   * @throws BAD_REQUEST (a DTD, a foreign entity, a reserved id), LIMIT_EXCEEDED (too large, or longer than the budget), UNAVAILABLE (too
   * many wait, or closed)
   */
  async parse(xml: string, files: ModelFiles = {}, handlers: readonly string[] | null = null): Promise<ParsedModel> {
    const { bytes } = this.#limits;
    if (xml.length > bytes) throw limitExceeded(`expected a model of at most ${bytes} bytes, but found more`);
    const parsed = await this.#thread.ask({ xml, files, handlers });
    if (this.#timeZone === 'UTC') return parsed;
    return { ...parsed, programs: parsed.programs.map((program) => ({ ...program, timeZone: this.#timeZone })) };
  }

  /** Ends the thread; models that are not done are refused. */
  close(): Promise<void> {
    return this.#thread.close();
  }
}
