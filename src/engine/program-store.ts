import type { State } from '../store/index.js';
import { definitionModels } from './collections.js';
import { modelNotFound } from './errors.js';
import type { Program } from './model/program.js';
import { loadText } from './run/stored-text.js';

/** The compiled programs of this process, the least used forgotten first. A definition's program never changes, so nothing here grows stale. */
export class ProgramStore {
  readonly #programs = new Map<string, Program>();
  readonly #max: number;

  /** `max`: how many programs are kept. Default 500. */
  constructor(max = 500) {
    this.#max = max;
  }

  /** The program of a definition, read through the state when it is not here. @throws NOT_FOUND */
  of(state: Pick<State, 'get'>, definitionId: string): Program {
    const program = this.find(state, definitionId);
    if (program === undefined) throw modelNotFound(definitionId);
    return program;
  }

  /** As {@link of}; undefined when the definition is gone. */
  find(state: Pick<State, 'get'>, definitionId: string): Program | undefined {
    const known = this.#programs.get(definitionId);
    if (known !== undefined) {
      this.#programs.delete(definitionId);
      this.#programs.set(definitionId, known);
      return known;
    }
    const model = state.get(definitionModels, definitionId);
    if (model === undefined) return undefined;
    const program: Program = JSON.parse(loadText(state, definitionId, model));
    this.#programs.set(definitionId, program);
    const [oldest] = this.#programs.keys();
    if (this.#programs.size > this.#max && oldest !== undefined) this.#programs.delete(oldest);
    return program;
  }
}
