import { assigned } from './assignment.js';
import type { Pattern } from './pattern.js';

/** Evaluates an expression for what it does; its value is not used. */
export const script: Pattern = (step, route) => assigned(route.expression(step), () => {});
