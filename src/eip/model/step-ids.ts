import type { Position } from '../../expression/index.js';
import type { RouteProblems } from './route-problems.js';

/** The ids of a file's steps: as written, or kind and number in the order of the file, as Camel gives them: `setBody1`. */
export class StepIds {
  readonly #problems: RouteProblems;
  readonly #given = new Map<string, Position>();
  readonly #numbers = new Map<string, number>();

  constructor(problems: RouteProblems) {
    this.#problems = problems;
  }

  of(kind: string, given: string | undefined, at: Position): { readonly id: string; readonly isIdGiven: boolean } {
    if (given !== undefined) return { id: this.#once(kind, given, at), isIdGiven: true };
    for (;;) {
      const number = (this.#numbers.get(kind) ?? 0) + 1;
      this.#numbers.set(kind, number);
      const id = `${kind}${number}`;
      if (!this.#given.has(id)) return { id, isIdGiven: false };
    }
  }

  #once(kind: string, id: string, at: Position): string {
    const there = this.#given.get(id);
    // What has a placeholder is not known yet.
    if (there !== undefined && !id.includes('{{'))
      this.#problems.error(at, kind, `expected an id that is there once, but found ${id} in line ${there.line}, too`);
    this.#given.set(id, there ?? at);
    return id;
  }
}
