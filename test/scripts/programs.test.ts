import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/temporary.js';

/** Runs the script with these folders to look for programs in. */
const ensure = (path: string, ...programs: string[]) =>
  spawnSync(process.execPath, ['scripts/programs.mjs', ...programs], { env: { PATH: path }, encoding: 'utf8' });

describe('a program that tests need', () => {
  it('is taken as it is where it is there', () => {
    const folder = temporaryFolder();
    for (const name of ['redis-server', 'openssl'])
      writeFileSync(join(folder.path, name), '#!/bin/sh\n', { mode: 0o755 });
    const { status, stderr } = ensure(folder.path, 'redis-server', 'openssl');
    assert.deepEqual([status, stderr], [0, '']);
    folder.remove();
  });

  it('is named with the ways to install it where that is not permitted', () => {
    const { status, stderr } = ensure('/nowhere', 'redis-server');
    assert.equal(status, 1);
    assert.match(stderr, /^expected the program redis-server, but it is not installed; install it by one of: apt-get /);
  });
});
