import { ScriptPool, type ScriptSandboxOptions } from '../../expression/index.js';
import { ServiceError } from '../../shared/errors.js';
import type { FeelQuestion } from '../element/feel.js';
import type { DecisionModel } from './decision-model.js';
import type { DecisionQuestion } from './outcome.js';

/** Question to a thread: an expression in FEEL, or a decision of a model. */
export type ThreadQuestion =
  | { readonly kind: 'feel'; readonly question: FeelQuestion }
  | { readonly kind: 'decision'; readonly question: DecisionQuestion; readonly model: DecisionModel };

/** Evaluates decisions and FEEL that may run long, in threads that are ended where it takes too long or too much memory. */
export class DecisionThreads {
  readonly #pool: ScriptPool<{ readonly value: unknown }>;

  constructor(options: ScriptSandboxOptions = {}) {
    this.#pool = new ScriptPool(options, 'process', new URL('./decision-thread.js', import.meta.url));
  }

  /** @throws EXECUTION_FAILED, also where it takes too long or too much memory; UNAVAILABLE */
  async answer(asked: ThreadQuestion): Promise<unknown> {
    const answer = await this.#pool.ask({ source: asked.kind, input: inputOf(asked) });
    if (!('error' in answer)) return answer.value;
    throw new ServiceError('EXECUTION_FAILED', answer.error.message.replace(/^script /, 'it '));
  }

  /** Ends its threads; what runs or waits is refused. */
  close(): Promise<void> {
    return this.#pool.close();
  }
}

const modelTexts = new WeakMap<DecisionModel, string>();

/** The question as JSON; the text of a model is made once. */
function inputOf(asked: ThreadQuestion): string {
  if (asked.kind === 'feel') return JSON.stringify(asked);
  const { kind, question, model } = asked;
  const text = modelTexts.get(model) ?? JSON.stringify(model);
  modelTexts.set(model, text);
  return `{"kind":"${kind}","question":${JSON.stringify(question)},"model":${text}}`;
}
