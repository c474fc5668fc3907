/**
 * A list in which rooms above take part, without the asking one knowing of them. Declared where it is asked; filled once in a thread, by
 * `content/repository.ts`, before anything is decided or read.
 */
export class HookList<T> {
  readonly #name: string;
  #hooks: readonly T[] | undefined;

  /** `name`: for whoever has forgotten to fill it. */
  constructor(name: string) {
    this.#name = name;
  }

  /** In the order in which they are asked. */
  give(...hooks: readonly T[]): void {
    this.#hooks = hooks;
  }

  /** @throws Error nothing was given: `content/repository.ts` is not imported */
  get all(): readonly T[] {
    if (this.#hooks === undefined) throw new Error(`expected hooks of '${this.#name}', but none were given yet`);
    return this.#hooks;
  }
}
