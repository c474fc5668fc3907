import type { NodeChanged } from '../../content/index.js';
import { collection, type Document, put, remove, type State, type Write } from '../../store/index.js';
import { isWithin } from './deployment-kind.js';

// Who changed files since they were last compared with what is deployed: their routes act as that user. A property of the file would say what its writer likes.

/** Users who changed a node. Id: the node's. */
interface FileChange extends Document {
  readonly path: string;
  /** Each once. */
  readonly userIds: readonly string[];
  /** Those of them who made it, or put it where it is: of what is below a folder they have changed the path. */
  readonly placers: readonly string[];
  /** Of the last change that is in it. */
  readonly revision: number;
}

export const fileChanges = collection<FileChange>({
  name: 'fileChange',
  columns: { path: (it) => it.path },
  multi: { user: (it) => it.userIds },
  indexes: { path: { columns: ['path'] } },
  principals: { 'userIds[]': 'user', 'placers[]': 'user' },
});

/** How many changes are kept until they are compared. */
const CHANGES_MAX = 900;

/** Remembers who made the change; what goes needs nobody. */
export function noteChange(state: State, changed: NodeChanged, revision: number): Write[] {
  const { identifier: id, path, eventType, userId } = changed;
  if (eventType === 'DELETED') return [];
  const known = state.get(fileChanges, id);
  if (known !== undefined && known.revision >= revision) return [];
  const { userIds = [], placers = [] } = known ?? {};
  const isPlaced = eventType === 'CREATED' || eventType === 'MOVED';
  return [
    put(fileChanges, {
      ...{ id, path, revision },
      userIds: [...new Set([...userIds, userId])],
      placers: isPlaced ? [...new Set([...placers, userId])] : placers,
    }),
  ];
}

/** The changes so far, to be taken back when they have been looked at. */
export const changesIn = (state: State): readonly FileChange[] => state.range(fileChanges, 'path', [''], CHANGES_MAX);

/** Who changed what lies at the path; null: nobody is known, or it was several. */
export function changerOf(
  changes: readonly FileChange[],
  { nodeId, path }: { readonly nodeId: string; readonly path: string },
) {
  const own = changes.flatMap((change) => {
    if (change.id === nodeId) return change.userIds;
    return change.path !== path && isWithin(path, change.path) ? change.placers : [];
  });
  const userIds = new Set(own);
  const [only] = userIds;
  return { userId: userIds.size === 1 ? (only ?? null) : null, isChanged: own.length > 0 };
}

/** Takes back changes that were looked at, unless more came since. */
export const takenBack = (
  state: State,
  looked: readonly { readonly id: string; readonly revision: number }[],
): Write[] =>
  looked.flatMap(({ id, revision }) =>
    state.get(fileChanges, id)?.revision === revision ? [remove(fileChanges, id)] : [],
  );
