import type { Access, Caller, ScopedDomain } from './caller.js';
import { ServiceError } from './errors.js';

/** The scope that a request needs, of whoever is limited to one. */
export interface Needed {
  readonly access: Access;
  /** The id of the workspace's partition. Undefined: there is no such workspace. */
  readonly workspace: string | undefined;
  /** Null: it lies in none. */
  readonly domain: ScopedDomain | null;
}

/** Requires that the caller is limited to no scope, or to one that has what is needed. @throws FORBIDDEN, which names what is missing */
export function requireScope({ proof, workspace: name }: Caller, { access, workspace, domain }: Needed): void {
  const scope = proof?.scope;
  if (scope === undefined) return;
  if (!scope.access.includes(access)) throw outOfScope(scope.name, `the scope ${access}`, { scope: access });
  const { workspaces, domains } = scope;
  if (workspaces !== null && (workspace === undefined || !workspaces.includes(workspace)))
    throw outOfScope(scope.name, `the workspace '${name}'`, { workspace: name });
  if (domains === null || (domain !== null && domains.includes(domain))) return;
  const missing = domain === null ? 'all domains, as this lies in none of them' : `the domain ${domain}`;
  throw outOfScope(scope.name, missing, { domain });
}

const outOfScope = (name: string, missing: string, details: object) =>
  new ServiceError('FORBIDDEN', `expected a token for ${missing}, but '${name}' is not`, {
    reason: 'token_scope',
    details: { missing: details },
  });

/** Refuses whoever is limited to a scope, whatever that is. @throws FORBIDDEN */
export function refuseScoped({ proof }: Caller, what: string): void {
  if (proof?.scope === undefined) return;
  throw new ServiceError('FORBIDDEN', `expected a sign-in to ${what}, but found the token '${proof.scope.name}'`, {
    reason: 'token_may_not',
  });
}
