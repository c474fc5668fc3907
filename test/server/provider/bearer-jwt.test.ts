import assert from 'node:assert/strict';
import fc from 'fast-check';
import { generateKeyPair } from 'jose';
import { JwtVerifier } from '../../../src/server/provider/bearer-jwt.js';
import { AUDIENCE, type Otherwise, TokenIssuer } from '../../support/token-issuer.js';

const SECOND = 1_000;
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'];

describe('a JSON Web Token as a bearer token', () => {
  let issuer: TokenIssuer;
  let now: number;
  let verifier: JwtVerifier;
  before(async () => {
    issuer = await TokenIssuer.start();
  });
  after(() => issuer.close());
  beforeEach(() => {
    now = 0;
    issuer.asked = 0;
    issuer.answer = undefined;
    verifier = verifierOf({});
  });
  const verifierOf = (more: object) =>
    new JwtVerifier(
      { issuer: issuer.issuer, audience: AUDIENCE, algorithms: ALGORITHMS, clockToleranceMs: 30 * SECOND, ...more },
      () => now,
    );
  const verdict = async (token: string) => {
    const found = await verifier.verify(token);
    return typeof found === 'string' ? found : 'taken';
  };
  const ofToken = async (otherwise: Otherwise) => verdict(await issuer.token('ann', otherwise));
  const inSeconds = (seconds: number) => Math.floor(Date.now() / SECOND) + seconds;

  it('says whom it is about, and until when it counts', async () => {
    const exp = inSeconds(60);
    const found = await verifier.verify(await issuer.token('ann', { claims: { exp, name: 'Ann' } }));
    assert.ok(typeof found !== 'string');
    assert.deepEqual([found.subject, found.claims.name, found.expiresAt], ['ann', 'Ann', exp * SECOND + 30 * SECOND]);
  });

  it('is taken as it is signed by any of the algorithms that are set, and by no other', async () => {
    for (const alg of ALGORITHMS) {
      await issuer.addKey(`key ${alg}`, alg);
      verifier = verifierOf({});
      const token = { header: { alg, kid: `key ${alg}` }, key: issuer.key(`key ${alg}`) };
      assert.equal(await ofToken(token), 'taken', alg);
      verifier = verifierOf({ algorithms: ALGORITHMS.filter((other) => other !== alg) });
      assert.equal(await ofToken(token), 'unknown', alg);
    }
  });

  it('is of nobody without the right signature: none, by a secret, by the public key as a secret, by another key', async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = part({ iss: issuer.issuer, aud: AUDIENCE, sub: 'ann', exp: inSeconds(60) });
    for (const alg of ['none', 'None', 'NONE', ''])
      assert.equal(await verdict(`${part({ alg })}.${claims}.`), 'unknown', alg);
    const secret = new TextEncoder().encode(await issuer.publicPem());
    for (const alg of ['HS256', 'HS512']) assert.equal(await ofToken({ header: { alg }, key: secret }), 'unknown', alg);
    const { privateKey } = await generateKeyPair('RS256');
    assert.equal(await ofToken({ key: privateKey }), 'unknown');
    const [head, body, signature = ''] = (await issuer.token('ann')).split('.');
    assert.equal(await verdict(`${head}.${body}.`), 'unknown');
    assert.equal(await verdict(`${head}.${part({ sub: 'eve' })}.${signature}`), 'unknown');
    assert.equal(await verdict(`${head}.${body}.${signature.split('').reverse().join('')}`), 'unknown');
  });

  it('is of nobody where it is by another issuer, for somebody else, about nobody, or has no end', async () => {
    const wrong: Otherwise[] = [
      { claims: { iss: 'https://evil.example' } },
      { claims: { iss: issuer.issuer.slice(0, -1) } },
      { claims: { aud: 'https://other.example' } },
      { claims: { aud: [] } },
      { claims: { sub: '' } },
      { claims: { sub: 'x'.repeat(501) } },
      { claims: { sub: 7 as unknown as string } },
      { claims: { nbf: inSeconds(60) } },
      ...['iss', 'aud', 'sub', 'exp'].map((name) => ({ without: [name] })),
      { header: { typ: 'logout+jwt' } },
      { header: { kid: 'none' } },
      { header: { crit: ['exp'] } },
    ];
    for (const otherwise of wrong) {
      const token = await issuer.token('ann', otherwise).catch(() => 'x.y.z');
      assert.equal(await verdict(token), 'unknown', JSON.stringify(otherwise));
    }
    for (const otherwise of [
      { claims: { aud: ['x', AUDIENCE] } },
      { header: { typ: 'at+jwt' } },
      { header: { typ: 'JWT' } },
    ])
      assert.equal(await ofToken(otherwise), 'taken');
  });

  it('has expired at its end, and counts from its beginning, but for how far clocks may be apart', async () => {
    assert.equal(await ofToken({ claims: { exp: inSeconds(-20) } }), 'taken');
    assert.equal(await ofToken({ claims: { exp: inSeconds(-40) } }), 'expired');
    assert.equal(await ofToken({ claims: { nbf: inSeconds(20) } }), 'taken');
    verifier = verifierOf({ clockToleranceMs: 1 });
    assert.equal(await ofToken({ claims: { exp: inSeconds(-20) } }), 'expired');
  });

  it('that is a megabyte, or nothing that is one, is of nobody, and nobody is asked about it', async () => {
    assert.equal(await verdict(`${await issuer.token('ann')}${'x'.repeat(1_000_000)}`), 'unknown');
    for (const text of ['', '.', '..', '...', 'ey..', 'a.b.c.d.e', '\u0000'])
      assert.equal(await verdict(text), 'unknown', text);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.base64String({ maxLength: 40 }), { maxLength: 6 }), async (parts) => {
        assert.equal(await verdict(parts.join('.')), 'unknown');
      }),
      { numRuns: 200 },
    );
    assert.equal(issuer.asked, 0);
  });

  it('is checked by keys that are asked for once, and again for one that is not among them, but not at once', async () => {
    await Promise.all(Array.from({ length: 5 }, () => ofToken({})));
    assert.equal(issuer.asked, 1);
    await issuer.addKey('second');
    const second = { header: { kid: 'second' }, key: issuer.key('second') };
    for (let tries = 0; tries < 3; tries++) assert.equal(await ofToken(second), 'unknown');
    assert.equal(issuer.asked, 1, 'half a minute has not passed');
    verifier = verifierOf({ keysUrl: `${issuer.issuer}keys` });
    assert.equal(await ofToken(second), 'taken');
  });

  it('cannot be checked while the keys cannot be had, which is no refusal; they are asked for again after some seconds', async () => {
    const wrong = [
      { status: 503, body: '' },
      { status: 200, body: 'x'.repeat(600_000) },
      { status: 200, body: '{"keys": 7}' },
      { status: 302, body: '' },
      { status: 404, body: '{}' },
    ];
    verifier = verifierOf({ keysUrl: `${issuer.issuer}keys` });
    for (const answer of wrong) {
      issuer.answer = answer;
      const asked = issuer.asked;
      for (let tries = 0; tries < 3; tries++) await assert.rejects(ofToken({}), { code: 'UNAVAILABLE' });
      assert.equal(issuer.asked, asked + 1);
      now += 5_001;
    }
    issuer.answer = undefined;
    assert.equal(await ofToken({}), 'taken');
    const gone = verifierOf({ keysUrl: 'http://127.0.0.1:1/keys' });
    await assert.rejects(gone.verify(await issuer.token('ann')), { code: 'UNAVAILABLE' });
    const other = new JwtVerifier(
      { issuer: `${issuer.issuer}other`, audience: AUDIENCE, algorithms: ALGORITHMS, clockToleranceMs: 1 },
      () => now,
    );
    await assert.rejects(other.verify(await issuer.token('ann')), { code: 'UNAVAILABLE' }, 'it describes another one');
  });
});
