import type { FeelScope, FeelValue } from '../../expression/index.js';

/** Names and their values, inner ones before outer ones. */
export class Scope implements FeelScope {
  readonly now: number;
  readonly chance: FeelScope['chance'];
  readonly #outer: FeelScope | null;
  readonly #own = new Map<string, FeelValue>();

  constructor(outer: FeelScope) {
    this.#outer = outer;
    this.now = outer.now;
    this.chance = outer.chance;
  }

  variable(name: string): FeelValue | undefined {
    return this.#own.get(name) ?? (this.#own.has(name) ? null : this.#outer?.variable(name));
  }

  set(name: string, value: FeelValue): this {
    this.#own.set(name, value);
    return this;
  }

  /** What is set here. */
  get own(): ReadonlyMap<string, FeelValue> {
    return this.#own;
  }
}
