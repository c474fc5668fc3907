import type { State } from '../store/index.js';
import { decisionModels } from './collections.js';
import type { DecisionModel } from './decision/decision-model.js';
import { modelNotFound } from './errors.js';
import { loadText } from './run/stored-text.js';

/** The compiled DMN files of this process, the least used forgotten first. A file never changes, so nothing here grows stale. */
export class DecisionStore {
  readonly #models = new Map<string, DecisionModel>();
  readonly #max: number;

  /** `max`: how many files are kept. Default 200. */
  constructor(max = 200) {
    this.#max = max;
  }

  /** The compiled file, read through the state when it is not here. @throws NOT_FOUND */
  of(state: Pick<State, 'get'>, modelId: string): DecisionModel {
    const known = this.known(modelId);
    if (known !== undefined) return known;
    const stored = state.get(decisionModels, modelId);
    if (stored === undefined) throw modelNotFound(modelId);
    const model: DecisionModel = JSON.parse(loadText(state, modelId, stored));
    this.#models.set(modelId, model);
    const [oldest] = this.#models.keys();
    if (this.#models.size > this.#max && oldest !== undefined) this.#models.delete(oldest);
    return model;
  }

  /** The compiled file, if it is here. */
  known(modelId: string): DecisionModel | undefined {
    const known = this.#models.get(modelId);
    if (known === undefined) return undefined;
    this.#models.delete(modelId);
    this.#models.set(modelId, known);
    return known;
  }
}
