import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../src/store/sqlite.js';
import { replayAll } from '../support/stored-instances.js';
import { assertReplays, openCompany } from './support/company.js';

describe('replaying the kept commands of an instance', () => {
  it('gives its state with large variables, a subprocess, and a restart in between', async () => {
    const first = await openCompany();
    const { sue } = first.people;
    const id = await sue.start('incident-handling', { summary: 'x'.repeat(50_000), list: [1, { deep: [null] }] });
    await sue.perform(id, 'assess', { affectsCustomers: true, securityRelevant: true });
    await first.server.end();
    const { folder } = first.server;
    const second = await openCompany({ folder });
    await second.people.otto.perform(id, 'find', { cause: 'y'.repeat(2_000) });
    const [replayed] = replayAll(folder);
    assert.equal(replayed?.runs, 3, 'started, and two tasks completed; a claim moves no token');
    assertReplays(folder);
    await second.server.end();
    await first.server.remove();
  });

  it('finds a state that its commands do not give', async () => {
    const { server, people } = await openCompany();
    await people.sue.start('incident-handling', { summary: 'as it was' });
    assertReplays(server.folder);
    await server.end();
    for (const partition of readdirSync(server.folder, { withFileTypes: true }).filter((it) => it.isDirectory())) {
      if (!readdirSync(join(server.folder, partition.name)).includes('log.db')) continue;
      const database = openDatabase(join(server.folder, partition.name, 'log.db'));
      database.exec(`UPDATE d_processInstance SET body = replace(body, 'as it was', 'as it was not')`);
      database.close();
    }
    assert.throws(() => assertReplays(server.folder), /the kept commands of incident-handling .* give another state/);
    await server.remove();
  });
});
