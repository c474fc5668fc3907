import { createHash, randomBytes } from 'node:crypto';

/** Ids and random numbers of one decision: the same seed and time give the same sequence, so that a kept command can be replayed. */
export interface IdSource {
  /** A new UUIDv7 (RFC 9562 §5.7) of the decision's time. */
  next(): string;
  /** A number in [0, 1). */
  random(): number;
}

/** A new seed for {@link idSource}: 128 random bits as hex. */
export function newSeed(): string {
  if (pooled === POOL_DIGITS) {
    pool = randomBytes(POOL_DIGITS / 2).toString('hex');
    pooled = 0;
  }
  pooled += SEED_DIGITS;
  return pool.slice(pooled - SEED_DIGITS, pooled);
}

// Random bits are drawn 128 seeds at a time: each draw is a call of the operating system.
const SEED_DIGITS = 32;
const POOL_DIGITS = 128 * SEED_DIGITS;
let pool = '';
let pooled = POOL_DIGITS;

/** A new UUIDv7 outside of any decision. */
export const newId = (now: number): string => idSource(newSeed(), now).next();

/** A seed that is the same for the same text. */
export const seedOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** The ids of one decision. `seed`: 32 hex digits; `now`: ms. Ids of one source sort in the order in which they were made. */
export function idSource(seed: string, now: number): IdSource {
  // Most sources are asked for nothing: whatever only looks has one too.
  let generate: (() => number) | undefined;
  const word = () => {
    generate ??= generator(seed);
    return generate();
  };
  let made = 0;
  return {
    next() {
      const time = now.toString(16).padStart(12, '0').slice(-12);
      // 12 bits of counter keep the order within one decision; 62 random bits keep ids of different decisions apart.
      const counter = (made++ & 0xfff).toString(16).padStart(3, '0');
      const a = ((word() & 0x3fffffff) | 0x80000000) >>> 0;
      const b = word();
      const high = a.toString(16).padStart(8, '0');
      return `${time.slice(0, 8)}-${time.slice(8)}-7${counter}-${high.slice(0, 4)}-${high.slice(4)}${b.toString(16).padStart(8, '0')}`;
    },
    random: () => word() / 0x1_0000_0000,
  };
}

/** xoshiro128**: a small generator of 32-bit words whose whole state is the 128-bit seed. */
function generator(seed: string): () => number {
  let a = Number.parseInt(seed.slice(0, 8), 16) | 0;
  let b = Number.parseInt(seed.slice(8, 16), 16) | 0;
  let c = Number.parseInt(seed.slice(16, 24), 16) | 0;
  let d = Number.parseInt(seed.slice(24, 32), 16) | 1;
  return () => {
    const product = Math.imul(b, 5);
    const result = Math.imul((product << 7) | (product >>> 25), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = (d << 11) | (d >>> 21);
    return result;
  };
}
