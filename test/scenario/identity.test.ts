import assert from 'node:assert/strict';
import { GraphqlClient, refusal } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';

const USER =
  'username sn givenName displayName mail enabled isService hasAvatar roles { roleId } memberOf { groupId } effectiveGroups { groupId }';

describe('users, groups and roles', () => {
  let server: LiveServer;
  let admin: GraphqlClient;
  let ann: GraphqlClient;
  before(async () => {
    server = await liveServer({ users: [{ userId: 'ann', displayName: 'Ann' }] });
    admin = server.as('admin', 'system');
    ann = server.as('ann', 'system');
  });
  after(() => server.remove());

  /** The payload of a mutation of identity. */
  const change = async (name: string, input: object, shown: string, as = admin) => {
    const Input = `${name[0]?.toUpperCase()}${name.slice(1)}Input`;
    const data = await as.run(
      `mutation ($input: ${Input}!) { it: ${name}(input: $input) { ${shown} errors { code field } } }`,
      {
        input,
      },
    );
    return (data as unknown as { readonly it: Record<string, unknown> }).it;
  };
  const asked = async (query: string, as = admin) => as.run(`{ ${query} }`) as Promise<Record<string, unknown>>;

  it('are made, changed and shown', async () => {
    assert.deepEqual(
      await change(
        'createGroup',
        { name: 'staff', displayName: 'Staff' },
        'group { groupId name depth parent { groupId } }',
      ),
      {
        group: { groupId: 'staff', name: 'staff', depth: 0, parent: null },
        errors: null,
      },
    );
    await change('createGroup', { name: 'desk', parentGroupId: 'staff', roles: ['supervisor'] }, 'group { groupId }');
    await change('createRole', { name: 'clerk', description: 'Works' }, 'role { roleId }');
    const made = await change(
      'createUser',
      {
        username: 'bob',
        password: 'bob',
        sn: 'B',
        mail: 'bob@example.com',
        roles: ['clerk'],
        memberOf: ['staff/desk'],
      },
      `user { ${USER} }`,
    );
    assert.deepEqual(made, {
      user: {
        ...{ username: 'bob', sn: 'B', givenName: null, displayName: null, mail: 'bob@example.com' },
        ...{ enabled: true, isService: false, hasAvatar: false },
        roles: [{ roleId: 'clerk' }],
        memberOf: [{ groupId: 'staff/desk' }],
        effectiveGroups: [{ groupId: 'staff' }, { groupId: 'staff/desk' }],
      },
      errors: null,
    });
    const bob = server.as('bob', 'system');
    assert.deepEqual(
      await asked('me { username } user(username: "bob") { mail } other: user(username: "ann") { mail }', bob),
      {
        me: { username: 'bob' },
        user: { mail: 'bob@example.com' },
        other: null,
      },
    );
    assert.deepEqual(
      await change('updateUser', { username: 'bob', displayName: 'Bob', sn: null }, 'user { displayName sn }'),
      {
        user: { displayName: 'Bob', sn: 'B' },
        errors: null,
      },
    );
    assert.deepEqual(
      await asked(
        'group(groupId: "staff") { description hasChildren descendantCount members { totalCount } effectiveMembers { edges { node { username } } } } role(roleId: "clerk") { description members { totalCount } }',
      ),
      {
        group: {
          ...{ description: null, hasChildren: true, descendantCount: 1 },
          members: { totalCount: 0 },
          effectiveMembers: { edges: [{ node: { username: 'bob' } }] },
        },
        role: { description: 'Works', members: { totalCount: 1 } },
      },
    );
    assert.deepEqual(
      await asked('groupTree { groupId depth memberCount children { groupId depth memberCount hasChildren } }'),
      {
        groupTree: [
          { groupId: 'everyone', depth: 0, memberCount: 0, children: [] },
          {
            ...{ groupId: 'staff', depth: 0, memberCount: 0 },
            children: [{ groupId: 'staff/desk', depth: 1, memberCount: 1, hasChildren: false }],
          },
        ],
      },
    );
  });

  it('are made once for an idempotency key, although a password is hashed anew each time', async () => {
    const query =
      'mutation ($input: CreateUserInput!) { createUser(input: $input) { user { username } errors { code } } }';
    const make = (password: string) =>
      admin.ask(query, { idempotencyKey: 'zed', variables: { input: { username: 'zed', password } } });
    const [first, again] = [await make('first'), await make('first')];
    assert.deepEqual(first.data?.createUser, { user: { username: 'zed' }, errors: null });
    assert.deepEqual(again.data, first.data);
    assert.equal((await make('other')).errors?.[0]?.extensions.reason, 'idempotency_key_reused');
    await change('deleteUser', { username: 'zed' }, 'username');
  });

  it('are refused in the payload, and nothing changes', async () => {
    const refused = [
      await change('createUser', { username: 'staff', password: 'x' }, 'user { username }'),
      await change('createUser', { username: 'eve', password: 'x' }, 'user { username }', ann),
      await change('updateUser', { username: 'admin', enabled: false }, 'user { username }'),
      await change('changePassword', { username: 'ann', newPassword: 'x' }, 'user { username }', ann),
      await change(
        'changePassword',
        { username: 'ann', currentPassword: 'y', newPassword: 'x' },
        'user { username }',
        ann,
      ),
      await change('resetPassword', { username: 'ann', newPassword: 'x' }, 'user { username }', ann),
      await change('deleteGroup', { groupId: 'staff' }, 'groupId'),
    ];
    assert.deepEqual(
      refused.map(({ errors, ...rest }) => [(errors as { code: string }[])[0]?.code, Object.values(rest)]),
      [
        ['ALREADY_EXISTS', [null]],
        ['ACCESS_DENIED', [null]],
        ['SELF_MODIFICATION_FORBIDDEN', [null]],
        ['INVALID_CREDENTIALS', [null]],
        ['INVALID_CREDENTIALS', [null]],
        ['ACCESS_DENIED', [null]],
        ['HAS_CHILDREN', [null]],
      ],
    );
  });

  it('sign in by the password that was set last', async () => {
    await change(
      'changePassword',
      { username: 'ann', currentPassword: 'ann', newPassword: 'new' },
      'user { username }',
      ann,
    );
    assert.equal((await refusal(ann.run('{ me { username } }'))).code, 'UNAUTHORIZED');
    await change('resetPassword', { username: 'ann', newPassword: 'ann' }, 'user { username }');
    assert.deepEqual(await asked('me { username }', ann), { me: { username: 'ann' } });
  });

  it('sign in no more once they are disabled, and have the rights of now', async () => {
    const bob = server.as('bob', 'system');
    await change('createUser', { username: 'carl', password: 'carl', roles: ['administrator'] }, 'user { username }');
    const carl = server.as('carl', 'system');
    assert.equal(((await asked('users { totalCount }', carl)).users as { totalCount: number }).totalCount, 6);
    await change('revokeRoles', { username: 'carl', roles: ['administrator'] }, 'user { username }');
    assert.equal(((await asked('users { totalCount }', carl)).users as { totalCount: number }).totalCount, 1);
    const signedIn = await fetch(`${server.baseUrl}/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ username: 'carl', password: 'carl' }),
    });
    const session = new GraphqlClient(carl.url, { cookie: signedIn.headers.get('set-cookie')?.split(';')[0] ?? '' });
    assert.deepEqual(await asked('me { username }', session), { me: { username: 'carl' } });
    await change('updateUser', { username: 'carl', enabled: false }, 'user { username }');
    assert.equal((await refusal(session.run('{ me { username } }'))).code, 'UNAUTHORIZED');
    assert.equal((await refusal(carl.run('{ me { username } }'))).code, 'UNAUTHORIZED');
    await change('deleteUser', { username: 'carl' }, 'username');
    assert.equal((await refusal(carl.run('{ me { username } }'))).code, 'UNAUTHORIZED');
    assert.equal((await bob.run('{ node(path: "/home/users/carl") { path } }')).node, null);
  });

  it('are listed from either end, in any order, by what they have', async () => {
    for (const name of ['u1', 'u2', 'u3'])
      await change(
        'createUser',
        {
          username: name,
          password: 'x',
          displayName: `Z${4 - Number(name[1])}`,
          memberOf: name === 'u2' ? ['staff'] : [],
        },
        'user { username }',
      );
    const names = async (args: string) => {
      const { users } = (await asked(
        `users(${args}) { edges { node { username } cursor } pageInfo { hasNextPage hasPreviousPage } }`,
      )) as {
        users: {
          edges: { node: { username: string }; cursor: string }[];
          pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean };
        };
      };
      const { hasNextPage, hasPreviousPage } = users.pageInfo;
      return {
        names: users.edges.map(({ node }) => node.username).join(),
        cursors: users.edges.map(({ cursor }) => cursor),
        hasNextPage,
        hasPreviousPage,
      };
    };
    const first = await names('first: 2, query: "u"');
    assert.deepEqual([first.names, first.hasNextPage, first.hasPreviousPage], ['anonymous,u1', true, false]);
    const next = await names(`first: 2, query: "u", after: "${first.cursors[1]}"`);
    assert.deepEqual([next.names, next.hasNextPage, next.hasPreviousPage], ['u2,u3', false, true]);
    const before = await names(`last: 2, query: "u", before: "${next.cursors[1]}"`);
    assert.deepEqual([before.names, before.hasNextPage, before.hasPreviousPage], ['u1,u2', true, true]);
    assert.equal((await names('last: 2, query: "u"')).names, 'u2,u3');
    assert.equal((await names('query: "Z", orderBy: DISPLAY_NAME')).names, 'u3,u2,u1');
    assert.equal((await names('query: "u", orderDirection: DESC')).names, 'u3,u2,u1,anonymous');
    assert.equal((await names('groupId: "staff"')).names, 'u2');
    assert.equal((await names('groupId: "staff", includeDescendants: true')).names, 'bob,u2');
    assert.equal((await names('roleId: "clerk"')).names, 'bob');
    assert.equal((await names('roleId: "none"')).names, '');
    for (const args of ['first: -1', `first: 1, after: "${first.cursors[0]}"`, 'after: "x"', 'first: 1, before: "x"'])
      assert.equal((await refusal(names(args))).code, 'BAD_REQUEST', args);
    assert.equal((await refusal(names('first: 5001'))).code, 'LIMIT_EXCEEDED');
  });

  it('are found by a part of their names, by everybody and everywhere', async () => {
    const bob = server.as('bob', 'web');
    assert.deepEqual(
      await asked('searchPrincipals(keyword: "STA") { identifier displayName isGroup isService }', bob),
      {
        searchPrincipals: [{ identifier: 'staff', displayName: 'Staff', isGroup: true, isService: false }],
      },
    );
    const paged = await asked('searchPrincipals(offset: 1, limit: 2) { identifier }', bob);
    assert.deepEqual(paged, { searchPrincipals: [{ identifier: 'ann' }, { identifier: 'anonymous' }] });
  });

  it('keep preferences, each by itself', async () => {
    const bob = server.as('bob', 'system');
    const set = (data: unknown, more: object = {}, as = bob) =>
      change('updatePreferences', { username: 'bob', category: 'appearance', data, ...more }, 'category data', as);
    await set({ theme: 'dark', size: 14, zoom: 1.5, isWide: true });
    assert.deepEqual(await set({ theme: 'light', isWide: null }), {
      ...{ category: 'appearance', data: { theme: 'light', size: 14, zoom: 1.5 }, errors: null },
    });
    const { node } = (await asked(
      'node(path: "/home/users/bob/preferences/appearance") { nodeType properties { name } }',
      bob,
    )) as {
      node: { nodeType: string; properties: { name: string }[] };
    };
    assert.deepEqual(
      [node.nodeType, node.properties.map(({ name }) => name).sort()],
      ['nt:file', ['size', 'theme', 'zoom']],
    );
    const codes = [
      await set([], {}),
      await set({ a: {} }),
      await set({ 'a/b': 1 }),
      await set({ a: 1 }, { category: '../x' }),
      await set({ a: 1 }, { username: 'ann' }),
      await set({ a: 1 }, { username: 'nobody' }, admin),
      await set({ a: 1 }, {}, admin),
    ].map(({ errors }) => (errors as { code: string }[] | null)?.[0]?.code ?? null);
    const invalid = 'INVALID_INPUT';
    assert.deepEqual(codes, [invalid, invalid, invalid, invalid, 'ACCESS_DENIED', 'NOT_FOUND', null]);
  });

  it('have folders of their own in each workspace, made when they first come there', async () => {
    const path = '/home/users/bob/Desktop';
    const web = server.as('admin', 'web');
    await change('createUser', { username: 'dora', password: 'dora' }, 'user { username }');
    assert.equal((await web.run('{ node(path: "/home/users/dora") { path } }')).node, null);
    const dora = server.as('dora', 'web');
    await Promise.all(Array.from({ length: 5 }, () => dora.run('{ __typename }')));
    await dora.run('mutation { createFolder(path: "/home/users/dora/Desktop", name: "mine") { path } }');
    assert.equal(
      (await web.run('{ node(path: "/home/users/dora/Desktop/mine") { path createdBy } }')).node?.createdBy,
      'dora',
    );
    assert.equal((await dora.run(`{ node(path: "${path}") { path } }`)).node, null);
    assert.equal((await server.as('bob', 'web').run(`{ node(path: "${path}") { path } }`)).node?.path, path);
  });

  it('live in one workspace, and users are looked for from each', async () => {
    const web = server.as('admin', 'web');
    assert.deepEqual(await asked('me { username } groups { totalCount } roleTree { roleId }', web), {
      ...{ me: null, groups: { totalCount: 0 }, roleTree: [] },
    });
    const upload =
      'mutation { createFile(input: { path: "/home/users/bob", name: "avatar", mimeType: "image/png", content: "" }) { path } }';
    await server.as('bob', 'system').run(upload);
    const users = `users(query: "bob") { totalCount edges { node { ${USER} avatarUrl lastModified effectiveGroups { groupId description lastModified } } } } user(username: "bob") { sn }`;
    const found = await asked(users, web);
    assert.deepEqual(found, await asked(users));
    assert.equal((found.users as { readonly totalCount: number }).totalCount, 1);
    assert.deepEqual(await asked('users { totalCount } user(username: "admin") { mail }', server.as('bob', 'web')), {
      users: { totalCount: 1 },
      user: null,
    });
    const { code } = await refusal(web.run('mutation { createRole(input: { name: "x" }) { role { roleId } } }'));
    assert.equal(code, 'BAD_REQUEST');
  });

  it('are there after a restart', async () => {
    await server.end();
    server = await liveServer({ folder: server.folder });
    assert.deepEqual(await asked('me { username memberOf { groupId } }', server.as('bob', 'system')), {
      me: { username: 'bob', memberOf: [{ groupId: 'staff/desk' }] },
    });
  });
});
