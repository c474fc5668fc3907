import type { SteadyClock } from '../../shared/clock.js';
import { log } from '../../shared/log.js';
import { Recurring } from './recurring.js';

/** Logs when the machine's clock is found set back, so that timers wait longer than they say, and when it has caught up. */
export function watchClock(clock: SteadyClock): Recurring {
  let wasAhead = false;
  return new Recurring({
    name: 'clock',
    everyMs: 10_000,
    work: async () => {
      const aheadMs = clock.aheadMs();
      const isAhead = aheadMs > (wasAhead ? 0 : AHEAD_MS_TOLD);
      if (isAhead && !wasAhead)
        log.warn({ aheadMs }, 'the machine’s clock was set back: timers go at half speed until it has caught up');
      if (!isAhead && wasAhead) log.info('the machine’s clock has caught up');
      wasAhead = isAhead;
    },
  });
}

/** Less is no news: machines correct their clocks. */
const AHEAD_MS_TOLD = 1_000;
