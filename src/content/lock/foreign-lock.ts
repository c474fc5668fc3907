import { type ReaderQuery, type Scalar, storedColumns, storedDocument, tableOf } from '../../store/index.js';
import { holdsLock, lockOf } from '../tree/locking.js';
import { nodes } from '../tree/node.js';

export interface ForeignLockQuery {
  readonly nodeId: string;
  /** ms, domain clock */
  readonly now: number;
}

/** A node below the given one that somebody else has locked; null: there is none. Looks at all locks of the workspace. */
export const foreignLock: ReaderQuery<ForeignLockQuery, string | null> = {
  name: 'foreignLock',
  run({ log, caller }, { nodeId, now }) {
    const parent = log.prepare(`SELECT "c_parent" AS parent FROM ${tableOf(nodes)} WHERE id = ?`);
    const known = new Map<Scalar, boolean>([
      [nodeId, true],
      [null, false],
    ]);
    const isWithin = (id: Scalar): boolean => {
      const found = known.get(id) ?? isWithin((parent.get(id)?.parent ?? null) as Scalar);
      known.set(id, found);
      return found;
    };
    for (const row of log.prepare(`SELECT ${storedColumns()} FROM ${tableOf(nodes)} WHERE "c_locked" = 1`).iterate()) {
      const holder = storedDocument(nodes, row);
      const lock = lockOf(holder, now);
      if (lock !== undefined && !holdsLock(lock, caller) && isWithin(holder.parent)) return holder.id;
    }
    return null;
  },
};
