import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { acquireServerLock } from '../../src/server/data-folder.js';
import { ServiceError } from '../../src/shared/errors.js';
import { type DataFolder, dataFolder } from '../support/data-folder.js';

const lockModule = new URL('../../src/server/data-folder.js', import.meta.url).href;

/** Another process that holds the folder's lock until it is killed. */
async function otherServer(folder: string) {
  const script = `import { acquireServerLock } from ${JSON.stringify(lockModule)};
    globalThis.lock = acquireServerLock(${JSON.stringify(folder)}); console.log('held'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

describe('the lock of a data folder', () => {
  let folder: DataFolder;
  beforeEach(() => {
    folder = dataFolder();
  });
  afterEach(() => folder.remove());

  it('refuses a second server, naming the folder', () => {
    const lock = acquireServerLock(folder.path);
    assert.throws(
      () => acquireServerLock(folder.path),
      (thrown: unknown) =>
        thrown instanceof ServiceError && thrown.code === 'CONFLICT' && thrown.message.includes(`'${folder.path}'`),
    );
    lock.release();
  });

  it('says in a sentence that a folder cannot be made or written', () => {
    const file = join(folder.path, 'file');
    writeFileSync(file, '');
    mkdirSync(join(folder.path, 'odd', 'server.lock'), { recursive: true });
    for (const path of [file, join(file, 'below'), join(folder.path, 'odd')]) {
      assert.throws(() => acquireServerLock(path), {
        code: 'CONFLICT',
        message:
          /^expected a data folder at '.*' that this user may write, but: .*; set MILLRACE_DATA to another folder$/,
      });
    }
  });

  it('does not go on for ever where the file system makes no folders', function () {
    if (!existsSync('/proc/self')) return this.skip();
    for (const path of ['/proc/x', '/proc/x/y']) {
      const script = `import { acquireServerLock } from ${JSON.stringify(lockModule)}; acquireServerLock(${JSON.stringify(path)});`;
      const args = ['--input-type=module', '-e', script];
      const { signal, stderr } = spawnSync(process.execPath, args, {
        timeout: 10_000,
        killSignal: 'SIGKILL',
        encoding: 'utf8',
      });
      assert.equal(signal, null);
      assert.match(stderr, /expected a data folder at .\/proc\/x/);
    }
  });

  it('is free after it was released', () => {
    acquireServerLock(folder.path).release();
    const again = acquireServerLock(folder.path);
    assert.throws(() => acquireServerLock(folder.path), /expected to be the only server/);
    again.release();
  });

  it('makes the folder where it is missing', () => {
    acquireServerLock(join(folder.path, 'deep', 'data')).release();
    assert.ok(existsSync(join(folder.path, 'deep', 'data', 'server.lock')));
  });

  it('holds against another process, and is free at once when that one is killed', async () => {
    const other = await otherServer(folder.path);
    assert.throws(() => acquireServerLock(folder.path), /another one is using it/);
    other.kill('SIGKILL');
    await once(other, 'exit');
    acquireServerLock(folder.path).release();
  });
});
