import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { buildSchema, type GraphQLField, getNamedType, isInputObjectType } from 'graphql';
import { type GraphqlClient, refusal } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';

/**
 * Every field of the content API that takes a path, and how it is asked: what it answers for a node that the caller may not read must be
 * what it answers for none. A new field adds a line; one for each of its paths.
 */
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  exportXml: ['exportXml(path: "PATH", view: SYSTEM)'],
  versionHistory: ['versionHistory(path: "PATH") { versionableUuid }'],
  node: ['node(path: "PATH") { path id }'],
  apps: ['apps(path: "PATH") { totalCount edges { node { path } } }'],
  children: [
    'children(path: "PATH") { totalCount edges { node { path } } }',
    'children(path: "PATH", first: 0) { totalCount }',
  ],
  references: ['references(path: "PATH") { totalCount edges { node { path } } }'],
  accessControl: ['accessControl(path: "PATH") { path entries { allow } }'],
  effectiveAccessControl: ['effectiveAccessControl(path: "PATH") { path }'],
  privileges: ['privileges(path: "PATH")'],
};

const MUTATIONS: Readonly<Record<string, readonly string[]>> = {
  createFolder: [
    'createFolder(input: { path: "PATH", name: "x", createParents: false }) { path }',
    'createFolder(path: "PATH", name: "x", createParents: false) { path }',
  ],
  createFile: ['createFile(path: "PATH", name: "x", content: "", createParents: false) { path }'],
  createNode: ['createNode(input: { path: "PATH", name: "x", nodeType: "nt:folder" }) { path }'],
  deleteNode: ['deleteNode(input: { path: "PATH" })', 'deleteNode(input: { path: "PATH", expectedVersion: 1 })'],
  renameNode: ['renameNode(input: { path: "PATH", name: "x" }) { path }'],
  moveNode: [
    'moveNode(input: { sourcePath: "PATH", destPath: "/content" }) { path }',
    'moveNode(input: { sourcePath: "/content/list", destPath: "PATH" }) { path }',
  ],
  copyNode: [
    'copyNode(input: { sourcePath: "PATH", destPath: "/content/list", name: "x" }) { path }',
    'copyNode(input: { sourcePath: "/content/list", destPath: "PATH" }) { path }',
    'copyNode(input: { sourcePath: "PATH", destPath: "/content/list", sourceWorkspace: "web" }) { path }',
    'copyNode(input: { sourcePath: "/content", destPath: "PATH", sourceWorkspace: "system" }) { path }',
  ],
  orderNode: [
    'orderNode(input: { path: "PATH" }) { path }',
    'orderNode(input: { path: "/content/list/a", before: "NAME" }) { path }',
  ],
  setProperties: [
    'setProperties(path: "PATH", properties: [{ name: "a", value: { stringValue: "b" } }]) { node { path } errors { message } }',
    'setProperties(path: "PATH", properties: [{ name: "a", value: {} }]) { node { path } errors { message } }',
    'setProperties(path: "PATH", properties: []) { node { path } errors { message } }',
  ],
  addMixin: ['addMixin(path: "PATH", mixinType: "mix:title") { path }'],
  deleteMixin: ['deleteMixin(path: "PATH", mixinType: "mix:title") { path }'],
  setAccessControl: ['setAccessControl(path: "PATH", entries: []) { entries { allow } }'],
  deleteAccessControl: ['deleteAccessControl(path: "PATH", principal: "x")'],
  lockNode: [
    'lockNode(path: "PATH") { path }',
    'lockNode(path: "PATH", isDeep: true, timeout: 3) { path }',
    'lockNode(path: "PATH", timeout: 0) { path }',
  ],
  unlockNode: ['unlockNode(input: { path: "PATH", lockToken: "x" })'],
  refreshLock: ['refreshLock(input: { path: "PATH" }) { path }'],
  addVersionControl: ['addVersionControl(input: { path: "PATH" }) { path }'],
  checkin: ['checkin(input: { path: "PATH" }) { name }'],
  checkout: ['checkout(input: { path: "PATH" })'],
  uncheckout: ['uncheckout(input: { path: "PATH" })'],
  checkpoint: ['checkpoint(input: { path: "PATH" }) { name }'],
  restoreVersion: [
    'restoreVersion(input: { path: "PATH", versionName: "1.0" }) { path }',
    'restoreVersion(input: { path: "PATH", label: "x" }) { path }',
  ],
  addVersionLabel: ['addVersionLabel(input: { path: "PATH", versionName: "1.0", label: "x" }) { name }'],
  removeVersionLabel: ['removeVersionLabel(input: { path: "PATH", label: "x" }) { name }'],
  deleteVersion: ['deleteVersion(input: { path: "PATH", versionName: "1.0" })'],
  importXml: ['importXml(input: { path: "PATH", xml: "<a/>" }) { created }'],
  startDownloadArchive: [
    'startDownloadArchive(input: { jobId: "DOWNLOAD", filename: "x", basePath: "PATH" }) { status }',
  ],
  startImportArchive: [
    'startImportArchive(input: { jobId: "IMPORT", archivePath: "PATH", destinationPath: "/content" }) { status }',
    'startImportArchive(input: { jobId: "IMPORT", archivePath: "/content/list", destinationPath: "PATH" }) { status }',
  ],
};

/** Fields that make what is missing on the way: they are asked by whoever may make nothing. Who may must learn that a name is taken. */
const MAKING: Readonly<Record<string, readonly string[]>> = {
  createFolder: ['createFolder(path: "PATH", name: "x") { path }'],
  createFile: ['createFile(path: "PATH", name: "x", content: "") { path }'],
  completeMultipartUpload: [
    'completeMultipartUpload(input: { uploadId: "UPLOAD", path: "PATH", name: "x", mimeType: "a/b" }) { path }',
    'completeMultipartUpload(input: { uploadId: "UPLOAD", path: "/content", name: "NAME", mimeType: "a/b", overwrite: true }) { path }',
    'completeMultipartUpload(input: { uploadId: "UPLOAD", path: "/content", name: "NAME", mimeType: "a/b" }) { path }',
  ],
};

const FOLDER = 'src/graphql/schema/';

/** The fields of the content API with a path among their arguments. */
function fieldsWithPaths(): string[] {
  const sdl = readdirSync(FOLDER).map((file) => ({ file, text: readFileSync(FOLDER + file, 'utf8') }));
  const schema = buildSchema(sdl.map(({ text }) => text).join('\n'));
  const content = sdl.filter(({ file }) => file.startsWith('content-') || file === 'upload.graphql');
  const isContent = (name: string) => content.some(({ text }) => new RegExp(`^  ${name}\\b`, 'm').test(text));
  const takesPath = ({ args }: GraphQLField<unknown, unknown>) =>
    args.some(({ name, type }) => {
      const named = getNamedType(type);
      return [name, ...(isInputObjectType(named) ? Object.keys(named.getFields()) : [])].some((it) =>
        /path$/i.test(it),
      );
    });
  const roots = [schema.getQueryType(), schema.getMutationType()];
  return roots.flatMap((root) =>
    Object.values(root?.getFields() ?? {})
      .filter((field) => isContent(field.name) && takesPath(field))
      .map(({ name }) => name),
  );
}

describe('a node that may not be read', () => {
  let server: LiveServer;
  let admin: GraphqlClient;
  /** May do everything in /content, but not read what is private. */
  let ann: GraphqlClient;
  /** May only read. */
  let bob: GraphqlClient;
  before(async () => {
    server = await liveServer({ users: [{ userId: 'ann' }, { userId: 'bob' }] });
    admin = server.as('admin');
    ann = server.as('ann');
    bob = server.as('bob');
    const create = (path: string, name: string, nodeType: string) =>
      admin.run(
        `mutation { createNode(input: { path: "${path}", name: "${name}", nodeType: "${nodeType}" }) { path } }`,
      );
    const grant = (path: string, principal: string, privilege: string, allow = true) =>
      admin.run(
        `mutation { setAccessControl(path: "${path}", principal: "${principal}", privileges: ["${privilege}"], allow: ${allow}) { entries { allow } } }`,
      );
    await create('/content', 'private', 'nt:folder');
    await create('/content/private', 'inner', 'nt:folder');
    await create('/content', 'list', 'nt:unstructured');
    for (const name of ['a', 'private']) await create('/content/list', name, 'nt:unstructured');
    await admin.run('mutation { addMixin(path: "/content/private", mixinType: "mix:referenceable") { path } }');
    await grant('/content', 'ann', 'jcr:all');
    await grant('/content/private', 'everyone', 'jcr:read', false);
    await grant('/content/list/private', 'everyone', 'jcr:read', false);
  });
  after(() => server.remove());

  /** The whole answer as text. */
  const answer = async (client: GraphqlClient, document: string) => {
    const response = await fetch(client.url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...client.headers },
      body: JSON.stringify({ query: document }),
    });
    // Every commit has a place of its own.
    return (await response.text()).replace(/,"extensions":\{"position":"[^"]*"\}/, '');
  };
  const upload = async (client: GraphqlClient) => {
    const { initiateMultipartUpload } = await client.run('mutation { initiateMultipartUpload { uploadId } }');
    return initiateMultipartUpload.uploadId;
  };
  const importJob = async (client: GraphqlClient) =>
    (await client.run('mutation { initImportArchive(input: {}) { jobId } }')).initImportArchive.jobId;
  const downloadJob = async (client: GraphqlClient, path: string) => {
    const { initDownloadArchive } = await client.run('mutation { initDownloadArchive(input: {}) { jobId } }');
    await client.run(
      'mutation ($id: ID!, $paths: [String!]!) { appendDownloadArchive(input: { jobId: $id, paths: $paths }) { jobId } }',
      { id: initDownloadArchive.jobId, paths: [path] },
    );
    return initDownloadArchive.jobId;
  };
  const documentOf = async (client: GraphqlClient, field: string, name: string, path: string) => {
    const uploadId = field.includes('UPLOAD') ? await upload(client) : '';
    const imported = field.includes('IMPORT') ? await importJob(client) : '';
    const download = field.includes('DOWNLOAD') ? await downloadJob(client, path) : '';
    const ids = field.replaceAll('UPLOAD', uploadId).replaceAll('IMPORT', imported).replaceAll('DOWNLOAD', download);
    return ids.replaceAll('PATH', path).replaceAll('NAME', name);
  };

  /** The answers for what is not there and for what is hidden, letter by letter. */
  const compare = async (client: GraphqlClient, kind: string, field: string) => {
    for (const below of ['', '/inner']) {
      const [missing = '', hidden = ''] = await Promise.all(
        ['missing', 'private'].map(async (name) =>
          answer(client, `${kind} { ${await documentOf(client, field, name, `/content/${name}${below}`)} }`),
        ),
      );
      assert.equal(hidden, missing.replaceAll('missing', 'private'));
      assert.match(hidden, /"data"|"errors"/);
      assert.doesNotMatch(hidden, /GRAPHQL_VALIDATION_FAILED|INTERNAL_ERROR/);
    }
  };

  for (const [name, documents] of Object.entries(QUERIES)) {
    it(`is not there for ${name}`, async () => {
      for (const document of documents) for (const client of [ann, bob]) await compare(client, 'query', document);
    });
  }

  for (const [name, documents] of Object.entries(MUTATIONS)) {
    it(`is not there for ${name}`, async () => {
      for (const document of documents) for (const client of [ann, bob]) await compare(client, 'mutation', document);
    });
  }

  for (const [name, documents] of Object.entries(MAKING)) {
    it(`is not there for ${name}, where nothing may be made`, async () => {
      for (const document of documents) await compare(bob, 'mutation', document);
    });
  }

  it('takes its name, which is said without its id to whoever could make a node there', async () => {
    const TAKEN = [
      'createFolder(path: "/content", name: "private") { path }',
      'createFolder(path: "/content/private/inner", name: "x") { path }',
      'createFile(path: "/content", name: "private", content: "") { path }',
      'createNode(input: { path: "/content", name: "private", nodeType: "nt:folder" }) { path }',
      'renameNode(input: { path: "/content/list", name: "private" }) { path }',
      'moveNode(input: { sourcePath: "/content/list", destPath: "/content", name: "private" }) { path }',
      'copyNode(input: { sourcePath: "/content/list", destPath: "/content", name: "private" }) { path }',
    ];
    for (const field of TAKEN) {
      const { errors } = await ann.ask(`mutation { ${field} }`);
      assert.equal(errors?.[0]?.extensions.code, 'ALREADY_EXISTS', field);
      assert.equal(errors?.[0]?.extensions.resourceId, undefined);
      assert.equal((await refusal(bob.run(`mutation { ${field} }`))).code, 'FORBIDDEN', field);
    }
  });

  it('is in no list, no count and no path', async () => {
    const { children } = await ann.run('{ children(path: "/content/list") { totalCount edges { node { name } } } }');
    assert.deepEqual(children, { totalCount: 1, edges: [{ node: { name: 'a' } }] });
    const { node } = await admin.run('{ node(path: "/content/private") { uuid } }');
    const value = { weakReferenceValue: node?.uuid };
    const SET =
      'mutation ($value: PropertyValueInput!) { setProperties(path: "/content/list", properties: [{ name: "to", value: $value }]) { errors { message } } }';
    await admin.run(SET, { value });
    const PROPERTY =
      '{ node(path: "/content/list") { properties { propertyValue { ... on WeakreferencePropertyValue { value path } } } } }';
    const seen = await ann.run(PROPERTY);
    assert.deepEqual(seen.node?.properties, [{ propertyValue: { value: node?.uuid, path: null } }]);
    const strong = (id: string | null | undefined) => ann.run(SET, { value: { referenceValue: id } });
    const nowhere = '00000000-0000-7000-8000-00000000ffff';
    const [hidden, missing] = [await strong(node?.uuid), await strong(nowhere)];
    assert.equal(
      hidden.setProperties.errors[0]?.message.replace(node?.uuid ?? '', nowhere),
      missing.setProperties.errors[0]?.message,
    );
  });

  it('is not named by the refusal to delete what is above it', async () => {
    await admin.run('mutation { createFolder(path: "/content/above/secret", name: "deeper") { path } }');
    for (const privileges of [
      '["jcr:read", "jcr:removeNode"]',
      '["jcr:read", "jcr:removeNode", "jcr:removeChildNodes"]',
    ])
      await admin.run(
        `mutation { setAccessControl(path: "/content/above/secret", principal: "everyone", privileges: ${privileges}, allow: false) { entries { allow } } }`,
      );
    const { errors } = await ann.ask('mutation { deleteNode(input: { path: "/content/above" }) }');
    assert.equal(errors?.[0]?.extensions.code, 'FORBIDDEN');
    assert.equal(
      errors?.[0]?.message,
      "expected jcr:removeNode at something below '/content/above', but it is not granted",
    );
    assert.equal(errors?.[0]?.extensions.resourceId, undefined);
  });

  it('tells nobody who has locked it', async () => {
    await admin.run('mutation { createFolder(path: "/content/office/desk", name: "drawer") { path } }');
    await admin.run('mutation { lockNode(path: "/content/office/desk/drawer") { path } }');
    await admin.run(
      'mutation { setAccessControl(path: "/content/office/desk", principal: "everyone", privileges: ["jcr:read"], allow: false) { entries { allow } } }',
    );
    for (const field of [
      'deleteNode(input: { path: "/content/office" })',
      'lockNode(path: "/content/office", isDeep: true) { path }',
    ]) {
      const { errors } = await ann.ask(`mutation { ${field} }`);
      assert.equal(errors?.[0]?.extensions.code, 'CONFLICT');
      assert.match(errors?.[0]?.message ?? '', /somebody/);
      assert.doesNotMatch(JSON.stringify(errors), /admin|desk|drawer|resourceId/);
    }
  });

  it('is asked for by every field that takes a path', () => {
    const asked = new Set([QUERIES, MUTATIONS, MAKING].flatMap((table) => Object.keys(table)));
    assert.deepEqual(
      fieldsWithPaths().filter((name) => !asked.has(name)),
      [],
      'a line in the tables of this file for each of these fields',
    );
  });
});
