export { credentials } from './collections.js';
export { Directory, type Nested, type User } from './directory.js';
export { identityApi, identityDomain, identityModule } from './identity.js';
export { ensurePrincipals, type GivenUser } from './operation/ensure-principals.js';
export { createPasswords, type Passwords } from './passwords.js';
export type { RefusalCode, RefusalDetails } from './refusal.js';
