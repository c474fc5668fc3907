import { Change, type ContentNode, moveTo, placeNode, removeSubtree } from '../../content/index.js';
import { ServiceError } from '../../shared/errors.js';
import { operation } from '../../store/index.js';
import { ownAll } from '../homes.js';
import { KINDS } from '../profile.js';

/** Where a user's folders are in another workspace than `system`. */
export const homePath = (username: string): string => `${KINDS.user.root}/${username}`;

/** The folder in it that the user's desktop shows. */
export const DESKTOP = 'Desktop';

/**
 * Makes the folders that a user has in a workspace, as far as they are not there: a home, in which it may do anything, and the one that its desktop
 * shows. They say nothing of who it is: users live in `system`.
 */
export const ensureWorkspaceHome = operation(
  'ensureWorkspaceHome',
  (state, { username }: { readonly username: string }, { caller }) => {
    const change = new Change(state, caller);
    const root = change.at(KINDS.user.root);
    const home = change.tree.child(root, username) ?? made(change, root, username);
    if (change.tree.child(home, DESKTOP) === undefined) folderIn(change, home, DESKTOP);
    return change.decision(null);
  },
);

/**
 * Removes the home of a user that is gone, with all that lies in it. What may not go, as something else refers to it, stays under a name that
 * no user can have.
 */
export const removeWorkspaceHome = operation(
  'removeWorkspaceHome',
  (state, { username }: { readonly username: string }, { caller, answers }) => {
    const change = new Change(state, caller, answers);
    const root = change.find(KINDS.user.root);
    const home = root && change.tree.child(root, username);
    if (home === undefined) return { answer: null };
    try {
      return removeSubtree(change, home) ?? change.decision(null);
    } catch (thrown) {
      if (!(thrown instanceof ServiceError) || thrown.code !== 'CONFLICT') throw thrown;
      const aside = new Change(state, caller);
      moveTo(aside, home, aside.at(KINDS.user.root), `${username} {${state.ids.next()}}`);
      return aside.decision(null);
    }
  },
);

function made(change: Change, root: ContentNode, username: string): ContentNode {
  return change.put({ ...folderIn(change, root, username), acl: [ownAll(username)] });
}

const folderIn = (change: Change, parent: ContentNode, name: string): ContentNode =>
  placeNode(change, parent, { name, type: 'nt:folder', mixins: ['mi:anyChildren'] });
