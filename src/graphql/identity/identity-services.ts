import type { ApiToken, Directory, SessionRecord } from '../../identity/index.js';

/** Services of the resolvers of users, groups and roles. */
export interface IdentityServices {
  readonly directory: Directory;
  /** The hash of a password. @throws UNAVAILABLE, BAD_REQUEST (INVALID_INPUT) */
  readonly hash: (password: string) => Promise<string>;
  /** Whether the password is the user's; one that is not counts as a failed sign-in from the address. @throws RATE_LIMITED, UNAVAILABLE */
  readonly knows: (username: string, password: string, address: string) => Promise<boolean>;
  readonly sessions: {
    get(id: string): SessionRecord | undefined;
    /** Those of the user that are going on, oldest first. */
    ofUser(username: string): readonly SessionRecord[];
    /** The session goes on with another secret, and counts with the password that its user has now. The value of `Set-Cookie` that hands it over. */
    renew(session: SessionRecord): Promise<string>;
  };
  readonly tokens: {
    /** A secret for a new token, with its SHA-256. */
    newSecret(): { readonly secret: string; readonly hash: string };
    /** The present time by the clock that tokens expire by, how long one may last, both ms, and how many a user may have. */
    limits(): { readonly now: number; readonly ageMax: number; readonly perUserMax: number };
    get(id: string): ApiToken | undefined;
    /** Those of the user, oldest first. */
    ofUser(username: string): readonly ApiToken[];
  };
}
