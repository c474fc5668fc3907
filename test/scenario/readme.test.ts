import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataFolder } from '../support/data-folder.js';
import { serverProcess } from '../support/server-process.js';
import { normalised, stepsOf, walk, withOutputs } from './support/walk.js';

// Slow: it walks through the documentation as a newcomer does.

/** With MILLRACE_README=write the page gets the outputs of this run. */
const writes = process.env.MILLRACE_README === 'write';

/** Pages with commands that can be run, from the first to the last, on a server that is new. */
const WALKED = ['README.md', 'docs/walk.md'];

describe('the pages for newcomers', () => {
  for (const name of WALKED) {
    it(`show what the commands really give: ${name}`, async function () {
      this.timeout(90_000);
      const page = readFileSync(name, 'utf8');
      const folder = dataFolder();
      const server = await serverProcess({ MILLRACE_DATA: join(folder.path, 'data'), MILLRACE_CLOCK: 'virtual' });
      try {
        const steps = stepsOf(page);
        assert.ok(steps.length > 0, 'expected commands');
        const outputs = await walk(steps, folder.path, server.baseUrl);
        if (writes) writeFileSync(name, withOutputs(page, steps, outputs));
        for (const [index, { commands, output }] of writes ? [] : steps.entries()) {
          assert.equal(normalised(outputs[index] ?? ''), normalised(output ?? ''), commands);
        }
      } finally {
        await server.end();
        folder.remove();
      }
    });
  }
});
