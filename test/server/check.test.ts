import assert from 'node:assert/strict';
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { check } from '../../src/server/check.js';
import { openDatabase } from '../../src/store/sqlite.js';
import { KillableServer } from '../scenario/support/killable-server.js';
import { Lane, LOAD_MODEL } from '../scenario/support/load.js';
import { dataFolder } from '../support/data-folder.js';
import { eventually } from '../support/eventually.js';

describe('the check of a data folder', function () {
  this.timeout(120_000);
  let server: KillableServer;
  before(async () => {
    server = new KillableServer();
    await server.start();
  });
  after(() => server.remove());

  const checked = (folder: string | undefined) => {
    const lines: string[] = [];
    return { code: check(folder, (line) => lines.push(line)), lines };
  };

  it('finds nothing beside a server at work, nor behind one that was killed', async () => {
    await server.client('admin').run('mutation ($input: DeployProcessInput!) { deployProcess(input: $input) { id } }', {
      input: { name: 'load', resources: [{ name: 'load.bpmn', content: LOAD_MODEL }] },
    });
    const lanes = ['a', 'b', 'c'].map((name) => new Lane(server, name));
    const end = new AbortController();
    const work = Promise.all(lanes.map((lane) => lane.work(end.signal)));
    const answered = () => lanes.reduce((sum, lane) => sum + lane.answered.length, 0);
    for (let times = 1; times <= 5; times++) {
      await eventually('the load goes on', async () => answered() > times * 12, 60_000);
      const { code, lines } = checked(server.folder);
      assert.deepEqual([code, lines.length], [0, 1], lines.join('\n'));
      assert.match(lines[0] ?? '', /^2 logs and the blobs of .* were walked: nothing was found wrong$/);
    }
    await server.end('SIGKILL');
    end.abort();
    await work;
    assert.equal(checked(server.folder).code, 0);
  });

  it('names each thing that is not what was written, or not there', () => {
    const web = readdirSync(server.folder).find((name) => /^[0-9a-f]{8}-/.test(name)) ?? '';
    const database = openDatabase(join(server.folder, web, 'log.db'));
    const changes: readonly (readonly [sql: string, found: RegExp])[] = [
      [`UPDATE d_task SET body = body || ' ' WHERE n = (SELECT min(n) FROM d_task)`, /task .*: its checksum/],
      [
        `UPDATE d_processInstance SET c_startTime = 1 WHERE n = (SELECT max(n) FROM d_processInstance)`,
        /processInstance .*: the checksum of its row/,
      ],
      [`UPDATE commits SET at = at + 1 WHERE revision = 5`, /commit 5: its checksum/],
      [`DELETE FROM commits WHERE revision = 9`, /commit 9: it is not there/],
      [
        `DELETE FROM d_processInstance WHERE n = (SELECT min(n) FROM d_processInstance)`,
        /processInstance .*: it is not there, although commit \d+ wrote it/,
      ],
      [`UPDATE outcome SET at = 1 WHERE rowid = (SELECT min(rowid) FROM outcome)`, /outcome .*: its checksum/],
      [`UPDATE meta SET value = 'x' WHERE key = 'epoch'`, /meta epoch: its checksum/],
      [`INSERT INTO m_task_candidateGroup VALUES ('staff', 'nobody')`, /task nobody: there are values of it/],
    ];
    for (const [sql] of changes) database.exec(sql);
    database.close();
    const { code, lines } = checked(server.folder);
    assert.equal(code, 1);
    for (const [, found] of changes)
      assert.ok(
        lines.some((line) => found.test(line)),
        `${found}: ${lines.join('\n')}`,
      );
    assert.ok(lines.slice(0, -1).every((line) => line.startsWith(`${web}/log.db  `)));
  });

  it('does not miss what was removed meanwhile', () => {
    const folder = dataFolder();
    try {
      cpSync(server.folder, folder.path, { recursive: true });
      const lines: string[] = [];
      // The finding of one is told before another one is looked at.
      const code = check(folder.path, (line) => {
        lines.push(line);
        rmSync(join(folder.path, 'system'), { recursive: true, force: true });
      });
      assert.equal(code, 1);
      assert.deepEqual(
        lines.filter((line) => line.startsWith('system')),
        [],
      );
    } finally {
      folder.remove();
    }
  });

  it('refuses what is no folder', () => {
    assert.equal(checked(undefined).code, 2);
    assert.equal(checked(join(server.folder, 'nowhere')).code, 2);
  });
});
