import assert from 'node:assert/strict';
import type { StagedPlacing, XmlStage } from '../../../../src/content/transfer/xml/staged-xml.js';
import type { XmlProperty } from '../../../../src/content/transfer/xml/xml-document.js';
import { detachedTrees } from '../../../../src/content/tree/detached.js';
import { nodes } from '../../../../src/content/tree/node.js';
import { typePacks, typeStamps } from '../../../../src/content/tree/stored-types.js';
import { readCnd } from '../../../../src/content/type/cnd.js';
import { builtInNamespaces } from '../../../../src/content/value/names.js';
import { versionHistories } from '../../../../src/content/version/version.js';
import { shownHistoryOf } from '../../../../src/content/version/version-history.js';
import { systemCaller } from '../../../../src/shared/caller.js';
import { put } from '../../../../src/store/index.js';
import { Harness } from '../../../support/harness.js';
import { MemoryState } from '../../../support/memory-state.js';
import { ADMIN, ANN, type MemoryTree, memoryTree, nodeOf } from '../../support/tree.js';

const SYSTEM = systemCaller('test');

const placing = (name: string, parent: StagedPlacing['parent'] = null, more: Partial<StagedPlacing> = {}) => ({
  parent,
  name,
  type: 'nt:unstructured',
  mixins: [],
  uuid: null,
  line: 7,
  ...more,
});

describe('an import out of the tree', () => {
  let tree: MemoryTree;
  let maker: string;
  let stage: XmlStage;
  beforeEach(async () => {
    tree = await memoryTree();
    stage = {
      rootId: 'holder',
      targetId: tree.base.id,
      behavior: 'CREATE_NEW',
      caller: ADMIN,
      stamp: '',
      namespaces: {},
    };
    maker = await tree.harness.run(tree.content.jobs.beginStaging, { rootId: 'holder', purpose: 'import' }, SYSTEM);
  });

  /** The identifiers; empty: left out. */
  const place = async (places: readonly StagedPlacing[], more: Partial<XmlStage> = {}) => {
    const input = { stage: { ...stage, ...more }, places };
    return (await tree.harness.run(tree.content.jobs.placeXmlNodes, input, SYSTEM)).map((id) => id ?? '');
  };
  const fill = (id: string, properties: readonly Pick<XmlProperty, 'name' | 'type' | 'values'>[], line = 9) => {
    const all = properties.map((one) => ({ ...one, multiple: false, line }));
    const xml = { parent: -1, name: '', type: null, mixins: [], uuid: null, properties: all, line };
    const document = { view: 'SYSTEM', renamed: {} } as const;
    return tree.harness.run(
      tree.content.jobs.fillXmlNodes,
      { stage, document, made: [{ xml, id }], idOf: [['x', id]] },
      SYSTEM,
    );
  };
  const refused = (work: Promise<unknown>, code: string, message: RegExp) =>
    assert.rejects(work, (thrown: { code?: string; message?: string }) => {
      assert.equal(thrown.code, code);
      assert.match(thrown.message ?? '', message);
      return true;
    });

  it('keeps its topmost nodes below a holder, and the rest below them', async () => {
    const [a = '', b = ''] = await place([placing('a'), placing('b', 0)]);
    const [c = ''] = await place([placing('c', b)]);
    assert.deepEqual([tree.get(a)?.parent, tree.get(b)?.parent, tree.get(c)?.parent], ['holder', a, b]);
    assert.equal(tree.child(tree.base.id, 'a'), undefined);
  });

  it('is refused where names are taken, in the tree or by itself', async () => {
    tree.store(nodeOf(tree.base.id, 'folder', { type: 'nt:folder' }));
    const within = { targetId: 'folder' };
    const folder = { type: 'nt:folder' };
    await place([placing('a', null, folder)], within);
    await refused(place([placing('a', null, folder)], within), 'ALREADY_EXISTS', /^line 7: .*'\/content\/folder'/);
    tree.store(nodeOf('folder', 'b', { type: 'nt:folder' }));
    await refused(place([placing('b', null, folder)], within), 'ALREADY_EXISTS', /'b' in '\/content\/folder'/);
    await refused(place([placing('c')], within), 'BAD_REQUEST', /^line 7: /);
  });

  it('asks the rights of whoever imports, not those of the server', () =>
    refused(place([placing('a')], { caller: ANN }), 'FORBIDDEN', /^line 7: /));

  it('refuses properties with their line, and says where the node would be', async () => {
    const [, b = ''] = await place([placing('a'), placing('b', 0, { type: 'nt:folder', mixins: ['mix:title'] })]);
    await refused(
      fill(b, [{ name: 'p', type: 'Long', values: ['two'] }], 31),
      'BAD_REQUEST',
      /^line 31: .*'\/content\/a\/b'/,
    );
    await refused(
      fill(b, [{ name: 'p', type: 'Long', values: ['one'] }], 32),
      'BAD_REQUEST',
      /^line 32: .*'\/content\/a\/b'/,
    );
    await fill(b, []);
    assert.deepEqual(Object.keys(tree.get(b)?.properties ?? {}).sort(), ['jcr:created', 'jcr:createdBy']);
    assert.equal(tree.get(b)?.properties['jcr:createdBy']?.type, 'String');
  });

  it('lets references lead to nodes of itself, by the identifiers of the XML', async () => {
    const [a = ''] = await place([placing('a', null, { mixins: ['mix:referenceable'] })]);
    await fill(a, [{ name: 'self', type: 'Reference', values: ['x'] }]);
    assert.deepEqual(tree.get(a)?.properties.self, { type: 'Reference', value: a });
    await refused(fill(a, [{ name: 'r', type: 'Reference', values: ['nowhere'] }]), 'BAD_REQUEST', /line 9: .*nowhere/);
  });

  it('begins histories that nothing shows before it is there', async () => {
    const [a = ''] = await place([placing('a', null, { mixins: ['mix:versionable'] })]);
    await fill(a, []);
    const state = new MemoryState(tree.harness.documents, 's', 0);
    assert.notEqual(state.get(versionHistories, a), undefined);
    assert.equal(shownHistoryOf(state, a), undefined);
  });

  it('is over when the node types change, when its place is gone, and when it was given up', async () => {
    await refused(place([placing('a')], { stamp: 'other' }), 'UNAVAILABLE', /node types .* changed/);
    await refused(place([placing('a')], { targetId: 'gone' }), 'UNAVAILABLE', /the target of the import/);
    await place([placing('a')]);
    await tree.harness.run(tree.content.jobs.abandonStaging, { rootId: 'holder', maker }, SYSTEM);
    await refused(place([placing('b')]), 'UNAVAILABLE', /took too long/);
    await tree.harness.settle();
    assert.equal(tree.get('holder'), undefined);
    assert.deepEqual(tree.harness.all(detachedTrees), []);
  });

  describe('that is published', () => {
    const publish = async (more: object = {}, caller = ADMIN) => {
      const staged = {
        rootId: 'holder',
        targetId: tree.base.id,
        stamp: '',
        namespaces: {},
        top: [],
        created: 1,
        ...more,
      };
      const evaluators = { readXml: () => ({ problem: null, document: null, staged }) };
      const harness = new Harness({ evaluators, jobTypes: tree.content.jobTypes });
      harness.documents.apply(tree.harness.all(nodes).map((node) => put(nodes, node)));
      harness.documents.apply(tree.harness.all(detachedTrees).map((one) => put(detachedTrees, one)));
      const input = { path: '/content', xml: { blob: 'ff', size: 1 }, uploadId: null, uuidBehavior: 'THROW' } as const;
      return { answer: await harness.run(tree.content.api.importXml, input, caller), harness };
    };

    it('is there with all of it, with its namespaces', async () => {
      const [a = '', b = ''] = await place([placing('a'), placing('b', 0)]);
      const { answer, harness } = await publish({ top: [{ id: a, line: 3 }], created: 2, namespaces: { my: 'u:my' } });
      assert.deepEqual(answer, { nodeIds: [a], created: 2, replaced: 0 });
      assert.deepEqual([harness.get(nodes, a)?.parent, harness.get(nodes, b)?.parent], [tree.base.id, a]);
      assert.deepEqual([harness.get(nodes, 'holder'), harness.all(detachedTrees)], [undefined, []]);
      assert.deepEqual(harness.all(typeStamps)[0]?.namespaces, { my: 'u:my' });
    });

    it('is refused where what it rests on has changed, or is gone', async () => {
      await refused(publish({ rootId: 'gone' }), 'UNAVAILABLE', /took too long/);
      await refused(publish({ targetId: 'other' }), 'UNAVAILABLE', /to rest for a moment/);
      await refused(publish({ stamp: 'other' }), 'UNAVAILABLE', /node types .* changed/);
      await refused(publish({ top: [{ id: 'gone', line: 3 }] }), 'UNAVAILABLE', /^line 3: .* took too long/);
    });
  });

  it('leaves out what types create and protect, and what lies below that', async () => {
    const types = readCnd(
      '[keeps]\n+ kept (nt:unstructured) = nt:unstructured autocreated protected',
      builtInNamespaces,
    ).types;
    tree.harness.documents.put(typePacks, { id: 'registered', types });
    tree.harness.documents.put(typeStamps, { id: 'types', stamp: 'keeps', namespaces: {} });
    stage = { ...stage, stamp: 'keeps' };
    const ids = await place([
      placing('a', null, { type: 'keeps' }),
      placing('kept', 0),
      placing('below', 1),
      placing('b'),
    ]);
    assert.deepEqual(
      ids.map((id) => id === ''),
      [false, true, true, false],
    );
    await fill(ids[0] ?? '', []);
    assert.equal(tree.child(ids[0] ?? '', 'kept')?.type, 'nt:unstructured');
    assert.equal(tree.child(tree.child(ids[0] ?? '', 'kept')?.id ?? '', 'below'), undefined);
  });

  it('sees what is there and what is staged as one, in their order', async () => {
    tree.store(nodeOf(tree.base.id, 'target'), nodeOf('target', 'a', { order: '1', sns: true }));
    const within = { targetId: 'target' };
    await place([placing('a'), placing('b')], within);
    const [last = ''] = await place([placing('a'), placing('c', 0)], within);
    const orders = tree.harness
      .all(nodes)
      .filter(({ parent }) => parent === 'holder')
      .map(({ name, order }) => [order ?? '', name] as const);
    assert.deepEqual(
      orders.sort().map(([, name]) => name),
      ['a', 'b', 'a'],
    );
    assert.equal(new Set(orders.map(([order]) => order)).size, 3);
    assert.equal(tree.get(last)?.sns, true);
  });

  it('has each identifier once, and takes none that somebody has', async () => {
    const id = '00000000-0000-4000-8000-000000000001';
    const identified = (uuid: string, parent: StagedPlacing['parent'] = null) =>
      placing('i', parent, { uuid, mixins: ['mix:referenceable'] });
    const keeping = { behavior: 'REPLACE_EXISTING' } as const;
    const [a = ''] = await place([identified(id)], keeping);
    assert.equal(a, id);
    const [b = ''] = await place([placing('b', a)], keeping);
    await refused(place([identified(id)], keeping), 'BAD_REQUEST', /each jcr:uuid once/);
    const inner = id.replace(/1$/, '2');
    await place([identified(inner, b)], keeping);
    await refused(place([identified(inner)], keeping), 'BAD_REQUEST', /each jcr:uuid once/);
    const other = id.replace(/1$/, '3');
    tree.store(nodeOf(tree.base.id, 'other', { id: other }));
    await refused(place([identified(other)], keeping), 'LIMIT_EXCEEDED', /to replace none that is there/);
    await refused(
      place([identified(other)], { behavior: 'THROW' }),
      'ALREADY_EXISTS',
      /expected no node with the identifier/,
    );
    const below = id.replace(/1$/, '4');
    tree.store(nodeOf('other', 'below', { id: below, parent: other }));
    await refused(place([identified(below)], keeping), 'LIMIT_EXCEEDED', /to replace none that is there/);
    assert.equal(await tree.harness.run(tree.content.jobs.hasNodes, { ids: ['nowhere', other] }, SYSTEM), true);
    assert.equal(await tree.harness.run(tree.content.jobs.hasNodes, { ids: ['nowhere'] }, SYSTEM), false);
  });

  it('is checked with what its types create by themselves', async () => {
    const types = readCnd(
      '[made]\n- must (string) mandatory\n[making]\n+ child (made) = made autocreated',
      builtInNamespaces,
    ).types;
    tree.harness.documents.put(typePacks, { id: 'registered', types });
    tree.harness.documents.put(typeStamps, { id: 'types', stamp: 'making', namespaces: {} });
    stage = { ...stage, stamp: 'making' };
    const [a = ''] = await place([placing('a', null, { type: 'making' })]);
    await refused(fill(a, []), 'BAD_REQUEST', /'must'/);
  });
});
