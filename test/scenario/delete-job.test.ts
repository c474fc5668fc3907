import assert from 'node:assert/strict';
import { type GraphqlClient, refusal } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { deleteByJob, endOf, filledJob, jobIn, REF, startJob } from './support/jobs.js';

const FOLDER = 'mutation ($path: String!, $name: String!) { createFolder(input: { path: $path, name: $name }) { id } }';
const FILE =
  'mutation ($path: String!, $name: String!) { createFile(input: { path: $path, name: $name, content: "aGVsbG8=" }) { id } }';
const NODE = 'query ($path: String!) { node(path: $path) { path } }';

describe('jobs that delete', () => {
  let server: LiveServer;
  let admin: GraphqlClient;
  let ann: GraphqlClient;
  before(async () => {
    server = await liveServer({ users: [{ userId: 'ann' }, { userId: 'bob' }] });
    admin = server.as('admin');
    ann = server.as('ann');
  });
  after(() => server.remove());

  const folder = (path: string, name: string) => admin.run(FOLDER, { path, name });
  const file = (path: string, name: string) => admin.run(FILE, { path, name });
  const isThere = async (path: string) => (await admin.run(NODE, { path })).node !== null;

  it('delete the paths in their order, skip missing ones, and count files and folders', async () => {
    await folder('/content/d1', 'a');
    await file('/content/d1/a', 'x.txt');
    await file('/content/d1/a', 'y.txt');
    await file('/content/d1', 'z.txt');
    const end = await deleteByJob(admin, ['/content/d1/a', '/content/d1/missing', '/content/d1/z.txt']);
    assert.equal(end.status, 'completed');
    assert.equal(Number(end.itemsTotal), 3);
    assert.equal(Number(end.itemsProcessed), 3);
    assert.equal(Number(end.itemsDeleted), 4);
    assert.equal(await isThere('/content/d1/a'), false);
    assert.equal(await isThere('/content/d1'), true);
  });

  it('stop at a node that another one refers to; what was deleted stays deleted', async () => {
    await folder('/content/d2/f', 'a');
    await folder('/content/d2/f', 'b');
    await folder('/content/d2/f', 'c');
    await file('/content/d2', 'last.txt');
    const { node } = await admin.run('query { node(path: "/content/d2/f/b") { id } }');
    await admin.run('mutation { addMixin(path: "/content/d2/f/b", mixinType: "mix:referenceable") { id } }');
    const set =
      'mutation ($id: ID!) { createNode(input: { path: "/content", name: "ref", nodeType: "nt:unstructured", properties: [{ name: "to", value: { referenceValue: $id } }] }) { id } }';
    await admin.run(set, { id: node?.id });
    const end = await deleteByJob(admin, ['/content/d2/f', '/content/d2/last.txt']);
    assert.equal(end.status, 'failed');
    assert.match(end.errorMessage ?? '', /d2\/f\/b.*refers to it/);
    assert.equal(await isThere('/content/d2/f/a'), false);
    assert.equal(await isThere('/content/d2/f/b'), true);
    assert.equal(await isThere('/content/d2/last.txt'), false, 'what something refers to waits for the others');
  });

  it('delete nodes that refer to each other, whichever comes first', async () => {
    const ids = new Map<string, string>();
    const make = async (path: string) => {
      const at = path.lastIndexOf('/');
      const input = {
        path: path.slice(0, at),
        name: path.slice(at + 1),
        nodeType: 'nt:unstructured',
        mixins: ['mix:referenceable'],
      };
      const made = await admin.run('mutation ($input: CreateNodeInput!) { createNode(input: $input) { id } }', {
        input,
      });
      ids.set(path, made.createNode.id);
    };
    const refer = (from: string, to: string) =>
      admin.run(
        'mutation ($path: String!, $to: ID!) { setProperties(path: $path, properties: [{ name: "to", value: { referenceValue: $to } }]) { errors { message } } }',
        { path: from, to: ids.get(to) },
      );
    await make('/content/d5');
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
      await make(`/content/d5/${name}`);
      await make(`/content/d5/${name}/in`);
    }
    const paths = ['a', 'b', 'c', 'd'].map((name) => `/content/d5/${name}`);
    // a ⇄ b, and d → c → b/in.
    await refer('/content/d5/a/in', '/content/d5/b');
    await refer('/content/d5/b', '/content/d5/a/in');
    await refer('/content/d5/c', '/content/d5/b/in');
    await refer('/content/d5/d/in', '/content/d5/c');
    const end = await deleteByJob(admin, paths);
    assert.equal(end.status, 'completed', end.errorMessage ?? '');
    assert.equal(Number(end.itemsDeleted), 8);
    assert.equal(Number(end.itemsProcessed), 4);
    for (const path of paths) assert.equal(await isThere(path), false, path);
    await refer('/content/d5/e', '/content/d5/f');
    await refer('/content/d5/f', '/content/d5/e');
    await make('/content/d5/outside');
    await refer('/content/d5/outside', '/content/d5/f');
    const failed = await deleteByJob(admin, ['/content/d5/e', '/content/d5/f']);
    assert.equal(failed.status, 'failed');
    assert.match(
      failed.errorMessage ?? '',
      /'\/content\/d5\/f' cannot be removed: '\/content\/d5\/outside' refers to it/,
    );
    assert.equal(await isThere('/content/d5/e'), true);
  });

  it('stop at a node that somebody else has locked', async () => {
    for (const name of ['a', 'b', 'c']) await folder('/content/d4/f', name);
    await admin.run(
      'mutation { setAccessControl(input: { path: "/content/d4", principal: "ann", privileges: ["jcr:all"] }) { entries { principal } } }',
    );
    await admin.run('mutation { lockNode(input: { path: "/content/d4/f/b" }) { path } }');
    const end = await deleteByJob(ann, ['/content/d4/f']);
    assert.equal(end.status, 'failed');
    assert.match(end.errorMessage ?? '', /'\/content\/d4\/f\/b' to be unlocked, but admin holds a lock/);
    assert.equal(await isThere('/content/d4/f/a'), false);
    assert.equal(await isThere('/content/d4/f/c'), true);
  });

  it('run with the rights of whoever made them', async () => {
    await folder('/content', 'd3');
    const end = await deleteByJob(ann, ['/content/d3']);
    assert.equal(end.status, 'failed');
    assert.match(end.errorMessage ?? '', /not granted/);
    assert.equal(await isThere('/content/d3'), true);
  });

  it('delete a large folder piece by piece, while others are answered', async () => {
    await folder('/content', 'large');
    for (let i = 0; i < 260; i += 20) {
      const fields = Array.from(
        { length: 20 },
        (_, n) => `f${n}: createFolder(input: { path: "/content/large/s${i}", name: "n${n}" }) { id }`,
      );
      await admin.run(`mutation { ${fields.join(' ')} }`);
    }
    const end = await deleteByJob(admin, ['/content/large']);
    assert.equal(end.status, 'completed');
    assert.equal(Number(end.itemsDeleted), 260 + 13 + 1);
    assert.equal(await isThere('/content/large'), false);
  });

  it('refuse what they are not given as they should be', async () => {
    const jobId = await filledJob(admin, 'DeleteNodes');
    assert.equal((await refusal(startJob(admin, 'DeleteNodes', { jobId }))).code, 'UNAVAILABLE');
    const append =
      'mutation ($jobId: ID!, $paths: [String!]!) { job: appendDeleteNodes(input: { jobId: $jobId, paths: $paths }) { jobId status itemsAccepted itemsTotal } }';
    const many = Array.from({ length: 101 }, (_, n) => `/content/n${n}`);
    assert.equal((await refusal(admin.run(append, { jobId, paths: many }))).code, 'BAD_REQUEST');
    const appended = jobIn(await admin.run(append, { jobId, paths: ['/content/nothing', ' ', ''] }));
    assert.equal(Number(appended.itemsAccepted), 1);
    assert.equal((await refusal(ann.run(append, { jobId, paths: ['/x'] }))).code, 'FORBIDDEN');
    const started = await startJob(admin, 'DeleteNodes', { jobId });
    assert.deepEqual([started.status, Number(started.itemsTotal)], ['queued', 1]);
    assert.equal((await refusal(startJob(admin, 'DeleteNodes', { jobId }))).code, 'UNAVAILABLE');
    assert.equal((await refusal(startJob(admin, 'DownloadArchive', { jobId, filename: 'x' }))).code, 'BAD_REQUEST');
    assert.equal((await refusal(startJob(admin, 'DeleteNodes', { jobId: '1767225600000-0a1b' }))).code, 'BAD_REQUEST');
    await endOf(admin, jobId);
  });

  it('are aborted at once before they start', async () => {
    const jobId = await filledJob(admin, 'DeleteNodes', ['/content/d1']);
    const aborted = jobIn(
      await admin.run(`mutation ($jobId: ID!) { job: abortDeleteNodes(input: { jobId: $jobId }) { ${REF} } }`, {
        jobId,
      }),
    );
    assert.equal(aborted.status, 'aborted');
    assert.equal(await isThere('/content/d1'), true);
  });
});
