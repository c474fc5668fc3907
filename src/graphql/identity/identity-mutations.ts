import type { GraphQLResolveInfo } from 'graphql';
import { identityApi, type RefusalDetails, type SessionRecord, SYSTEM_WORKSPACE } from '../../identity/index.js';
import { badRequest, ServiceError } from '../../shared/errors.js';
import { log } from '../../shared/log.js';
import type { Operation } from '../../store/index.js';
import type { ApiContext } from '../api-context.js';
import type { IdpMutationError, MutationResolvers } from '../generated/schema.js';
import { answerOf } from '../mutate.js';

/** A request to identity: its operation and input, and the payload that its answer becomes. */
interface Asked<I, A, P> {
  readonly operation: Operation<I, A>;
  /** Also of what it must wait for: a password is hashed before anything is decided. */
  readonly input: () => I | Promise<I>;
  /** As it was given, where the input has a hash, which is another one each time. */
  readonly given?: unknown;
  readonly payload: (answer: A) => P;
}

/** Sends an operation of identity; what it refuses is told in the payload. @throws BAD_REQUEST in another workspace than `system` */
export async function ask<I, A, P extends object>(
  context: ApiContext,
  info: GraphQLResolveInfo,
  { operation, input, given, payload }: Asked<I, A, P>,
): Promise<Partial<P> & { readonly errors: readonly IdpMutationError[] | null }> {
  if (context.caller.workspace !== SYSTEM_WORKSPACE)
    throw badRequest(`expected the workspace '${SYSTEM_WORKSPACE}', in which users live`, { reason: 'not_system' });
  try {
    const answer = await answerOf(context, info, operation, await input(), given);
    return { ...payload(answer), errors: null };
  } catch (thrown) {
    const errors = refusalsOf(thrown);
    return { errors } as Partial<P> & { readonly errors: readonly IdpMutationError[] };
  }
}

/** @throws what is no refusal of identity's */
function refusalsOf(thrown: unknown): readonly IdpMutationError[] {
  const { refusal, field, jobId } = (
    thrown instanceof ServiceError ? (thrown.info.details ?? {}) : {}
  ) as Partial<RefusalDetails>;
  if (!(thrown instanceof ServiceError) || refusal === undefined) throw thrown;
  return [{ code: refusal, message: thrown.message, field: field ?? null, jobId: jobId ?? null }];
}

export const userOf =
  ({ services }: ApiContext) =>
  ({ username }: { readonly username: string }) => ({ user: services.identity.directory.user(username) ?? null });

const groupOf =
  ({ services }: ApiContext) =>
  ({ id }: { readonly id: string }) => ({ group: services.identity.directory.nested.byId('group', id) ?? null });

const roleOf =
  ({ services }: ApiContext) =>
  ({ id }: { readonly id: string }) => ({ role: services.identity.directory.nested.byId('role', id) ?? null });

type UserMutations =
  | 'assignRoles'
  | 'changePassword'
  | 'createUser'
  | 'deleteUser'
  | 'resetPassword'
  | 'revokeRoles'
  | 'updatePreferences'
  | 'updateUser';

export const userMutations: Required<Pick<MutationResolvers, UserMutations>> = {
  createUser: (_, { input }, context, info) =>
    ask(context, info, {
      operation: identityApi.createUser,
      given: input,
      input: async () => {
        const { password, ...rest } = input;
        return { ...rest, ...(password != null && { password: await context.services.identity.hash(password) }) };
      },
      payload: userOf(context),
    }),
  updateUser: (_, { input }, context, info) =>
    ask(context, info, { operation: identityApi.updateUser, input: () => input, payload: userOf(context) }),
  deleteUser: (_, { input }, context, info) =>
    ask(context, info, { operation: identityApi.deleteUser, input: () => input, payload: (answer) => answer }),
  assignRoles: (_, { input }, context, info) =>
    ask(context, info, { operation: identityApi.assignRoles, input: () => input, payload: userOf(context) }),
  revokeRoles: (_, { input }, context, info) =>
    ask(context, info, { operation: identityApi.revokeRoles, input: () => input, payload: userOf(context) }),
  changePassword: async (_, { input }, context, info) => {
    const { caller, services } = context;
    const session = caller.sessionId === null ? undefined : services.identity.sessions.get(caller.sessionId);
    const payload = await ask(context, info, {
      operation: identityApi.setPassword,
      given: input,
      input: async () => {
        const { username, currentPassword, newPassword } = input;
        const { directory, hash, knows } = services.identity;
        const isGiven = currentPassword != null;
        const version = directory.find(username)?.credentialVersion ?? null;
        const isKnown = isGiven && (await knows(username, currentPassword, context.address));
        return { username, password: await hash(newPassword), knownVersion: isGiven ? (isKnown ? version : '') : null };
      },
      payload: userOf(context),
    });
    if (payload.errors === null && session?.userId === input.username) await renewed(context, session);
    return payload;
  },
  updatePreferences: (_, { input }, context, info) =>
    ask(context, info, { operation: identityApi.updatePreferences, input: () => input, payload: (answer) => answer }),
  resetPassword: (_, { input }, context, info) =>
    ask(context, info, {
      operation: identityApi.resetPassword,
      given: input,
      input: async () => ({
        username: input.username,
        password: await context.services.identity.hash(input.newPassword),
      }),
      payload: userOf(context),
    }),
};

/** The session that has changed its own password goes on, where its answer can hand the new cookie over. */
async function renewed({ giveCookie, services }: ApiContext, session: SessionRecord): Promise<void> {
  if (giveCookie === undefined) return;
  try {
    giveCookie(await services.identity.sessions.renew(session));
  } catch (error) {
    log.warn({ err: error }, 'a session ends with a change of its password');
  }
}

type NestedMutations =
  | 'addGroupMembers'
  | 'createGroup'
  | 'createRole'
  | 'deleteGroup'
  | 'deleteRole'
  | 'moveGroup'
  | 'removeGroupMembers'
  | 'updateGroup'
  | 'updateRole';

export const nestedMutations: Required<Pick<MutationResolvers, NestedMutations>> = {
  createRole: (_, { input: { parentRoleId, ...input } }, context, info) =>
    ask(context, info, {
      operation: identityApi.createRole,
      input: () => ({ ...input, parentId: parentRoleId ?? null }),
      payload: roleOf(context),
    }),
  updateRole: (_, { input: { roleId, ...input } }, context, info) =>
    ask(context, info, {
      operation: identityApi.updateRole,
      input: () => ({ ...input, id: roleId }),
      payload: roleOf(context),
    }),
  deleteRole: (_, { input: { roleId, recursive } }, context, info) =>
    ask(context, info, {
      operation: identityApi.deleteRole,
      input: () => ({ id: roleId, recursive: recursive ?? false }),
      payload: ({ id }) => ({ roleId: id }),
    }),
  createGroup: (_, { input: { parentGroupId, ...input } }, context, info) =>
    ask(context, info, {
      operation: identityApi.createGroup,
      input: () => ({ ...input, parentId: parentGroupId ?? null }),
      payload: groupOf(context),
    }),
  updateGroup: (_, { input: { groupId, ...input } }, context, info) =>
    ask(context, info, {
      operation: identityApi.updateGroup,
      input: () => ({ ...input, id: groupId }),
      payload: groupOf(context),
    }),
  deleteGroup: (_, { input: { groupId, recursive } }, context, info) =>
    ask(context, info, {
      operation: identityApi.deleteGroup,
      input: () => ({ id: groupId, recursive: recursive ?? false }),
      payload: ({ id, jobId }) => ({ groupId: id, jobId }),
    }),
  moveGroup: (_, { input }, context, info) =>
    ask(context, info, {
      operation: identityApi.moveGroup,
      input: () => input,
      payload: ({ id, previousGroupId, jobId }) => ({ ...groupOf(context)({ id }), previousGroupId, jobId }),
    }),
  addGroupMembers: (_, { input }, context, info) =>
    ask(context, info, { operation: identityApi.addGroupMembers, input: () => input, payload: groupOf(context) }),
  removeGroupMembers: (_, { input }, context, info) =>
    ask(context, info, { operation: identityApi.removeGroupMembers, input: () => input, payload: groupOf(context) }),
};

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
