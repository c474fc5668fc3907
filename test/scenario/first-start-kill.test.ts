import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { eventually } from '../support/eventually.js';
import { logSettings } from '../support/log-of-run.js';
import { KillableServer } from './support/killable-server.js';

const MAIN = fileURLToPath(new URL('../../src/server/main.js', import.meta.url));

describe('a server that is killed while it starts for the first time', function () {
  this.timeout(120_000);

  /** Starts it, and kills it some time after it has the folder. */
  async function cutOff(path: string, afterMs: number): Promise<void> {
    const env = { PATH: process.env.PATH ?? '', PORT: '0', MILLRACE_DATA: path, ...(await logSettings(path)) };
    const child = spawn(process.execPath, [MAIN], { env, stdio: 'ignore' });
    const ended = once(child, 'exit');
    await eventually('it has its folder', async () => existsSync(join(path, 'system', 'log.db')));
    await sleep(afterMs);
    child.kill('SIGKILL');
    await ended;
  }

  it('has at the next start everything that a new one has', async () => {
    const server = new KillableServer({ isFirst: true });
    for (const afterMs of [20, 60, 120, 200, 320]) await cutOff(server.folder, afterMs);
    await server.start();
    const page = await fetch(`${server.process.baseUrl}/bin/cms.cgi/web/content/index.html`);
    assert.equal(page.status, 200);
    const { processDefinitions, children } = await server.client('admin').run(`{
      processDefinitions { edges { node { key version } } }
      children(path: "/etc/bpm/processes") { totalCount }
    }`);
    const versions = processDefinitions.edges.map(({ node }) => `${node.key} ${node.version}`);
    assert.deepEqual(versions.sort(), [
      'claim-settlement 1',
      'expert-opinion 1',
      'incident-handling 1',
      'invoice-approval 1',
      'order-fulfilment 1',
    ]);
    assert.equal(children.totalCount, 6);
    await server.end();
    await server.remove();
  });
});
