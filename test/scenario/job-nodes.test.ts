import assert from 'node:assert/strict';
import { type GraphqlClient, refusal } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { unzipped } from '../support/unzipped.js';
import { zipped } from '../support/zipped.js';
import { archiveByJob, download, endOf, filledJob, importByJob, startJob } from './support/jobs.js';

const NODE =
  'query ($path: String!) { node(path: $path) { path id nodeType properties { name propertyValue { __typename ... on StringPropertyValue { value } ... on LongPropertyValue { value } } } } }';
const NAMES =
  'query ($path: String!, $first: Int, $after: String) { children(path: $path, first: $first, after: $after) { totalCount edges { cursor node { name path } } pageInfo { hasNextPage endCursor } } }';

describe('long jobs as nodes', () => {
  let server: LiveServer;
  let admin: GraphqlClient;
  let ann: GraphqlClient;
  before(async () => {
    server = await liveServer({ users: [{ userId: 'ann' }, { userId: 'bob' }] });
    admin = server.as('admin');
    ann = server.as('ann');
  });
  after(() => server.remove());

  const pathOf = (jobId: string): string => {
    const date = new Date(Number(jobId.split('-')[0]));
    return `/var/jobs/${date.getUTCFullYear()}/${String(date.getUTCMonth() + 1).padStart(2, '0')}/job-${jobId}`;
  };

  it('are below the month of their id, with what is told of them', async () => {
    const end = await archiveByJob(admin, ['/etc/i18n']);
    const { node } = await admin.run(NODE, { path: pathOf(end.jobId) });
    const told = Object.fromEntries(
      (node?.properties ?? []).map(({ name, propertyValue }) => [name, (propertyValue as { value?: unknown }).value]),
    );
    assert.equal(told.type, 'archive');
    assert.equal(told.status, 'completed');
    assert.equal(told.owner, 'admin');
    assert.equal(Number(told.itemsTotal), 1);
    const file = `${pathOf(end.jobId)}/archive.zip`;
    const bytes = Buffer.from(await (await download(admin, `/bin/download.cgi/web${file}`)).arrayBuffer());
    assert.ok((await unzipped(bytes)).has('.cms-archive/manifest.json'));
  });

  it('are paged, in the order of their ids', async () => {
    for (let n = 0; n < 5; n++) await filledJob(admin, 'DeleteNodes');
    const jobId = await filledJob(admin, 'DeleteNodes');
    const month = pathOf(jobId).slice(0, pathOf(jobId).lastIndexOf('/'));
    const years = await admin.run(NAMES, { path: '/var/jobs' });
    assert.deepEqual(
      years.children.edges.map(({ node }) => node.path),
      [month.slice(0, month.lastIndexOf('/'))],
    );
    assert.deepEqual(
      (await admin.run(NAMES, { path: years.children.edges[0]?.node.path })).children.edges.map(
        ({ node }) => node.path,
      ),
      [month],
    );
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const { children } = await admin.run(NAMES, { path: month, first: 2, after });
      seen.push(...children.edges.map(({ node }) => node.name));
      after = children.pageInfo.hasNextPage ? (children.pageInfo.endCursor ?? null) : null;
    } while (after !== null);
    assert.ok(seen.length >= 7);
    assert.deepEqual(seen, seen.toSorted());
    assert.equal(new Set(seen).size, seen.length);
  });

  it('are for their owner and for administrators', async () => {
    const end = await archiveByJob(ann, ['/content']);
    const path = pathOf(end.jobId);
    assert.equal((await ann.run(NODE, { path })).node?.path, path);
    assert.equal((await admin.run(NODE, { path })).node?.path, path);
    assert.equal((await server.as('bob').run(NODE, { path })).node, null);
    assert.equal((await ann.run(NODE, { path: '/var/jobs' })).node, null);
  });

  it('are nobody’s to write', async () => {
    const jobId = await filledJob(admin, 'DeleteNodes');
    const path = pathOf(jobId);
    assert.equal(
      (await refusal(admin.run('mutation ($path: String!) { deleteNode(input: { path: $path }) }', { path }))).code,
      'FORBIDDEN',
    );
    const create = 'mutation ($path: String!) { createFolder(input: { path: $path, name: "x" }) { id } }';
    assert.equal((await refusal(admin.run(create, { path: '/var/jobs' }))).code, 'FORBIDDEN');
    assert.ok(['FORBIDDEN', 'BAD_REQUEST'].includes((await refusal(admin.run(create, { path }))).code));
    assert.equal((await admin.run(NODE, { path })).node?.path, path);
  });

  it('keep the ZIP of an import, which can be imported again', async () => {
    const zip = await zipped({ 'a.txt': 'a' });
    const dry = await importByJob(admin, zip, { destinationPath: '/content/twice', dryRun: true });
    const jobId = await filledJob(admin, 'ImportArchive');
    await startJob(admin, 'ImportArchive', {
      jobId,
      archivePath: `${pathOf(dry.jobId)}/source.zip`,
      destinationPath: '/content/twice',
    });
    assert.equal((await endOf(admin, jobId)).status, 'completed');
    assert.equal((await admin.run(NODE, { path: '/content/twice/a.txt' })).node?.nodeType, 'nt:file');
    assert.equal((await admin.run(NODE, { path: `${pathOf(dry.jobId)}/source.zip` })).node?.nodeType, 'nt:file');
  });
});
