import assert from 'node:assert/strict';
import { type ApiReply, type GraphqlClient, Refused } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { Person } from './support/person.js';

describe('what belongs to one workspace', () => {
  let server: LiveServer;
  let here: GraphqlClient;
  let elsewhere: GraphqlClient;
  before(async () => {
    server = await liveServer();
    [here, elsewhere] = [server.as('admin'), server.as('admin', 'system')];
  });
  after(() => server.remove());

  const one = async (client: GraphqlClient, text: string): Promise<unknown> =>
    Object.values(await client.run(text))[0] as unknown;
  /** What is answered, or the code of the refusal. */
  const answer = (client: GraphqlClient, text: string) =>
    one(client, text).catch((thrown: unknown) =>
      thrown instanceof Refused ? thrown.code : assert.fail(String(thrown)),
    );

  it('is found by no id in another one, not even by an administrator', async () => {
    const instanceId = await new Person(here).start('invoice-approval', {
      invoiceNumber: '1',
      creditor: 'Mill',
      amount: 5_000,
    });
    const [task] = await new Person(here).tasks(instanceId);
    assert.ok(task !== undefined);
    const [definition] = (await here.run('{ processDefinitions { edges { node { id } } } }')).processDefinitions.edges;
    const { initiateMultipartUpload, initDeleteNodes } = await here.run(
      'mutation { initiateMultipartUpload { uploadId } initDeleteNodes(input: {}) { jobId } }',
    );
    const queries = [
      `processInstance(id: "${instanceId}") { id }`,
      `task(id: "${task.id}") { id }`,
      `processDefinitionXml(id: "${definition?.node.id}")`,
      `multipartUpload(uploadId: "${initiateMultipartUpload.uploadId}") { uploadId }`,
      `jobProgress(jobId: "${initDeleteNodes.jobId}") { jobId }`,
    ];
    for (const query of queries) {
      assert.notEqual(await one(here, `{ ${query} }`), null, query);
      assert.equal(await one(elsewhere, `{ ${query} }`), null, query);
    }
    const mutations = [
      (id: string) => `claimTask(taskId: "${id}") { id }`,
      (id: string) => `suspendProcessInstance(id: "${id}") { id }`,
      (id: string) => `abortMultipartUpload(input: { uploadId: "${id}" })`,
      (id: string) => `abortDeleteNodes(input: { jobId: "${id}" }) { jobId }`,
    ];
    const ids = [task.id, instanceId, initiateMultipartUpload.uploadId, initDeleteNodes.jobId];
    for (const [n, mutation] of mutations.entries()) {
      const id = ids[n] ?? '';
      // As where there is nothing of that id.
      const unknown = `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`;
      const nothing = await answer(elsewhere, `mutation { ${mutation(unknown)} }`);
      assert.deepEqual(await answer(elsewhere, `mutation { ${mutation(id)} }`), nothing, mutation(id));
      assert.notDeepEqual(await answer(here, `mutation { ${mutation(id)} }`), nothing, mutation(id));
    }
  });

  it('is downloaded in no other one, and no archive of it', async () => {
    await here.run(
      'mutation { createFile(path: "/content", name: "here.txt", mimeType: "text/plain", content: "aGk=") { path } }',
    );
    const { initDownloadArchive } = await here.run('mutation { initDownloadArchive(input: {}) { jobId } }');
    const status = async (path: string) => (await fetch(`${server.baseUrl}${path}`, { headers: here.headers })).status;
    assert.equal(await status('/bin/download.cgi/web/content/here.txt'), 200);
    assert.equal(await status('/bin/download.cgi/system/content/here.txt'), 404);
    assert.equal(await status(`/bin/download-archive.cgi/system/${initDownloadArchive.jobId}`), 404);
    assert.equal(await status('/bin/download.cgi/web%2f..%2fsystem/content/here.txt'), 400);
  });

  it('is done by keys of its own', async () => {
    const make = (client: GraphqlClient): Promise<ApiReply> =>
      client.ask('mutation { createFolder(path: "/content", name: "keyed") { id } }', { idempotencyKey: 'one' });
    const [first, second, again] = [await make(here), await make(elsewhere), await make(here)];
    assert.notEqual(first.data?.createFolder.id, second.data?.createFolder.id);
    assert.deepEqual(again.data, first.data);
  });
});
