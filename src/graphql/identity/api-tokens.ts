import { identityApi, SYSTEM_WORKSPACE } from '../../identity/index.js';
import { ServiceError } from '../../shared/errors.js';
import { mayAdminister } from '../../shared/rights/roles.js';
import { type Workspace, workspaceNamed, workspaces } from '../../workspace/index.js';
import type { ApiContext } from '../api-context.js';
import type { ApiTokenResolvers, CreateApiTokenInput, MutationResolvers, QueryResolvers } from '../generated/schema.js';
import { ask } from './identity-mutations.js';

export const apiTokenQueries: Required<Pick<QueryResolvers, 'apiTokens'>> = {
  apiTokens: (_, { username }, { caller, services }) => {
    const whose = username ?? caller.userId;
    if (whose !== caller.userId && !mayAdminister(caller))
      throw new ServiceError('FORBIDDEN', `expected an administrator to be told of tokens of '${whose}'`);
    return caller.workspace === SYSTEM_WORKSPACE ? [...services.identity.tokens.ofUser(whose)] : [];
  },
};

export const apiTokenMutations: Required<Pick<MutationResolvers, 'createApiToken' | 'revokeApiToken'>> = {
  createApiToken: async (_, { input }, context, info) => {
    const { tokens } = context.services.identity;
    const { secret, hash } = tokens.newSecret();
    const payload = await ask(context, info, {
      operation: identityApi.createApiToken,
      // The hash is another one each time, and no kept answer has it.
      given: input,
      input: () => ({ ...wanted(context, input), hash }),
      payload: ({ id }) => ({ token: tokens.get(id) ?? null }),
    });
    // An answer that is given again is about the token of the first time.
    return { ...payload, secret: payload.token?.hash === hash ? secret : null };
  },
  revokeApiToken: (_, { input }, context, info) =>
    ask(context, info, { operation: identityApi.revokeApiToken, input: () => input, payload: (answer) => answer }),
};

/** The workspace, unless it is being removed. */
const ifThere = (found: Workspace | undefined): Workspace | undefined =>
  found?.actor.value === 'DELETED' ? undefined : found;

const wanted = ({ caller, services, state }: ApiContext, input: CreateApiTokenInput) => ({
  ...services.identity.tokens.limits(),
  name: input.name,
  username: input.username ?? caller.userId,
  scopes: input.scopes,
  workspaces: input.workspaces?.map((name) => ({ name, id: ifThere(workspaceNamed(state, name))?.id ?? null })) ?? null,
  domains: input.domains ?? null,
  expiresAt: input.expiresAt ?? null,
});

export const apiTokenResolvers: ApiTokenResolvers = {
  username: ({ userId }) => userId,
  scopes: ({ access }) => [...access],
  workspaces: ({ workspaces: ids }, _, { state }) =>
    ids?.flatMap((id) => ifThere(state.get(workspaces, id))?.name ?? []) ?? null,
  domains: ({ domains }) => (domains === null ? null : [...domains]),
  created: ({ createdAt }) => createdAt,
  expires: ({ expiresAt }) => expiresAt,
  isExpired: ({ expiresAt }, _, { services }) => services.identity.tokens.limits().now >= expiresAt,
  lastUsed: ({ lastUsedAt }) => lastUsedAt,
};
