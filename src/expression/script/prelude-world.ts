/**
 * What makes a script's world the same at every run: functions that the prelude hands to the interpreter as text, so they use JavaScript and
 * nothing else.
 */

/** The time stands still while a script runs. */
export function stopClock(now: number): void {
  const RealDate = Date;
  function FixedDate(...args: unknown[]): unknown {
    if (new.target === undefined) return new RealDate(now).toString();
    return Reflect.construct(RealDate, args.length === 0 ? [now] : args, new.target);
  }
  Object.defineProperty(FixedDate, 'name', { value: 'Date' });
  FixedDate.prototype = RealDate.prototype;
  FixedDate.UTC = RealDate.UTC;
  FixedDate.parse = RealDate.parse;
  FixedDate.now = () => now;
  Object.defineProperty(RealDate.prototype, 'constructor', { value: FixedDate, writable: true, configurable: true });
  Object.defineProperty(globalThis, 'Date', { value: FixedDate, writable: true, configurable: true });
}

/** xoshiro128**: a small generator of 32-bit words. */
export function seedRandom(seed: readonly number[]): void {
  let [a = 0, b = 0, c = 0, d = 1] = seed.map((word) => word | 0);
  Math.random = () => {
    const product = Math.imul(b, 5);
    const result = Math.imul((product << 7) | (product >>> 25), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = (d << 11) | (d >>> 21);
    return result / 0x1_0000_0000;
  };
}
