import assert from 'node:assert/strict';
import { SignInAttempts } from '../../../src/server/session/sign-in-attempts.js';
import { SignInLog } from '../../../src/server/session/sign-in-log.js';
import { dataFolder } from '../../support/data-folder.js';
import { fillAsStarted } from '../../support/first-start.js';
import { serverProcess } from '../../support/server-process.js';
import { basic } from '../../support/test-server.js';

type Line = [level: string, message: string, facts: Readonly<Record<string, unknown>>];

describe('the log of failed sign-ins', () => {
  let lines: Line[];
  let alarms: (() => void)[];
  let log: SignInLog;
  beforeEach(() => {
    lines = [];
    alarms = [];
    log = new SignInLog(
      (level, facts, message) => lines.push([level, message, facts]),
      (_ms, ring) => alarms.push(ring),
    );
  });
  const tenSecondsPass = () => {
    for (const ring of alarms.splice(0)) ring();
  };

  it('has a line for each failure and each lock-out, of a name and of a network', () => {
    const attempts = new SignInAttempts({ perAccountMax: 2, perAddressMax: 3, windowMs: 1000 }, log);
    for (const name of ['ann', 'bob', 'ann']) attempts.begin(name, '10.0.0.1', 0).failed();
    assert.throws(() => attempts.begin('ann', '10.0.0.9', 0));
    const failed = (user: string) => ['info', 'a sign-in failed', { user, address: '10.0.0.1' }];
    assert.deepEqual(lines, [
      failed('ann'),
      failed('bob'),
      failed('ann'),
      ['warn', 'a name is locked out from a network', { user: 'ann', network: '10.0.0.0/24', windowMs: 1000 }],
      ['warn', 'a network is locked out', { network: '10.0.0.0/24', windowMs: 1000 }],
      ['info', 'a sign-in was refused after too many that failed', { user: 'ann', address: '10.0.0.9' }],
    ]);
  });

  it('counts what comes in floods', () => {
    for (let n = 0; n < 1000; n++) log.failed({ name: `n${n}`, address: '10.0.0.1' });
    assert.equal(lines.length, 20);
    log.refused({ name: 'ann', address: '10.0.0.1' });
    assert.equal(lines.length, 21, 'a flood of one kind hides no other');
    tenSecondsPass();
    assert.deepEqual(lines.slice(21), [['warn', 'a sign-in failed', { more: 980, withinMs: 10_000 }]]);
    log.failed({ name: 'ann', address: '10.0.0.1' });
    assert.equal(lines.length, 23);
    tenSecondsPass();
    assert.equal(lines.length, 23);
  });

  it('tells at its end what it has counted', () => {
    for (let n = 0; n < 30; n++) log.failed({ name: 'ann', address: '10.0.0.1' });
    log.flush();
    assert.deepEqual(lines.at(-1)?.[2], { more: 10, withinMs: 10_000 });
  });

  it('shows names as harmless text', () => {
    for (const name of ['a\nb\u0000\u202e\u2028\\n', '\ud800', 'ü'.repeat(65)]) log.failed({ name, address: '::1' });
    assert.deepEqual(
      lines.map(([, , { user }]) => user),
      ['a\\u{a}b\\u{0}\\u{202e}\\u{2028}\\u{5c}n', '\\u{d800}', `${'ü'.repeat(64)}…`],
    );
  });

  it('is written by the server for every way to sign in, without the password', async () => {
    const folder = dataFolder();
    await fillAsStarted(folder.path);
    const server = await serverProcess({
      MILLRACE_DATA: folder.path,
      MILLRACE_SIGN_IN_FAILURES_PER_ACCOUNT_MAX: '3',
    });
    const post = (path: string, type: string, body: string) =>
      fetch(`${server.baseUrl}${path}`, { method: 'POST', headers: { 'Content-Type': type }, body });
    const program = () => post('/auth/login', 'application/json', '{"username":"ann","password":"pass one"}');
    const form = () =>
      post('/bin/auth.cgi/saml2/login', 'application/x-www-form-urlencoded', 'username=ann&password=pass+two');
    const byBasic = () => fetch(`${server.baseUrl}/bin/graphql.cgi/web`, { headers: basic('ann', 'pass three') });
    assert.deepEqual(
      [(await program()).status, (await form()).status, (await byBasic()).status, (await program()).status],
      [401, 401, 401, 429],
    );
    assert.deepEqual([(await form()).status, (await byBasic()).status], [429, 429]);
    await server.end();
    const logged = server.logged();
    const count = (message: string) => logged.split(`"msg":"${message}"`).length - 1;
    assert.equal(count('a sign-in failed'), 3);
    assert.equal(count('a name is locked out from a network'), 1);
    assert.equal(count('a sign-in was refused after too many that failed'), 3);
    assert.doesNotMatch(logged, /pass (one|two|three)/);
    folder.remove();
  });
});
