import { type ExternalSignIn, PART_MAX } from '../../identity/index.js';
import type { ClaimMapping, ClaimRule } from './claim-mapping.js';

/** The claims of a provider about a user (OpenID Connect), by their names. */
export type Claims = Readonly<Record<string, unknown>>;

/** Settings by which claims give a user its name, groups and roles. */
export interface ClaimRules {
  /** The claim that a user is named by at the first sign-in. */
  readonly nameClaim: string;
  readonly mapping: ClaimMapping;
}

/** Whom the claims are about, and what they say of it. Texts that are too long are cut; what is no text is not there. */
export function externalSignIn(
  { issuer, subject }: Pick<ExternalSignIn, 'issuer' | 'subject'>,
  claims: Claims,
  { nameClaim, mapping }: ClaimRules,
): Omit<ExternalSignIn, 'isProgram'> {
  const idsOf = (kind: ClaimRule['kind']) =>
    mapping.flatMap((rule) => (rule.kind === kind && hasValue(claims, rule) ? [rule.id] : []));
  return {
    ...{ issuer, subject },
    username: textOf(claimOf(claims, nameClaim)),
    displayName: textOf(claims.name),
    sn: textOf(claims.family_name),
    givenName: textOf(claims.given_name),
    // An address that somebody only says to be the own is none.
    mail: claims.email_verified === false ? null : textOf(claims.email),
    groups: idsOf('group'),
    roles: idsOf('role'),
  };
}

/** Whether whoever that names can be somebody: a text that is neither empty nor long. */
export const isSubject = (sub: unknown): sub is string =>
  typeof sub === 'string' && sub !== '' && sub.length <= PART_MAX;

const TEXT_MAX = 1_000;

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value.slice(0, TEXT_MAX) : null;

function hasValue(claims: Claims, { claim, value }: ClaimRule): boolean {
  const found = [claimOf(claims, claim)].flat();
  return found.some((one) => (typeof one === 'string' || typeof one === 'boolean') && String(one) === value);
}

/** The claim of that very name, else the one that the name leads to, dot by dot. */
function claimOf(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let at: unknown = claims;
  for (const part of name.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return undefined;
    at = (at as Claims)[part];
  }
  return at;
}
