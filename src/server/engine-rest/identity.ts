import { seesGroupsOf } from '../../shared/rights/roles.js';
import { notThere, type RestAnswer, type RestCall, type RestRoute, unfit } from './rest-call.js';

// Who the users are, as tasklists of Camunda's ask for it.

/** The user, of whom a caller that may not see more is told nothing. @throws NOT_FOUND */
function known(call: RestCall, userId: string): { readonly displayName: string | null } {
  const found = call.services.principals.describe(userId);
  if (found !== undefined && !found.isGroup && seesGroupsOf(call.caller, userId)) return found;
  throw notThere('user', userId);
}

/** Camunda's GroupInfoDto: the groups of a user. */
function groups(call: RestCall): RestAnswer {
  const userId = call.query.get('userId');
  if (userId === null || userId === '') throw unfit('userId', 'the id of a user', userId);
  known(call, userId);
  const { principals } = call.services;
  const shown = principals.groupsOf(userId).map((id) => ({ id, name: principals.describe(id)?.displayName ?? id }));
  return { json: { groups: shown, groupUsers: [] } };
}

/** Camunda's UserProfileDto: of a name that is one here, the last word is the last name. */
function profile(call: RestCall): RestAnswer {
  const id = call.param('id');
  const words = (known(call, id).displayName ?? id).split(' ');
  const lastName = words.length > 1 ? words.pop() : '';
  return { json: { id, firstName: words.join(' '), lastName, email: null } };
}

/** Users. */
export const identityRoutes: readonly RestRoute[] = [
  { method: 'GET', path: 'identity/groups', answer: groups },
  { method: 'GET', path: 'user/:id/profile', answer: profile },
];
