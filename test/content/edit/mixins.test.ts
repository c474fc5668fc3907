import assert from 'node:assert/strict';
import { createNode } from '../../../src/content/edit/create-node.js';
import { addMixin, deleteMixin } from '../../../src/content/edit/mixins.js';
import { setProperties } from '../../../src/content/edit/set-properties.js';
import { deleteNode } from '../../../src/content/large/delete-node.js';
import { lockNode } from '../../../src/content/lock/lock-node.js';
import { withoutVersions } from '../../../src/content/tree/mixins.js';
import { nodes } from '../../../src/content/tree/node.js';
import { checkin } from '../../../src/content/version/check-in.js';
import { versionHistories, versions } from '../../../src/content/version/version.js';
import { systemCaller } from '../../../src/shared/caller.js';
import { remove } from '../../../src/store/index.js';
import { MemoryRepository } from '../support/memory-repository.js';
import { nodeOf } from '../support/tree.js';

const PATH = '/content/it';

describe('a mixin', () => {
  let repository: MemoryRepository;
  let id: string;

  const add = (mixinType: string, path = PATH) => repository.do(addMixin.operation, { path, mixinType });
  const take = (mixinType: string) => repository.do(deleteMixin.operation, { path: PATH, mixinType });
  const node = () => repository.documents.all(nodes).find((one) => one.id === id);
  const create = (name: string, more: object = {}) =>
    repository.do(createNode.operation, { path: '/content', name, nodeType: 'nt:unstructured', ...more }).nodeId;
  const reference = (target: string) => ({
    properties: [{ name: 'to', value: { type: 'Reference' as const, multiple: false, values: [target] } }],
  });
  const refused = (mixinType: string, why: string) =>
    assert.throws(() => take(mixinType), {
      code: 'CONFLICT',
      message: `'${mixinType}' cannot be taken from '${PATH}': ${why}`,
    });

  beforeEach(() => {
    repository = new MemoryRepository();
    id = create('it');
  });

  it('is added once, with what it creates by itself', () => {
    add('mix:created');
    const { properties, version } = node() ?? assert.fail();
    assert.deepEqual(properties['jcr:createdBy'], { type: 'String', value: 'admin' });
    add('mix:created');
    assert.deepEqual(node()?.mixins, ['mix:created']);
    assert.equal(node()?.version, version, 'nothing happens where the node is of the type already');
  });

  it('is no primary type', () => {
    assert.throws(() => add('nt:folder'), { message: `expected a mixin, but 'nt:folder' is a primary node type` });
  });

  it('takes what it protects from whoever has set it before, and that alone', () => {
    repository.register('[kept] mixin - p (string) protected - p (long) [more] > mix:created mixin');
    const value = (type: 'String' | 'Boolean', one: string | boolean) => ({ type, multiple: false, values: [one] });
    const properties = [
      { name: 'jcr:createdBy', value: value('String', 'somebody') },
      { name: 'jcr:title', value: value('String', 'A title') },
      { name: 'p', value: value('Boolean', true) },
    ];
    repository.do(setProperties.operation, { path: PATH, properties });
    const names = () => Object.keys(node()?.properties ?? {}).sort();
    add('mix:title');
    assert.deepEqual(names(), ['jcr:createdBy', 'jcr:title', 'p']);
    add('kept');
    assert.deepEqual(names(), ['jcr:createdBy', 'jcr:title']);
    add('mix:created');
    assert.deepEqual(names(), ['jcr:created', 'jcr:createdBy', 'jcr:title']);
    assert.deepEqual(node()?.properties['jcr:createdBy'], { type: 'String', value: 'admin' });
    const ben = { ...systemCaller('test'), userId: 'ben', roles: ['administrator'] };
    repository.do(addMixin.operation, { path: PATH, mixinType: 'more' }, ben);
    assert.deepEqual(
      node()?.properties['jcr:createdBy'],
      { type: 'String', value: 'admin' },
      'it was protected before',
    );
  });

  it('goes with the properties that it alone allows', () => {
    const folder = repository.change((change) => change.at('/content/WEB-INF').id);
    const title = () => repository.documents.all(nodes).find((one) => one.id === folder)?.properties['jcr:title'];
    add('mix:title', '/content/WEB-INF');
    repository.change((change) => {
      const at = change.at('/content/WEB-INF');
      change.put({ ...at, properties: { ...at.properties, 'jcr:title': { type: 'String', value: 'A title' } } });
    });
    assert.notEqual(title(), undefined);
    repository.do(deleteMixin.operation, { path: '/content/WEB-INF', mixinType: 'mix:title' });
    assert.equal(title(), undefined);
  });

  it('that makes versionable begins a history, which goes with it while there is no version', () => {
    add('mix:versionable');
    const [history] = repository.documents.all(versionHistories);
    assert.equal(history?.id, id);
    assert.deepEqual(node()?.versioning?.predecessors, [history?.rootVersion]);
    take('mix:versionable');
    assert.equal(node()?.versioning, undefined);
    assert.deepEqual(repository.documents.all(versionHistories), []);
    assert.deepEqual(repository.documents.all(versions), []);
  });

  it('stays where there are versions', () => {
    add('mix:versionable');
    repository.do(checkin.operation, { path: PATH });
    repository.change((change) => {
      const it = change.at(PATH);
      const { versioning } = it;
      if (versioning !== undefined) change.put({ ...it, versioning: { ...versioning, checkedOut: true } });
    });
    refused('mix:versionable', 'it has versions');
  });

  it('stays where a node refers to the history', () => {
    add('mix:versionable');
    create('other', reference(`${id}.history`));
    refused('mix:versionable', 'a node refers to its history');
  });

  it('stays where a reference points at the node', () => {
    add('mix:referenceable');
    create('other', reference(id));
    refused('mix:referenceable', 'a reference points at it');
  });

  it('stays where the node is locked', () => {
    repository.do(lockNode.operation, { path: PATH });
    refused('mix:lockable', 'it is locked');
  });

  it('goes from a node that is referred to or locked, where another one makes it so', () => {
    add('mix:referenceable');
    create('other', reference(id));
    repository.do(lockNode.operation, { path: PATH });
    add('mix:title');
    take('mix:title');
    assert.deepEqual(node()?.mixins, ['mix:referenceable', 'mix:lockable']);
    assert.notEqual(node()?.lock, undefined);
  });

  it('that makes lockable goes where nobody has locked the node', () => {
    add('mix:lockable');
    take('mix:lockable');
    assert.deepEqual(node()?.mixins, []);
  });

  it('goes with the children that it alone allows, and with all below them', () => {
    repository.register(`
      [list] > nt:base + open (nt:base) = nt:unstructured
      [annotated] mixin + notes (nt:base) = nt:unstructured + open (nt:base) + * (nt:base)`);
    const list = create('list', { nodeType: 'list', mixins: ['annotated'] });
    for (const name of ['notes', 'open', 'any'])
      repository.do(createNode.operation, { path: '/content/list', name, nodeType: 'nt:unstructured' });
    repository.do(createNode.operation, { path: '/content/list/notes', name: 'n', nodeType: 'nt:unstructured' });
    const from = () => repository.do(deleteMixin.operation, { path: '/content/list', mixinType: 'annotated' });
    assert.throws(from, { code: 'BAD_REQUEST', message: /'any'/ }, 'what it allows by any name has to go before');
    repository.do(deleteNode.operation, { path: '/content/list/any' });
    from();
    const left = repository.tree(list) as readonly { readonly name: string }[];
    assert.deepEqual(left.map(({ name }) => name).sort(), ['list', 'open']);
  });

  it('goes with each child that it alone allows, but with no large one within one decision', () => {
    repository.register(`
      [list] > nt:base + open (nt:base) = nt:unstructured
      [annotated] mixin + notes (nt:base) = nt:unstructured sns + log (nt:base) = nt:unstructured`);
    const list = create('list', { nodeType: 'list', mixins: ['annotated'] });
    const below = (path: string, name: string) =>
      repository.do(createNode.operation, { path, name, nodeType: 'nt:unstructured', allowSameNameSiblings: true })
        .nodeId;
    for (const name of ['notes', 'notes', 'log']) below('/content/list', name);
    const second = below('/content/list', 'notes');
    const from = () => repository.do(deleteMixin.operation, { path: '/content/list', mixinType: 'annotated' });
    for (let n = 0; n < 150; n++) repository.documents.put(nodes, nodeOf(second, `n${n}`));
    assert.throws(from, /but it asks/);
    repository.documents.apply([remove(nodes, 'n0')]);
    from();
    assert.equal(repository.tree(list).length, 1);
  });

  it('is none of versions where a node begins without them, but one by which it could be referred to', () => {
    const TABLE: readonly (readonly [mixins: readonly string[], left: readonly string[]])[] = [
      [[], []],
      [['mix:title'], ['mix:title']],
      [['mix:referenceable'], ['mix:referenceable']],
      [['mix:title', 'mix:simpleVersionable'], ['mix:title']],
      [
        ['mix:versionable', 'mix:title'],
        ['mix:title', 'mix:referenceable'],
      ],
      [['mix:versionable', 'mix:referenceable'], ['mix:referenceable']],
    ];
    const types = repository.change((change) => change.types);
    for (const [mixins, left] of TABLE)
      assert.deepEqual(withoutVersions(types, { type: 'nt:unstructured', mixins }), left, mixins.join());
  });

  it('leaves versions alone that another type needs', () => {
    add('mix:versionable');
    add('mix:title');
    take('mix:title');
    assert.notEqual(node()?.versioning, undefined);
    assert.equal(repository.documents.all(versionHistories).length, 1);
  });
});
