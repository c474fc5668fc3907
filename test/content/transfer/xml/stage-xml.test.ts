import assert from 'node:assert/strict';
import type { StagedPlacing, XmlStage } from '../../../../src/content/transfer/xml/staged-xml.js';
import type { XmlProperty } from '../../../../src/content/transfer/xml/xml-document.js';
import { detachedTrees } from '../../../../src/content/tree/detached.js';
import { versionHistories } from '../../../../src/content/version/version.js';
import { shownHistoryOf } from '../../../../src/content/version/version-history.js';
import { systemCaller } from '../../../../src/shared/caller.js';
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

  const place = (places: readonly StagedPlacing[], more: Partial<XmlStage> = {}) =>
    tree.harness.run(tree.content.jobs.placeXmlNodes, { stage: { ...stage, ...more }, places }, SYSTEM);
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
});
