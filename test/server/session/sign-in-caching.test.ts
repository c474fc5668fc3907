import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { sessionCookie } from '../../../src/server/session/cookies.js';
import { MemorySessionStore } from '../../../src/server/session/session-store.js';
import { Sessions } from '../../../src/server/session/sessions.js';
import { SignIn } from '../../../src/server/session/sign-in.js';
import { VirtualClock } from '../../../src/shared/clock.js';
import type { Principals } from '../../../src/shared/principals.js';

/** Users whose one password can be changed, and who count how often it is checked. */
class CountingPrincipals implements Principals {
  readonly version = 0;
  password = 'first';
  enabled = true;
  checks = 0;

  find(userId: string) {
    return { userId, principalId: userId, enabled: this.enabled, credentialVersion: `version of ${this.password}` };
  }
  describe = () => undefined;
  externalUser = () => undefined;
  groupsOf = () => ['everyone'];
  rolesOf = () => [];
  madeOf = () => new Map<string, number>();
  async verifyPassword(_userId: string, password: string) {
    this.checks++;
    await new Promise(setImmediate);
    return password === this.password;
  }
}

const requestWith = (headers: Record<string, string>, remoteAddress = '10.0.0.1') =>
  ({ headers, socket: { remoteAddress } }) as unknown as IncomingMessage;
const basic = (password: string, address?: string) =>
  requestWith({ authorization: `Basic ${Buffer.from(`ann:${password}`).toString('base64')}` }, address);

describe('a verified credential', () => {
  let principals: CountingPrincipals;
  let clock: VirtualClock;
  let sessions: Sessions;
  let signIn: SignIn;
  const cookie = sessionCookie('http:');

  beforeEach(() => {
    principals = new CountingPrincipals();
    clock = new VirtualClock(1_000_000);
    sessions = new Sessions(new MemorySessionStore(), principals, clock, {
      ...{ idleMs: 60_000, absoluteMs: 600_000, perUserMax: 2 },
    });
    const attempts = { perAccountMax: 3, perAddressMax: 100, windowMs: 60_000 };
    signIn = new SignIn({ principals, sessions, cookie, clock, attempts, basicCacheMs: 60_000, proxyHops: 0 });
  });

  it('is checked once for all requests that bring it at the same time', async () => {
    const all = await Promise.all(Array.from({ length: 50 }, () => signIn.authenticate(basic('first'))));
    assert.ok(all.every((identity) => identity?.userId === 'ann'));
    assert.equal(principals.checks, 1);
  });

  it('is checked again after its time, not before', async () => {
    await signIn.authenticate(basic('first'));
    clock.set(clock.now() + 59_999);
    await signIn.authenticate(basic('first'));
    assert.equal(principals.checks, 1);
    clock.set(clock.now() + 1);
    await signIn.authenticate(basic('first'));
    assert.equal(principals.checks, 2);
  });

  it('counts no longer when the password is another, or the user is disabled', async () => {
    await signIn.authenticate(basic('first'));
    principals.password = 'second';
    await assert.rejects(signIn.authenticate(basic('first')), { code: 'UNAUTHORIZED' });
    await signIn.authenticate(basic('second'));
    principals.enabled = false;
    await assert.rejects(signIn.authenticate(basic('second')), { code: 'UNAUTHORIZED' });
  });

  it('counts for the address that brought it alone', async () => {
    await signIn.authenticate(basic('first', '10.0.0.1'));
    await signIn.authenticate(basic('first', '10.0.0.2'));
    assert.equal(principals.checks, 2);
  });

  it('does not help a wrong one', async () => {
    await signIn.authenticate(basic('first'));
    await assert.rejects(signIn.authenticate(basic('second')), { code: 'UNAUTHORIZED' });
    await assert.rejects(signIn.authenticate(basic('second')), { code: 'UNAUTHORIZED' });
    assert.equal(principals.checks, 3);
  });

  it('is free again when the window of failures has passed', async () => {
    for (const wrong of ['a', 'b', 'c'])
      await assert.rejects(signIn.authenticate(basic(wrong)), { code: 'UNAUTHORIZED' });
    await assert.rejects(signIn.authenticate(basic('first')), { code: 'RATE_LIMITED' });
    clock.set(clock.now() + 60_000);
    assert.equal((await signIn.authenticate(basic('first')))?.userId, 'ann');
  });

  it('does not keep the session of a user who is disabled', async () => {
    const { secret } = await signIn.signIn(requestWith({}), 'ann', 'first');
    const request = requestWith({ cookie: `millrace=${secret}` });
    assert.equal((await signIn.authenticate(request))?.userId, 'ann');
    principals.enabled = false;
    assert.equal(await signIn.authenticate(request), undefined);
    principals.enabled = true;
    assert.equal(await signIn.authenticate(request), undefined);
  });
});
