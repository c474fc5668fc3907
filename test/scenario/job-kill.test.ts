import assert from 'node:assert/strict';
import { eventually } from '../support/eventually.js';
import { unzipped } from '../support/unzipped.js';
import { zipped } from '../support/zipped.js';
import { archiveByJob, download, endOf, filledJob, importByJob, startJob, uploaded } from './support/jobs.js';
import { KillableServer } from './support/killable-server.js';

// Slow: servers are killed within each kind of long job.

const COUNT = 'query ($path: String!) { children(path: $path, first: 1) { totalCount } }';
const PROGRESS = 'query ($jobId: ID!) { jobProgress(job: $jobId) { status itemsDeleted itemsArchived itemsImported } }';

describe('long jobs of a server that is killed', function () {
  this.timeout(120_000);
  let server: KillableServer;
  before(async () => {
    server = new KillableServer();
    await server.start();
  });
  after(() => server.remove());

  const FILES = 900;
  const files = (text: string): Record<string, string> =>
    Object.fromEntries(Array.from({ length: FILES }, (_, n) => [`f${Math.floor(n / 100)}/n${n}.txt`, `${text} ${n}`]));
  const filled = async () => {
    const end = await importByJob(server.client('admin'), await zipped(files('first')), {
      destinationPath: '/content/many',
    });
    assert.equal(end.status, 'completed', end.errorMessage ?? '');
  };
  const count = async (path: string) => Number((await server.client('admin').run(COUNT, { path })).children.totalCount);
  const progressOf = async (jobId: string) => (await server.client('admin').run(PROGRESS, { jobId })).jobProgress;
  const killedWhile = async (what: string, holds: () => Promise<boolean>) => {
    await eventually(what, holds);
    await server.end('SIGKILL');
    await server.start();
  };

  it('make their archive anew', async () => {
    await filled();
    const admin = server.client('admin');
    const jobId = await filledJob(admin, 'DownloadArchive', ['/content/many']);
    await startJob(admin, 'DownloadArchive', { jobId, filename: 'many' });
    await killedWhile('some of it is written', async () => Number((await progressOf(jobId))?.itemsArchived ?? 0) >= 25);
    const end = await endOf(server.client('admin'), jobId);
    assert.equal(end.status, 'completed', end.errorMessage ?? '');
    const reply = await download(server.client('admin'), end.downloadUrl ?? '');
    const entries = await unzipped(Buffer.from(await reply.arrayBuffer()));
    assert.equal([...entries.keys()].filter((name) => name.endsWith('.txt')).length, FILES);
  });

  it('go on deleting what was archived', async () => {
    const admin = server.client('admin');
    const jobId = await filledJob(admin, 'DeleteNodes', ['/content/many']);
    await startJob(admin, 'DeleteNodes', { jobId });
    await killedWhile('some of it is gone', async () => Number((await progressOf(jobId))?.itemsDeleted ?? 0) >= 100);
    const end = await endOf(server.client('admin'), jobId);
    assert.equal(end.status, 'completed', end.errorMessage ?? '');
    const { node } = await server.client('admin').run('{ node(path: "/content/many") { id } }');
    assert.equal(node, null);
  });

  it('leave nothing of an import that is aborted', async () => {
    const admin = server.client('admin');
    const archivePath = await uploaded(admin, await zipped(files('x')));
    const jobId = await filledJob(admin, 'ImportArchive');
    await startJob(admin, 'ImportArchive', { jobId, archivePath, destinationPath: '/content/none' });
    await eventually('some of it is staged', async () => Number((await progressOf(jobId))?.itemsImported ?? 0) >= 25);
    await admin.run('mutation ($jobId: ID!) { abortImportArchive(input: { jobId: $jobId }) { status } }', {
      jobId,
    });
    const end = await endOf(admin, jobId);
    const { node } = await admin.run('{ node(path: "/content/none") { id } }');
    assert.equal(node === null, end.status === 'aborted', `it is ${end.status}`);
    assert.equal(end.status, 'aborted');
    const archived = await archiveByJob(admin, ['/content']);
    assert.equal(archived.status, 'completed');
  });

  it('import all of it once, or nothing', async () => {
    const admin = server.client('admin');
    const archivePath = await uploaded(admin, await zipped(files('x')));
    const jobId = await filledJob(admin, 'ImportArchive');
    await startJob(admin, 'ImportArchive', { jobId, archivePath, destinationPath: '/content/all' });
    await killedWhile('some of it is staged', async () => Number((await progressOf(jobId))?.itemsImported ?? 0) >= 200);
    const end = await endOf(server.client('admin'), jobId);
    assert.equal(end.status, 'completed', end.errorMessage ?? '');
    assert.equal(Number(end.itemsNew), FILES);
    assert.equal(await count('/content/all'), 9);
    assert.equal(await count('/content/all/f3'), 100);
  });
});
