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
export function timeOfId(id: string): number {
  if (id[14] !== '7') return Number.NaN;
  // Many ids are of the same millisecond.
  const text = id.slice(0, 13);
  if (text !== read.text) read = { text, time: Number.parseInt(text.slice(0, 8) + text.slice(9), 16) };
  return read.time;
}

let read = { text: '', time: Number.NaN };

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

/** The number that 8 digits from `at` on are. */
function wordAt(seed: string, at: number): number {
  let word = 0;
  for (let i = at; i < at + 8; i++) {
    const code = seed.charCodeAt(i);
    word = (word << 4) | (code >= CODE_OF_A ? code - CODE_OF_A + 10 : code - CODE_OF_0);
  }
  return word;
}

const CODE_OF_0 = 48;
const CODE_OF_A = 97;

/** A word of 32 bits as 8 digits. Numbers write themselves ten times as slowly. */
const hexOf = (word: number): string =>
  byteText(word >>> 24) + byteText(word >>> 16) + byteText(word >>> 8) + byteText(word);
const byteText = (bits: number): string => BYTES[bits & 0xff] ?? '';
const BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/**
 * The ids of one decision. `seed`: 32 hex digits; `now`: ms. Ids of one source sort in the order in which they were made, and those of a later
 * {@link newSeed} sort behind those of an earlier one, also within one millisecond: what a list orders by time and id keeps its order.
 */
export const idSource = (seed: string, now: number): IdSource => new SeededIds(seed, now);

class SeededIds implements IdSource {
  readonly #seed: string;
  readonly #now: number;
  // Most sources are asked for nothing: whatever only looks has one too.
  #words: Words | undefined;
  #prefix = '';
  #order = 0;
  #made = 0;

  constructor(seed: string, now: number) {
    this.#seed = seed;
    this.#now = now;
  }

  next(): string {
    if (this.#made === 0) {
      this.#order = wordAt(this.#seed, 0) >>> (32 - 4 * ORDER_DIGITS);
      this.#prefix = `${timeOf(this.#now)}-7${hexOf(this.#order >>> 8).slice(5)}-`;
    }
    // 20 bits of order, 12 bits of counter, and 42 random bits that keep ids of different processes apart.
    const counter = this.#made++ & 0xfff;
    const a = 0x8000_0000 + (this.#order & 0xff) * 0x40_0000 + counter * 0x400 + (this.#word() & 0x3ff);
    return `${this.#prefix}${byteText(a >>> 24)}${byteText(a >>> 16)}-${byteText(a >>> 8)}${byteText(a)}${hexOf(this.#word())}`;
  }

  random(): number {
    return this.#word() / 0x1_0000_0000;
  }

  #word(): number {
    this.#words ??= new Words(this.#seed);
    return this.#words.next();
  }
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
class Words {
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  constructor(seed: string) {
    this.#a = wordAt(seed, 0);
    this.#b = wordAt(seed, 8);
    this.#c = wordAt(seed, 16);
    this.#d = wordAt(seed, 24) | 1;
  }

  next(): number {
    const product = Math.imul(this.#b, 5);
    const result = Math.imul((product << 7) | (product >>> 25), 9) >>> 0;
    const shifted = this.#b << 9;
    this.#c ^= this.#a;
    this.#d ^= this.#b;
    this.#b ^= this.#c;
    this.#a ^= this.#d;
    this.#c ^= shifted;
    this.#d = (this.#d << 11) | (this.#d >>> 21);
    return result;
  }
}
