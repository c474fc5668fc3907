import type { RouteCompiler } from '../pattern/pattern.js';

/** Attempts of a route that are waited for, and are given up where the route is to stop. */
export class Stopping {
  readonly #waiting = new Set<() => void>();
  #isStopping = false;

  /** Whether the route is to stop. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Calls `work` when the route is to stop. Gives what takes that back. */
  whenStopping(work: () => void): () => void {
    this.#waiting.add(work);
    return () => void this.#waiting.delete(work);
  }

  stop(): void {
    this.#isStopping = true;
    for (const work of [...this.#waiting]) work();
    this.#waiting.clear();
  }
}

export function stoppingOf(route: RouteCompiler): Stopping {
  const stopping = new Stopping();
  route.keep({ pending: 0, stop: () => stopping.stop(), end: () => undefined });
  return stopping;
}
