import { operation } from '../../store/index.js';
import { detachedTrees, sweeping } from '../tree/detached.js';

/** Input of `sweepForsaken`. */
export interface SweepForsaken {
  /** Trees that nothing has happened to since then are swept, whatever they were made for. ms, domain clock; null: all, as when a server starts. */
  readonly before: number | null;
}

/** How many trees one decision looks at. */
const TREES_MAX = 200;

/**
 * Sees to it that detached trees which nobody works at any more are swept: what a crash left of copies and imports, and what a job gave up.
 * Answers how many.
 */
export const sweepForsaken = operation('sweepForsaken', (state, { before }: SweepForsaken) => {
  const trees = state.range(detachedTrees, 'since', [0], TREES_MAX, { skipDamaged: true });
  const forsaken = trees.filter(({ since }) => before === null || since < before);
  const all = forsaken.map(({ id }) => sweeping(state, id));
  return {
    write: all.flatMap(({ write }) => write),
    jobs: all.flatMap(({ jobs }) => jobs),
    answer: forsaken.length,
  };
});
