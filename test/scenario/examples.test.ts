import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type LiveServer, liveServer } from '../support/server.js';
import { ADMIN_PASSWORD } from '../support/test-server.js';

const CLIENTS: readonly (readonly [program: string, file: string])[] = [
  ['node', 'client.mjs'],
  ['python3', 'client.py'],
  ['java', 'Client.java'],
];

describe('the clients of examples/', function () {
  this.timeout(60_000);
  let server: LiveServer;
  before(async () => {
    server = await liveServer();
  });
  after(() => server.remove());

  for (const [program, file] of CLIENTS) {
    it(`${file} starts a process, completes its task and sees its end`, async function () {
      if (spawnSync(program, ['--version']).error !== undefined) return this.skip();
      const args = [join('examples', file), server.baseUrl, ADMIN_PASSWORD];
      const { stdout } = await promisify(execFile)(program, args, { timeout: 50_000 });
      assert.equal(stdout, 'started: active\nto do: Approve invoice\nended: completed\n');
    });
  }
});
