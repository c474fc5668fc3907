import assert from 'node:assert/strict';
import type { GraphqlClient } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';

/** What the code of the original's web client relies on in answers, beyond what a schema says. */
describe('the answers that the web desktop relies on', () => {
  let server: LiveServer;
  let admin: GraphqlClient;
  let ann: GraphqlClient;
  before(async () => {
    server = await liveServer({ users: [{ userId: 'ann', displayName: 'Ann' }] });
    admin = server.as('admin', 'system');
    ann = server.as('ann', 'system');
  });
  after(() => server.remove());

  /** Sends what the client sends: a document and, where it has some, variables; keys that are undefined are not there. */
  const send = async (as: GraphqlClient, query: string, variables?: object) => {
    const response = await fetch(as.url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json', ...as.headers },
      body: JSON.stringify({ query, variables }),
    });
    assert.deepEqual([response.status, response.headers.get('content-type')?.split(';')[0]], [200, 'application/json']);
    const { data, errors } = (await response.json()) as {
      readonly data: Readonly<Record<string, unknown>>;
      readonly errors?: readonly unknown[];
    };
    assert.equal(errors, undefined);
    return data;
  };

  it('has lists, not null, of what a user has none of, and knows an administrator by a role', async () => {
    const query =
      'query GetMe { me { username displayName hasAvatar avatarUrl lastLogin roles { name roleId } memberOf { groupId } effectiveGroups { groupId } } }';
    assert.deepEqual(await send(ann, query), {
      me: {
        ...{ username: 'ann', displayName: 'Ann', hasAvatar: false, avatarUrl: null, lastLogin: null },
        ...{ roles: [], memberOf: [], effectiveGroups: [] },
      },
    });
    const { me } = await send(admin, '{ me { roles { roleId name } } }');
    const { roles } = me as { readonly roles: readonly object[] };
    assert.ok(roles.some((role) => 'roleId' in role && role.roleId === 'administrator'));
  });

  it('has null for errors where there are none: a list, also an empty one, would be one', async () => {
    const made = await send(
      admin,
      'mutation ($input: CreateUserInput!) { createUser(input: $input) { user { username mail } errors { message } } }',
      { input: { username: 'bob', password: 'a long password', mail: undefined, service: undefined } },
    );
    assert.deepEqual(made, { createUser: { user: { username: 'bob', mail: null }, errors: null } });
    const workspace = await send(
      admin,
      'mutation ($input: UpdateWorkspaceInput!) { updateWorkspace(input: $input) { workspace { displayName } errors { message } } }',
      { input: { name: 'web', displayName: 'Web' } },
    );
    assert.deepEqual(workspace, { updateWorkspace: { workspace: { displayName: 'Web' }, errors: null } });
  });

  it('keeps an empty preference, which stands for what the browser says', async () => {
    const set = (data: object) =>
      send(
        ann,
        'mutation ($input: UpdatePreferencesInput!) { updatePreferences(input: $input) { category data errors { message } } }',
        { input: { username: 'ann', category: 'localization', data } },
      );
    await set({ locale: 'ja', timezone: 'Asia/Tokyo' });
    assert.deepEqual(await set({ locale: '', timezone: '' }), {
      updatePreferences: { category: 'localization', data: { locale: '', timezone: '' }, errors: null },
    });
  });

  it('takes the defaults of what is not given, and of what is null', async () => {
    const document =
      'query ($path: String!, $first: Int, $after: String) { children(path: $path, first: $first, after: $after) { edges { node { name } } pageInfo { hasNextPage endCursor } totalCount } }';
    const empty = { children: { edges: [], pageInfo: { hasNextPage: false, endCursor: null }, totalCount: 0 } };
    const path = '/home/users/ann/Desktop';
    for (const page of [{}, { first: 500 }, { first: null, after: null }]) {
      assert.deepEqual(await send(ann, document, { path, ...page }), empty);
    }
    const principals =
      'query ($keyword: String!, $offset: Int, $limit: Int) { searchPrincipals(keyword: $keyword, offset: $offset, limit: $limit) { identifier isGroup isService displayName } }';
    assert.deepEqual(await send(ann, principals, { keyword: 'an', offset: undefined }), {
      searchPrincipals: [
        { identifier: 'ann', isGroup: false, isService: false, displayName: 'Ann' },
        { identifier: 'anonymous', isGroup: false, isService: false, displayName: null },
      ],
    });
  });

  it('makes an empty file, whose type and encoding are set as properties are', async () => {
    const create = 'mutation ($input: CreateFileInput!) { createFile(input: $input) { path size mimeType } }';
    const input = { path: '/home/users/ann/Desktop', name: 'note.txt', mimeType: 'text/plain', content: '' };
    const path = '/home/users/ann/Desktop/note.txt';
    assert.deepEqual(await send(ann, create, { input }), { createFile: { path, size: 0, mimeType: 'text/plain' } });
    const set =
      'mutation ($input: SetPropertiesInput!) { setProperties(input: $input) { node { mimeType encoding properties { name } } errors { propertyName message } } }';
    const properties = [
      { name: 'jcr:mimeType', value: { stringValue: 'text/markdown' } },
      { name: 'jcr:encoding', value: { stringValue: 'Shift_JIS' } },
    ];
    assert.deepEqual(await send(ann, set, { input: { path, properties } }), {
      setProperties: { node: { mimeType: 'text/markdown', encoding: 'Shift_JIS', properties: [] }, errors: [] },
    });
  });
});
