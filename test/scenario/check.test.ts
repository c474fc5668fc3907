import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { cpSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { runBackup } from '../../src/server/backup/backup.js';
import { check } from '../../src/server/check.js';
import { dataFolder } from '../support/data-folder.js';
import type { GraphqlClient } from '../support/graphql-client.js';
import { isOnRedis } from '../support/log-of-run.js';
import { type Company, openCompany } from './support/company.js';

describe('the check of a data folder', function () {
  this.timeout(120_000);
  let company: Company;
  let admin: GraphqlClient;
  let sha256: string;
  const made = dataFolder();
  before(async function () {
    if (isOnRedis) return this.skip();
    company = await openCompany({ clock: 'system' });
    admin = company.people.admin.client;
    const instance = await company.people.sue.start('incident-handling', { summary: 'one' });
    await company.people.sue.perform(instance, 'assess', { affectsCustomers: false, securityRelevant: false });
    const bytes = randomBytes(5_000);
    sha256 = createHash('sha256').update(bytes).digest('hex');
    const run = (field: string, input: object) =>
      admin.run(
        `mutation ($input: ${field[0]?.toUpperCase()}${field.slice(1)}Input!) { ${field}(input: $input) { __typename } }`,
        { input },
      );
    await run('createFile', { path: '/content/files', name: 'a.bin', content: bytes.toString('base64') });
    await run('createNode', {
      path: '/content',
      name: 'target',
      nodeType: 'nt:unstructured',
      mixins: ['mix:referenceable'],
    });
    const id = String((await admin.run('{ node(path: "/content/target") { id } }')).node?.id);
    await run('createNode', {
      path: '/content',
      name: 'holder',
      nodeType: 'nt:unstructured',
      properties: [{ name: 'to', value: { referenceValue: id } }],
    });
    await run('addVersionControl', { path: '/content/holder' });
    await admin.run('mutation { checkout(input: { path: "/content/holder" }) }');
    await run('checkin', { path: '/content/holder' });
  });
  after(async () => {
    if (isOnRedis) return;
    await company.server.remove();
    made.remove();
  });

  const checked = (folder: string) => {
    const lines: string[] = [];
    const code = check(folder, (line) => lines.push(line));
    return { code, lines: lines.slice(0, -1) };
  };
  let copies = 0;
  /** A copy of the folder as it is now, and the log of its workspace. */
  const copied = async () => {
    const folder = join(made.path, `copy-${copies++}`);
    const lines: string[] = [];
    assert.equal(await runBackup(company.server.folder, folder, (line) => lines.push(line)), 0, lines.join());
    const workspace = readdirSync(folder).find((name) => !['system', 'blobs', 'backup.json'].includes(name)) ?? '';
    return { folder, workspace, path: join(folder, workspace, 'log.db') };
  };
  const changed = (path: string, ...sql: string[]) => {
    const log = new DatabaseSync(path);
    for (const one of sql) log.exec(one);
    log.close();
  };

  it('finds nothing beside a server that works, in a backup, and in a folder that is stopped', async () => {
    assert.deepEqual(checked(company.server.folder), { code: 0, lines: [] });
    const { folder } = await copied();
    assert.deepEqual(checked(folder), { code: 0, lines: [] });
  });

  for (const [what, sql, expected] of [
    ['a task row is gone', [`DELETE FROM d_task`], /processInstance \S+: token \d+ waits for task '/],
    ['an instance is gone', [`DELETE FROM d_processInstance`], /task \S+: its process instance '.*' is not there/],
    ['a timer is gone', [`DELETE FROM d_job`], /processInstance \S+: token \d+ waits for job '/],
    [
      'the parent of a node is gone',
      [`DELETE FROM d_node WHERE c_name = 'files'`],
      /node \S+: its parent '.*' is not there/,
    ],
    ['what a node refers to is gone', [`DELETE FROM d_node WHERE c_name = 'target'`], /node \S+: it refers to node '/],
    [
      'a node hangs nowhere',
      [`UPDATE d_node SET body = json_set(body, '$.parent', null), c_parent = NULL WHERE c_name = 'target'`],
      /node \S+: it is not in the tree, and nothing says why/,
    ],
    [
      'two nodes have one name',
      [
        'DROP INDEX "i_node_name"',
        `UPDATE d_node SET c_name = 'target', body = json_set(body, '$.name', 'target') WHERE c_name = 'holder'`,
      ],
      /node \S+: node '.*' beside it has the same name, 'target'/,
    ],
    ['a version is gone', [`DELETE FROM d_version`], /node \S+: its base version '/],
    ['what was frozen is gone', ['DELETE FROM d_frozenNode'], /frozenChunk \S+: what was frozen of node '/],
    [
      'a part of a frozen tree is gone',
      ['DELETE FROM d_frozenChunk'],
      /frozenTree \S+: a part of it, '.*', is not there/,
    ],
    ['the root is gone', [`DELETE FROM d_node WHERE c_name = ''`], /the root of the tree is not there/],
  ] as const) {
    it(`names it where ${what}`, async () => {
      const { folder, path, workspace } = await copied();
      changed(path, ...sql);
      const { code, lines } = checked(folder);
      assert.equal(code, 1);
      const found = lines.filter((line) => expected.test(line));
      assert.ok(found.length > 0, lines.join('\n'));
      assert.ok(found.every((line) => line.startsWith(`${workspace}/log.db  `)));
    });
  }

  it('names blobs that are damaged, or missing', async () => {
    const { folder, workspace } = await copied();
    const file = join('blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256);
    writeFileSync(join(folder, file), 'x');
    assert.deepEqual(checked(folder), {
      code: 1,
      lines: [`${file}  blob ${sha256}: holds other bytes than were written`],
    });
    rmSync(join(folder, file));
    const { code, lines } = checked(folder);
    assert.equal(code, 1);
    assert.match(
      lines.join('\n'),
      new RegExp(`^${file} {2}blob ${sha256}: is missing, although node '\\S+' of ${workspace} holds it$`),
    );
  });

  it('notices a backup that was damaged, as the start on it does', async () => {
    const { folder, path } = await copied();
    truncateSync(path, 200_000);
    const { code, lines } = checked(folder);
    assert.equal(code, 1);
    assert.match(lines.join('\n'), /log.db {2}file: it was cut/);
    const other = join(made.path, 'cut');
    cpSync(folder, other, { recursive: true });
    const without = await openCompany({ folder: other });
    const STATE = '{ workspace(name: "web") { state stateMessage } }';
    const [told, untold] = await Promise.all(
      ['admin', 'ann'].map(async (who) => (await without.server.as(who, 'system').run(STATE)).workspace),
    );
    await without.server.end();
    assert.equal(told?.state, 'FAILED');
    assert.match(told?.stateMessage ?? '', /was cut/);
    assert.deepEqual(untold, { state: 'FAILED', stateMessage: null }, 'it names files of the server');
  });
});
