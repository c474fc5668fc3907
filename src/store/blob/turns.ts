/** Work on things with names: one after the other per name. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Resolves, or fails, as the work does, which begins when all work of the name before it has ended. */
  async take<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(name) ?? Promise.resolve();
    const turn = before.then(work, work);
    this.#last.set(name, turn);
    try {
      return await turn;
    } finally {
      if (this.#last.get(name) === turn) this.#last.delete(name);
    }
  }
}
