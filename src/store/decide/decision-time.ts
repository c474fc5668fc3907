import { log as serverLog } from '../../shared/log.js';

/** A decision that takes longer holds up everything else on the main thread: it is logged, in ms. */
export const DECISION_MS_MAX = 10;

/** Told of every decision: the command's type, and for how long it had the main thread, in ms. */
export type DecisionObserver = (type: string, ms: number) => void;

/** Times what `decide` does for a command, and logs the command's type when it took too long. */
export function timed(type: string, decide: () => void, observer: DecisionObserver | undefined): void {
  const begun = performance.now();
  decide();
  const ms = performance.now() - begun;
  if (ms > DECISION_MS_MAX) serverLog.warn({ command: type, ms: Math.round(ms) }, 'a decision held up the main thread');
  observer?.(type, ms);
}
