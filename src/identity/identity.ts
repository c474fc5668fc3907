import type { AnyOperation, Domain, DomainModule } from '../store/index.js';
import { changePrincipalsJob, type NamingPartitions } from './change-job.js';
import { identityCollections } from './collections.js';
import { createApiToken, revokeApiToken } from './operation/api-tokens.js';
import { ensurePrincipals } from './operation/ensure-principals.js';
import { linkExternalIdentity, signInExternally, unlinkExternalIdentity } from './operation/external-identities.js';
import { addGroupMembers, assignRoles, removeGroupMembers, revokeRoles } from './operation/membership.js';
import { notify } from './operation/notify.js';
import { resetPassword, setPassword } from './operation/passwords.js';
import { updatePreferences } from './operation/preferences.js';
import {
  endPrincipalChanges,
  listPrincipalChanges,
  notePrincipalChange,
  resumePrincipalChanges,
} from './operation/principal-changes.js';
import {
  createGroup,
  createRole,
  deleteGroup,
  deleteRole,
  moveGroup,
  updateGroup,
  updateRole,
} from './operation/roles-and-groups.js';
import {
  beginSession,
  noteSeen,
  revokeOtherSessions,
  revokeSession,
  signInNames,
  takeOverSessions,
} from './operation/sessions.js';
import { createUser, deleteUser, updateUser } from './operation/users.js';
import { ensureWorkspaceHome, removeWorkspaceHome } from './operation/workspace-home.js';
import { ensureInputKey } from './secret.js';

/** The identity, as far as it needs nothing to be opened. */
export const identityModule = { collections: identityCollections } satisfies DomainModule;

/** Operations of identity that the API sends, by name. */
export const identityApi = {
  createUser,
  updateUser,
  deleteUser,
  setPassword,
  resetPassword,
  assignRoles,
  revokeRoles,
  addGroupMembers,
  removeGroupMembers,
  createRole,
  updateRole,
  deleteRole,
  createGroup,
  updateGroup,
  deleteGroup,
  moveGroup,
  updatePreferences,
  revokeSession,
  revokeOtherSessions,
  createApiToken,
  revokeApiToken,
  linkExternalIdentity,
  unlinkExternalIdentity,
  notify,
};

/** The identity as a store takes it in. `partitions`: those that principals are named in, once they are open. */
export const identityDomain = (partitions: () => NamingPartitions): Domain => ({
  ...identityModule,
  longJobTypes: [changePrincipalsJob(partitions)],
  nameChangers: signInNames,
  operations: [
    ...[ensurePrincipals, ensureWorkspaceHome, beginSession, noteSeen, takeOverSessions],
    ...[ensureInputKey, signInExternally],
    ...[listPrincipalChanges, notePrincipalChange, endPrincipalChanges, resumePrincipalChanges, removeWorkspaceHome],
    ...Object.values<AnyOperation>(identityApi),
  ],
});
