import { unavailable } from '../../shared/errors.js';
import { type ReaderQuery, snapshotState } from '../../store/index.js';
import type { ContentNode } from '../tree/node.js';
import { typesOf } from '../tree/stored-types.js';

import type { MissingNode } from './restore-plan.js';
import { madeNode } from './restored-node.js';
import { frozenNodeId, frozenNodes } from './version.js';

/** A page ends when its nodes, as text, are more than this. */
const PAGE_SIZE_MAX = 500_000;

export interface RestoredPageQuery {
  readonly partition: string;
  readonly stagingId: string;
  /** A `MissingNode` in each line. */
  readonly missing: string;
  /** ms, domain clock */
  readonly now: number;
}

/** Nodes to be staged. A page may end early. */
export interface RestoredPage {
  readonly nodes: readonly ContentNode[];
  /** How many of the lines it is about. */
  readonly count: number;
}

/** Nodes that are gone, as a version has them. @throws UNAVAILABLE the version is being deleted */
export const restoredPage: ReaderQuery<RestoredPageQuery, RestoredPage> = {
  name: 'restoredPage',
  run(context, { partition, stagingId, missing, now }) {
    const reading = snapshotState(context, partition, now);
    const types = typesOf(reading);
    const nodes: ContentNode[] = [];
    let size = 0;
    for (const line of missing.split('\n')) {
      const one = JSON.parse(line) as MissingNode;
      const body = reading.get(frozenNodes, frozenNodeId(one.history, one.entry));
      if (body === undefined) throw unavailable('expected the version to be whole, but it is being deleted');
      nodes.push(madeNode({ reading, types, body, holderId: one.isTop ? stagingId : null }, one));
      size += JSON.stringify(body.properties).length;
      if (size > PAGE_SIZE_MAX) break;
    }
    return { nodes, count: nodes.length };
  },
};
