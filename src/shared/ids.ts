import { createHash, randomBytes } from 'node:crypto';

/** Ids and random numbers of one decision: the same seed and time give the same sequence, so that a kept command can be replayed. */
export interface IdSource {
  /** A new UUIDv7 (RFC 9562 §5.7) of the decision's time. */
  next(): string;
  /** A number in [0, 1). */
  random(): number;
}

/** A new seed for {@link idSource}: 20 bits that count the seeds of this process, then 108 random bits, as hex. */
export function newSeed(): string {
  seeds = (seeds + 1) & 0xf_ffff;
  if (pooled === POOL_DIGITS) {
    pool = randomBytes(POOL_DIGITS / 2).toString('hex');
    pooled = 0;
  }
  pooled += RANDOM_DIGITS;
  return orderOf(seeds) + pool.slice(pooled - RANDOM_DIGITS, pooled);
}

/** How many digits of a seed count, and how many are random. */
const ORDER_DIGITS = 5;
const RANDOM_DIGITS = 27;
// Random bits are drawn 128 seeds at a time: each draw is a call of the operating system.
const POOL_DIGITS = 128 * RANDOM_DIGITS;
let pool = '';
let pooled = POOL_DIGITS;
let seeds = 0;

/** A new UUIDv7 outside of any decision. */
export const newId = (now: number): string => idSource(newSeed(), now).next();

/** When a UUIDv7 was made, ms; NaN of another id. */
export const timeOfId = (id: string): number =>
  id[14] === '7' ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : Number.NaN;

/** A seed that is the same for the same text. */
export const seedOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** Another seed, the same for the same seed and text; its ids sort like those of the seed that it is derived from. */
export const seedFrom = (seed: string, text: string): string =>
  // The second word alone is another: the generator's first number depends on it, and the seed is random as it is.
  seed.slice(0, 8) + hexOf(wordAt(seed, 8) ^ hashOf(text)) + seed.slice(16);

/** FNV-1a, and the last step of MurmurHash3 behind it, so that every bit of the text counts in every bit. */
function hashOf(text: string): number {
  let hash = 0x811c_9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x0100_0193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return hash ^ (hash >>> 16);
}

const wordAt = (seed: string, at: number): number => Number.parseInt(seed.slice(at, at + 8), 16) | 0;
const hexOf = (word: number): string => (word >>> 0).toString(16).padStart(8, '0');

/**
 * The ids of one decision. `seed`: 32 hex digits; `now`: ms. Ids of one source sort in the order in which they were made, and those of a later
 * {@link newSeed} sort behind those of an earlier one, also within one millisecond: what a list orders by time and id keeps its order.
 */
export function idSource(seed: string, now: number): IdSource {
  // Most sources are asked for nothing: whatever only looks has one too.
  let generate: (() => number) | undefined;
  const word = () => {
    generate ??= generator(seed);
    return generate();
  };
  let prefix: string | undefined;
  let order = 0;
  let made = 0;
  return {
    next() {
      if (prefix === undefined) {
        order = Number.parseInt(seed.slice(0, ORDER_DIGITS), 16);
        prefix = `${timeOf(now)}-7${(order >>> 8).toString(16).padStart(3, '0')}`;
      }
      // 20 bits of order, 12 bits of counter, and 42 random bits that keep ids of different processes apart.
      const counter = made++ & 0xfff;
      const a = (0x8000_0000 + (order & 0xff) * 0x40_0000 + counter * 0x400 + (word() & 0x3ff)) >>> 0;
      const high = a.toString(16).padStart(8, '0');
      return `${prefix}-${high.slice(0, 4)}-${high.slice(4)}${word().toString(16).padStart(8, '0')}`;
    },
    random: () => word() / 0x1_0000_0000,
  };
}

/** The first 48 bits of an id: ms as hex, as UUIDs are written. Many ids are of the same millisecond. */
function timeOf(now: number): string {
  if (now !== written.now) {
    const digits = now.toString(16).padStart(12, '0').slice(-12);
    written = { now, text: `${digits.slice(0, 8)}-${digits.slice(8)}` };
  }
  return written.text;
}

let written = { now: -1, text: '' };

const orderOf = (count: number) => count.toString(16).padStart(ORDER_DIGITS, '0');

/** xoshiro128**: a small generator of 32-bit words whose whole state is the 128-bit seed. */
function generator(seed: string): () => number {
  let a = wordAt(seed, 0);
  let b = wordAt(seed, 8);
  let c = wordAt(seed, 16);
  let d = wordAt(seed, 24) | 1;
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
