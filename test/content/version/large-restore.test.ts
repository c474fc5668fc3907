import assert from 'node:assert/strict';
import type { ContentNode } from '../../../src/content/index.js';
import { stagedInRounds } from '../../../src/content/large/make-ready.js';
import { abandonStaging } from '../../../src/content/large/staging.js';
import { detachedTrees } from '../../../src/content/tree/detached.js';
import { nodes } from '../../../src/content/tree/node.js';
import { RestoreStaging } from '../../../src/content/version/stage-restore.js';
import { versionHistories } from '../../../src/content/version/version.js';
import { systemCaller } from '../../../src/shared/caller.js';
import type { ServiceError } from '../../../src/shared/errors.js';
import { type ContentStore, contentStore, plant } from '../../support/content-store.js';

// Slow: each test checks a tree of ten thousand nodes in.

const FOLDERS = 102;
const LEAVES = 99;
const PATH = '/content/big';

describe('restoring a tree of ten thousand nodes', function () {
  this.timeout(120_000);
  let store: ContentStore;
  let rootId: string;
  let frozen: ReadonlyMap<string, object>;
  before(async () => {
    store = await contentStore();
    const { createNode, addVersionControl, addMixin } = store.content.nodes;
    const make = (path: string, name: string) => store.run(createNode, { path, name, nodeType: 'nt:unstructured' });
    rootId = (await make('/content', 'big')).nodeId;
    await make('/content', 'elsewhere');
    await make('/content', 'target');
    await store.run(addMixin, { path: '/content/target', mixinType: 'mix:referenceable' });
    const target = idAt('/content/target');
    for (let folder = 0; folder < FOLDERS; folder++) {
      const leaves = Array.from({ length: LEAVES }, (_, leaf) => unstructured(`f${folder}-l${leaf}`, `f${folder}`));
      await put([unstructured(`f${folder}`, rootId), ...leaves]);
    }
    await put([{ ...unstructured('f1-l1', 'f1'), properties: { ref: { type: 'Reference', value: target } } }]);
    await store.run(addVersionControl, { path: PATH });
    await checkout();
    await make(PATH, 'child');
    await make(`${PATH}/child`, 'below');
    await store.run(addVersionControl, { path: `${PATH}/child` });
    await store.run(store.content.nodes.checkin, { path: PATH });
    frozen = shown();
  });
  after(() => store.close());

  const put = (planted: readonly ContentNode[]) =>
    store.partition.send(plant, planted, { caller: systemCaller('test') });
  const idAt = (path: string): string =>
    path
      .split('/')
      .slice(1)
      .reduce((parent, name) => store.partition.replica.read().find(nodes, 'name', [parent, name])[0]?.id ?? '', ROOT);
  const below = (id: string): ContentNode[] =>
    store.partition.replica
      .read()
      .find(nodes, 'name', [id])
      .flatMap((child) => [child, ...below(child.id)]);
  /** All below the node as it is, apart from when it was written. */
  const shown = () => new Map(below(rootId).map(({ version: _, ...node }) => [node.id, node]));
  const checkout = () => store.run(store.content.nodes.checkout, { path: PATH });
  const restore = (versionName = '1.1') => store.run(store.content.nodes.restoreVersion, { path: PATH, versionName });
  const refused = (work: Promise<unknown>) =>
    work.then(
      () => assert.fail('expected a refusal'),
      (thrown: ServiceError) => thrown,
    );
  const remove = (path: string) => store.run(store.content.nodes.deleteNode, { path });
  const abandon = (id: string) => {
    const maker = store.partition.replica.read().get(detachedTrees, id)?.maker ?? '';
    return store.partition.send(abandonStaging, { rootId: id, maker }, { caller: systemCaller('test') });
  };
  const swept = () =>
    store.until(() => store.partition.replica.read().range(detachedTrees, 'since', [0], 1).length === 0);

  it('brings back what has gone, changed and moved, and takes away what has come, all at once', async () => {
    await checkout();
    for (let folder = 0; folder < 40; folder++) await remove(`${PATH}/f${folder}`);
    const { moveNode, renameNode, createNode } = store.content.nodes;
    await store.run(moveNode, { sourcePath: `${PATH}/f50`, destPath: '/content/elsewhere' });
    await store.run(moveNode, { sourcePath: `${PATH}/f51`, destPath: `${PATH}/f52` });
    await store.run(renameNode, { path: `${PATH}/f53`, name: 'renamed' });
    for (let folder = 60; folder < 80; folder++)
      await put(below(`f${folder}`).map((node) => ({ ...node, properties: { title: text('other') } })));
    await store.run(createNode, { path: PATH, name: 'come', nodeType: 'nt:unstructured' });
    const come = idAt(`${PATH}/come`);
    for (let part = 0; part < 4; part++)
      await put(Array.from({ length: 400 }, (_, leaf) => unstructured(`come-${part}-${leaf}`, come)));
    const seen = new Set<number>();
    let isOver = false;
    const reading = (async () => {
      while (!isOver) {
        seen.add(store.partition.replica.read().find(nodes, 'name', [rootId]).length);
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    const was = store.partition.replica.read().find(nodes, 'name', [rootId]).length;
    store.commits.length = 0;
    await restore();
    isOver = true;
    await reading;
    assert.deepEqual(shown(), frozen);
    assert.deepEqual(
      [...seen].filter((count) => count !== was && count !== FOLDERS + 1),
      [],
    );
    assert.ok(store.commits.some(({ command }) => command.type === 'stageNodes'));
    assert.equal(store.partition.replica.read().get(nodes, rootId)?.versioning?.checkedOut, false);
    assert.equal(store.partition.replica.read().find(nodes, 'name', [idAt('/content/elsewhere')]).length, 0);
    await swept();
    assert.equal(store.partition.replica.read().get(nodes, 'come-3-399'), undefined);
    assert.deepEqual(shown(), frozen);
  });

  it('can be checked out, changed, checked in, and restored again', async () => {
    await checkout();
    await remove(`${PATH}/f7`);
    const { setProperties, checkin } = store.content.nodes;
    const value = { type: 'String' as const, multiple: false, values: ['again'] };
    await store.run(setProperties, { path: `${PATH}/f8/f8-l8`, properties: [{ name: 'title', value }] });
    await store.run(checkin, { path: PATH });
    const second = shown();
    assert.notDeepEqual(second, frozen);
    await restore('1.1');
    assert.deepEqual(shown(), frozen);
    await restore('1.2');
    assert.deepEqual(shown(), second);
    await restore('1.1');
    await swept();
  });

  it('takes up what is written meanwhile, again and again', async () => {
    await checkout();
    for (let folder = 20; folder < 30; folder++) await remove(`${PATH}/f${folder}`);
    const { setProperties, createNode, moveNode } = store.content.nodes;
    const value = { type: 'String' as const, multiple: false, values: ['meanwhile'] };
    const [done] = await Promise.allSettled([
      restore(),
      (async () => {
        for (let n = 0; n < 30; n++) {
          const written = [
            () =>
              store.run(setProperties, {
                path: `${PATH}/f${40 + n}/f${40 + n}-l3`,
                properties: [{ name: 'title', value }],
              }),
            () => store.run(createNode, { path: PATH, name: `new${n}`, nodeType: 'nt:unstructured' }),
            () => remove(`${PATH}/f${60 + n}`),
            () => store.run(moveNode, { sourcePath: `${PATH}/f${31 + (n % 9)}`, destPath: `${PATH}/f30` }),
          ][n % 4];
          // Once it is restored it is checked in.
          await written?.().catch((thrown: ServiceError) => assert.match(thrown.code, /CONFLICT|BAD_REQUEST/));
        }
      })(),
    ]);
    if (done.status === 'rejected') assert.equal((done.reason as ServiceError).code, 'UNAVAILABLE');
    else assert.deepEqual(shown(), frozen);
    await restore();
    assert.deepEqual(shown(), frozen);
    await swept();
  });

  it('shows nothing of one that is given up, and keeps the histories of what was made for it', async () => {
    const [child, version] = [
      idAt(`${PATH}/child`),
      store.partition.replica.read().get(nodes, rootId)?.versioning?.baseVersion,
    ];
    await restore('1.0');
    await swept();
    assert.equal(store.partition.replica.read().get(nodes, child), undefined);
    await checkout();
    await remove(`${PATH}/f4`);
    await swept();
    const now = shown();
    const question = { partition: 'test', nodeId: rootId, versionId: version ?? '', now: Date.now(), round: 0 };
    const caller = { ...systemCaller('test'), userId: 'admin' };
    const planned = await stagedInRounds(new RestoreStaging(store.work, question, caller));
    assert.ok(planned.problem === null && planned.stagingId !== null);
    assert.ok(store.partition.replica.read().get(nodes, child), 'it is staged');
    assert.deepEqual(shown(), now);
    await abandon(planned.stagingId);
    await swept();
    assert.equal(store.partition.replica.read().get(nodes, 'f4-l4'), undefined);
    assert.equal(store.partition.replica.read().get(versionHistories, child)?.deleted, undefined);
    await restore();
    assert.deepEqual(shown(), frozen);
    await swept();
  });

  it('is refused where too many nodes differ, before anything is made', async () => {
    await checkout();
    for (let folder = 0; folder < FOLDERS; folder++)
      await put(below(`f${folder}`).map((node) => ({ ...node, properties: { title: text('all') } })));
    await remove(`${PATH}/f0`);
    store.commits.length = 0;
    const thrown = await refused(restore());
    assert.equal(thrown.code, 'LIMIT_EXCEEDED');
    assert.match(thrown.message, /at most 10000 nodes of '\/content\/big' to differ from the version, but 1\d{4} do/);
    assert.ok(!store.commits.some(({ command }) => command.type === 'stageNodes'));
  });
});

const ROOT = '00000000-0000-7000-8000-000000000001';
const text = (value: string) => ({ type: 'String', value }) as const;

const unstructured = (id: string, parent: string): ContentNode => ({
  id,
  parent,
  name: id,
  order: id,
  sns: true,
  type: 'nt:unstructured',
  mixins: [],
  properties: { title: text('one') },
  version: 0,
});
