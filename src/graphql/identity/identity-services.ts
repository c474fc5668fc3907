import type { Directory, SessionRecord } from '../../identity/index.js';

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
}
