import assert from 'node:assert/strict';
import { eventually } from '../support/eventually.js';
import type { GraphqlClient } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { KillableServer } from './support/killable-server.js';

interface Entry {
  readonly userId: string;
  readonly type: string;
  readonly targets: readonly string[];
  readonly outcome: string;
}

describe('the audit log', () => {
  let server: LiveServer;
  let admin: GraphqlClient;
  before(async () => {
    server = await liveServer({ users: [{ userId: 'ann' }] });
    admin = server.as('admin', 'system');
  });
  after(() => server.remove());

  const page = async (args: string, as = admin) => {
    const data = await as.run(
      `{ it: auditLog(${args}) { edges { cursor node { timestamp userId type targets outcome address } } pageInfo { hasNextPage endCursor } } }`,
    );
    return (
      data as unknown as {
        readonly it: {
          readonly edges: readonly { readonly node: Entry }[];
          readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
        };
      }
    ).it;
  };
  const entries = async (args: string, as = admin) => (await page(args, as)).edges.map(({ node }) => node);
  const short = (all: readonly Entry[]) => all.map(({ userId, type, outcome }) => `${userId} ${type} ${outcome}`);
  const createUser = 'mutation ($input: CreateUserInput!) { createUser(input: $input) { errors { code } } }';
  const setAnew = 'mutation ($input: ResetPasswordInput!) { resetPassword(input: $input) { errors { code } } }';

  it('says who did what, who was refused, and who signed in, and holds no secret', async () => {
    await admin.run(createUser, { input: { username: 'bob', password: 'hidden-1' } });
    await admin.run(setAnew, { input: { username: 'bob', newPassword: 'hidden-2' } });
    await server.as('ann', 'system').run(setAnew, { input: { username: 'bob', newPassword: 'hidden-3' } });
    await assert.rejects(server.as('nobody', 'system').run('{ me { username } }'));
    await eventually('all are there', async () => (await entries('user: "admin", type: "resetPassword"')).length === 1);
    assert.deepEqual(short(await entries('first: 20, type: "resetPassword"')).toSorted(), [
      'admin resetPassword DONE',
      'ann resetPassword ACCESS_DENIED',
    ]);
    const [made] = await entries('user: "admin", type: "createUser"');
    assert.ok(made?.targets.some((target) => target.startsWith('/home/users/bob')));
    assert.deepEqual((await entries('user: "ann", type: "resetPassword"'))[0]?.targets, ['bob']);
    assert.deepEqual(short(await entries('user: "nobody"')), ['nobody signIn UNAUTHORIZED']);
    assert.ok(short(await entries('first: 50')).includes('ann signIn DONE'));
    assert.ok(!JSON.stringify(await entries('first: 1000')).includes('hidden'));
  });

  it('is read page by page, and by time', async () => {
    const all = await entries('first: 1000');
    const one = await page('first: 2');
    assert.ok(one.pageInfo.hasNextPage);
    const two = await entries(`first: 1000, after: "${one.pageInfo.endCursor}"`);
    assert.deepEqual([...one.edges.map(({ node }) => node), ...two], all);
    assert.deepEqual(await entries('to: "2000-01-01T00:00:00Z"'), []);
    await assert.rejects(page(`first: 2, user: "ann", after: "${one.pageInfo.endCursor}"`), { code: 'BAD_REQUEST' });
  });

  it('is for administrators', async () => {
    await assert.rejects(page('first: 1', server.as('ann', 'system')), { code: 'FORBIDDEN' });
  });
});

describe('the audit log of a server that is killed', () => {
  const server = new KillableServer();
  after(() => server.remove());

  it('has each change that was answered, once', async () => {
    const names: string[] = [];
    for (let round = 0; round < 3; round++) {
      await server.start();
      const admin = server.client('admin');
      for (let n = 0; n < 10; n++) {
        const name = `n${round}-${n}`;
        const variables = { input: { path: '/content', name, nodeType: 'nt:folder' } };
        await admin.run('mutation ($input: CreateNodeInput!) { createNode(input: $input) { path } }', variables);
        names.push(`/content/${name}`);
      }
      await server.end('SIGKILL');
    }
    await server.start();
    const read = async () => {
      const query = '{ auditLog(first: 1000, user: "admin", type: "createNode") { edges { node { targets } } } }';
      const { auditLog } = (await server.client('admin').run(query)) as unknown as {
        readonly auditLog: { readonly edges: readonly { readonly node: { readonly targets: readonly string[] } }[] };
      };
      return auditLog.edges.flatMap(({ node }) => node.targets.filter((path) => names.includes(path)));
    };
    await eventually('it has gone on', async () => (await read()).length >= names.length);
    assert.deepEqual((await read()).toSorted(), names.toSorted());
  });
});
