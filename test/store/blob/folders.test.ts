import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Folders } from '../../../src/store/blob/folders.js';
import { temporaryFolder } from '../support/folder.js';

describe('folders of blobs', () => {
  const folder = temporaryFolder();

  it('are made when they are needed, by many at once, with those above them', async () => {
    const folders = new Folders();
    const paths = Array.from({ length: 60 }, (_, n) => join(folder(), `${n % 3}`, `${n % 6}`, `file-${n}`));
    const put = async (path: string) => {
      await folders.within(dirname(path), () => writeFile(path, path));
      await folders.sync(dirname(path));
    };
    await Promise.all(paths.map(put));
    for (const path of paths) assert.equal(readFileSync(path, 'utf8'), path);
  });

  it('fail all who wait for them, and work again for the next', async () => {
    const folders = new Folders();
    const path = join(folder(), 'later');
    const failed = await Promise.allSettled([folders.sync(path), folders.sync(path), folders.sync(path)]);
    assert.deepEqual(
      failed.map(({ status }) => status),
      ['rejected', 'rejected', 'rejected'],
    );
    await folders.within(path, () => writeFile(join(path, 'file'), ''));
    await folders.sync(path);
    await writeFile(join(folder(), 'plain'), '');
    await assert.rejects(
      folders.within(join(folder(), 'plain', 'in'), () => writeFile(join(folder(), 'plain', 'in', 'file'), '')),
      { code: 'ENOTDIR' },
    );
  });

  it('are not made for work that misses something else', async () => {
    const folders = new Folders();
    await assert.rejects(
      folders.within(folder(), () => Promise.reject(Object.assign(new Error('gone'), { code: 'ENOENT' }))),
      { code: 'ENOENT' },
    );
    assert.equal(existsSync(folder()), true);
  });
});
