import assert from 'node:assert/strict';
import { type AttemptLimits, SignInAttempts } from '../../../src/server/session/sign-in-attempts.js';
import { SignInLog } from '../../../src/server/session/sign-in-log.js';

const noLog = () =>
  new SignInLog(
    () => {},
    () => {},
  );

describe('failed sign-ins', () => {
  const attemptsOf = (of: AttemptLimits, tableSize?: number) => new SignInAttempts(of, noLog(), tableSize);
  const limits = { perAccountMax: 2, perAddressMax: 4, windowMs: 1000 };
  const isRefused = (attempts: SignInAttempts, account: string, address: string, now: number) => {
    try {
      attempts.begin(account, address, now);
      return false;
    } catch {
      return true;
    }
  };

  it('are counted for a whole IPv6 network, however it is written', () => {
    const attempts = attemptsOf(limits);
    attempts.begin('ann', '2001:db8:0:1::1', 0);
    attempts.begin('ann', '2001:DB8:0000:0001:ffff:1:2:3', 0);
    assert.equal(isRefused(attempts, 'ann', '2001:db8:0:1:a:b:c:d', 0), true);
    assert.equal(isRefused(attempts, 'ann', '2001:db8:0:2::1', 0), false);
    assert.equal(isRefused(attempts, 'ann', '::1', 0), false);
  });

  it('are counted for a whole IPv4 network', () => {
    const attempts = attemptsOf(limits);
    attempts.begin('ann', '10.0.0.1', 0);
    attempts.begin('ann', '10.0.0.255', 0);
    assert.equal(isRefused(attempts, 'ann', '10.0.0.77', 0), true);
    assert.equal(isRefused(attempts, 'ann', '10.0.1.1', 0), false);
  });

  it('tell when to come back, and do not put that off by coming back too early', () => {
    const attempts = attemptsOf(limits);
    attempts.begin('ann', '10.0.0.1', 0);
    attempts.begin('ann', '10.0.0.1', 900);
    assert.throws(() => attempts.begin('ann', '10.0.0.1', 950), {
      code: 'RATE_LIMITED',
      info: { reason: 'too_many_failed_sign_ins', details: { retryAfterSeconds: 1 } },
    });
    assert.equal(isRefused(attempts, 'ann', '10.0.0.1', 999), true);
    assert.equal(isRefused(attempts, 'ann', '10.0.0.1', 1000), false);
  });

  it('are forgotten by one that succeeds', () => {
    const attempts = attemptsOf(limits);
    attempts.begin('ann', '10.0.0.1', 0);
    attempts.begin('ann', '10.0.0.1', 0).succeeded();
    attempts.begin('ann', '10.0.0.1', 0);
    assert.equal(isRefused(attempts, 'ann', '10.0.0.1', 0), false);
  });

  it('are not pushed out by tries on invented names, from the same network or from many', () => {
    const attempts = attemptsOf({ perAccountMax: 10, perAddressMax: 100, windowMs: 900_000 });
    for (let n = 0; n < 10; n++) attempts.begin('ann', '10.0.0.1', 0);
    for (let n = 0; n < 110_000; n++) isRefused(attempts, `invented ${n}`, '10.0.0.1', n / 10);
    for (let n = 0; n < 60_000; n++) isRefused(attempts, `invented ${n}`, `10.${1 + (n & 127)}.${n >> 8}.9`, n / 10);
    assert.equal(isRefused(attempts, 'ann', '10.0.0.1', 11_000), true);
    assert.equal(isRefused(attempts, 'bob', '10.0.0.1', 11_000), true);
    assert.equal(isRefused(attempts, 'ann', '11.0.0.1', 11_000), false);
  });

  it('are stricter, never milder, for names that meet in the table', () => {
    const attempts = attemptsOf({ ...limits, perAddressMax: 100 }, 1);
    attempts.begin('ann', '10.0.0.1', 0);
    attempts.begin('bob', '10.0.0.1', 0).succeeded();
    attempts.begin('bob', '10.0.0.1', 0);
    assert.equal(isRefused(attempts, 'ann', '10.0.0.1', 0), true, 'the failure of ann is still there');
    assert.equal(isRefused(attempts, 'bob', '10.9.0.1', 0), true);
    assert.equal(isRefused(attempts, 'ann', '10.0.0.1', 1000), false);
  });

  it('are not those whose password was never looked at', () => {
    const attempts = attemptsOf(limits);
    for (let n = 0; n < 10; n++) attempts.begin('ann', '10.0.0.1', 0).takenBack();
    const early = attempts.begin('ann', '10.0.0.1', 0);
    attempts.begin('ann', '10.0.0.1', 0);
    assert.equal(isRefused(attempts, 'ann', '10.0.0.1', 999), true);
    attempts.begin('ann', '10.0.0.1', 1000);
    early.takenBack();
    attempts.begin('ann', '10.0.0.1', 1000);
    assert.equal(isRefused(attempts, 'ann', '10.0.0.1', 1000), true, 'a try of an earlier window takes nothing back');
  });

  it('cannot be mixed up by odd names', () => {
    const attempts = attemptsOf({ ...limits, perAddressMax: 100 });
    for (let n = 0; n < 2; n++) attempts.begin('__proto__', '10.0.0.1', 0);
    assert.equal(isRefused(attempts, '__proto__', '10.0.0.1', 0), true);
    assert.equal(isRefused(attempts, 'constructor', '10.0.0.1', 0), false);
  });
});
