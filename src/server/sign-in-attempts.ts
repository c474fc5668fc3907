import { isIPv6 } from 'node:net';
import { ServiceError } from '../shared/errors.js';

/** How many failed sign-ins are borne. */
export interface AttemptLimits {
  readonly perAccountMax: number;
  readonly perAddressMax: number;
  readonly windowMs: number;
}

/** One try to sign in: counted as failed until it is told to have succeeded. */
export interface Attempt {
  succeeded(): void;
}

/**
 * Counts failed sign-ins per account and address, and per address, in windows that begin with the first failure. A try is counted before the
 * password is checked, so that many tries at once are no way around.
 */
export class SignInAttempts {
  readonly #limits: AttemptLimits;
  readonly #windows = new Map<string, Window>();

  constructor(limits: AttemptLimits) {
    this.#limits = limits;
  }

  /** Begins a try at the time `now` (ms). @throws RATE_LIMITED, in the same words for known and unknown accounts */
  begin(account: string, address: string, now: number): Attempt {
    const from = networkOf(address);
    const ofAccount = this.#window(`account ${from} ${account}`, now);
    const ofAddress = this.#window(`address ${from}`, now);
    const full = [
      ofAccount.failures >= this.#limits.perAccountMax ? ofAccount : undefined,
      ofAddress.failures >= this.#limits.perAddressMax ? ofAddress : undefined,
    ].filter((window) => window !== undefined);
    if (full.length > 0) throw tooManyFailures(Math.max(...full.map(({ until }) => until)) - now);
    ofAccount.failures++;
    ofAddress.failures++;
    return {
      succeeded: () => {
        ofAccount.failures = 0;
        ofAddress.failures = Math.max(0, ofAddress.failures - 1);
      },
    };
  }

  #window(key: string, now: number): Window {
    const known = this.#windows.get(key);
    if (known !== undefined && known.until > now) return known;
    const window = { failures: 0, until: now + this.#limits.windowMs };
    this.#windows.delete(key);
    this.#windows.set(key, window);
    this.#forget(now);
    return window;
  }

  /** Windows all last equally long, so the first in the map ends first. */
  #forget(now: number): void {
    for (const [key, { until }] of this.#windows) {
      if (until > now && this.#windows.size <= WINDOWS_MAX) return;
      this.#windows.delete(key);
    }
  }
}

interface Window {
  failures: number;
  readonly until: number;
}

/** More addresses than this at once push the oldest out. */
const WINDOWS_MAX = 50_000;

const tooManyFailures = (waitMs: number) =>
  new ServiceError('RATE_LIMITED', 'expected fewer failed sign-ins; try again later', {
    reason: 'too_many_failed_sign_ins',
    details: { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) },
  });

/** Whoever has one IPv6 address has the whole /64. */
function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail = ''] = address.split('::');
  const left = head.split(':').filter((group) => group !== '');
  const right = tail.split(':').filter((group) => group !== '');
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0');
  const groups = [...left, ...zeros, ...right].slice(0, 4);
  return `${groups.map((group) => group.toLowerCase().replace(/^0+(?=.)/, '')).join(':')}::/64`;
}
