/** The operations under way, so that one can wait until all that have begun are over. */
export class Running {
  #present: Generation = newGeneration();
  /** Those of before of which something goes on. */
  readonly #past = new Set<Generation>();

  /** Counts the work for as long as it takes. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    const generation = this.#present;
    generation.count++;
    try {
      return await work();
    } finally {
      generation.count--;
      if (generation.count === 0 && this.#past.delete(generation)) generation.over();
    }
  }

  /** Resolves when nothing goes on any more that does now. */
  async over(): Promise<void> {
    if (this.#present.count > 0) {
      this.#past.add(this.#present);
      this.#present = newGeneration();
    }
    await Promise.all([...this.#past].map(({ ended }) => ended));
  }
}

/** Work that began between two questions. */
interface Generation {
  count: number;
  readonly ended: Promise<void>;
  over(): void;
}

function newGeneration(): Generation {
  let over = () => {};
  const ended = new Promise<void>((resolve) => {
    over = resolve;
  });
  return { count: 0, ended, over };
}
