import { externalIdentities, identityApi } from '../../identity/index.js';
import type { MutationResolvers, UserResolvers } from '../generated/schema.js';
import { ask, userOf } from './identity-mutations.js';
import { homeState } from './users.js';

export const externalIdentityMutations: Required<
  Pick<MutationResolvers, 'linkExternalIdentity' | 'unlinkExternalIdentity'>
> = {
  linkExternalIdentity: (_, { input }, context, info) =>
    ask(context, info, {
      operation: identityApi.linkExternalIdentity,
      input: () => input,
      payload: userOf(context),
    }),
  unlinkExternalIdentity: (_, { input }, context, info) =>
    ask(context, info, {
      operation: identityApi.unlinkExternalIdentity,
      input: () => input,
      payload: userOf(context),
    }),
};

/** Users are shown to administrators and to themselves alone, and so is this. */
export const externalIdentitiesOfUser: Pick<UserResolvers, 'externalIdentities'> = {
  externalIdentities: ({ profileId }, _, context) => homeState(context).find(externalIdentities, 'user', [profileId]),
};
