import { hash, verify } from '@node-rs/argon2';
import { unavailable } from '../shared/errors.js';
import { refusal } from './refusal.js';

/** Hashing and checking of passwords: argon2id with 19 MiB, two passes, one lane (the least that OWASP advises). */
export interface Passwords {
  /** The hash to keep, in PHC form. @throws UNAVAILABLE (too many wait), INVALID_INPUT (longer than can be set) */
  hash(password: string): Promise<string>;
  /** Whether the hash is the password's. Without a hash: false, after the same work. @throws UNAVAILABLE when too many wait */
  verify(hash: string | undefined, password: string): Promise<boolean>;
}

/** At most `atOnce` passwords are worked on at a time, because each takes 19 MiB and a thread; at most `waitingMax` wait. */
export function createPasswords({ atOnce = 2, waitingMax = 200 } = {}): Passwords {
  const turn = turns(atOnce, waitingMax);
  return {
    hash: (password) => {
      if (Buffer.byteLength(password) > PASSWORD_BYTES_MAX)
        throw refusal('INVALID_INPUT', `expected a password of at most ${PASSWORD_BYTES_MAX} bytes`, 'password');
      return turn(() => hash(password, COST));
    },
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
