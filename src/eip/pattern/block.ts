import type { Pattern } from './pattern.js';

/** `pipeline` and `step`: steps that belong together. They go on where they are, and count as one in statistics. */
export const block: Pattern = (step, route) => route.block(step.steps);
