import type { Asking } from '../../store/index.js';

/** Whether an operation has stopped to ask, in place of what it gives. */
export const isAsking = (answer: unknown): answer is Asking =>
  typeof answer === 'object' && answer !== null && 'ask' in answer;
