import { systemCaller } from '../../shared/caller.js';
import type { LargeWork } from '../large/make-ready.js';
import { endFreezings } from './freeze-tree.js';
import { sweepVersions, versionGarbage } from './sweep-versions.js';

/** Scope of a sweep. */
interface VersionSweep {
  readonly partition: string;
  /** Freezings that have done nothing since then are given up. ms, domain clock; null: all. */
  readonly before: number | null;
  readonly now: number;
  readonly isClosed: () => boolean;
}

/**
 * Removes what is left of versions and leads nowhere: histories of deleted nodes, what deleted versions alone had frozen, what a crash left of
 * large check-ins. Safe to break off, and to repeat. Gives how many documents went.
 */
export async function sweepVersionsOf(
  work: LargeWork,
  { partition, before, now, isClosed }: VersionSweep,
): Promise<number> {
  await work.send(partition, endFreezings, { before });
  const except: string[] = [];
  let swept = 0;
  while (!isClosed()) {
    const query = { partition, now, except };
    const garbage = await work.plan(partition, versionGarbage, query, systemCaller(''));
    if (garbage === null) break;
    if (await work.send(partition, sweepVersions, garbage))
      swept += [garbage.nodes, garbage.chunks, garbage.trees, garbage.versions].flat().length;
    else except.push(garbage.history);
  }
  return swept;
}
