import { setTimeout as pause } from 'node:timers/promises';
import type { Partition } from '../../src/store/partition/partition.js';

/**
 * Looks again and again until it holds. For what tells nobody that it has changed: another process and its files, whether a server is ready, when a
 * log takes commits again, and time itself. What is stored in this process is waited for by `Commits`. @throws when it does not hold within `ms`
 */
export async function eventually(what: string, holds: () => boolean | Promise<boolean>, ms = 30_000): Promise<void> {
  const end = performance.now() + ms;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`expected within ${ms} ms that ${what}`);
    await pause(10);
  }
}

/** Waits until the log of the partition takes commits again: whoever is told that it does not looks again. */
export const untilTaken = (partition: Partition): Promise<void> =>
  eventually('the log takes commits', () =>
    partition.decider.probe().then(
      () => true,
      () => false,
    ),
  );
