import assert from 'node:assert/strict';
import { GraphqlClient, refusal } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { type SessionClient, sessionClient } from '../support/session-client.js';
import { endOf } from './support/jobs.js';

const SESSIONS = '{ mySessions { id username isCurrent address agent } }';
/** A stream that has begun; its text, when it has ended. */
async function follow({ url, headers }: GraphqlClient): Promise<{ readonly text: Promise<string> }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json', Accept: 'text/event-stream' },
    body: JSON.stringify({ query: 'subscription { avatarChanged { userId } }' }),
  });
  assert.equal(response.status, 200);
  return { text: response.text().catch(() => '') };
}

const users = ['ann', 'bob', 'cleo', 'dora', 'eve'].map((userId) => ({ userId }));

describe('sessions', () => {
  let server: LiveServer;
  let admin: GraphqlClient;
  before(async () => {
    server = await liveServer({ users, env: { MILLRACE_SIGN_IN_FAILURES_PER_ACCOUNT_MAX: '3' } });
    admin = server.as('admin', 'system');
  });
  after(() => server.remove());

  const signIn = (userId: string, workspace = 'system') => sessionClient(server, userId, workspace);
  const change = async (name: string, input: object, shown: string, as = admin) => {
    const Input = `${name[0]?.toUpperCase()}${name.slice(1)}Input`;
    const query = `mutation ($input: ${Input}!) { it: ${name}(input: $input) { ${shown} errors { code field } } }`;
    return ((await as.run(query, { input })) as unknown as { readonly it: Record<string, unknown> }).it;
  };
  const isSignedIn = async (client: SessionClient) => (await client.ask('{ me { username } }')).status === 200;
  const idOf = async (client: GraphqlClient) =>
    (await client.run(SESSIONS)).mySessions.find(({ isCurrent }) => isCurrent)?.id ?? '';

  it('are listed for their user, and for administrators', async () => {
    const [first, second] = [await signIn('ann'), await signIn('ann')];
    const { mySessions } = await second.run(SESSIONS);
    assert.deepEqual(
      mySessions.map(({ id: _, ...shown }) => shown),
      [false, true].map((isCurrent) => ({ username: 'ann', isCurrent, address: '127.0.0.1', agent: 'node' })),
    );
    const all = await admin.run('{ mySessions(username: "ann") { id } }');
    assert.deepEqual(
      all.mySessions.map(({ id }) => id),
      mySessions.map(({ id }) => id),
    );
    const bob = await signIn('bob');
    assert.equal((await refusal(bob.run('{ mySessions(username: "ann") { id } }'))).code, 'FORBIDDEN');
    const { user } = await first.run('{ user(username: "ann") { lastLogin } }');
    assert.ok(Math.abs(Date.parse(String(user?.lastLogin)) - Date.now()) < 60_000);
    const { users: page } = await admin.run(
      '{ users(orderBy: LAST_LOGIN, orderDirection: DESC, first: 2) { edges { node { username } } } }',
    );
    assert.deepEqual(
      page.edges.map(({ node }) => node.username),
      ['bob', 'ann'],
    );
  });

  it('end for whom they are revoked, and nobody else revokes them', async () => {
    const [first, second, third] = [await signIn('cleo'), await signIn('cleo'), await signIn('cleo')];
    const bob = await signIn('bob');
    const id = await idOf(first);
    assert.deepEqual(await change('revokeSession', { id }, 'id', bob), {
      id: null,
      errors: [{ code: 'NOT_FOUND', field: 'id' }],
    });
    assert.deepEqual(await change('revokeOtherSessions', { username: 'cleo' }, 'count', bob), {
      count: null,
      errors: [{ code: 'ACCESS_DENIED', field: 'username' }],
    });
    assert.deepEqual(await change('revokeSession', { id }, 'id', second), { id, errors: null });
    assert.deepEqual([await isSignedIn(first), await isSignedIn(second)], [false, true]);
    assert.deepEqual(await change('revokeOtherSessions', {}, 'count', second), { count: 1, errors: null });
    assert.deepEqual([await isSignedIn(second), await isSignedIn(third)], [true, false]);
    await change('revokeOtherSessions', { username: 'cleo' }, 'count');
    assert.equal(await isSignedIn(second), false);
  });

  it('end with another password; the one that asked goes on with another cookie', async () => {
    const [own, other] = [await signIn('dora'), await signIn('dora')];
    const stream = await follow(other);
    const reply = await own.ask(
      'mutation ($input: ChangePasswordInput!) { changePassword(input: $input) { errors { code } } }',
      { variables: { input: { username: 'dora', currentPassword: 'dora', newPassword: 'another' } } },
    );
    assert.deepEqual(reply.data?.changePassword, { errors: null });
    const cookie = (reply.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    assert.match(cookie, /^millrace=[\w-]{43}$/);
    assert.deepEqual([await isSignedIn(own), await isSignedIn(other)], [false, false]);
    const renewed = new GraphqlClient(own.url, { cookie });
    assert.equal((await renewed.run(SESSIONS)).mySessions.length, 1);
    assert.doesNotMatch(await stream.text, /complete/);
    await change('resetPassword', { username: 'dora', newPassword: 'dora' }, 'user { username }');
    assert.equal((await renewed.ask(SESSIONS)).status, 401);
  });

  it('count a present password that is wrong as a failed sign-in', async () => {
    const eve = await signIn('eve');
    const tried = { username: 'eve', currentPassword: 'wrong', newPassword: 'x' };
    for (let tries = 0; tries < 3; tries++) {
      const { errors } = await change('changePassword', tried, 'user { username }', eve);
      assert.deepEqual(errors, [{ code: 'INVALID_CREDENTIALS', field: 'currentPassword' }]);
    }
    assert.equal((await refusal(change('changePassword', tried, 'user { username }', eve))).code, 'RATE_LIMITED');
    const right = { ...tried, currentPassword: 'eve' };
    assert.equal((await refusal(change('changePassword', right, 'user { username }', eve))).code, 'RATE_LIMITED');
  });

  it('end when their user is disabled or removed, and do not come back with it', async () => {
    const ann = await signIn('ann');
    await change('updateUser', { username: 'ann', enabled: false }, 'user { username }');
    assert.equal(await isSignedIn(ann), false);
    await change('updateUser', { username: 'ann', enabled: true }, 'user { username }');
    assert.equal(await isSignedIn(ann), false);
    const again = await signIn('ann');
    const stream = await follow(again);
    const { jobId } = await change('deleteUser', { username: 'ann' }, 'jobId');
    assert.doesNotMatch(await stream.text, /complete/);
    await endOf(admin, String(jobId));
    await change('createUser', { username: 'ann', password: 'ann' }, 'user { username }');
    assert.equal(await isSignedIn(again), false);
    const { user } = await admin.run('{ user(username: "ann") { lastLogin } }');
    assert.equal(user?.lastLogin, null);
  });
});
