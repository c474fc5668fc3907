import { durationOption, numberOption } from './options.js';
import type { Pattern } from './pattern.js';

/** Lets one exchange through in each `samplePeriod` (1000 ms), or each n-th (`messageFrequency`); for the others the route ends here. */
export const sample: Pattern = (step, route) => {
  const frequency = numberOption(route, step, 'messageFrequency') ?? 0;
  const period = durationOption(route, step, 'samplePeriod') ?? 1000;
  let count = 0;
  let next = Number.NEGATIVE_INFINITY;
  const isTaken = (now: number) => {
    if (frequency > 0) return ++count % frequency === 0;
    if (now < next) return false;
    next = now + period;
    return true;
  };
  return (exchange) => {
    if (!isTaken(exchange.context.now())) exchange.isStopped = true;
    return undefined;
  };
};
