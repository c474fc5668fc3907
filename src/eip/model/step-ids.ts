import type { Position } from '../../expression/index.js';
import type { RouteFile, ScopedModel, StepModel } from './route-model.js';
import type { RouteProblems } from './route-problems.js';

/** The ids of a file's steps: as written, or kind and number, as Camel gives them: `setBody1`. */
export class StepIds {
  readonly #problems: RouteProblems;
  readonly #given = new Map<string, Position>();
  readonly #numbers = new Map<string, number>();

  constructor(problems: RouteProblems) {
    this.#problems = problems;
  }

  /** An id that is written. */
  take(kind: string, id: string, at: Position): string {
    const there = this.#given.get(id);
    // What has a placeholder is not known yet.
    if (there !== undefined && !id.includes('{{'))
      this.#problems.error(at, kind, `expected an id that is there once, but found ${id} in line ${there.line}, too`);
    this.#given.set(id, there ?? at);
    return id;
  }

  /** Numbers the steps that have no id, in the order in which exchanges meet them, whatever the order of the text is. */
  number(file: RouteFile): void {
    this.#scope(file.scoped);
    for (const { scoped } of file.configurations) this.#scope(scoped);
    for (const { scoped, steps } of [...file.templates.map(({ route }) => route), ...file.routes]) {
      this.#scope(scoped);
      this.#steps(steps);
    }
  }

  #scope(scoped: ScopedModel): void {
    for (const name of [
      'onException',
      'onCompletion',
      'intercept',
      'interceptFrom',
      'interceptSendToEndpoint',
    ] as const)
      this.#steps(scoped[name]);
  }

  #steps(steps: readonly Draft[]): void {
    for (const step of steps) {
      if (!step.isIdGiven) step.id = this.#next(step.kind);
      this.#steps(step.steps);
      for (const part of PARTS) this.#steps(step.parts[part] ?? []);
    }
  }

  #next(kind: string): string {
    for (;;) {
      const number = (this.#numbers.get(kind) ?? 0) + 1;
      this.#numbers.set(kind, number);
      if (!this.#given.has(`${kind}${number}`)) return `${kind}${number}`;
    }
  }
}

/** A step whose id is not there yet. */
type Draft = Omit<StepModel, 'id'> & { id: string };

const PARTS = ['headers', 'variables', 'when', 'otherwise', 'doCatch', 'doFinally', 'onFallback'];
