import assert from 'node:assert/strict';
import { eventually } from '../support/eventually.js';
import type { GraphqlClient } from '../support/graphql-client.js';
import { clientOf } from '../support/server.js';
import { denyFolders } from './support/denied-folders.js';
import { KillableServer } from './support/killable-server.js';
import { storedCount } from './support/stored-trees.js';

// Slow: servers are killed while names are changed everywhere, and started again.

const ROUNDS = Number(process.env.MILLRACE_TEST_SERVER_KILLS ?? 3);
const FOLDERS = 200;

describe('names that are changed by a server that is killed', function () {
  this.timeout(240_000);
  const server = new KillableServer();
  const client = (userId: string, workspace = 'web') => clientOf(server.process.baseUrl, userId, workspace);
  after(() => server.remove());

  const system = async (mutation: string) => {
    const data = await client('admin', 'system').run(`mutation { it: ${mutation} { errors { code jobId } } }`);
    return (
      data as unknown as { readonly it: { readonly errors: readonly { readonly jobId: string | null }[] | null } }
    ).it.errors;
  };
  const entriesOf = (name: string) =>
    storedCount(server.folder, `SELECT count(*) AS count FROM m_node_principal WHERE value = '${name}'`);
  const changesLeft = () => storedCount(server.folder, 'SELECT count(*) AS count FROM d_principalChange', 'system');

  /** Kills the server when so many entries have left the name, and starts it again. */
  async function killed(name: string, before: number, gone: number): Promise<void> {
    await eventually(`${gone} entries of '${name}' are gone`, () => entriesOf(name) <= before - gone, 60_000);
    await server.end('SIGKILL');
    await server.start();
  }
  const seen = async (as: GraphqlClient, path: string) => {
    const { node } = await as.run(
      `{ node(path: "${path}") { children(first: ${FOLDERS}) { edges { node { name } } } } }`,
    );
    return node?.children.edges.length;
  };
  const through = () => eventually('it is through', () => changesLeft() === 0, 60_000);

  it(`are changed to the end, ${ROUNDS} times, and what is denied stays so`, async () => {
    await server.start();
    await system('createGroup(input: { name: "crew0" })');
    await system('addGroupMembers(input: { groupId: "crew0", usernames: ["ann"] })');
    await denyFolders(client('admin'), { count: FOLDERS, path: '/crew', principal: 'crew0' });
    for (let round = 0; round < ROUNDS; round++) {
      const [from, to] = [`crew${round}`, `crew${round + 1}`];
      assert.equal(await system(`moveGroup(input: { groupId: "${from}", newName: "${to}" })`), null);
      await killed(from, FOLDERS, [1, 90, FOLDERS][round % 3] ?? 0);
      assert.equal(await seen(client('ann'), '/crew'), 0, 'as soon as it answers');
      await through();
      assert.deepEqual([entriesOf(from), entriesOf(to)], [0, FOLDERS]);
      assert.equal(await seen(client('ann'), '/crew'), 0);
    }
  });

  it(`of a user that is gone give nothing to the next one of the name, ${ROUNDS} times`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const make = 'createUser(input: { username: "eve", password: "eve" })';
      await eventually('the name is free', async () => (await system(make)) === null, 60_000);
      await denyFolders(client('admin'), { count: 60, path: `/his${round}`, principal: 'eve' });
      assert.equal(await seen(client('eve'), `/his${round}`), 0);
      const before = entriesOf('eve');
      assert.equal(await system('deleteUser(input: { username: "eve" })'), null);
      await killed('eve', before, [1, 45, 61][round % 3] ?? 0);
      const errors = await system(make);
      // Where it is refused, it is told by which job, and that comes to its end.
      if (errors !== null) assert.match(errors[0]?.jobId ?? '', /^\d+-[\da-f]{4}$/);
      await through();
      if (errors !== null) await eventually('the name is free', async () => (await system(make)) === null, 60_000);
      assert.equal(await seen(client('eve'), `/his${round}`), 60, 'nothing is denied to another one');
      assert.equal(await system('deleteUser(input: { username: "eve" })'), null);
    }
  });
});
