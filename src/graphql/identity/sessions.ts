import { identityApi, SYSTEM_WORKSPACE } from '../../identity/index.js';
import { ServiceError } from '../../shared/errors.js';
import { mayManageOf } from '../../shared/rights/roles.js';
import type { MutationResolvers, QueryResolvers, SignInSessionResolvers } from '../generated/schema.js';
import { ask } from './identity-mutations.js';

export const sessionQueries: Required<Pick<QueryResolvers, 'mySessions'>> = {
  mySessions: (_, { username }, { caller, services }) => {
    const whose = username ?? caller.userId;
    if (!mayManageOf(caller, whose))
      throw new ServiceError('FORBIDDEN', `expected an administrator to be told of sessions of '${whose}'`);
    return caller.workspace === SYSTEM_WORKSPACE ? [...services.identity.sessions.ofUser(whose)] : [];
  },
};

export const sessionMutations: Required<Pick<MutationResolvers, 'revokeSession' | 'revokeOtherSessions'>> = {
  revokeSession: (_, { input }, context, info) =>
    ask(context, info, { operation: identityApi.revokeSession, input: () => input, payload: (answer) => answer }),
  revokeOtherSessions: (_, { input }, context, info) =>
    ask(context, info, {
      operation: identityApi.revokeOtherSessions,
      input: () => ({ username: input.username ?? context.caller.userId }),
      payload: ({ count }) => ({ count }),
    }),
};

export const sessionResolvers: SignInSessionResolvers = {
  username: ({ userId }) => userId,
  isCurrent: ({ id }, _, { caller }) => id === caller.sessionId,
  created: ({ createdAt }) => createdAt,
  lastSeen: ({ lastSeenAt }) => lastSeenAt,
  expires: ({ expiresAt }) => expiresAt,
  issuer: ({ provider }) => provider?.issuer ?? null,
};
