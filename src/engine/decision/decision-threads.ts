import { ScriptPool, type ScriptSandboxOptions } from '../../expression/index.js';
import { ServiceError } from '../../shared/errors.js';
import type { FeelQuestion } from '../element/feel.js';

/** What its threads are asked. */
export type ThreadQuestion = { readonly kind: 'feel'; readonly question: FeelQuestion };

/** Evaluates what may run long in FEEL, in threads that are ended where it takes too long or too much memory. */
export class DecisionThreads {
  readonly #pool: ScriptPool<{ readonly value: unknown }>;

  constructor(options: ScriptSandboxOptions = {}) {
    this.#pool = new ScriptPool(options, 'process', new URL('./decision-thread.js', import.meta.url));
  }

  /** @throws EXECUTION_FAILED, also where it takes too long or too much memory; UNAVAILABLE */
  async answer(asked: ThreadQuestion): Promise<unknown> {
    const answer = await this.#pool.ask({ source: asked.kind, input: JSON.stringify(asked.question) });
    if (!('error' in answer)) return answer.value;
    throw new ServiceError('EXECUTION_FAILED', answer.error.message.replace(/^script /, 'it '));
  }

  /** Ends its threads; what runs or waits is refused. */
  close(): Promise<void> {
    return this.#pool.close();
  }
}
