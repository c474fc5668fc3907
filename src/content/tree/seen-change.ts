import type { NodeChanged, NodeEventType } from './change-event.js';
import type { ContentView } from './content-view.js';

/** What a subscriber is told of a change. */
export interface SeenChange {
  readonly eventType: NodeEventType;
  /** Null: the node is no longer shown to the subscriber, and where it is, is not its business. */
  readonly path: string | null;
  readonly identifier: string;
  readonly nodeType: string | null;
  readonly sourcePath: string | null;
  readonly userId: string;
  /** ms */
  readonly timestamp: number;
}

/** Which changes a subscriber follows: at the path, of its children, and with `deep` of all that lies below. */
export interface Followed {
  readonly path: string;
  readonly deep: boolean;
}

/**
 * The change as whoever has the view, which is asked for only when it is needed, may know it; undefined: it is not for it. A node that it can read is told as it is. One that it could read
 * before, but not any more, is told as DELETED, with its path only when it has left a place that the subscriber may look at.
 */
export function seenChange(
  changed: NodeChanged,
  followed: Followed,
  viewNow: () => ContentView,
): SeenChange | undefined {
  const { path, sourcePath } = changed;
  if (!isFollowed(path, followed) && (sourcePath === null || !isFollowed(sourcePath, followed))) return undefined;
  const view = viewNow();
  const node = view.get(changed.identifier);
  if (node === undefined || changed.eventType === 'DELETED') return dropped(view, changed);
  const { eventType, identifier, nodeType, userId, timestamp } = changed;
  const seenSource = sourcePath !== null && couldRead(view, changed) ? sourcePath : null;
  return { eventType, path, identifier, nodeType, sourcePath: seenSource, userId, timestamp };
}

function dropped(view: ContentView, changed: NodeChanged): SeenChange | undefined {
  if (!couldRead(view, changed)) return undefined;
  const { identifier, userId, timestamp, eventType, path, sourcePath } = changed;
  const vacated = eventType === 'DELETED' ? path : sourcePath;
  const mayLook = vacated !== null && view.get(changed.before?.parentId ?? '') !== undefined;
  return {
    eventType: 'DELETED',
    path: mayLook ? vacated : null,
    identifier,
    nodeType: null,
    sourcePath: null,
    userId,
    timestamp,
  };
}

/** Whether the node could be read where it was, with the entries that it had. */
function couldRead({ access, tree }: ContentView, { before }: NodeChanged): boolean {
  const parent = before === null ? undefined : tree.get(before.parentId);
  return parent !== undefined && access.canReadBelow(parent, before?.acl ?? undefined);
}

function isFollowed(path: string, followed: Followed): boolean {
  if (path === followed.path) return true;
  const base = followed.path === '/' ? '/' : `${followed.path}/`;
  if (!path.startsWith(base)) return false;
  return followed.deep || !path.slice(base.length).includes('/');
}
