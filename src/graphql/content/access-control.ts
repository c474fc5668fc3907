import {
  type AccessControlPolicy,
  type AccessEntry,
  accessControlOf,
  effectiveAccessControlOf,
  privilegesAt,
} from '../../content/index.js';
import type { ApiContext } from '../api-context.js';
import { eitherForm } from '../arguments.js';
import type {
  AccessControlEntryResolvers,
  AccessControlResolvers,
  MutationResolvers,
  QueryResolvers,
} from '../generated/schema.js';
import { answerOf } from '../mutate.js';
import { versioned } from './change-node.js';

export const accessQueries: Required<Pick<QueryResolvers, 'accessControl' | 'effectiveAccessControl' | 'privileges'>> =
  {
    accessControl: (_, { path }, { content }) => accessControlOf(content, path),
    effectiveAccessControl: (_, { path }, { content }) =>
      effectiveAccessControlOf(content, accessControlOf(content, path).node),
    privileges: (_, { path }, { content }) => privilegesAt(content, path),
  };

export const accessMutations: Required<Pick<MutationResolvers, 'setAccessControl' | 'deleteAccessControl'>> = {
  setAccessControl: (_, args, context, info) =>
    answerOf(
      context,
      info,
      context.services.content.nodes.setAccessControl.operation,
      versioned(eitherForm(args, ['path'])),
    ),

  deleteAccessControl: (_, args, context, info) =>
    answerOf(
      context,
      info,
      context.services.content.nodes.deleteAccessControl.operation,
      versioned(eitherForm(args, ['path', 'principal'])),
    ),
};

export const accessControlResolvers: AccessControlResolvers = {
  effective: ({ node }: AccessControlPolicy, _, { content }) => effectiveAccessControlOf(content, node),
};

export const accessControlEntryResolvers: AccessControlEntryResolvers = {
  principal: ({ principal }: AccessEntry, _: unknown, { services }: ApiContext) => {
    const known = services.principals.describe(principal);
    return { id: principal, displayName: known?.displayName ?? null, isGroup: known?.isGroup ?? false };
  },
};
