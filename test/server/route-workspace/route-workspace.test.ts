import assert from 'node:assert/strict';
import type { CommandOrigin, NodeChanges, ReadNode, WorkspaceCommand } from '../../../src/eip/index.js';
import type { Engine } from '../../../src/engine/index.js';
import type { RouteControl } from '../../../src/server/route-workspace/route-control.js';
import { RouteWorkspace } from '../../../src/server/route-workspace/route-workspace.js';
import type { Caller } from '../../../src/shared/caller.js';
import { ServiceError, unavailable } from '../../../src/shared/errors.js';
import type { PartitionPort, State } from '../../../src/store/index.js';
import { encodePosition } from '../../../src/store/index.js';
import { type ContentStore, contentStore } from '../../support/content-store.js';

const DEPLOYER = { userId: 'admin', principalId: 'p-admin' };

/** What is stored, and the route. */
const withRoute = (state: State): State =>
  new Proxy(state, {
    get: (of, name: keyof State) => {
      const own = of[name] as unknown;
      if (typeof own !== 'function') return own;
      const get: State['get'] = (collection, id) =>
        collection.name === 'route' ? ({ deployer: DEPLOYER } as never) : of.get(collection, id);
      return name === 'get' ? get : own.bind(of);
    },
  });

describe('the workspace as routes have it', () => {
  let store: ContentStore;
  before(async () => {
    store = await contentStore({ threads: false });
  });
  after(() => store.close());

  /** With a route that `admin` has deployed. `lost`: how many answers of commands are lost behind what they did. */
  function workspaceOf({ lost = 0, isGone = false } = {}) {
    const sent: { readonly caller: Caller; readonly commandId: string | undefined }[] = [];
    let left = lost;
    const send: PartitionPort['send'] = async (operation, input, options) => {
      sent.push({ caller: options.caller, commandId: options.commandId });
      const done = await store.partition.send(operation, input, options);
      if (left-- > 0) throw unavailable('the answer is lost');
      return done;
    };
    const { replica } = store.partition;
    const read = () => withRoute(replica.read());
    const partition = { id: 'test', workspace: 'test', send, sendAsSystem: send, replica } as unknown as PartitionPort;
    const port = { ...partition, replica: { feed: replica.feed, readBack: () => replica.readBack(), read } };
    const workspace = new RouteWorkspace({
      partition: port as unknown as PartitionPort,
      content: store.content,
      engine: { api: {} } as unknown as Engine,
      blobs: store.blobs,
      reader: { query: () => Promise.reject(new Error('not asked')) },
      now: () => Date.now(),
      rights: {
        of: (caller) => {
          if (isGone) throw new ServiceError('UNAUTHORIZED', 'gone', { reason: 'user_gone' });
          return { ...caller, roles: ['administrator'] };
        },
      },
      routes: {} as RouteControl,
      block: { name: 'none', decide: () => ({ answer: null }) },
      keepPlace: { name: 'none', decide: () => ({ answer: null }) },
      isEngineOn: () => false,
      contentMax: 1_000,
    });
    return { workspace, sent };
  }

  const by = (key: string): CommandOrigin => ({ routeId: 'orders', exchangeId: 'e-1', key });
  const write = (path: string, more: object = {}): WorkspaceCommand => ({
    ...{ kind: 'cms.write', path, properties: {}, createsParents: true, exists: 'override', nodeType: 'nt:folder' },
    ...more,
  });
  const versionOf = async (workspace: RouteWorkspace, path: string) =>
    ((await workspace.read({ kind: 'cms.node', path }, by(''))) as ReadNode).version;

  it('has commands say of which exchange and route they are', async () => {
    const { workspace, sent } = workspaceOf();
    await workspace.send(write('/content/told'), by('a'));
    assert.deepEqual(sent[0]?.caller.cause, { exchangeId: 'e-1', routeId: 'orders' });
    assert.deepEqual([sent[0]?.caller.userId, sent[0]?.caller.principalId], ['admin', 'p-admin']);
  });

  it('sends again what nobody knows of, under the same id, and does it once', async () => {
    const { workspace, sent } = workspaceOf({ lost: 1 });
    const first = await workspace.send(write('/content/once', { exists: 'fail' }), by('b'));
    assert.equal(sent.length, 2);
    assert.equal(sent[0]?.commandId, sent[1]?.commandId);
    const again = await workspace.send(write('/content/once', { exists: 'fail', properties: { other: 1 } }), by('b'));
    assert.deepEqual(again, first);
    assert.equal(await versionOf(workspace, '/content/once'), (first as { version: number }).version);
  });

  it('decides anew what was refused', async () => {
    const { workspace } = workspaceOf();
    const late = write('/content/late', { expectedVersion: 0, exists: 'fail' });
    await workspace.send(write('/content/late'), by('c'));
    await assert.rejects(workspace.send(late, by('d')), { code: 'ALREADY_EXISTS' });
    await workspace.send({ kind: 'cms.delete', path: '/content/late' }, by('e'));
    await workspace.send(late, by('d'));
    assert.notEqual(await versionOf(workspace, '/content/late'), null);
  });

  it('refuses everything as a user that is gone, and processes where their engine is off', async () => {
    const { workspace } = workspaceOf({ isGone: true });
    await assert.rejects(workspace.send(write('/content/never'), by('f')), { code: 'UNAUTHORIZED' });
    await assert.rejects(workspace.read({ kind: 'cms.node', path: '/content' }, by('')), { code: 'UNAUTHORIZED' });
    const step = { routeId: 'orders', path: '/content', deep: true, after: null };
    await assert.rejects(workspace.watch(step), { code: 'UNAUTHORIZED' });
    const start: WorkspaceCommand = { kind: 'bpm.start', processDefinitionKey: 'p', variables: {} };
    await assert.rejects(workspaceOf().workspace.send(start, by('g')), { info: { reason: 'engine_off' } });
  });

  it('takes content in pieces, up to what content may be', async () => {
    const { workspace } = workspaceOf();
    const piece = (size: number) => new Uint8Array(size).fill(65);
    await workspace.stage({ name: 's', piece: piece(300) });
    const content = (await workspace.stage({ name: 's', piece: piece(200), end: 'seal' })) as never;
    await workspace.send(write('/content/pieces.txt', { content, nodeType: undefined }), by('h'));
    const { node } = (await workspace.read({ kind: 'cms.node', path: '/content/pieces.txt' }, by(''))) as ReadNode;
    assert.deepEqual([node?.size, node?.content], [500, { bytes: Buffer.alloc(500, 65) }]);
    await workspace.stage({ name: 't', piece: piece(900) });
    await assert.rejects(workspace.stage({ name: 't', piece: piece(200), end: 'seal' }) as Promise<unknown>, {
      code: 'LIMIT_EXCEEDED',
    });
    await workspace.stage({ name: 'u', piece: piece(900) });
    workspace.close();
    await assert.rejects(workspace.stage({ name: 'v', piece: piece(900) }), { code: 'CONFLICT' });
  });

  it('tells what changed behind a place, and begins anew behind what is kept', async () => {
    const { workspace } = workspaceOf();
    const step = { routeId: 'orders', path: '/content', deep: true };
    const place = store.partition.replica.feed.position();
    const following = workspace.watch({ ...step, after: place }) as Promise<NodeChanges>;
    await workspace.send(write('/content/followed'), by('i'));
    const { changes, isAnew } = await following;
    assert.deepEqual(
      [changes.map(({ type, path }) => `${type} ${path}`), isAnew],
      [['CREATED /content/followed'], false],
    );
    const other = encodePosition([{ partition: 'test', epoch: 'other', revision: 1, index: 0 }]);
    const anew = (await workspace.watch({ ...step, after: other })) as NodeChanges;
    assert.deepEqual([anew.changes, anew.isAnew, anew.place], [[], true, store.partition.replica.feed.position()]);
  });
});
