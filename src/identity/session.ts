import { collection, type Document } from '../store/index.js';

/** A session as it is kept: without the secret that the client holds. Id: SHA-256 of the secret, base64url; nobody can use it to sign in. */
export interface SessionRecord extends Document {
  readonly userId: string;
  /** Of the password that the user had when it began: with another one it counts no longer. */
  readonly credentialVersion: string;
  /** ms UTC, as all times here. */
  readonly createdAt: number;
  /** When a request was last seen. After a restart it may be up to a minute too old. */
  readonly lastSeenAt: number;
  /** When it ends at the latest. */
  readonly expiresAt: number;
  /** Where the sign-in came from; null: not known. */
  readonly address: string | null;
  /** What the client says that it is; null: nothing. */
  readonly agent: string | null;
  /** The provider by which it began; not given: by a password. */
  readonly provider?: SignedInBy;
}

/** Who vouched for the user of a session. */
export interface SignedInBy {
  readonly issuer: string;
  /** Of the external identity: the session ends when that is the user's no longer. */
  readonly externalId: string;
  /** What tells the provider, at sign-out, whose sign-in ends there; null: the provider knows no sign-out, or the token was too long to be kept. */
  readonly idToken: string | null;
}

/** When a user signed in last. Id: the username. */
export interface LastSignIn extends Document {
  /** ms */
  readonly at: number;
}

export const sessions = collection<SessionRecord>({
  name: 'session',
  columns: { user: ({ userId }) => userId },
  indexes: { user: { columns: ['user'] } },
  steady: ['user'],
  principals: { userId: 'user' },
  visible: () => false,
});

export const lastSignIns = collection<LastSignIn>({ name: 'lastSignIn', visible: () => false });
