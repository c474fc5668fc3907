import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GraphqlClient, refusal } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { deleteByJob } from './support/jobs.js';
import { placesOf } from './support/stored-names.js';
import { partitionOf } from './support/stored-trees.js';

const HOME = '/home/users/ann';
const PROFILE = `${HOME}/profile`;
const GROUP = '/home/groups/staff';
const XML = 'xmlns:jcr="http://www.jcp.org/jcr/1.0" xmlns:mi="http://www.mintjams.jp/jcr/1.0"';

describe('nodes that say who somebody is', () => {
  let server: LiveServer;
  let admin: GraphqlClient;
  let ann: GraphqlClient;
  let boss: GraphqlClient;
  before(async () => {
    server = await liveServer({ users: [{ userId: 'ann', groups: ['staff'] }, { userId: 'boss' }] });
    [admin, ann, boss] = ['admin', 'ann', 'boss'].map((name) => server.as(name, 'system')) as [
      GraphqlClient,
      GraphqlClient,
      GraphqlClient,
    ];
    await admin.run(
      'mutation { setAccessControl(path: "/", principal: "boss", privileges: ["jcr:all"]) { entries { principal } } }',
    );
    await boss.run('mutation { createFolder(path: "/content", name: "elsewhere") { path } }');
  });
  after(() => server.remove());

  const shown = async (path: string) => {
    const { node } = await admin.run(
      `{ node(path: "${path}") { id path nodeType mixins isLocked properties { name } } }`,
    );
    return node;
  };
  /** The mutations that a caller tries on a node with whatever may stand for its home. */
  const tries = (path: string, to: string): Readonly<Record<string, string>> => ({
    'sets a property': `setProperties(input: { path: "${path}", properties: [{ name: "enabled", value: { booleanValue: true } }] }) { errors { message } }`,
    'adds a mixin': `addMixin(path: "${path}", mixinType: "mix:title") { id }`,
    'makes it versionable': `addVersionControl(input: { path: "${path}" }) { path }`,
    'locks it': `lockNode(path: "${path}") { path }`,
    'sets its rights': `setAccessControl(path: "${path}", principal: "boss", privileges: ["jcr:all"]) { entries { principal } }`,
    'renames it': `renameNode(input: { path: "${path}", name: "other" }) { path }`,
    'moves it': `moveNode(input: { sourcePath: "${path}", destPath: "${to}" }) { path }`,
    'copies it': `copyNode(input: { sourcePath: "${path}", destPath: "${to}", name: "copy" }) { path }`,
    'deletes it': `deleteNode(input: { path: "${path}" })`,
  });

  for (const [what, path] of Object.entries({ 'its profile': PROFILE, 'its home': HOME })) {
    for (const tried of Object.keys(tries(path, ''))) {
      it(`are not the user's, who ${tried} (${what})`, async () => {
        const before = await shown(path);
        const { errors } = await ann.ask(`mutation { ${tries(path, `${HOME}/Desktop`)[tried]} }`);
        const told = errors ?? [];
        assert.deepEqual(await shown(path), before);
        if (tried !== 'sets a property') assert.ok(told.length > 0, 'it is refused');
        assert.equal((await admin.run(`{ node(path: "${HOME}/Desktop/copy") { id } }`)).node, null);
      });
    }
  }

  for (const path of [`${GROUP}/profile`, GROUP, '/home/groups', '/home']) {
    for (const tried of Object.keys(tries(path, ''))) {
      it(`are nobody's, be it an administrator, who ${tried} (${path})`, async () => {
        const before = [await shown(path), await shown(`${GROUP}/profile`)];
        const { errors = [] } = await admin.ask(`mutation { ${tries(path, '/content/elsewhere')[tried]} }`);
        assert.deepEqual([await shown(path), await shown(`${GROUP}/profile`)], before);
        if (tried !== 'sets a property') assert.ok(errors.length > 0, 'it is refused');
        assert.equal((await admin.run('{ node(path: "/content/elsewhere/copy") { id } }')).node, null);
      });
    }
  }

  it('are made by nobody, whatever the type is called', async () => {
    await boss.run(
      `mutation { registerNodeTypes(cnd: "<ex='http://example.com/'> [ex:mine] > mi:userProfile [ex:mark] > mi:identity mixin") { name } }`,
    );
    for (const nodeType of ['mi:userProfile', 'mi:userHome', 'mi:homes', 'ex:mine'])
      await refusal(
        boss.run(`mutation { createNode(input: { path: "/content", name: "x", nodeType: "${nodeType}" }) { path } }`),
      );
    for (const mixin of ['mi:identity', 'ex:mark'])
      await refusal(boss.run(`mutation { addMixin(path: "/content/elsewhere", mixinType: "${mixin}") { path } }`));
    const xml = `<x ${XML} jcr:primaryType="mi:userProfile" identifier="eve" isGroup="false" enabled="true" isService="false"/>`;
    for (const client of [boss, admin]) {
      const made = client.run(
        'mutation ($xml: String!) { importXml(input: { path: "/content", xml: $xml }) { created } }',
        {
          xml,
        },
      );
      assert.match((await refusal(made)).code, /^(FORBIDDEN|BAD_REQUEST)$/);
    }
    assert.equal((await admin.run('{ node(path: "/content/x") { id } }')).node, null);
  });

  it('stay in a transaction, and in a job, too', async () => {
    const moved = admin.run(
      `mutation { contentTransaction(operations: [{ createFolder: { path: "/content", name: "half" } }, { moveNode: { sourcePath: "${GROUP}", destPath: "/content/elsewhere" } }]) { results { ok } } }`,
    );
    assert.equal((await refusal(moved)).code, 'FORBIDDEN');
    assert.equal((await admin.run('{ node(path: "/content/half") { id } }')).node, null);
    const { status } = await deleteByJob(admin, [GROUP]);
    assert.equal(status, 'failed');
    assert.ok(await shown(`${GROUP}/profile`));
  });

  it('know no password, hashed or not, nor does anything else but the credentials', async () => {
    const secrets = ['zq7741first', 'zq7741second'] as const;
    const as = (password: string) => new GraphqlClient(admin.url, { userId: 'fay', password });
    const create = `mutation { createUser(input: { username: "fay", password: "${secrets[0]}" }) { errors { code } } }`;
    for (let times = 0; times < 2; times++)
      assert.equal((await admin.ask(create, { idempotencyKey: 'fay' })).data?.createUser.errors, null);
    const { changePassword } = await as(secrets[0]).run(
      `mutation { changePassword(input: { username: "fay", currentPassword: "${secrets[0]}", newPassword: "${secrets[1]}" }) { errors { code } } }`,
    );
    assert.equal(changePassword.errors, null);
    assert.equal((await as(secrets[1]).ask('{ __typename }')).status, 200);
    await admin.run('mutation { addVersionControl(input: { path: "/home/users/fay/Desktop" }) { path } }');
    const { exportXml, auditLog } = await admin.run(
      '{ exportXml(path: "/home", view: SYSTEM) auditLog(first: 100) { edges { node { type userId targets outcome } } } }',
    );
    const shown = `${exportXml} ${JSON.stringify(auditLog)}`;
    assert.ok(shown.includes('fay') && !/zq7741|argon2/.test(shown));
    const files = readdirSync(server.folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    const holding = (text: string) =>
      files.filter(({ parentPath, name }) => readFileSync(join(parentPath, name)).includes(text));
    for (const secret of secrets) assert.deepEqual(holding(secret), []);
    const places = [
      ...placesOf(server.folder, 'system', '$argon2'),
      ...placesOf(server.folder, partitionOf(server.folder), '$argon2'),
    ];
    assert.deepEqual(
      places.filter((place) => !place.startsWith('credential ')),
      [],
    );
    assert.ok(places.length > 0);
  });

  it('leave what lies beside them to the user', async () => {
    await ann.run(
      `mutation { createFolder(path: "${HOME}", name: "wallpapers") { path } setProperties(path: "${HOME}/preferences", properties: [{ name: "jcr:title", value: { stringValue: "Mine" } }]) { errors { message } } }`,
    );
    assert.equal((await ann.run(`mutation { deleteNode(input: { path: "${HOME}/wallpapers" }) }`)).deleteNode, true);
  });
});
