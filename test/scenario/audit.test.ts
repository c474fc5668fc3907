import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { eventually } from '../support/eventually.js';
import type { GraphqlClient } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { sessionClient } from '../support/session-client.js';
import { endOf, filledJob, startJob } from './support/jobs.js';
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
  after(async () => {
    await server.end();
    rmSync(server.folder, { recursive: true });
  });

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

  it('has what was refused beside mutations: fields, files, and how often where it is a flood', async () => {
    const ann = server.as('ann', 'system');
    for (let n = 0; n < 30; n++) await assert.rejects(page('first: 1', ann), { code: 'FORBIDDEN' });
    const file = '/bin/download.cgi/web/content/x.txt';
    assert.equal((await fetch(`${server.baseUrl}${file}?property=jcr:data`, { headers: ann.headers })).status, 403);
    const refused = async () =>
      (await entries('user: "ann", first: 1000')).filter(({ outcome }) => outcome === 'FORBIDDEN');
    await eventually('all are there', async () => (await refused()).length >= 21);
    const all = await refused();
    assert.equal(all.filter(({ type }) => type === 'auditLog').length, 20);
    assert.deepEqual(
      all.filter(({ type }) => type !== 'auditLog').map(({ type, targets }) => [type, targets]),
      [['request', [file]]],
    );
  });

  it('has how long jobs ended', async () => {
    const web = server.as('admin');
    await web.run('mutation { createFolder(input: { path: "/content", name: "gone" }) { path } }');
    const jobId = await filledJob(web, 'DeleteNodes', ['/content/gone']);
    await startJob(web, 'DeleteNodes', { jobId });
    await endOf(web, jobId);
    await eventually('it is there', async () => (await entries('type: "delete"', web)).length === 1);
    const [{ targets, userId, outcome } = assert.fail()] = await entries('type: "delete"', web);
    assert.deepEqual([targets, userId, outcome], [[`job/${jobId}`], 'admin', 'DONE']);
  });

  it('has who signed out', async () => {
    await (await sessionClient(server, 'ann')).signOut();
    await eventually('it is there', async () => (await entries('user: "ann", type: "signOut"')).length === 1);
  });

  it('is for administrators', async () => {
    await assert.rejects(page('first: 1', server.as('ann', 'system')), { code: 'FORBIDDEN' });
  });

  it('goes on behind a cursor of before a restart', async () => {
    const one = await page('first: 5');
    const rest = await entries(`first: 1000, after: "${one.pageInfo.endCursor}"`);
    assert.ok(rest.length > 5);
    await server.end();
    server = await liveServer({ folder: server.folder });
    admin = server.as('admin', 'system');
    assert.deepEqual(await entries(`first: 1000, after: "${one.pageInfo.endCursor}"`), rest);
  });
});

describe('the audit log of a server that is killed under load', function () {
  this.timeout(120_000);
  const server = new KillableServer();
  after(() => server.remove());

  /** Makes folders, eight at a time, until the server is killed, which is when so many were made. */
  const makeUntilKilled = async (round: number, count: number): Promise<string[]> => {
    const admin = server.client('admin');
    const made: string[] = [];
    let n = 0;
    const makeOn = async () => {
      for (;;) {
        const name = `n${round}-${n++}`;
        const variables = { input: { path: '/content', name, nodeType: 'nt:folder' } };
        await admin.run('mutation ($input: CreateNodeInput!) { createNode(input: $input) { path } }', variables);
        made.push(`/content/${name}`);
        if (made.length === count) await server.end('SIGKILL');
      }
    };
    await Promise.all(Array.from({ length: 8 }, () => makeOn().catch(() => {})));
    return made;
  };

  it('has each change that was answered, and each that was made, once', async () => {
    const answered: string[] = [];
    for (let round = 0; round < 2; round++) {
      await server.start();
      answered.push(...(await makeUntilKilled(round, 60 + round)));
    }
    await server.start();
    const admin = server.client('admin');
    const { children } = await admin.run('{ children(path: "/content", first: 1000) { edges { node { path } } } }');
    const there = children.edges.map(({ node }) => node.path).filter((path) => path.startsWith('/content/n'));
    assert.ok(answered.every((path) => there.includes(path)) && answered.length >= 120);
    const read = async () => {
      const query = '{ auditLog(first: 1000, user: "admin", type: "createNode") { edges { node { targets } } } }';
      const { auditLog } = (await admin.run(query)) as unknown as {
        readonly auditLog: { readonly edges: readonly { readonly node: { readonly targets: readonly string[] } }[] };
      };
      return auditLog.edges.map(({ node }) => node.targets.find((path) => there.includes(path)) ?? 'another');
    };
    await eventually('it has gone on', async () => (await read()).length >= there.length);
    assert.deepEqual((await read()).toSorted(), there.toSorted());
  });
});
