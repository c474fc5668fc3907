import { type ReaderQuery, snapshotState } from '../../store/index.js';
import { changersOf } from './access.js';
import { BELOW } from './below.js';
import { mounts, Tree } from './tree.js';

export interface ChangersBelow {
  readonly partition: string;
  readonly nodeId: string;
}

/** Who may do more than read, and the first node below at which that is so. */
export interface ChangerBelow {
  readonly principal: string;
  readonly nodeId: string;
}

/** How many are told. */
export const CHANGERS_MAX = 1_000;

/** All whom the lists of nodes below this one let do more than read, by what `changersOf` says of each of these nodes. */
export const changersBelow: ReaderQuery<ChangersBelow, ChangerBelow[]> = {
  name: 'changersBelow',
  run(context, { partition, nodeId }) {
    const tree = new Tree(snapshotState(context, partition, 0), mounts.all);
    const found = new Map<string, string>();
    for (const { id } of context.log.prepare(`${BELOW} SELECT id FROM below WHERE own IS NOT NULL`).iterate(nodeId)) {
      const node = tree.get(String(id));
      for (const principal of changersOf((node && tree.chainOf(node)) ?? [])) {
        if (!found.has(principal)) found.set(principal, String(id));
      }
      if (found.size >= CHANGERS_MAX) break;
    }
    return [...found].map(([principal, at]) => ({ principal, nodeId: at }));
  },
};
