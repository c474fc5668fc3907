import type { Access, ScopedDomain } from '../shared/caller.js';
import { collection, type Document } from '../store/index.js';

/** A token that a program acts as a user by. It is kept without the secret that the program holds. */
export interface ApiToken extends Document {
  /** SHA-256 of the secret, base64url. Nobody is shown it. */
  readonly hash: string;
  readonly userId: string;
  /** What its user calls it. */
  readonly name: string;
  readonly access: readonly Access[];
  /** Ids of their partitions. Null: all, also those that are made later. */
  readonly workspaces: readonly string[] | null;
  /** Null: all of them, and what lies in none. */
  readonly domains: readonly ScopedDomain[] | null;
  /** Who made it. */
  readonly createdBy: string;
  /** ms UTC, as all times here. */
  readonly createdAt: number;
  readonly expiresAt: number;
  /** Null: never. After a restart it may be up to a minute too old. */
  readonly lastUsedAt: number | null;
}

export const apiTokens = collection<ApiToken>({
  name: 'apiToken',
  columns: { user: ({ userId }) => userId },
  indexes: { user: { columns: ['user'] } },
  steady: ['user'],
  principals: { userId: 'user' },
  visible: () => false,
});

/** More than a user may ever have. */
export const TOKENS_MAX = 1_000;
