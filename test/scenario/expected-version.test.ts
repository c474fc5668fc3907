import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { buildSchema, getNamedType, isInputObjectType } from 'graphql';
import { type GraphqlClient, refusal } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';

/** Each change of a node that is there, on a version that is not the present one. */
const CHANGES: Readonly<Record<string, string>> = {
  setProperties: '(path: "/content/n", properties: [], expectedVersion: 1) { errors { message } }',
  addMixin: '(input: { path: "/content/n", mixinType: "mix:title", expectedVersion: 1 }) { path }',
  deleteMixin: '(input: { path: "/content/n", mixinType: "mix:title", expectedVersion: 1 }) { path }',
  deleteNode: '(input: { path: "/content/n", expectedVersion: 1 })',
  renameNode: '(input: { path: "/content/n", name: "m", expectedVersion: 1 }) { path }',
  moveNode: '(input: { sourcePath: "/content/n", destPath: "/etc", expectedVersion: 1 }) { path }',
  copyNode: '(input: { sourcePath: "/content/n", destPath: "/etc", expectedVersion: 1 }) { path }',
  orderNode: '(input: { path: "/content/n/c", expectedVersion: 1 }) { path }',
  lockNode: '(input: { path: "/content/n", expectedVersion: 1 }) { path }',
  unlockNode: '(input: { path: "/content/n", expectedVersion: 1 })',
  refreshLock: '(input: { path: "/content/n", expectedVersion: 1 }) { path }',
  setAccessControl: '(input: { path: "/content/n", entries: [], expectedVersion: 1 }) { entries { allow } }',
  deleteAccessControl: '(input: { path: "/content/n", principal: "x", expectedVersion: 1 })',
  addVersionControl: '(input: { path: "/content/n", expectedVersion: 1 }) { path }',
  checkin: '(input: { path: "/content/v", expectedVersion: 1 }) { name }',
  checkout: '(input: { path: "/content/v", expectedVersion: 1 })',
  uncheckout: '(input: { path: "/content/v", expectedVersion: 1 })',
  checkpoint: '(input: { path: "/content/v", expectedVersion: 1 }) { name }',
  restoreVersion: '(input: { path: "/content/v", versionName: "1.0", expectedVersion: 1 }) { path }',
};

/** The mutations whose arguments or input have a version to expect; an upload makes files, and replaces one only when told to. */
function mutationsWithVersion(): string[] {
  const folder = 'src/graphql/schema/';
  const schema = buildSchema(
    readdirSync(folder)
      .map((file) => readFileSync(folder + file, 'utf8'))
      .join('\n'),
  );
  const fields = Object.values(schema.getMutationType()?.getFields() ?? {});
  const expects = fields.filter(({ args }) =>
    args.some(({ name, type }) => {
      const named = getNamedType(type);
      return name === 'expectedVersion' || (isInputObjectType(named) && 'expectedVersion' in named.getFields());
    }),
  );
  return expects.map(({ name }) => name).filter((name) => name !== 'completeMultipartUpload');
}

describe('a change on another version than the present one', () => {
  let server: LiveServer;
  let admin: GraphqlClient;
  before(async () => {
    server = await liveServer();
    admin = server.as('admin');
    for (const name of ['n', 'v'])
      await admin.run(
        `mutation { createNode(input: { path: "/content", name: "${name}", nodeType: "nt:unstructured" }) { path } }`,
      );
    await admin.run(
      'mutation { createNode(input: { path: "/content/n", name: "c", nodeType: "nt:unstructured" }) { path } addVersionControl(input: { path: "/content/v" }) { path } checkout(input: { path: "/content/v" }) }',
    );
  });
  after(() => server.remove());

  it('can be said of every mutation that changes a node', () => {
    assert.deepEqual(mutationsWithVersion().sort(), Object.keys(CHANGES).sort());
  });

  for (const [name, text] of Object.entries(CHANGES))
    it(`is refused: ${name}`, async () => {
      const refused = await refusal(admin.run(`mutation { ${name}${text} }`));
      assert.equal(refused.code, 'CONFLICT', refused.message);
      assert.match(refused.message, /expected version 1 of/);
    });
});
