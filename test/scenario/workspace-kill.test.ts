import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../support/eventually.js';
import type { GraphqlClient } from '../support/graphql-client.js';
import { clientOf } from '../support/server.js';
import { endOf } from './support/jobs.js';
import { KillableServer } from './support/killable-server.js';

// Slow: servers are killed within each kind of job about a workspace.

type Verb = 'create' | 'stop' | 'start' | 'restart' | 'delete';

/** What is seen of a job. */
interface Seen {
  readonly status: string;
  readonly phase?: string | null;
}

const isOver = ({ status }: Seen): boolean => ['completed', 'failed', 'aborted'].includes(status);

/** When the server is killed: as soon as the job runs, or is at its last phase; a job may be quicker than that. */
const CUTS: Readonly<Record<string, (verb: Verb, seen: Seen) => boolean>> = {
  'runs it': (_, { status }) => status !== 'queued',
  'is at its last phase': (verb, seen) => seen.phase === LAST_PHASE[verb] && seen.status === 'running',
};
const LAST_PHASE = { create: 'starting', stop: 'stopping', start: 'starting', restart: 'starting', delete: 'deleting' };

const PLACES = ['/', '/content', '/etc', '/home', '/home/users', '/var'];

describe('workspaces of a server that is killed', function () {
  this.timeout(180_000);
  const server = new KillableServer();
  const admin = () => clientOf(server.process.baseUrl, 'admin');
  const shop = () => clientOf(server.process.baseUrl, 'admin', 'shop');
  after(() => server.remove());

  const begun = async (verb: Verb, name: string): Promise<string> => {
    const data = await admin().run(
      `mutation { it: ${verb}Workspace(input: { name: "${name}" }) { jobId errors { code message } } }`,
    );
    const { jobId, errors } = (data as unknown as { readonly it: { readonly jobId: string; readonly errors: unknown } })
      .it;
    assert.equal(errors, null, `${verb}: ${JSON.stringify(errors)}`);
    return jobId;
  };
  const seen = async (jobId: string): Promise<Seen> =>
    (await admin().run('query ($jobId: ID!) { jobProgress(job: $jobId) { status phase } }', { jobId }))
      .jobProgress as Seen;
  const killedWhile = async (verb: Verb, cut: string): Promise<void> => {
    const jobId = await begun(verb, 'shop');
    const isCut = CUTS[cut] ?? (() => true);
    await eventually(`it ${cut}`, async () => {
      const now = await seen(jobId);
      return isOver(now) || isCut(verb, now);
    });
    await server.end('SIGKILL');
    await server.start();
    const { status, errorMessage } = await endOf(admin(), jobId);
    assert.deepEqual([status, errorMessage ?? null], ['completed', null], verb);
  };
  const stateOf = async () => (await admin().run('{ workspace(name: "shop") { state } }')).workspace?.state ?? null;
  /** What a workspace begins with, but for folders of those who came. */
  const templateOf = async (client: GraphqlClient) => {
    const names = await Promise.all(
      PLACES.map(async (path) => {
        const query = 'query ($path: String!) { children(path: $path, first: 1000) { edges { node { path } } } }';
        const { children } = await client.run(query, { path });
        return children.edges.map(({ node }) => node.path);
      }),
    );
    return names.flat();
  };
  const partitions = () =>
    readdirSync(server.folder, { withFileTypes: true }).filter(
      (it) => it.isDirectory() && readdirSync(join(server.folder, it.name)).includes('log.db'),
    ).length;

  it('are whole, or are not there', async () => {
    await server.start();
    await endOf(admin(), await begun('create', 'whole'));
    const template = await templateOf(clientOf(server.process.baseUrl, 'admin', 'whole'));
    const before = partitions();
    for (const cut of Object.keys(CUTS)) {
      await killedWhile('create', cut);
      assert.equal(await stateOf(), 'ONLINE');
      assert.deepEqual(await templateOf(shop()), template, `made, and killed when it ${cut}`);
      await shop().run('mutation { createFolder(path: "/content", name: "kept") { id } }');
      await killedWhile('stop', cut);
      assert.equal(await stateOf(), 'STOPPED');
      assert.equal((await shop().ask('{ node(path: "/content") { id } }')).status, 503);
      await killedWhile('start', cut);
      await killedWhile('restart', cut);
      assert.equal(await stateOf(), 'ONLINE');
      assert.equal((await shop().run('{ node(path: "/content/kept") { name } }')).node?.name, 'kept');
      await killedWhile('delete', cut);
      assert.equal(await stateOf(), null);
      assert.equal((await shop().ask('{ node(path: "/content") { id } }')).status, 400);
      assert.equal(partitions(), before, 'no file of it is left');
    }
  });
});
