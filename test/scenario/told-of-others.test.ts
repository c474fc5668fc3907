import assert from 'node:assert/strict';
import { getNamedType, isCompositeType, isObjectType } from 'graphql';
import { api } from '../graphql/support/api-schema.js';
import type { GraphqlClient } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';

/** What is told of the thing to whoever is signed in; all other fields of its type are as if there were nothing. */
const TOLD: Readonly<Record<string, { readonly query: string; readonly fields: string }>> = {
  Group: {
    query: 'group(groupId: "outer/inner")',
    fields: 'groupId name displayName depth hasChildren descendantCount parent ancestors created lastModified',
  },
  Role: {
    query: 'role(roleId: "upper/lower")',
    fields: 'roleId name displayName depth hasChildren descendantCount parent ancestors created lastModified',
  },
  GroupTreeNode: {
    query: 'groupTree(rootGroupId: "outer")',
    fields: 'groupId name displayName depth hasChildren children',
  },
  RoleTreeNode: {
    query: 'roleTree(rootRoleId: "upper")',
    fields: 'roleId name displayName depth hasChildren children',
  },
  PrincipalSearchResult: {
    query: 'searchPrincipals(keyword: "zoe")',
    fields: 'identifier displayName isGroup isService',
  },
  User: { query: 'user(username: "zoe")', fields: '' },
};

/** What is selected below a field that has fields itself. */
const BELOW: Readonly<Record<string, string>> = {
  UserConnection: '{ totalCount edges { node { username } } }',
  Group: '{ groupId }',
  Role: '{ roleId }',
  GroupTreeNode: '{ groupId }',
  RoleTreeNode: '{ roleId }',
  ExternalIdentity: '{ issuer }',
};

type Values = Readonly<Record<string, unknown>>;

/** All fields of the type. */
function selectionOf(type: string): string {
  const fields = api.schema.getType(type);
  assert.ok(isObjectType(fields));
  return Object.values(fields.getFields())
    .map((field) => {
      const named = getNamedType(field.type);
      return isCompositeType(named) ? `${field.name} ${BELOW[named.name]}` : field.name;
    })
    .join(' ');
}

const NOTHING: ReadonlySet<string> = new Set(['null', '[]', '0', 'false', '{"totalCount":0,"edges":[]}']);

describe('what is told of other users, groups and roles', () => {
  let server: LiveServer;
  let admin: GraphqlClient;
  before(async () => {
    server = await liveServer({ users: [{ userId: 'plain' }] });
    admin = server.as('admin', 'system');
    await admin.run(`mutation {
      upper: createRole(input: { name: "upper" }) { errors { code } }
      lower: createRole(input: { name: "lower", parentRoleId: "upper", displayName: "Lower", description: "secret" }) { errors { code } }
      lowest: createRole(input: { name: "lowest", parentRoleId: "upper/lower" }) { errors { code } }
      outer: createGroup(input: { name: "outer" }) { errors { code } }
      inner: createGroup(input: { name: "inner", parentGroupId: "outer", displayName: "Inner", description: "secret", roles: ["upper/lower"] }) { errors { code } }
      most: createGroup(input: { name: "innermost", parentGroupId: "outer/inner" }) { errors { code } }
      zoe: createUser(input: { username: "zoe", password: "zoe", mail: "zoe@example.org", displayName: "Zoe", sn: "Zoo", givenName: "Zoe", memberOf: ["outer/inner"], roles: ["upper/lower"] }) { errors { code } }
    }`);
  });
  after(() => server.remove());

  const asked = async (client: GraphqlClient, type: string): Promise<Values> => {
    const data = (await client.run(`{ it: ${TOLD[type]?.query} { ${selectionOf(type)} } }`)) as unknown as {
      readonly it: Values | readonly Values[] | null;
    };
    return (Array.isArray(data.it) ? data.it[0] : data.it) ?? {};
  };
  const shown = (values: Values) =>
    Object.entries(values).flatMap(([name, value]) => (NOTHING.has(JSON.stringify(value)) ? [] : [name]));

  for (const [type, { fields }] of Object.entries(TOLD))
    it(`of a ${type} is: ${fields || 'nothing'}`, async () => {
      const [all, seen] = [await asked(admin, type), await asked(server.as('plain', 'system'), type)];
      const told = fields.split(' ').filter((name) => name !== '');
      for (const name of told) assert.deepEqual(seen[name], all[name], name);
      assert.deepEqual(
        shown(seen).filter((name) => !told.includes(name)),
        [],
      );
      assert.ok(told.every((name) => Object.hasOwn(all, name)));
    });

  it('is all of it, to who is in the group and has the role; of its members itself alone', async () => {
    const zoe = server.as('zoe', 'system');
    await admin.run(
      'mutation { createUser(input: { username: "yan", password: "yan", memberOf: ["outer/inner"], roles: ["upper/lower"] }) { errors { code } } }',
    );
    for (const type of ['Group', 'Role']) {
      const [all, seen] = [await asked(admin, type), await asked(zoe, type)];
      const itself = { totalCount: 1, edges: [{ node: { username: 'zoe' } }] };
      const members = { members: itself, ...(type === 'Group' && { effectiveMembers: itself }) };
      assert.deepEqual(seen, { ...all, ...members });
    }
    const { users } = await zoe.run('{ users(groupId: "outer/inner") { totalCount } }');
    assert.equal(users.totalCount, 1);
  });

  it('is no mail by looking for it, and no profile by looking at nodes', async () => {
    const plain = server.as('plain', 'system');
    const { searchPrincipals, users } = await plain.run(
      '{ searchPrincipals(keyword: "zoe@example.org") { identifier } users(query: "zoe") { totalCount } }',
    );
    assert.deepEqual([searchPrincipals, users.totalCount], [[], 0]);
    for (const path of ['/home/users/zoe', '/home/groups/outer/inner', '/home/roles/upper/lower'])
      assert.equal((await plain.run(`{ node(path: "${path}/profile") { path } }`)).node, null, path);
    const { group } = await admin.run('{ group(groupId: "outer/inner") { groupId } }');
    assert.ok(group);
    const references = '{ references(path: "/home/groups/outer/inner/profile") { totalCount } }';
    assert.equal((await admin.run(references)).references.totalCount > 0, true);
    assert.equal((await plain.ask(references)).data?.references?.totalCount ?? 0, 0);
  });

  it('are display names, wherever somebody is named', async () => {
    await admin.run('mutation { createFolder(path: "/content", name: "named") { path } }');
    await admin.run(
      'mutation { setAccessControl(path: "/content/named", entries: [{ principal: "zoe", privileges: ["jcr:all"] }, { principal: "plain", privileges: ["jcr:all"] }]) { __typename } }',
    );
    const { accessControl } = await server
      .as('plain', 'system')
      .run('{ accessControl(path: "/content/named") { entries { principal { id displayName isGroup } } } }');
    assert.deepEqual(accessControl.entries[0]?.principal, { id: 'zoe', displayName: 'Zoe', isGroup: false });
  });
});
