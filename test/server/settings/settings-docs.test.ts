import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';

describe('the documentation of settings and limits', () => {
  it('is what the code gives', () => {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/docs.mjs', '--check'], { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  });
});
