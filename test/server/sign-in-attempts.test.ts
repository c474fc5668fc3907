import assert from 'node:assert/strict';
import { SignInAttempts } from '../../src/server/sign-in-attempts.js';

describe('failed sign-ins', () => {
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
    const attempts = new SignInAttempts(limits);
    attempts.begin('ann', '2001:db8:0:1::1', 0);
    attempts.begin('ann', '2001:DB8:0000:0001:ffff:1:2:3', 0);
    assert.equal(isRefused(attempts, 'ann', '2001:db8:0:1:a:b:c:d', 0), true);
    assert.equal(isRefused(attempts, 'ann', '2001:db8:0:2::1', 0), false);
    assert.equal(isRefused(attempts, 'ann', '::1', 0), false);
  });

  it('tell when to come back, and do not put that off by coming back too early', () => {
    const attempts = new SignInAttempts(limits);
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
    const attempts = new SignInAttempts(limits);
    attempts.begin('ann', '10.0.0.1', 0);
    attempts.begin('ann', '10.0.0.1', 0).succeeded();
    attempts.begin('ann', '10.0.0.1', 0);
    assert.equal(isRefused(attempts, 'ann', '10.0.0.1', 0), false);
  });

  it('cannot be mixed up by odd names', () => {
    const attempts = new SignInAttempts({ ...limits, perAddressMax: 100 });
    for (let n = 0; n < 2; n++) attempts.begin('__proto__', '10.0.0.1', 0);
    assert.equal(isRefused(attempts, '__proto__', '10.0.0.1', 0), true);
    assert.equal(isRefused(attempts, 'constructor', '10.0.0.1', 0), false);
  });
});
