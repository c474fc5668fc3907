import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';

const LOG = new URL('../../src/shared/log.js', import.meta.url).href;
const WRITES = `const { log } = await import('${LOG}');
for (let i = 0; i < 3; i++) log.error('a line');
log.fatal('x'.repeat(2_000_000));
process.stdout.write('goes on');`;

describe("the server's log", () => {
  it('that cannot be written, as on a full disk, is not the end of the server', function () {
    if (!existsSync('/dev/full')) return this.skip();
    const full = openSync('/dev/full', 'w');
    try {
      const env = { ...process.env, MILLRACE_LOG_LEVEL: 'info' };
      const ended = spawnSync(process.execPath, ['--input-type=module', '-e', WRITES], {
        stdio: ['ignore', 'pipe', full],
        env,
      });
      assert.deepEqual([ended.status, String(ended.stdout)], [0, 'goes on']);
    } finally {
      closeSync(full);
    }
  });
});
