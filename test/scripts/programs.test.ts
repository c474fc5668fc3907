import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';

/** Runs the script with these folders to look for programs in. */
const ensure = (path: string, ...programs: string[]) =>
  spawnSync(process.execPath, ['scripts/programs.mjs', ...programs], { env: { PATH: path }, encoding: 'utf8' });

describe('a program that tests need', () => {
  it('is taken as it is where it is there', () => {
    const { status, stderr } = ensure(process.env.PATH ?? '', 'redis-server', 'openssl');
    assert.deepEqual([status, stderr], [0, '']);
  });

  it('is named with the ways to install it where that is not permitted', () => {
    const { status, stderr } = ensure('/nowhere', 'redis-server');
    assert.equal(status, 1);
    assert.match(stderr, /^expected the program redis-server, but it is not installed; install it by one of: apt-get /);
  });
});
