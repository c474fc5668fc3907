import assert from 'node:assert/strict';
import { closeSync, existsSync, openSync, writeSync } from 'node:fs';
import { onDisk } from '../../../src/store/blob/disk-trouble.js';

const failing = (code: string, syscall: string | undefined) => async () => {
  throw Object.assign(new Error(`${code}: no`), { code, ...(syscall !== undefined && { syscall }) });
};

describe('what a disk does not do', () => {
  it('is UNAVAILABLE, and says whether it is full', async () => {
    for (const code of ['ENOSPC', 'EDQUOT', 'EFBIG'])
      await assert.rejects(onDisk(failing(code, 'write')), { code: 'UNAVAILABLE', info: { reason: 'disk_full' } });
    for (const code of ['EIO', 'EROFS', 'EMFILE'])
      await assert.rejects(onDisk(failing(code, 'open')), { code: 'UNAVAILABLE', info: { reason: 'disk_failed' } });
  });

  it('is what the system says', async function () {
    if (!existsSync('/dev/full')) return this.skip();
    const full = openSync('/dev/full', 'w');
    try {
      await assert.rejects(
        onDisk(async () => writeSync(full, 'x')),
        { code: 'UNAVAILABLE', info: { reason: 'disk_full' } },
      );
    } finally {
      closeSync(full);
    }
  });

  it('is nothing else: a source that fails, a file that is not there', async () => {
    await assert.rejects(onDisk(failing('EIO', undefined)), { code: 'EIO' });
    await assert.rejects(onDisk(failing('ENOENT', 'open')), { code: 'ENOENT' });
  });
});
