import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { PendingSignIns } from '../../../src/server/provider/pending-sign-in.js';

describe('a sign-in that is going on in a browser', () => {
  let now: number;
  const signIns = (secret = 'of the system', baseUrl = 'http://127.0.0.1') =>
    new PendingSignIns(baseUrl, { now: () => now }, () => secret);
  const begun = { state: 'a state', nonce: 'a nonce', verifier: 'a verifier', path: '/docs/?x#y' };
  const carrying = (...cookies: string[]) =>
    ({ headers: { cookie: cookies.map((cookie) => cookie.split(';')[0]).join('; ') } }) as unknown as IncomingMessage;
  const read = async (cookie: string, state = begun.state, by = signIns()) => {
    const found = await by.read(carrying('a=b', cookie), state);
    return found && { state: found.state, nonce: found.nonce, verifier: found.verifier, path: found.path };
  };
  beforeEach(() => {
    now = 1_700_000_000_000;
  });

  it('is finished by any server of the system, in that browser, in ten minutes', async () => {
    const cookie = await signIns().give(begun);
    assert.deepEqual(await read(cookie), begun);
    assert.equal(await signIns().read(carrying(), begun.state), undefined);
    now += 599_000;
    assert.deepEqual(await read(cookie), begun);
    now += 2_000;
    assert.equal(await read(cookie), undefined);
  });

  it('says nothing to whoever has its cookie, and is none when that was changed, or is of another system', async () => {
    const cookie = await signIns().give(begun);
    const sealed = /=([^;]+);/.exec(cookie)?.[1] ?? '';
    const plain = sealed
      .split('.')
      .map((part) => Buffer.from(part, 'base64url').toString('latin1'))
      .join('');
    for (const secret of ['nonce', 'verifier', '/docs']) assert.ok(!plain.includes(secret), secret);
    for (const at of [0, 1, 3, 4].map((part) => sealed.split('.').slice(0, part).join('.').length + 2)) {
      const other = `${sealed.slice(0, at)}${sealed[at] === 'A' ? 'B' : 'A'}${sealed.slice(at + 1)}`;
      assert.equal(await read(cookie.replace(sealed, other)), undefined, `at ${at}`);
    }
    assert.equal(await read(cookie, begun.state, signIns('of another one')), undefined);
  });

  it('is that of its state alone: of several in one browser each is found', async () => {
    const [first, second] = [await signIns().give(begun), await signIns().give({ ...begun, state: 'b state' })];
    const req = carrying(first, second);
    assert.equal((await signIns().read(req, 'a state'))?.state, 'a state');
    assert.equal((await signIns().read(req, 'b state'))?.state, 'b state');
    // One that shares its cookie with it.
    assert.equal(await signIns().read(req, 'i state'), undefined);
    assert.equal(await signIns().read(req, ''), undefined);
  });

  it('is kept from scripts and other sites, over https bound to the host, and small', async () => {
    assert.match(
      await signIns().give(begun),
      /^millrace-sign-in-\d=[\w.-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const secure = await signIns('x', 'https://a.example').give(begun);
    assert.match(secure, /^__Host-millrace-sign-in-\d=.*; SameSite=Lax; Secure$/);
    assert.match(signIns().take(begun.state), /^millrace-sign-in-\d=; Max-Age=0;/);
    const long = await signIns().give({ ...begun, path: `/${'x'.repeat(5_000)}` });
    assert.equal((await read(long))?.path, '/');
    assert.ok((await signIns().give({ ...begun, path: `/${'x'.repeat(511)}` })).length < 1_300);
  });
});
