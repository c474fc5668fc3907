import { createHmac, randomBytes } from 'node:crypto';
import { isIPv4, isIPv6 } from 'node:net';
import { ServiceError } from '../../shared/errors.js';
import type { SignInLog } from './sign-in-log.js';

/** How many failed sign-ins are borne. */
export interface AttemptLimits {
  readonly perAccountMax: number;
  readonly perAddressMax: number;
  readonly windowMs: number;
}

/** One try to sign in, counted as failed from its beginning; told once how it ended. */
interface Attempt {
  failed(): void;
  succeeded(): void;
  /** The password was not looked at: the try does not count. */
  takenBack(): void;
}

/**
 * Counts failed sign-ins per name and network, and per network, in windows that begin with the first failure. A try is counted before the
 * password is checked, so that many tries at once are no way around; a refused one leaves nothing behind. Names that nobody has are counted like
 * others.
 */
export class SignInAttempts {
  readonly #limits: AttemptLimits;
  readonly #log: SignInLog;
  readonly #ofName: CountTable;
  readonly #ofNetwork: CountTable;

  /** `tableSize`: for how many names and networks there is room before they share counts. */
  constructor(limits: AttemptLimits, log: SignInLog, tableSize = TABLE_SIZE) {
    this.#limits = limits;
    this.#log = log;
    this.#ofName = new CountTable(limits.perAccountMax, limits.windowMs, tableSize);
    this.#ofNetwork = new CountTable(limits.perAddressMax, limits.windowMs, tableSize);
  }

  /** Begins a try at the time `now` (ms, of a clock that never goes back). @throws RATE_LIMITED, in the same words for known and unknown names */
  begin(name: string, address: string, now: number): Attempt {
    const network = networkOf(address);
    const ofName = this.#ofName.slot(JSON.stringify([network, name]));
    const ofNetwork = this.#ofNetwork.slot(network);
    const wait = Math.max(this.#ofName.waitMs(ofName, now), this.#ofNetwork.waitMs(ofNetwork, now));
    if (wait > 0) {
      this.#log.refused({ name, address });
      throw tooManyFailures(wait);
    }
    const nameTry = this.#ofName.count(ofName, now);
    const networkTry = this.#ofNetwork.count(ofNetwork, now);
    return {
      failed: () => {
        this.#log.failed({ name, address });
        const { windowMs, perAccountMax, perAddressMax } = this.#limits;
        if (nameTry.number === perAccountMax) this.#log.nameLockedOut({ name, network, windowMs });
        if (networkTry.number === perAddressMax) this.#log.networkLockedOut({ network, windowMs });
      },
      succeeded: () => {
        this.#ofName.forget(nameTry);
        this.#ofNetwork.takeBack(networkTry);
      },
      takenBack: () => {
        this.#ofName.takeBack(nameTry);
        this.#ofNetwork.takeBack(networkTry);
      },
    };
  }
}

/** Slots of a table: 16 bytes each, touched when they are first used. */
const TABLE_SIZE = 2 ** 18;

/** Where a key counts, and by what it is told from others there. */
interface Slot {
  readonly index: number;
  readonly tag: number;
}

/** A try that was counted: its number within its window. */
interface Counted {
  readonly index: number;
  readonly number: number;
  readonly until: number;
}

/**
 * Counts by key in a fixed number of slots. Which slot a key has nobody can foresee, as the hash has a key that dies with the process. Keys
 * that meet in a slot share its count: that makes the limit stricter for them, and pushes nothing out.
 */
class CountTable {
  readonly #key = randomBytes(32);
  readonly #max: number;
  readonly #windowMs: number;
  readonly #counts: Uint32Array;
  readonly #tags: Uint32Array;
  readonly #until: Float64Array;

  constructor(max: number, windowMs: number, size: number) {
    this.#max = max;
    this.#windowMs = windowMs;
    this.#counts = new Uint32Array(size);
    this.#tags = new Uint32Array(size);
    this.#until = new Float64Array(size);
  }

  slot(key: string): Slot {
    const digest = createHmac('sha256', this.#key).update(key).digest();
    return { index: digest.readUInt32LE(0) % this.#counts.length, tag: Math.max(1, digest.readUInt32LE(4)) };
  }

  /** How long it takes until the slot takes a further try; 0: it takes one now. */
  waitMs({ index }: Slot, now: number): number {
    const left = this.#at(this.#until, index) - now;
    return left > 0 && this.#at(this.#counts, index) >= this.#max ? left : 0;
  }

  count({ index, tag }: Slot, now: number): Counted {
    if (this.#at(this.#until, index) <= now) {
      this.#counts[index] = 0;
      this.#tags[index] = tag;
      this.#until[index] = now + this.#windowMs;
    } else if (this.#tags[index] !== tag) this.#tags[index] = SHARED;
    const number = this.#at(this.#counts, index) + 1;
    this.#counts[index] = number;
    return { index, number, until: this.#at(this.#until, index) };
  }

  takeBack({ index, until }: Counted): void {
    if (this.#until[index] === until) this.#counts[index] = Math.max(0, this.#at(this.#counts, index) - 1);
  }

  /** Takes back all tries of the window, unless others' are among them. */
  forget(counted: Counted): void {
    const { index, until } = counted;
    if (this.#tags[index] === SHARED) this.takeBack(counted);
    else if (this.#until[index] === until) this.#counts[index] = 0;
  }

  #at(numbers: Uint32Array | Float64Array, index: number): number {
    return numbers[index] ?? 0;
  }
}

/** The tag of a slot in which several keys count. */
const SHARED = 0;

const tooManyFailures = (waitMs: number) =>
  new ServiceError('RATE_LIMITED', 'expected fewer failed sign-ins; try again later', {
    reason: 'too_many_failed_sign_ins',
    details: { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) },
  });

/** Whoever has one IPv6 address has the whole /64; of IPv4 addresses it is often some of a /24. */
function networkOf(address: string): string {
  if (isIPv4(address)) return `${address.split('.').slice(0, 3).join('.')}.0/24`;
  if (!isIPv6(address)) return address;
  const [head = '', tail = ''] = address.split('::');
  const left = head.split(':').filter((group) => group !== '');
  const right = tail.split(':').filter((group) => group !== '');
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0');
  const groups = [...left, ...zeros, ...right].slice(0, 4);
  return `${groups.map((group) => group.toLowerCase().replace(/^0+(?=.)/, '')).join(':')}::/64`;
}
