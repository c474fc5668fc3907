import { collection, type Document } from '../../store/index.js';

/** A subtree that is not in the tree: it was taken out and waits to be swept, or is being made and waits to be put in. Id: its topmost node's. */
export interface DetachedTree extends Document {
  /** Whether it is being made. Its strong references count already, so that what they point at stays until it is in the tree. */
  readonly isStaging: boolean;
  /** When it was detached, or when staging last went on. ms, domain clock. */
  readonly since: number;
  /** Whether nodes in it that have versions may come back by a restore: their histories stay, and are shown. */
  readonly keepsHistories?: true;
  /** Whoever makes it, where it may be taken over by another. */
  readonly maker?: string;
}

export const detachedTrees = collection<DetachedTree>({
  name: 'detachedTree',
  columns: { since: (it) => it.since },
  indexes: { since: { columns: ['since'] } },
});
