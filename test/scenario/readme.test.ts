import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { dataFolder } from '../support/data-folder.js';
import { serverProcess } from '../support/server-process.js';
import { normalised, stepsOf, walk, withOutputs } from './support/walk.js';

/** With MILLRACE_README=write the page gets the outputs of this run. */
const writes = process.env.MILLRACE_README === 'write';

describe('README.md', () => {
  const page = readFileSync('README.md', 'utf8');

  it('shows what its commands really give', async function () {
    this.timeout(90_000);
    const folder = dataFolder();
    const server = await serverProcess({ MILLRACE_DATA: join(folder.path, 'data'), MILLRACE_CLOCK: 'virtual' });
    try {
      const steps = stepsOf(page);
      assert.ok(steps.length >= 10, 'expected the walk');
      const outputs = await walk(steps, folder.path, server.baseUrl);
      if (writes) writeFileSync('README.md', withOutputs(page, steps, outputs));
      for (const [index, { commands, output }] of writes ? [] : steps.entries()) {
        assert.equal(normalised(outputs[index] ?? ''), normalised(output ?? ''), commands);
      }
    } finally {
      await server.end();
      folder.remove();
    }
  });

  for (const name of ['README.md', 'docs/architecture.md']) {
    it(`has no dead link in ${name}`, () => {
      const links = [...readFileSync(name, 'utf8').matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, target]) => target ?? '');
      const local = links.filter((target) => !/^https?:/.test(target));
      assert.ok(local.length > 0);
      for (const target of local) assert.ok(existsSync(join(dirname(name), target)), target);
    });
  }
});
