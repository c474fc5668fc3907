import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { type BackupFacts, runBackup } from '../../src/server/backup/backup.js';
import { type DataFolder, dataFolder } from '../support/data-folder.js';
import { eventually } from '../support/eventually.js';
import { isOnRedis } from '../support/log-of-run.js';
import { clientOf } from '../support/server.js';
import { assertReplays } from './support/company.js';
import { endOf } from './support/jobs.js';
import { KillableServer } from './support/killable-server.js';
import { readiness } from './support/readiness.js';

// Slow: servers run on what is copied, too.

const CALLERS = 8;
const CREATE = 'mutation ($input: CreateFileInput!) { createFile(input: $input) { downloadUrl } }';

describe('a backup', function () {
  this.timeout(120_000);
  let server: KillableServer;
  let place: DataFolder;
  before(async () => {
    server = new KillableServer();
    await server.start();
  });
  beforeEach(() => {
    place = dataFolder();
  });
  afterEach(() => place.remove());
  after(() => server.remove());

  const backupTo = async (target: string) => {
    const lines: string[] = [];
    const code = await runBackup(server.folder, target, (line) => lines.push(line));
    return { code, said: lines.join('\n') };
  };
  const factsOf = (target: string) => JSON.parse(readFileSync(join(target, 'backup.json'), 'utf8')) as BackupFacts;
  /** A server on a copy of the backup. */
  const restored = async (target: string): Promise<KillableServer> => {
    const copy = new KillableServer();
    cpSync(target, copy.folder, { recursive: true });
    await copy.start();
    return copy;
  };
  const epochsIn = (folder: string) =>
    readdirSync(folder)
      .filter((name) => existsSync(join(folder, name, 'log.db')))
      .map((name) => {
        const log = new DatabaseSync(join(folder, name, 'log.db'), { readOnly: true });
        const epoch = log.prepare(`SELECT value FROM meta WHERE key = 'epoch'`).get()?.value;
        log.close();
        return epoch;
      });
  const create = async (of: KillableServer, name: string, bytes: Buffer) =>
    (
      await of
        .client('admin')
        .run(CREATE, { input: { path: '/content/backup', name, content: bytes.toString('base64') } })
    ).createFile.downloadUrl ?? '';
  const bytesAt = async (of: KillableServer, url: string) => {
    const { url: api, headers } = of.client('admin');
    const reply = await fetch(new URL(url, api), { headers });
    return { status: reply.status, bytes: Buffer.from(await reply.arrayBuffer()) };
  };

  if (isOnRedis) {
    it('of documents that are in Redis is refused, and says how', async () => {
      const { code, said } = await backupTo(join(place.path, 'copy'));
      assert.equal(code, 1);
      assert.match(said, /BGSAVE/);
      assert.deepEqual(readdirSync(place.path), []);
    });
    return;
  }

  it('made under load has all that was answered before it, is whole, and begins a history of its own', async () => {
    const answered: string[] = [];
    const files = new Map<string, Buffer>();
    let isOver = false;
    const caller = async (n: number) => {
      for (let i = 0; !isOver; i++) {
        answered.push(await server.person('sue').start('incident-handling', { summary: `${n}.${i}` }));
        if (i % 4 > 0) continue;
        const bytes = randomBytes(20_000);
        files.set(await create(server, `${n}-${i}.bin`, bytes), bytes);
      }
    };
    const callers = Promise.all(Array.from({ length: CALLERS }, (_, n) => caller(n)));
    while (answered.length < 40) await new Promise(setImmediate);
    const before = { instances: [...answered], files: new Map(files) };
    const target = join(place.path, 'copy');
    const { code, said } = await backupTo(target);
    isOver = true;
    await callers;
    assert.equal(code, 0, said);
    assert.ok(answered.length > before.instances.length, 'the callers went on');
    assert.deepEqual(
      readdirSync(target).filter((name) => !['blobs', 'backup.json', 'system'].includes(name)).length,
      1,
      'a workspace, and nothing of a server',
    );
    assert.equal(statSync(target).mode & 0o777, 0o700);
    await server.end('SIGKILL');
    await server.start();

    const copy = await restored(target);
    try {
      assert.equal((await readiness(copy.process.baseUrl)).status, 200);
      for (const id of before.instances)
        assert.equal((await copy.person('sue').task(id, 'assess')).processInstanceId, id);
      for (const [url, bytes] of before.files) assert.deepEqual((await bytesAt(copy, url)).bytes, bytes, url);
      for (const [url, bytes] of files) {
        const found = await bytesAt(copy, url);
        if (found.status !== 404) assert.deepEqual(found.bytes, bytes, `what is there of ${url} is whole`);
      }
      const id = before.instances[0] ?? '';
      await copy.person('sue').perform(id, 'assess', { affectsCustomers: false, securityRelevant: false });
      await copy.end();
      const epochs = epochsIn(copy.folder);
      assert.ok(epochs.every((epoch) => epoch !== undefined && !epochsIn(server.folder).includes(epoch)));
      assert.doesNotMatch(copy.process.logged(), /lost|damaged/);
      assertReplays(copy.folder);
      await copy.start();
      await copy.end();
      assert.deepEqual(epochsIn(copy.folder), epochs, 'the first start alone begins another history');
    } finally {
      await copy.remove();
    }
  });

  it('made while workspaces come and go has those that its `system` tells of', async () => {
    let isOver = false;
    let changes = 0;
    const asked = async (verb: 'create' | 'delete', name: string) => {
      const admin = server.client('admin');
      const mutation = `mutation { it: ${verb}Workspace(input: { name: "${name}" }) { jobId } }`;
      const { it } = (await admin.run(mutation)) as unknown as { readonly it: { readonly jobId: string } };
      assert.equal((await endOf(admin, it.jobId)).status, 'completed');
      changes++;
    };
    const caller = async (name: string) => {
      while (!isOver) {
        await asked('create', name);
        await asked('delete', name);
      }
    };
    const callers = Promise.all(['a', 'b', 'c', 'd'].map(caller));
    const targets = [1, 2].map((n) => join(place.path, `copy-${n}`));
    const outcomes: Awaited<ReturnType<typeof backupTo>>[] = [];
    for (const [i, target] of targets.entries()) {
      await eventually('they come and go', () => changes > 8 * i);
      outcomes.push(await backupTo(target));
    }
    isOver = true;
    await callers;
    assert.ok(changes > 10, `${changes} changes`);
    assert.deepEqual(
      outcomes.map(({ code, said }) => [code, code === 0 ? '' : said]),
      targets.map(() => [0, '']),
    );
    for (const target of targets) {
      const copy = await restored(target);
      try {
        assert.equal((await readiness(copy.process.baseUrl)).status, 200);
        const found = async () => {
          const query =
            '{ workspaces(first: 100) { edges { node { name state jobs { edges { node { ended } } } } } } }';
          return (await copy.client('admin').run(query)).workspaces.edges.map(({ node }) => node);
        };
        const rests = ({ state, jobs }: Awaited<ReturnType<typeof found>>[number]) =>
          state === 'ONLINE' && jobs.edges.every(({ node }) => node.ended !== null);
        await eventually('jobs that were going on are through', async () => (await found()).every(rests));
        for (const node of await found())
          assert.ok(
            (await clientOf(copy.process.baseUrl, 'admin', node.name).run('{ node(path: "/content") { path } }')).node,
            node.name,
          );
      } finally {
        await copy.remove();
      }
    }
  });

  it('can be restored twice: each time it is a history of its own', async () => {
    const target = join(place.path, 'copy');
    assert.equal((await backupTo(target)).code, 0);
    const [first, second] = [await restored(target), await restored(target)];
    await Promise.all([first.end(), second.end()]);
    const epochs = [...epochsIn(first.folder), ...epochsIn(second.folder)];
    assert.equal(new Set(epochs).size, epochs.length);
    await Promise.all([first.remove(), second.remove()]);
  });

  it('has the uploads that were going on, which go on', async () => {
    const bytes = randomBytes(10_000);
    const append = (of: KillableServer, uploadId: string, offset: number) =>
      of
        .client('admin')
        .run(
          'mutation ($input: AppendMultipartUploadChunkInput!) { appendMultipartUploadChunk(input: $input) { totalSize } }',
          { input: { uploadId, offset, data: bytes.subarray(offset, offset + 5_000).toString('base64') } },
        );
    const { uploadId } = (await server.client('admin').run('mutation { initiateMultipartUpload { uploadId } }'))
      .initiateMultipartUpload;
    await append(server, uploadId, 0);
    const target = join(place.path, 'copy');
    assert.equal((await backupTo(target)).code, 0);
    const copy = await restored(target);
    await append(copy, uploadId, 5_000);
    const { completeMultipartUpload: file } = await copy
      .client('admin')
      .run(
        'mutation ($input: CompleteMultipartUploadInput!) { completeMultipartUpload(input: $input) { downloadUrl } }',
        {
          input: { uploadId, path: '/content', name: 'went-on.bin', mimeType: 'application/octet-stream' },
        },
      );
    assert.deepEqual((await bytesAt(copy, file.downloadUrl ?? '')).bytes, bytes);
    await copy.remove();
  });

  it('says which blobs are damaged, and holds all others', async () => {
    const bytes = randomBytes(5_000);
    await create(server, 'damaged.bin', bytes);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const blob = join(server.folder, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256);
    writeFileSync(blob, 'x');
    const target = join(place.path, 'copy');
    const { code, said } = await backupTo(target);
    writeFileSync(blob, bytes);
    assert.equal(code, 1);
    assert.match(said, new RegExp(`blob ${sha256}: is damaged`));
    assert.deepEqual(factsOf(target).damaged, [sha256]);
    assert.ok(factsOf(target).blobs > 1);
  });

  it('takes the place of nothing, and leaves nothing half done', async () => {
    const full = join(place.path, 'full');
    mkdirSync(full);
    writeFileSync(join(full, 'mine'), '');
    assert.match((await backupTo(full)).said, /expected a folder that is empty/);
    assert.match((await backupTo(join(full, 'mine'))).said, /is there/);
    if (existsSync('/proc/self')) assert.match((await backupTo('/proc/copy')).said, /no backup was made: ENOENT/);
    assert.match((await backupTo(join(server.folder, 'copy'))).said, /outside of the data folder/);
    const lines: string[] = [];
    assert.equal(await runBackup(full, join(place.path, 'copy'), (line) => lines.push(line)), 1);
    assert.match(lines.join(), /expected a data folder/);
    assert.equal(await runBackup(full, undefined, (line) => lines.push(line)), 2);
    assert.deepEqual(readdirSync(place.path), ['full']);
    assert.equal(existsSync(join(server.folder, 'blobs', 'hold')), false);
    const empty = join(place.path, 'empty');
    mkdirSync(empty);
    assert.equal((await backupTo(empty)).code, 0);
  });

  it('of a server that is stopped is one, too', async () => {
    await server.end();
    const target = join(place.path, 'copy');
    assert.equal((await backupTo(target)).code, 0);
    const copy = await restored(target);
    assert.equal((await readiness(copy.process.baseUrl)).status, 200);
    await copy.remove();
  });
});
