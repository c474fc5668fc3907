import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPasswords } from '../../../src/identity/index.js';
import { adminPassword } from '../../../src/server/session/admin-password.js';
import { type DataFolder, dataFolder } from '../../support/data-folder.js';

describe('passwords', () => {
  const passwords = createPasswords();

  it('are hashed with argon2id, 19 MiB, two passes and a salt of their own', async () => {
    const [one, two] = [await passwords.hash('same'), await passwords.hash('same')];
    assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    assert.notEqual(one, two);
  });

  it('are right or wrong, and wrong without a hash', async () => {
    const hash = await passwords.hash('pässword ✓');
    assert.equal(await passwords.verify(hash, 'pässword ✓'), true);
    assert.equal(await passwords.verify(hash, 'password ✓'), false);
    assert.equal(await passwords.verify(hash, ''), false);
    assert.equal(await passwords.verify(undefined, 'pässword ✓'), false);
  });

  it('are never longer than they may be', async () => {
    const hash = await passwords.hash('');
    assert.equal(await passwords.verify(hash, 'x'.repeat(1025)), false);
    assert.equal(await passwords.verify(await passwords.hash('x'.repeat(1024)), 'x'.repeat(1024)), true);
  });

  it('are worked on also where there is no hash to compare with', async () => {
    const hash = await passwords.hash('x');
    const one = createPasswords({ atOnce: 1, waitingMax: 0 });
    const tries = await Promise.allSettled([one.verify(undefined, 'x'), one.verify(hash, 'x')]);
    assert.deepEqual(
      tries.map(({ status }) => status),
      ['fulfilled', 'rejected'],
    );
  });

  it('are refused when too many wait to be checked', async () => {
    const few = createPasswords({ atOnce: 1, waitingMax: 1 });
    const tries = await Promise.allSettled([few.hash('a'), few.hash('b'), few.hash('c')]);
    assert.deepEqual(
      tries.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'rejected'],
    );
    assert.equal(await few.verify(undefined, 'x'), false);
  });
});

describe('the password of the administrator', () => {
  let folder: DataFolder;
  beforeEach(() => {
    folder = dataFolder();
  });
  afterEach(() => folder.remove());

  it('is the one that was set, and then kept nowhere', () => {
    const admin = adminPassword(folder.path, { password: 'given' });
    assert.deepEqual(admin, { password: 'given', file: undefined, isNew: false });
    assert.equal(existsSync(join(folder.path, 'admin-password')), false);
  });

  it('is made once, kept in a file of the owner alone, and new only then', () => {
    const first = adminPassword(folder.path);
    assert.equal(first.isNew, true);
    assert.match(first.password, /^[\w-]{24}$/);
    assert.equal(readFileSync(first.file ?? '', 'utf8'), `${first.password}\n`);
    assert.equal(statSync(first.file ?? '').mode & 0o777, 0o600);
    assert.deepEqual(adminPassword(folder.path), { ...first, isNew: false });
  });

  it('is not guessed when the file is empty', () => {
    writeFileSync(join(folder.path, 'admin-password'), '\n');
    assert.throws(() => adminPassword(folder.path), /the file is empty; remove it to have a new one made/);
  });
});
