import assert from 'node:assert/strict';
import { eventually } from '../support/eventually.js';
import type { GraphqlClient } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';

const model = (key: string, name: string) => `<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" id="d" targetNamespace="t">
  <process id="${key}" name="${name}" isExecutable="true">
    <startEvent id="s"/><sequenceFlow id="f" sourceRef="s" targetRef="e"/><endEvent id="e"/>
  </process>
</definitions>`;

describe('models in the tree', () => {
  let server: LiveServer;
  let admin: GraphqlClient;
  before(async () => {
    server = await liveServer({ users: [{ userId: 'ann' }] });
    admin = server.as('admin');
  });
  after(() => server.remove());

  const put = async (path: string, name: string, text: string) => {
    const content = Buffer.from(text).toString('base64');
    await admin.run('mutation ($input: CreateFileInput!) { createFile(input: $input) { id } }', {
      input: { path, name, content, mimeType: 'application/bpmn+xml' },
    });
  };
  const replace = async (path: string, name: string, text: string) => {
    const { initiateMultipartUpload } = await admin.run('mutation { initiateMultipartUpload { uploadId } }');
    const { uploadId } = initiateMultipartUpload;
    const data = Buffer.from(text).toString('base64');
    await admin.run(
      'mutation ($input: AppendMultipartUploadChunkInput!) { appendMultipartUploadChunk(input: $input) { totalSize } }',
      { input: { uploadId, data } },
    );
    return admin.ask(
      'mutation ($input: CompleteMultipartUploadInput!) { completeMultipartUpload(input: $input) { id } }',
      { variables: { input: { uploadId, path, name, mimeType: 'application/bpmn+xml', overwrite: true } } },
    );
  };
  const versions = async (key: string) => {
    const { processDefinitions } = await admin.run(
      'query ($key: String) { processDefinitions(key: $key) { edges { node { version name } } } }',
      { key },
    );
    return processDefinitions.edges.map(({ node }) => `${node.version} ${node.name}`);
  };
  const problem = async (path: string) => {
    const { node } = await admin.run(
      'query ($path: String!) { node(path: $path) { properties { name propertyValue { ... on StringPropertyValue { value } } } } }',
      { path },
    );
    const found = node?.properties.find(({ name }) => name === 'mi:deploymentProblem');
    return (found?.propertyValue as { value?: string } | undefined)?.value;
  };
  const incidents = async () => {
    const { incidents: open } = await admin.run(
      '{ incidents(incidentType: "failedDeployment") { edges { node { message } } } }',
    );
    return open.edges.map(({ node }) => node.message ?? '');
  };

  it('are the samples, each a file with a definition or a decision', async () => {
    const { children } = await admin.run('{ children(path: "/etc/bpm/processes") { totalCount } }');
    const { processDefinitions, decisionDefinitions } = await admin.run(
      '{ processDefinitions { totalCount } decisionDefinitions { totalCount } }',
    );
    assert.deepEqual([children.totalCount, processDefinitions.totalCount, decisionDefinitions.totalCount], [6, 5, 1]);
    const { node } = await admin.run('{ node(path: "/etc/bpm/processes/invoice-approval.bpmn") { mimeType } }');
    assert.equal(node?.mimeType, 'application/bpmn+xml');
  });

  for (const root of ['/etc/bpm/processes', '/content/WEB-INF/processes']) {
    it(`are deployed when they come to ${root}, and again only when their bytes change`, async () => {
      const key = root.startsWith('/etc') ? 'tree-one' : 'tree-two';
      await put(`${root}/deep/er`, `${key}.bpmn`, model(key, 'first'));
      await eventually('it is deployed', async () => (await versions(key)).length === 1);
      await replace(`${root}/deep/er`, `${key}.bpmn`, model(key, 'first'));
      await admin.run('mutation ($path: String!) { renameNode(input: { path: $path, name: "elsewhere" }) { id } }', {
        path: `${root}/deep`,
      });
      await replace(`${root}/elsewhere/er`, `${key}.bpmn`, model(key, 'second'));
      await eventually('it is deployed again', async () => (await versions(key)).length === 2);
      await replace(`${root}/elsewhere/er`, `${key}.bpmn`, model(key, 'first'));
      await eventually('the first is back as the third', async () => (await versions(key)).length === 3);
      assert.deepEqual(await versions(key), ['3 first', '2 second', '1 first']);
    });
  }

  it('that cannot be deployed say why, and leave the last good version in force', async () => {
    const path = '/etc/bpm/processes';
    await put(path, 'bad.bpmn', model('tree-bad', 'good'));
    await eventually('it is deployed', async () => (await versions('tree-bad')).length === 1);
    await replace(path, 'bad.bpmn', '<no model');
    await eventually('the file shows the problem', async () => (await problem(`${path}/bad.bpmn`)) !== undefined);
    assert.equal((await incidents()).length, 1);
    assert.match((await incidents())[0] ?? '', /bad\.bpmn/);
    assert.deepEqual(await versions('tree-bad'), ['1 good']);
    await replace(path, 'bad.bpmn', model('tree-bad', 'better'));
    await eventually('the problem is gone', async () => (await problem(`${path}/bad.bpmn`)) === undefined);
    assert.deepEqual(await incidents(), []);
    assert.deepEqual(await versions('tree-bad'), ['2 better', '1 good']);
  });

  it('show what in them is not executed, as long as it is so', async () => {
    const path = '/etc/bpm/processes';
    const warnings = async () => {
      const { node } = await admin.run(
        `query ($path: String!) { node(path: $path) { properties { name propertyValue {
          ... on StringPropertyValueArray { values } } } } }`,
        { path: `${path}/warned.bpmn` },
      );
      const found = node?.properties.find(({ name }) => name === 'mi:deploymentWarnings');
      return (found?.propertyValue as { values?: string[] } | undefined)?.values;
    };
    const warned = model('tree-warned', 'one').replace(
      '<startEvent id="s"/>',
      '<startEvent id="s" camunda:nonsense="1" xmlns:camunda="http://camunda.org/schema/1.0/bpmn"/>',
    );
    await put(path, 'warned.bpmn', warned);
    await eventually('the file shows its warnings', async () => (await warnings()) !== undefined);
    assert.deepEqual(await warnings(), ["line 4, column 24: start event 's' has camunda:nonsense, which is not known"]);
    assert.deepEqual([await versions('tree-warned'), await problem(`${path}/warned.bpmn`)], [['1 one'], undefined]);
    await put(path, 'twin.bpmn', warned);
    await replace(path, 'warned.bpmn', model('tree-warned', 'two').replace('isExecutable="true"', ''));
    await eventually('the drawing alone is warned of', async () => /tick/.test((await warnings())?.join() ?? ''));
    assert.deepEqual(await versions('tree-warned'), ['1 one'], 'the last one stays in force');
    await replace(path, 'warned.bpmn', model('tree-warned', 'three'));
    await eventually('nothing is to be warned of', async () => (await warnings()) === undefined);
    assert.deepEqual(await versions('tree-warned'), ['2 three', '1 one']);
  });

  it('that cannot be deployed are told in the answer of the upload, too', async () => {
    const path = '/etc/bpm/processes';
    const create = 'mutation ($input: CreateFileInput!) { createFile(input: $input) { id } }';
    const content = Buffer.from('<no model').toString('base64');
    const sent = (folder: string) =>
      admin.ask(create, { variables: { input: { path: folder, name: 'told.bpmn', content } } });
    const { data, extensions } = await sent(path);
    assert.ok(data?.createFile.id);
    assert.equal(extensions?.refusedModels?.[0]?.path, `${path}/told.bpmn`);
    assert.match(extensions?.refusedModels?.[0]?.problem ?? '', /resource 'told.bpmn'/);
    assert.equal((await sent('/content')).extensions?.refusedModels, undefined);
    assert.ok((await replace(path, 'told.bpmn', '<still none')).extensions?.refusedModels);
    const { extensions: good } = await replace(path, 'told.bpmn', model('told', 'told'));
    assert.equal(good?.refusedModels, undefined);
    assert.deepEqual(await versions('told'), ['1 told']);
    assert.deepEqual(await incidents(), []);
  });

  describe('that cannot be deployed are told in the answer of whatever stores them:', () => {
    const ROOT = '/etc/bpm/processes';
    const IN = `${ROOT}/in`;
    const BAD = '<no model';
    const bytes = Buffer.from(BAD).toString('base64');
    const bad = ['in/bad.bpmn'];
    const told = async (mutation: string, client = admin) => {
      const { errors, extensions } = await client.ask(`mutation { ${mutation} }`);
      assert.equal(errors, undefined, JSON.stringify(errors));
      for (const { problem } of extensions?.refusedModels ?? []) assert.match(problem, /resource '\w+.bpmn'/);
      return extensions?.refusedModels?.map(({ path }) => path.slice(ROOT.length + 1));
    };
    const remove = (path: string) =>
      admin.run('mutation ($path: String!) { deleteNode(input: { path: $path }) }', { path });
    beforeEach(async () => {
      await admin.run(`mutation { createFolder(path: "${ROOT}", name: "in") { id } }`);
      await put('/content/out', 'bad.bpmn', BAD);
      await put('/content/out', 'bad.txt', BAD);
      await put('/content/out/below', 'good.bpmn', model('told-good', 'good'));
      await put('/content/out/below/deep', 'bad.bpmn', BAD);
    });
    afterEach(async () => {
      for (const path of [IN, '/content/out']) await remove(path);
    });

    it('setProperties', async () => {
      await put(IN, 'bad.bpmn', model('told-set', 'set'));
      const set = (path: string) =>
        told(
          `setProperties(path: "${path}", properties: [{ name: "jcr:data", value: { binaryValue: "${bytes}" } }]) { errors { message } }`,
        );
      assert.deepEqual(await set(`${IN}/bad.bpmn`), bad);
      assert.deepEqual(await set(`${IN}/bad.bpmn/jcr:content`), bad);
    });

    it('moveNode, renameNode and copyNode, of files and of folders', async () => {
      const copied = `copyNode(input: { sourcePath: "/content/out/bad.bpmn", destPath: "${IN}" }) { id }`;
      const moved = (what: string) =>
        `moveNode(input: { sourcePath: "/content/out/${what}", destPath: "${IN}" }) { id }`;
      assert.deepEqual(await told(copied), bad);
      assert.deepEqual(await told(moved('below')), ['in/below/deep/bad.bpmn']);
      assert.equal(await told(moved('bad.txt')), undefined);
      const renamed = `renameNode(input: { path: "${IN}/bad.txt", name: "other.bpmn" }) { id }`;
      assert.deepEqual(await told(renamed), ['in/other.bpmn']);
      assert.equal((await told(`renameNode(input: { path: "${IN}", name: "in2" }) { id }`))?.length, 3);
      await remove(`${ROOT}/in2`);
    });

    it('importXml and createNode', async () => {
      const content = `<jcr:content jcr:primaryType="nt:resource" jcr:mimeType="a/b" jcr:data="${bytes}"/>`;
      const xml = `<bad.bpmn xmlns:jcr="http://www.jcp.org/jcr/1.0" xmlns:nt="http://www.jcp.org/jcr/nt/1.0" jcr:primaryType="nt:file">${content}</bad.bpmn>`;
      assert.deepEqual(await told(`importXml(input: { path: "${IN}", xml: ${JSON.stringify(xml)} }) { created }`), bad);
      const file = `{ createNode: { path: "${IN}", name: "made.bpmn", nodeType: "nt:file" } }`;
      const data = `properties: [{ name: "jcr:data", value: { binaryValue: "${bytes}" } }, { name: "jcr:mimeType", value: { stringValue: "a/b" } }]`;
      const made = `{ createNode: { path: "${IN}/made.bpmn", name: "jcr:content", nodeType: "nt:resource", ${data} } }`;
      assert.deepEqual(await told(`contentTransaction(operations: [${file}, ${made}]) { results { ok } }`), [
        'in/made.bpmn',
      ]);
    });

    it('restoreVersion and uncheckout', async () => {
      const path = `${IN}/bad.bpmn`;
      await put(IN, 'bad.bpmn', BAD);
      await admin.run(`mutation { addVersionControl(input: { path: "${path}" }) { id } }`);
      await admin.run(`mutation { checkout(input: { path: "${path}" }) }`);
      await replace(IN, 'bad.bpmn', model('told-restored', 'one'));
      assert.deepEqual(await told(`uncheckout(input: { path: "${path}" })`), bad);
      assert.deepEqual(await told(`restoreVersion(input: { path: "${path}", versionName: "1.0" }) { id }`), bad);
    });

    it('contentTransaction, each once, and none that the caller may not read', async () => {
      const create = `{ createFile: { path: "${IN}", name: "a.bpmn", content: "${bytes}" } }`;
      const moved = `{ moveNode: { sourcePath: "/content/out/below", destPath: "${IN}" } }`;
      const renamed = `{ renameNode: { path: "${IN}/a.bpmn", name: "bad.bpmn" } }`;
      const all = `contentTransaction(operations: [${create}, ${moved}, ${renamed}]) { results { ok } }`;
      assert.deepEqual(await told(all), ['in/bad.bpmn', 'in/below/deep/bad.bpmn']);
      const allow = (path: string, more: string) =>
        admin.run(`mutation { setAccessControl(path: "${path}", principal: "ann", ${more}) { entries { allow } } }`);
      await allow(ROOT, 'privileges: ["jcr:all"]');
      await allow(`${IN}/below/deep`, 'privileges: ["jcr:read"], allow: false');
      const ann = server.as('ann');
      assert.deepEqual(await told(`renameNode(input: { path: "${IN}", name: "in3" }) { id }`, ann), ['in3/bad.bpmn']);
      await remove(`${ROOT}/in3`);
    });
  });

  it('of which one is removed stay deployed', async () => {
    await admin.run('mutation { deleteNode(input: { path: "/etc/bpm/processes/bad.bpmn" }) }');
    assert.equal((await versions('tree-bad')).length, 2);
  });
});
