export { type ApiToken, apiTokens } from './api-token.js';
export { catchUp, type NamingPartitions, resumeChanges } from './change-job.js';
export { principalChanges } from './collections.js';
export { credentials } from './credential.js';
export { Directory, type Found } from './directory.js';
export { type ExternalIdentity, externalIdentities, externalIdOf } from './external-identity.js';
export { identityApi, identityDomain, identityModule } from './identity.js';
export { isReserved } from './names.js';
export { ensurePrincipals, type GivenUser } from './operation/ensure-principals.js';
export { type ExternalSignIn, PART_MAX, signInExternally } from './operation/external-identities.js';
export {
  isFor,
  NOTIFIED,
  type Notified,
  type SystemNotification,
  type SystemNotify,
  systemNotified,
} from './operation/notify.js';
export { preferencesOf } from './operation/preferences.js';
export { beginSession, noteSeen, takeOverSessions } from './operation/sessions.js';
export { DESKTOP, ensureWorkspaceHome, homePath } from './operation/workspace-home.js';
export { createPasswords, type Passwords } from './passwords.js';
export type { Nested, NestedKind, User } from './principals.js';
export { nestedProfileOf, userProfileOf } from './profile.js';
export type { RefusalCode, RefusalDetails } from './refusal.js';
export { ensureInputKey, inputKeyIn } from './secret.js';
export { type SessionRecord, type SignedInBy, sessions } from './session.js';
/** The workspace that users, groups and roles live in. */
export const SYSTEM_WORKSPACE = 'system';
