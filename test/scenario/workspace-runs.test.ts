import assert from 'node:assert/strict';
import { readdirSync, readlinkSync } from 'node:fs';
import { releaseClosed } from '../../src/store/sqlite.js';
import { bpmn, line } from '../support/bpmn.js';
import { eventually } from '../support/eventually.js';
import type { GraphqlClient } from '../support/graphql-client.js';
import { Refused } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { Events } from './support/events.js';
import { doWorkspace } from './support/workspaces.js';

const CREATE = 'mutation ($name: String!) { createFolder(input: { path: "/content", name: $name }) { path } }';
const CALLERS = 64;

/** What this process holds of the machine: connections to files of the data folder, threads, and timers that keep it alive. */
async function held(folder: string) {
  // Connections that are closed are given back when their statements are collected.
  releaseClosed();
  await new Promise((resolve) => setImmediate(resolve));
  return {
    connections: readdirSync('/proc/self/fd')
      .map(targetOf)
      .filter((file) => isConnection(folder, file)).length,
    threads: readdirSync('/proc/self/task').length,
    timers: process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length,
  };
}

/** Each connection has the write-ahead log open; of the file itself SQLite keeps more open as long as any is. */
const isConnection = (folder: string, file: string) => file.startsWith(folder) && file.endsWith('-wal');

function targetOf(descriptor: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return '';
  }
}

describe('workspaces that come and go while others work', function () {
  this.timeout(120_000);
  let server: LiveServer;
  let system: GraphqlClient;
  before(async () => {
    server = await liveServer({ clock: 'system', users: [{ userId: 'ann' }] });
    system = server.as('admin', 'system');
  });
  after(() => server.remove());

  const created = async (name: string): Promise<GraphqlClient> => {
    await doWorkspace(system, 'create', name);
    return server.as('admin', name);
  };
  const folders = async (client: GraphqlClient): Promise<string[]> => {
    const { children } = await client.run('{ children(path: "/content", first: 5000) { edges { node { name } } } }');
    return children.edges.map(({ node }) => node.name);
  };

  it('begin with the template, each with its own content, types and processes', async () => {
    const [one, two] = [await created('one'), await created('two')];
    const page = '{ node(path: "/content/index.html") { mimeType } processDefinitions { totalCount } }';
    for (const client of [one, two])
      assert.deepEqual(await client.run(page), {
        node: { mimeType: 'text/html' },
        processDefinitions: { totalCount: 0 },
      });
    await one.run(CREATE, { name: 'own' });
    await one.run('mutation ($cnd: String!) { registerNodeTypes(cnd: $cnd) { name } }', {
      cnd: "<shop = 'urn:shop'> [shop:item] > nt:base",
    });
    const resources = [{ name: 'own.bpmn', content: bpmn(line([], ''), { key: 'own' }) }];
    await one.run('mutation ($input: DeployProcessInput!) { deployProcess(input: $input) { id } }', {
      input: { name: 'own', resources },
    });
    const own = `{ node(path: "/content/own") { name } nodeType(name: "shop:item") { name } processDefinitions { totalCount } }`;
    assert.deepEqual(await one.run(own), {
      node: { name: 'own' },
      nodeType: { name: 'shop:item' },
      processDefinitions: { totalCount: 1 },
    });
    assert.deepEqual(await two.run(own), { node: null, nodeType: null, processDefinitions: { totalCount: 0 } });
    for (const name of ['one', 'two']) await doWorkspace(system, 'delete', name);
  });

  it('are stopped while many work in them: what was answered is there, and streams end without a last word', async () => {
    const shop = await created('shop');
    const answered = new Set<string>();
    const refusals = new Set<string>();
    let isStopped = false;
    const work = async (caller: number) => {
      for (let n = 0; !isStopped; n++) {
        const name = `folder-${caller}-${n}`;
        try {
          await shop.run(CREATE, { name });
          answered.add(name);
        } catch (thrown) {
          assert.ok(thrown instanceof Refused, String(thrown));
          refusals.add(thrown.errors.map(({ extensions }) => extensions.reason).join());
        }
      }
    };
    const events = [new Events(shop, false), new Events(shop, true)];
    const received = events.map((one) => one.follow('subscription { nodeChanged(path: "/content") { path } }'));
    await Promise.all(events.map((one) => one.connected(1)));
    const callers = Array.from({ length: CALLERS }, (_, caller) => work(caller));
    await Promise.all(received.map((one) => one.events(200)));
    await doWorkspace(system, 'stop', 'shop');
    isStopped = true;
    await Promise.all(callers);
    await Promise.all(received.map((one) => one.events(Number.POSITIVE_INFINITY).catch(() => {})));
    assert.deepEqual(
      received.map(({ isComplete }) => isComplete),
      [false, false],
    );
    for (const one of events) one.close();
    // More calls than a machine with other work takes are told so, too.
    refusals.delete('overloaded');
    assert.deepEqual([...refusals], ['workspace_stopped'], 'whoever came too late is told so');
    await doWorkspace(system, 'start', 'shop');
    const there = new Set(await folders(shop));
    assert.deepEqual(
      [...answered].filter((name) => !there.has(name)),
      [],
    );
    assert.ok(answered.size >= 200);
    await doWorkspace(system, 'delete', 'shop');
  });

  it('are restarted again and again, and leave nothing behind', async () => {
    const shop = await created('again');
    const restarted = async (times: number) => {
      for (let n = 0; n < times; n++) {
        await doWorkspace(system, 'restart', 'again');
        await shop.run('{ node(path: "/content") { path } processDefinitions { totalCount } }');
      }
    };
    await restarted(3);
    const before = await held(server.folder);
    await restarted(20);
    const kinds = ['connections', 'threads', 'timers'] as const;
    let after = before;
    // Threads are told to close what they have open, and do so when their turn comes.
    await eventually('as little is held as before', async () => {
      after = await held(server.folder);
      return kinds.every((kind) => after[kind] <= before[kind] + 2);
    }).catch(() => {});
    for (const kind of kinds)
      assert.ok(after[kind] <= before[kind] + 2, `${kind}: ${before[kind]} before, ${after[kind]} behind 20 restarts`);
    await doWorkspace(system, 'delete', 'again');
  });
});
