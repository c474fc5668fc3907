import assert from 'node:assert/strict';
import { eventually } from '../support/eventually.js';
import { GraphqlClient } from '../support/graphql-client.js';
import { clientOf } from '../support/server.js';
import { KillableServer } from './support/killable-server.js';
import { storedCount } from './support/stored-trees.js';

// Slow: servers are killed while users and groups change, and started again.

const ROUNDS = Number(process.env.MILLRACE_TEST_SERVER_KILLS ?? 3);
const GROUPS = ['red', 'blue'];

/** A user that one caller makes, moves from group to group and removes, again and again. */
class Subject {
  readonly name: string;
  /** The groups that it may be in: what was answered, and what was asked last; null: it may not be there. */
  possible: (string | null)[] = [null];
  answered = 0;

  constructor(name: string) {
    this.name = name;
  }

  /** Goes on until the server is gone. */
  async work(admin: GraphqlClient): Promise<void> {
    for (let step = this.answered; ; step++) {
      const next = step % 4 === 3 ? null : (GROUPS[step % 2] ?? null);
      const [present = null] = this.possible;
      this.possible = [present, next, ...(present !== null && next !== null ? [''] : [])];
      try {
        for (const mutation of this.#mutations(present, next)) await this.#done(admin, mutation);
      } catch {
        return;
      }
      this.possible = [next];
      this.answered++;
    }
  }

  /** Again and again, as long as the name is only just being given up. */
  async #done(admin: GraphqlClient, mutation: string): Promise<void> {
    await eventually(`the name '${this.name}' is free`, async () => {
      const { it } = (await admin.run(`mutation { it: ${mutation} }`)) as unknown as {
        readonly it: { readonly errors: readonly { readonly jobId: string | null }[] | null };
      };
      return it.errors?.[0]?.jobId == null;
    });
  }

  #mutations(present: string | null, next: string | null): string[] {
    const { name } = this;
    const members = (group: string) => `input: { groupId: "${group}", usernames: ["${name}"] }`;
    if (next === null) return [`deleteUser(input: { username: "${name}" }) { errors { code jobId } }`];
    if (present === null)
      return [
        `createUser(input: { username: "${name}", password: "${name}", memberOf: ["${next}"] }) { errors { code jobId } }`,
      ];
    return [
      `removeGroupMembers(${members(present)}) { errors { code jobId } }`,
      `addGroupMembers(${members(next)}) { errors { code jobId } }`,
    ];
  }
}

describe('users and groups of a server that is killed', function () {
  this.timeout(180_000);
  const server = new KillableServer();
  const admin = () => clientOf(server.process.baseUrl, 'admin', 'system');
  after(() => server.remove());

  it(`are as it was answered, ${ROUNDS} times, and never half`, async () => {
    await server.start();
    for (const name of GROUPS)
      await admin().run(`mutation { createGroup(input: { name: "${name}" }) { errors { code } } }`);
    const subjects = ['a', 'b', 'c', 'd'].map((name) => new Subject(`user-${name}`));
    for (let round = 0; round < ROUNDS; round++) {
      const answered = () => subjects.reduce((sum, one) => sum + one.answered, 0);
      const enough = answered() + 15 + ((round * 13) % 20);
      const work = Promise.all(subjects.map((one) => one.work(admin())));
      await eventually('the work goes on', async () => answered() >= enough, 60_000);
      await server.end('SIGKILL');
      await work;
      await server.start();
      for (const one of subjects) await isOneOf(one);
    }
    await namesAreFree();
    await server.end();
    const users = `d_node WHERE c_name = 'profile' AND body LIKE '%mi:userProfile%'`;
    const counts = ['d_principalName', `d_node WHERE c_name = 'profile' AND body LIKE '%mi:groupProfile%'`, users].map(
      (from) => storedCount(server.folder, `SELECT count(*) AS count FROM ${from}`, 'system'),
    );
    assert.equal(counts[0], (counts[1] ?? 0) + (counts[2] ?? 0), 'each name that is taken is somebody’s');
  });

  /** What was given up when the server was killed goes on, and is through. */
  async function namesAreFree(): Promise<void> {
    await eventually('no name is given up any more', async () => {
      const left = storedCount(server.folder, 'SELECT count(*) AS count FROM d_principalChange', 'system');
      return left === 0;
    });
  }

  /** The user is where it may be; who is there signs in. */
  async function isOneOf(subject: Subject): Promise<void> {
    const { user } = await admin().run(`{ user(username: "${subject.name}") { memberOf { groupId } } }`);
    const found = user == null ? null : (user.memberOf[0]?.groupId ?? '');
    assert.ok(subject.possible.includes(found), `${subject.name} is in '${found}', expected ${subject.possible}`);
    subject.possible = [found === '' ? 'red' : found];
    if (user == null) return;
    const client = new GraphqlClient(admin().url, { userId: subject.name, password: subject.name });
    assert.equal((await client.run('{ me { username } }')).me?.username, subject.name);
  }
});
