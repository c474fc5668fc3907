import assert from 'node:assert/strict';
import { type GraphqlClient, refusal } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { deleteByJob } from './support/jobs.js';

const STANDARD = ['/content', '/etc', '/home', '/var', '/jcr:system'];

describe('what every workspace has', () => {
  let server: LiveServer;
  let admin: GraphqlClient;
  before(async () => {
    server = await liveServer();
    admin = server.as('admin');
  });
  after(() => server.remove());

  const create = (path: string, name: string, more: object = {}) =>
    admin.run('mutation ($input: CreateNodeInput!) { createNode(input: $input) { id path } }', {
      input: { path, name, nodeType: 'nt:unstructured', ...more },
    });
  const shown = async (path: string) => (await admin.run(`{ node(path: "${path}") { id } }`)).node?.id;

  for (const path of STANDARD) {
    it(`keeps ${path} where it is, whoever asks`, async () => {
      await create('/content', `target${path.replace(/\W/g, '-')}`);
      const dest = `/content/target${path.replace(/\W/g, '-')}`;
      for (const mutation of [
        `deleteNode(input: { path: "${path}" })`,
        `renameNode(input: { path: "${path}", name: "other" }) { path }`,
        `moveNode(input: { sourcePath: "${path}", destPath: "${dest === path ? '/etc' : dest}" }) { path }`,
      ]) {
        const refused = await refusal(admin.run(`mutation { ${mutation} }`));
        assert.equal(
          refused.errors[0]?.extensions.reason,
          path === '/jcr:system' ? 'access_denied' : 'standard_folder',
        );
      }
      assert.ok(await shown(path));
    });
  }

  it('says why it stays', async () => {
    const { message, errors } = await refusal(admin.run('mutation { deleteNode(input: { path: "/content" }) }'));
    assert.match(message, /'\/content' cannot be renamed, moved or deleted: every workspace has it/);
    assert.equal(errors[0]?.extensions.reason, 'standard_folder');
  });

  it('keeps what is in it when a delete job is to take all of it', async () => {
    await create('/content', 'kept', { mixins: ['mix:referenceable'] });
    for (const path of ['/content', '/']) {
      const { status, errorMessage } = await deleteByJob(admin, [path]);
      assert.equal(status, 'failed', path);
      assert.match(errorMessage ?? '', /cannot be/);
    }
    assert.ok(await shown('/content/kept'));
  });

  it('does not give way to an import that has its identifier', async () => {
    await admin.run('mutation { addMixin(path: "/etc", mixinType: "mix:referenceable") { id } }');
    const id = await shown('/etc');
    const xml = `<a xmlns:jcr="http://www.jcp.org/jcr/1.0" jcr:primaryType="nt:unstructured" jcr:mixinTypes="mix:referenceable" jcr:uuid="${id}"/>`;
    for (const uuidBehavior of ['REMOVE_EXISTING', 'REPLACE_EXISTING']) {
      const input = { path: '/content', xml, uuidBehavior };
      const refused = await refusal(
        admin.run('mutation ($input: ImportXmlInput!) { importXml(input: $input) { created } }', { input }),
      );
      assert.match(refused.message, /'\/etc' cannot be renamed, moved or deleted/);
    }
  });

  it('stays with what it has when nodes below it go', async () => {
    await create('/content', 'content');
    await admin.run('mutation { deleteNode(input: { path: "/content/content" }) }');
    assert.equal(await shown('/content/content'), undefined);
  });
});

describe("types that are the repository's own", () => {
  const OWN = [
    'nt:frozenNode',
    'nt:versionedChild',
    'nt:nodeType',
    'nt:propertyDefinition',
    'nt:childNodeDefinition',
    'nt:version',
    'nt:versionHistory',
    'nt:versionLabels',
    'mi:root',
    'mi:system',
    'mi:versionStorage',
  ];
  let server: LiveServer;
  let admin: GraphqlClient;
  before(async () => {
    server = await liveServer();
    admin = server.as('admin');
    await admin.run(
      'mutation { createNode(input: { path: "/content", name: "area", nodeType: "nt:unstructured" }) { id } }',
    );
    await admin.run(
      `mutation { registerNodeTypes(cnd: "<o='http://example.org/own'>\\n[o:frozen] > nt:frozenNode") { name } }`,
    );
  });
  after(() => server.remove());

  for (const nodeType of [...OWN, 'o:frozen']) {
    it(`${nodeType}: nobody makes a node of it`, async () => {
      const input = { path: '/content/area', name: 'forged', nodeType };
      const created = await refusal(
        admin.run('mutation ($input: CreateNodeInput!) { createNode(input: $input) { path } }', { input }),
      );
      assert.equal(created.code, 'BAD_REQUEST');
      assert.match(created.message, /made by the repository alone|only the repository changes it/);
      const xml = `<forged xmlns:jcr="http://www.jcp.org/jcr/1.0" jcr:primaryType="${nodeType}" xmlns:o="http://example.org/own"/>`;
      const imported = await refusal(
        admin.run('mutation ($input: ImportXmlInput!) { importXml(input: $input) { created } }', {
          input: { path: '/content/area', xml },
        }),
      );
      assert.match(imported.message, /line 1: .* (made by the repository alone|only the repository changes it)/);
    });
  }

  it('are not copied, and the root can still be changed', async () => {
    const copied = await refusal(
      admin.run('mutation { copyNode(input: { sourcePath: "/jcr:system", destPath: "/content/area" }) { path } }'),
    );
    assert.equal(copied.code, 'BAD_REQUEST');
    const { addMixin } = await admin.run('mutation { addMixin(path: "/", mixinType: "mix:title") { mixins } }');
    assert.deepEqual(addMixin.mixins, ['mix:title']);
  });
});
