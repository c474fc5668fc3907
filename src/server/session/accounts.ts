import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hash, verify } from '@node-rs/argon2';
import { ServiceError, unavailable } from '../../shared/errors.js';
import type { Principal, PrincipalInfo, Principals } from '../../shared/principals.js';

/** A user that is there from the start. */
export interface FixedUser {
  readonly userId: string;
  /** Default: none. */
  readonly displayName?: string;
  /** Without one the user cannot sign in. */
  readonly password?: string;
  /** Beside `everyone`. */
  readonly groups?: readonly string[];
  readonly roles?: readonly string[];
}

/** What the fixed principals are made of. */
interface FixedPrincipalsOptions {
  readonly passwords: Passwords;
  readonly adminPassword: string;
  /** Users beside `admin` and `anonymous`; one of these names replaces the user. */
  readonly users?: readonly FixedUser[];
}

/** The principals of a server whose users cannot be changed: `admin`, `anonymous` (who never signs in) and the given ones; group `everyone`. */
export function fixedPrincipals({ passwords, adminPassword, users = [] }: FixedPrincipalsOptions): Principals {
  const admin: FixedUser = { userId: 'admin', password: adminPassword, roles: ['administrator', 'supervisor'] };
  const known = new Map(
    [admin, { userId: 'anonymous' }, ...users].map((user) => [user.userId, entryOf(user, passwords)]),
  );
  const groups = new Set([...known.values()].flatMap((entry) => entry.groups));
  return {
    find: (userId) => known.get(userId)?.principal,
    describe: (id) => known.get(id)?.info ?? (groups.has(id) ? { displayName: null, isGroup: true } : undefined),
    groupsOf: (userId) => known.get(userId)?.groups ?? [],
    rolesOf: (userId) => known.get(userId)?.roles ?? [],
    verifyPassword: async (userId, password) => passwords.verify(await known.get(userId)?.hash(), password),
  };
}

interface Entry {
  readonly info: PrincipalInfo;
  readonly principal: Principal;
  readonly groups: readonly string[];
  readonly roles: readonly string[];
  readonly hash: () => Promise<string | undefined>;
}

function entryOf({ userId, displayName, password, groups = [], roles = [] }: FixedUser, passwords: Passwords): Entry {
  // Hashed at once, beside the start, so that the first sign-in takes as long as any other.
  const hash = password === undefined ? Promise.resolve(undefined) : passwords.hash(password);
  hash.catch(() => {}); // whoever signs in sees the failure
  return {
    info: { displayName: displayName ?? null, isGroup: false },
    principal: { userId, enabled: true, credentialVersion: 'fixed' },
    groups: [...new Set(['everyone', ...groups])],
    roles,
    hash: () => hash,
  };
}

/** Hashing and checking of passwords: argon2id with 19 MiB, two passes, one lane (the least that OWASP advises). */
interface Passwords {
  /** The hash to keep, in PHC form. @throws UNAVAILABLE when too many wait */
  hash(password: string): Promise<string>;
  /** Whether the hash is the password's. Without a hash: false, after the same work. @throws UNAVAILABLE when too many wait */
  verify(hash: string | undefined, password: string): Promise<boolean>;
}

/** At most `atOnce` passwords are worked on at a time, because each takes 19 MiB and a thread; at most `waitingMax` wait. */
export function createPasswords({ atOnce = 2, waitingMax = 200 } = {}): Passwords {
  const turn = turns(atOnce, waitingMax);
  return {
    hash: (password) => turn(() => hash(password, COST)),
    verify: async (kept, password) => {
      // A longer password than any that can be set is never right; hashing it would be the caller's choice of work.
      const tried = Buffer.byteLength(password) > PASSWORD_BYTES_MAX ? '' : password;
      const same = await turn(() => verify(kept ?? NOBODYS_HASH, tried));
      return same && kept !== undefined && tried === password;
    },
  };
}

/** The longest password that can be set or checked, in bytes of UTF-8. */
const PASSWORD_BYTES_MAX = 1024;

const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The hash of a random password that nobody knows. */
const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$NPX4XZOGMEM6gqsatdEw8A$CRxdeeyvYbUAdo35MrtRUVqCUwoctJ9U/cIFkpIekEM';

/** Runs at most `atOnce` pieces of work at a time, in the order in which they came. */
function turns(atOnce: number, waitingMax: number) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= atOnce) {
      if (waiting.length >= waitingMax) {
        throw unavailable('expected fewer sign-ins at once', {
          reason: 'too_many_sign_ins',
          details: { retryAfterSeconds: 5 },
        });
      }
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running++;
    }
    try {
      return await work();
    } finally {
      // The turn is handed on, so that nobody who comes in between takes it.
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}

/** The password of `admin`, and where a person finds it. */
export interface AdminPassword {
  readonly password: string;
  /** The file that holds it; undefined when it was set in the environment. */
  readonly file: string | undefined;
  /** Whether it was made just now, and so has never been shown. */
  readonly isNew: boolean;
}

/** A password that the operator set. */
interface GivenPassword {
  readonly password?: string | undefined;
  /** The operator's own file that holds it, if it is in one. */
  readonly file?: string | undefined;
}

/**
 * The administrator's password: the one that was set, else the one in the data folder's file `admin-password`, else a new one, which is
 * on the disk before this returns. The file is the owner's alone (0600).
 * @throws CONFLICT when the file is there and empty
 */
export function adminPassword(dataFolder: string, given: GivenPassword = {}): AdminPassword {
  if (given.password !== undefined) return { password: given.password, file: given.file, isNew: false };
  const file = join(dataFolder, 'admin-password');
  const kept = readIfThere(file);
  if (kept === '') {
    throw new ServiceError(
      'CONFLICT',
      `expected the administrator's password in '${file}', but the file is empty; remove it to have a new one made`,
    );
  }
  if (kept !== undefined) return { password: kept, file, isNew: false };
  const password = randomBytes(18).toString('base64url');
  writeDurably(file, `${password}\n`);
  return { password, file, isNew: true };
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw thrown;
  }
}

/** All or nothing: a crash leaves either no file or the whole one. */
function writeDurably(file: string, content: string): void {
  const draft = `${file}.new`;
  within(draft, 'w', (descriptor) => {
    writeSync(descriptor, content);
    fsyncSync(descriptor);
  });
  renameSync(draft, file);
  within(dirname(file), 'r', fsyncSync);
}

function within(path: string, flags: string, work: (descriptor: number) => void): void {
  const descriptor = openSync(path, flags, 0o600);
  try {
    work(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
