import { createHash } from 'node:crypto';
import { collection, type Document } from '../store/index.js';

/** Somebody as a provider of sign-in knows it, and which user that is here. Id: {@link externalIdOf}. */
export interface ExternalIdentity extends Document {
  /** The provider, as its tokens name it (`iss`). */
  readonly issuer: string;
  /** Whom they mean, as this issuer will never name anybody else (`sub`). */
  readonly subject: string;
  /** The node of the user's profile: a user who is made anew under the name is another one. */
  readonly profileId: string;
  /** When the two were linked, ms. */
  readonly since: number;
  /** Ids of profiles of groups and roles that the user has by its claims, and by nobody's hand. */
  readonly given: readonly string[];
}

export const externalIdentities = collection<ExternalIdentity>({
  name: 'externalIdentity',
  columns: { user: ({ profileId }) => profileId },
  indexes: { user: { columns: ['user'] } },
  steady: ['user'],
  visible: () => false,
});

/** How many of them a user may have. */
export const EXTERNAL_IDENTITIES_MAX = 20;

/** Another one for each pair of issuer and subject. */
export const externalIdOf = (issuer: string, subject: string): string =>
  createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('base64url');
