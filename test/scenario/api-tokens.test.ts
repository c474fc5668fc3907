import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import type { ApiToken, CreateApiTokenInput, CreateApiTokenPayload } from '../../src/graphql/generated/schema.js';
import { EventReader } from '../graphql/support/event-reader.js';
import { eventually } from '../support/eventually.js';
import { type ApiError, GraphqlClient, refusal } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { sessionClient } from '../support/session-client.js';
import { endOf, toldOf } from './support/jobs.js';

const CREATE = `mutation ($input: CreateApiTokenInput!) { createApiToken(input: $input) {
  secret token { id name username scopes workspaces domains createdBy isExpired lastUsed } errors { code field } } }`;
const users = [
  ...['ann', 'bob', 'cleo', 'dora', 'eve'].map((userId) => ({ userId })),
  { userId: 'chief', roles: ['administrator'] },
];

describe('API tokens', () => {
  let server: LiveServer;
  let admin: GraphqlClient;
  before(async () => {
    server = await liveServer({
      users,
      env: { MILLRACE_SIGN_IN_FAILURES_PER_ACCOUNT_MAX: '5', MILLRACE_API_TOKENS_PER_USER_MAX: '20' },
    });
    admin = server.as('admin', 'system');
    await admin.run(`mutation {
      service: createUser(input: { username: "robot", service: true, roles: ["administrator"] }) { errors { code } }
      file: createFile(path: "/content", name: "note.txt", mimeType: "text/plain", content: "aGVsbG8=") { path }
    }`);
  });
  after(() => server.remove());

  const with_ = (token: string, workspace = 'web') =>
    new GraphqlClient(`${server.baseUrl}/bin/graphql.cgi/${workspace}`, { token });
  const create = async (input: CreateApiTokenInput, as: GraphqlClient): Promise<CreateApiTokenPayload> =>
    (await as.run(CREATE, { input })).createApiToken;
  const secretOf = async (input: Partial<CreateApiTokenInput>, as: GraphqlClient) => {
    const { secret, errors } = await create({ name: 'ci', scopes: ['READ', 'WRITE'], ...input }, as);
    assert.equal(errors, null);
    return secret ?? '';
  };
  const own = (userId: string) => server.as(userId, 'system');
  const change = async (name: string, input: object) => {
    const Input = `${name[0]?.toUpperCase()}${name.slice(1)}Input`;
    const query = `mutation ($input: ${Input}!) { it: ${name}(input: $input) { errors { code } } }`;
    const { it } = (await admin.run(query, { input })) as unknown as { readonly it: { readonly errors: unknown } };
    assert.equal(it.errors, null);
  };
  const listed = async (as: GraphqlClient, username: string): Promise<readonly ApiToken[]> =>
    (
      await as.run('query ($username: String!) { apiTokens(username: $username) { id name lastUsed isExpired } }', {
        username,
      })
    ).apiTokens;
  const missing = (error: ApiError | undefined) => [error?.extensions.code, error?.extensions.details];

  it('are shown once, and act as their user', async () => {
    const input = { name: 'worker', scopes: ['READ' as const], workspaces: ['web'], domains: ['CONTENT' as const] };
    const { secret, token } = await create(input, own('ann'));
    assert.match(secret ?? '', /^mrt_[\w-]{43}$/);
    assert.deepEqual(
      { ...token, id: '' },
      { ...input, id: '', username: 'ann', createdBy: 'ann', isExpired: false, lastUsed: null },
    );
    const data = await with_(secret ?? '').run('{ node(path: "/content") { path } }');
    assert.equal(data.node?.path, '/content');
    const { me } = await with_(await secretOf({}, own('ann')), 'system').run('{ me { username } }');
    assert.equal(me?.username, 'ann');
    const tokens = await listed(own('ann'), 'ann');
    assert.deepEqual(
      tokens.map(({ name }) => name),
      ['worker', 'ci'],
    );
    const [shown] = tokens;
    assert.ok(Math.abs(Date.parse(String(shown?.lastUsed)) - Date.now()) < 60_000);
    assert.deepEqual(await listed(admin, 'ann'), tokens);
    assert.equal((await refusal(listed(own('bob'), 'ann'))).code, 'FORBIDDEN');
  });

  it('may what their scope says and no more, and name what is missing', async () => {
    const ask = async (secret: string, query: string, workspace = 'web') =>
      (await with_(secret, workspace).ask(query)).errors?.[0];
    const read = await secretOf({ scopes: ['READ'] }, own('chief'));
    const write = 'mutation { createFolder(path: "/content", name: "made") { path } }';
    assert.deepEqual(missing(await ask(read, write)), ['FORBIDDEN', { missing: { scope: 'WRITE' } }]);
    const bpm = await secretOf({ domains: ['BPM'], workspaces: ['web'] }, own('chief'));
    assert.deepEqual(missing(await ask(bpm, '{ node(path: "/") { path } }')), [
      'FORBIDDEN',
      { missing: { domain: 'CONTENT' } },
    ]);
    assert.equal(await ask(bpm, '{ tasks { edges { node { id } } } }'), undefined);
    assert.deepEqual(missing(await ask(bpm, '{ tasks { edges { node { id } } } }', 'system')), [
      'FORBIDDEN',
      { missing: { workspace: 'system' } },
    ]);
    assert.deepEqual(missing(await ask(bpm, '{ searchPrincipals { identifier } }')), [
      'FORBIDDEN',
      { missing: { domain: null } },
    ]);
    const writing = await secretOf({ scopes: ['WRITE'], domains: ['CONTENT'] }, own('chief'));
    assert.deepEqual(missing(await ask(writing, '{ node(path: "/") { path } }')), [
      'FORBIDDEN',
      { missing: { scope: 'READ' } },
    ]);
    assert.equal(await ask(writing, write), undefined);
    const status = async (secret: string, path: string) =>
      (await fetch(`${server.baseUrl}${path}`, { headers: { Authorization: `Bearer ${secret}` } })).status;
    const content = await secretOf({ scopes: ['READ'], domains: ['CONTENT'], workspaces: ['system'] }, own('chief'));
    for (const path of ['/bin/download.cgi/WS/content/note.txt', '/bin/cms.cgi/WS/content/note.txt']) {
      const [system, web] = ['system', 'web'].map((name) => path.replace('WS', name));
      assert.deepEqual([await status(content, system ?? ''), await status(bpm, system ?? '')], [200, 403], path);
      assert.deepEqual([await status(content, web ?? ''), await status(writing, system ?? '')], [403, 403], path);
    }
    assert.equal(await status(bpm, '/bin/download-archive.cgi/web/1767225600000-0a1b'), 403);
  });

  it('of a workspace are not for one that takes its name later', async () => {
    const run = async (verb: 'createWorkspace' | 'deleteWorkspace') => {
      const Input = verb === 'createWorkspace' ? 'CreateWorkspaceInput' : 'DeleteWorkspaceInput';
      const query = `mutation ($input: ${Input}!) { it: ${verb}(input: $input) { jobId errors { code } } }`;
      const data = await admin.run(query, { input: { name: 'branch' } });
      const { it } = data as unknown as { readonly it: { readonly jobId: string } };
      assert.equal((await toldOf(admin, it.jobId)).at(-1)?.status, 'completed');
    };
    const QUERY = '{ node(path: "/content") { path } }';
    const named = async () =>
      (await own('chief').run('{ apiTokens { name workspaces } }')).apiTokens.at(-1)?.workspaces;
    await run('createWorkspace');
    const secret = await secretOf({ name: 'branch', workspaces: ['branch'] }, own('chief'));
    assert.equal((await with_(secret, 'branch').run(QUERY)).node?.path, '/content');
    assert.deepEqual(await named(), ['branch']);
    assert.equal((await refusal(with_(secret).run(QUERY))).code, 'FORBIDDEN');
    await run('deleteWorkspace');
    assert.deepEqual(await named(), []);
    assert.equal((await with_(secret, 'branch').ask(QUERY)).status, 400);
    await run('createWorkspace');
    const refused = await refusal(with_(secret, 'branch').run(QUERY));
    assert.deepEqual(missing(refused.errors[0]), ['FORBIDDEN', { missing: { workspace: 'branch' } }]);
    assert.deepEqual(await named(), []);
  });

  it('refuse subscriptions out of their scope', async () => {
    const secret = await secretOf({ domains: ['BPM'] }, own('chief'));
    const reader = await EventReader.open(with_(secret).url, {
      method: 'POST',
      headers: { ...with_(secret).headers, 'Content-Type': 'application/json', Accept: 'text/event-stream' },
      body: JSON.stringify({ query: 'subscription { nodeChanged(path: "/", deep: true) { path } }' }),
    });
    const { errors } = JSON.parse((await reader.next())?.data ?? '{}') as { readonly errors?: readonly ApiError[] };
    assert.deepEqual(missing(errors?.[0]), ['FORBIDDEN', { missing: { domain: 'CONTENT' } }]);
    reader.close();
  });

  it('make no tokens and change no passwords, whatever their user may', async () => {
    const robot = with_(await secretOf({ username: 'robot' }, admin), 'system');
    const tried = [
      robot.run(CREATE, { input: { name: 'x', scopes: ['READ'] } }),
      robot.run('mutation { changePassword(input: { username: "bob", newPassword: "x" }) { errors { code } } }'),
      robot.run('mutation { resetPassword(input: { username: "bob", newPassword: "x" }) { errors { code } } }'),
    ];
    for (const call of tried) assert.equal((await refusal(call)).errors[0]?.extensions.reason, 'token_may_not');
    assert.equal((await robot.run('{ user(username: "bob") { username } }')).user?.username, 'bob');
  });

  it('of service accounts are made by administrators, and those of others by nobody else', async () => {
    const made = (input: object, as: GraphqlClient) =>
      create({ name: 'x', scopes: ['READ'], ...input }, as).then(({ errors }) => errors?.[0]);
    assert.deepEqual(await made({ username: 'robot' }, own('bob')), { code: 'ACCESS_DENIED', field: 'username' });
    assert.deepEqual(await made({ username: 'bob' }, admin), { code: 'ACCESS_DENIED', field: 'username' });
    assert.deepEqual(await made({ username: 'nobody' }, admin), { code: 'NOT_FOUND', field: 'username' });
    assert.deepEqual(await made({ workspaces: ['nowhere'] }, admin), { code: 'NOT_FOUND', field: 'workspaces' });
    assert.deepEqual(await made({ scopes: [] }, admin), { code: 'INVALID_INPUT', field: 'scopes' });
    assert.deepEqual(await made({ name: ' ' }, admin), { code: 'INVALID_INPUT', field: 'name' });
    for (const expiresAt of ['2020-01-01T00:00:00Z', '2999-01-01T00:00:00Z'])
      assert.deepEqual(await made({ expiresAt }, admin), { code: 'INVALID_INPUT', field: 'expiresAt' });
    assert.equal((await refusal(made({}, server.as('admin', 'web')))).code, 'BAD_REQUEST');
  });

  it('have the rights that their user has now', async () => {
    await change('createUser', { username: 'temp', password: 'temp', roles: ['administrator'] });
    const secret = await secretOf({}, own('temp'));
    const { user } = await with_(secret, 'system').run('{ user(username: "ann") { username } }');
    assert.equal(user?.username, 'ann');
    await change('revokeRoles', { username: 'temp', roles: ['administrator'] });
    assert.equal((await with_(secret, 'system').run('{ user(username: "ann") { username } }')).user, null);
    await change('updateUser', { username: 'temp', enabled: false });
    assert.equal((await with_(secret).ask('{ __typename }')).status, 401);
    await change('updateUser', { username: 'temp', enabled: true });
    assert.equal((await with_(secret).ask('{ __typename }')).status, 200);
    const { deleteUser } = await admin.run('mutation { deleteUser(input: { username: "temp" }) { jobId } }');
    await endOf(admin, deleteUser.jobId ?? '');
    await change('createUser', { username: 'temp', password: 'temp' });
    assert.equal((await with_(secret).ask('{ __typename }')).status, 401);
    assert.deepEqual(await listed(admin, 'temp'), []);
  });

  it('that are wrong are 401, count as failed sign-ins of their network, and keep nobody else out', async () => {
    const secret = await secretOf({}, own('bob'));
    const [{ id = '' } = {}] = await listed(own('bob'), 'bob');
    const right = await secretOf({}, own('bob'));
    const revoke = `mutation { revokeApiToken(input: { id: "${id}" }) { id errors { code field } } }`;
    const notTheirs = await own('ann').run(revoke);
    assert.deepEqual(notTheirs.revokeApiToken, { id: null, errors: [{ code: 'NOT_FOUND', field: 'id' }] });
    assert.deepEqual((await own('bob').run(revoke)).revokeApiToken, { id, errors: null });
    const wrong = [secret, `mrt_${'A'.repeat(43)}`, 'mrt_', 'abc', `mrt_${'A'.repeat(43)}`];
    const replies = [];
    for (const token of wrong) replies.push(await with_(token).ask('{ __typename }'));
    assert.deepEqual(
      replies.map(({ status, headers }) => [status, headers.get('www-authenticate') ?? headers.get('retry-after')]),
      [...Array(4).fill([401, 'Bearer realm="millrace", error="invalid_token"']), [429, '900']],
    );
    assert.equal((await with_(right).ask('{ __typename }')).status, 200);
    assert.equal((await sessionClient(server, 'bob')) !== undefined, true);
    const { auditLog } = await admin.run('{ auditLog(user: "bearer token") { edges { node { type outcome } } } }');
    assert.ok(auditLog.edges.length >= 4);
  });

  it('that end while a body comes have it refused, as sessions have', async () => {
    const late = async (as: GraphqlClient, end: () => Promise<unknown>) => {
      const body = JSON.stringify({ query: 'mutation { createFolder(path: "/content", name: "late") { path } }' });
      const length = String(Buffer.byteLength(body));
      const headers = {
        ...as.headers,
        'Content-Type': 'application/json',
        'Content-Length': length,
        Expect: '100-continue',
      };
      const sent = request(as.url, { method: 'POST', headers });
      const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
      sent.flushHeaders();
      await once(sent, 'continue');
      sent.write(body.slice(0, 10));
      await end();
      sent.end(body.slice(10));
      const [{ statusCode }] = await answered;
      return statusCode;
    };
    const { secret, token } = await create({ name: 'late', scopes: ['READ', 'WRITE'] }, own('chief'));
    assert.equal(await late(with_(secret ?? ''), () => change('revokeApiToken', { id: token?.id })), 401);
    const session = await sessionClient(server, 'chief');
    assert.equal(await late(session, () => session.signOut()), 401);
    assert.equal(
      await late(server.as('bob'), () => change('resetPassword', { username: 'bob', newPassword: 'bob' })),
      401,
    );
    assert.equal((await server.as('admin').run('{ node(path: "/content/late") { path } }')).node, null);
    assert.equal(await late(server.as('chief'), async () => {}), 200);
  });

  it('do nothing more behind their own end', async () => {
    const { secret, token } = await create({ name: 'last', scopes: ['READ', 'WRITE'] }, own('chief'));
    const { data, errors } = await with_(secret ?? '', 'system').ask(
      `mutation { ended: revokeApiToken(input: { id: "${token?.id}" }) { id } made: createRole(input: { name: "late" }) { errors { code } } }`,
    );
    assert.equal(errors?.[0]?.extensions.code, 'UNAUTHORIZED');
    assert.deepEqual(errors?.[0]?.path, ['made']);
    assert.equal(data, null);
    assert.equal(
      (await listed(admin, 'chief')).some(({ id }) => id === token?.id),
      false,
    );
    assert.equal((await admin.run('{ role(roleId: "late") { name } }')).role, null);
  });

  it('are told once, and not again where the request comes again; no file holds the secret', async () => {
    const input = { name: 'keyed', scopes: ['READ'] };
    const made = async () => {
      const reply = await own('cleo').ask(CREATE, { variables: { input }, idempotencyKey: 'one' });
      assert.equal(reply.errors, undefined);
      return reply.data?.createApiToken;
    };
    const [first, second] = [await made(), await made()];
    assert.deepEqual(second, { ...first, secret: null });
    assert.equal((await listed(own('cleo'), 'cleo')).length, 1);
    const secret = first?.secret ?? '';
    assert.equal((await with_(secret).ask('{ __typename }')).status, 200);
    const hash = createHash('sha256').update(secret).digest('base64url');
    const files = readdirSync(server.folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    const holding = (text: string) =>
      files
        .map(({ parentPath, name }) => join(parentPath, name))
        .filter((file) => readFileSync(file).includes(text))
        .map((file) => file.slice(server.folder.length + 1).split('/')[0]);
    assert.deepEqual(holding(secret), []);
    assert.deepEqual(holding(secret.slice(4)), []);
    let audited = '';
    await eventually('the audit log has it', async () => {
      const { auditLog } = await admin.run('{ auditLog(user: "cleo", first: 50) { edges { node { type targets } } } }');
      audited = JSON.stringify(auditLog);
      return audited.includes(`{"type":"createApiToken","targets":["apiToken/${first?.token?.id}"]}`);
    });
    assert.ok(!audited.includes(hash) && !audited.includes(secret));
  });

  describe('streams', () => {
    const open = ({ url, headers }: GraphqlClient) =>
      EventReader.open(url, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json', Accept: 'text/event-stream' },
        body: JSON.stringify({ query: 'subscription { nodeChanged(path: "/content", deep: true) { path } }' }),
      });
    const openSingle = async ({ url, headers }: GraphqlClient) => {
      const token = await (await fetch(`${url}/stream`, { method: 'PUT', headers })).text();
      const reader = await EventReader.open(`${url}/stream?token=${token}`, { headers });
      await fetch(`${url}/stream?token=${token}`, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify({
          query: 'subscription { nodeChanged(path: "/content", deep: true) { path } }',
          extensions: { operationId: 'a' },
        }),
      });
      return reader;
    };
    /** The events until the end. */
    const toEnd = async (reader: EventReader) => {
      const events: (string | undefined)[] = [];
      for (let frame = await reader.next(); frame !== undefined; frame = await reader.next())
        if (frame.event !== undefined) events.push(frame.event);
      return events;
    };
    /** They end by this, without a word, long before a heartbeat. */
    const endBy = async (client: GraphqlClient, act: () => Promise<unknown>) => {
      const readers = [await open(client), await openSingle(client)];
      const all = Promise.all(readers.map(toEnd));
      await act();
      assert.deepEqual(await all, [[], []]);
    };

    it('of a token end with it, with its user, and at its time', async () => {
      const tokenOf = async (input: Partial<CreateApiTokenInput> = {}) => {
        const { secret, token } = await create({ name: 'streams', scopes: ['READ'], ...input }, own('dora'));
        return { id: token?.id, client: with_(secret ?? '') };
      };
      const revoked = await tokenOf();
      await endBy(revoked.client, () => change('revokeApiToken', { id: revoked.id }));
      const disabled = await tokenOf();
      await endBy(disabled.client, () => change('updateUser', { username: 'dora', enabled: false }));
      await change('updateUser', { username: 'dora', enabled: true });
      const expiresAt = Date.now() + 1_500;
      const short = await tokenOf({ expiresAt: new Date(expiresAt).toISOString() as unknown as number });
      await endBy(short.client, async () => {});
      assert.equal((await short.client.ask('{ __typename }')).status, 401);
      assert.ok(Date.now() >= expiresAt);
      assert.equal(
        (await listed(own('dora'), 'dora')).some(({ isExpired }) => isExpired),
        true,
      );
      const deleted = await tokenOf();
      await endBy(deleted.client, () => change('deleteUser', { username: 'dora' }));
    });

    it('of HTTP Basic end with the password and with the user', async () => {
      const eve = server.as('eve');
      await endBy(eve, () => change('resetPassword', { username: 'eve', newPassword: 'eve' }));
      await endBy(eve, () => change('updateUser', { username: 'eve', enabled: false }));
      await change('updateUser', { username: 'eve', enabled: true });
      await endBy(eve, () => change('deleteUser', { username: 'eve' }));
    });

    it('are their token’s alone, not even another one’s of the same user', async () => {
      const [one, other] = [await secretOf({}, own('ann')), await secretOf({}, own('ann'))];
      const { url } = with_(one);
      const reserve = await fetch(`${url}/stream`, { method: 'PUT', headers: with_(one).headers });
      const path = `${url}/stream?token=${await reserve.text()}`;
      for (const client of [with_(other), server.as('ann'), await sessionClient(server, 'ann')])
        assert.equal((await fetch(path, { headers: { ...client.headers } })).status, 404);
      const reader = await EventReader.open(path, { headers: { ...with_(one).headers } });
      assert.equal(reader.response.status, 200);
      reader.close();
    });
  });
});
