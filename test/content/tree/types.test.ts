import assert from 'node:assert/strict';
import { setAccessControl } from '../../../src/content/edit/access-control.js';
import { contentTransaction } from '../../../src/content/edit/content-transaction.js';
import { createNode } from '../../../src/content/edit/create-node.js';
import { addMixin } from '../../../src/content/edit/mixins.js';
import { moveNode, renameNode } from '../../../src/content/edit/move-node.js';
import { setProperties } from '../../../src/content/edit/set-properties.js';
import { deleteNode } from '../../../src/content/large/delete-node.js';
import { nodeOperations } from '../../../src/content/operations.js';
import { ContentView } from '../../../src/content/tree/content-view.js';
import { nodes } from '../../../src/content/tree/node.js';
import { createFile } from '../../../src/content/upload/create-file.js';
import { systemCaller } from '../../../src/shared/caller.js';
import { refused } from '../../support/refused.js';
import { MemoryRepository } from '../support/memory-repository.js';
import { nodeOf } from '../support/tree.js';

const ADMIN = systemCaller('test');
const ANN = { ...ADMIN, userId: 'ann', roles: [], groups: [] };

describe('what the types say of a node', () => {
  let repository: MemoryRepository;

  const create = (path: string, name: string, nodeType = 'nt:unstructured', more: object = {}) =>
    repository.do(createNode.operation, { path, name, nodeType, ...more }).nodeId;
  const mix = (path: string, mixinType: string) => repository.do(addMixin.operation, { path, mixinType });
  const remove = (path: string) => repository.do(deleteNode.operation, { path });
  const at = (path: string) => new ContentView(repository.state(), ADMIN).at(path);
  const problemsOf = (work: () => unknown): readonly string[] => {
    try {
      work();
      return [];
    } catch (thrown) {
      const { info } = thrown as { info?: { details?: { problems?: readonly { rule: string; item: string }[] } } };
      return info?.details?.problems?.map(({ rule, item }) => `${rule} ${item}`) ?? assert.fail(String(thrown));
    }
  };

  beforeEach(() => {
    repository = new MemoryRepository();
  });

  describe('when it gets a mixin', () => {
    beforeEach(() => {
      repository.register('[strict] mixin + part (nt:folder) [plain] mixin + * (nt:folder)');
      create('/content', 'it');
    });
    const shared = { allowSameNameSiblings: true };

    it('holds for the children that it has', () => {
      create('/content/it', 'part');
      assert.deepEqual(
        problemsOf(() => mix('/content/it', 'strict')),
        ['child_type part'],
      );
      assert.deepEqual(at('/content/it')?.mixins, []);
      mix('/content/it', 'plain');
      assert.deepEqual(at('/content/it')?.mixins, ['plain']);
    });

    it('lets a child stay that it allows', () => {
      for (const name of ['a', 'part', 'party']) create('/content/it', name, 'nt:folder');
      mix('/content/it', 'strict');
      assert.deepEqual(at('/content/it')?.mixins, ['strict']);
    });

    it('counts children of one name', () => {
      for (const name of ['a', 'part', 'part', 'z']) create('/content/it', name, 'nt:folder', shared);
      assert.deepEqual(
        problemsOf(() => mix('/content/it', 'strict')),
        ['same_name_siblings part', 'same_name_siblings part'],
      );
    });

    it('looks at four hundred children', () => {
      const { id } = at('/content/it') ?? assert.fail();
      const child = (n: number) => repository.documents.put(nodes, nodeOf(id, `n${n}`, { order: String(1000 + n) }));
      for (let n = 0; n < 400; n++) child(n);
      mix('/content/it', 'strict');
      create('/content', 'more');
      for (let n = 0; n < 401; n++)
        repository.documents.put(nodes, nodeOf(at('/content/more')?.id ?? '', `m${n}`, { order: String(1000 + n) }));
      assert.throws(() => mix('/content/more', 'strict'), { code: 'LIMIT_EXCEEDED', message: /at most 400 children/ });
      mix('/content/more', 'plain');
    });
  });

  it('holds for its children when it gets another primary type', () => {
    repository.register('[strict] > nt:base - * (undefined) + part (nt:folder)');
    const retype = () =>
      repository.change((change) => change.put({ ...change.at('/content/it'), type: 'strict' }).type);
    create('/content', 'it');
    create('/content/it', 'part');
    assert.deepEqual(problemsOf(retype), ['child_type part']);
    remove('/content/it/part');
    create('/content/it', 'part', 'nt:folder');
    assert.equal(retype(), 'strict');
  });

  it('protects a child from being moved and removed by itself', () => {
    repository.register('[keeper] > nt:base + kept (nt:base) = nt:unstructured autocreated protected + * (nt:base)');
    create('/content', 'it', 'keeper');
    create('/content/it', 'free');
    const isProtected = ['protected_child kept'];
    assert.deepEqual(
      problemsOf(() => remove('/content/it/kept')),
      isProtected,
    );
    const move = () => repository.do(moveNode.operation, { sourcePath: '/content/it/kept', destPath: '/content' });
    assert.deepEqual(problemsOf(move), isProtected);
    remove('/content/it/free');
    remove('/content/it');
    assert.equal(at('/content/it'), undefined);
  });

  it('keeps the folders that every workspace has, and those alone', () => {
    refused(() => remove('/etc'), 'BAD_REQUEST', 'standard_folder');
    create('/', 'top');
    repository.do(renameNode.operation, { path: '/top', name: 'summit' });
    remove('/summit');
    create('/content', 'etc');
    remove('/content/etc');
    assert.deepEqual([at('/summit'), at('/content/etc')], [undefined, undefined]);
  });

  it('demands a child until the end of the commit', () => {
    repository.do(createFile.operation, { path: '/content', name: 'f', content: { inline: 'aGk=', size: 2 } });
    assert.deepEqual(
      problemsOf(() => remove('/content/f/jcr:content')),
      ['mandatory_child jcr:content'],
    );
    const data = { type: 'Binary' as const, multiple: false, values: [{ inline: 'aGE=', size: 2 }] };
    const content = { path: '/content/f', name: 'jcr:content', nodeType: 'nt:resource' };
    repository.do(contentTransaction(nodeOperations), [
      { field: 'deleteNode', input: { path: '/content/f/jcr:content' } },
      { field: 'createNode', input: { ...content, properties: [{ name: 'jcr:data', value: data }] } },
    ]);
    assert.deepEqual(at('/content/f/jcr:content')?.properties['jcr:data'], {
      type: 'Binary',
      value: { inline: 'aGE=', size: 2 },
    });
  });

  it('constrains what a reference leads to', () => {
    repository.register("[linked] > nt:base - to (reference) < 'nt:folder'");
    create('/content', 'it', 'linked');
    const mixins = ['mix:referenceable'];
    const refer = (id: string, by?: typeof ANN) => {
      const value = { type: 'Reference' as const, multiple: false, values: [id] };
      return repository
        .do(setProperties.operation, { path: '/content/it', properties: [{ name: 'to', value }] }, by)
        .errors.map(({ message }) => message);
    };
    assert.match(refer(create('/content', 'node', 'nt:unstructured', { mixins }))[0] ?? '', /to satisfy 'nt:folder'/);
    const folder = create('/content', 'folder', 'nt:folder', { mixins });
    assert.deepEqual(refer(folder), []);
    repository.do(setAccessControl.operation, { path: '/content/it', principal: 'ann', privileges: ['all'] });
    assert.deepEqual(refer(folder, ANN), []);
    repository.do(setAccessControl.operation, {
      path: '/content/folder',
      principal: 'ann',
      privileges: ['read'],
      allow: false,
    });
    assert.match(refer(folder, ANN)[0] ?? '', /there is none with the identifier/);
  });

  it('records an entity tag where the mixin does, not where there is just a property of that name', () => {
    const binary = (text: string) => ({
      name: 'data',
      value: { type: 'Binary' as const, multiple: false, values: [text] },
    });
    const tag = { type: 'String' as const, multiple: false, values: ['mine'] };
    create('/content', 'own', 'nt:unstructured', { properties: [{ name: 'jcr:etag', value: tag }] });
    create('/content', 'tagged', 'nt:unstructured', { mixins: ['mix:etag'], properties: [binary('QQ==')] });
    create('/content/tagged', 'jcr:content', 'nt:unstructured', { properties: [binary('QQ==')] });
    const tagOf = (path: string) => at(path)?.properties['jcr:etag'];
    const set = (path: string, text: string) =>
      repository.change((change) => {
        const node = change.at(path);
        const data = { type: 'Binary' as const, value: { inline: text, size: 1 } };
        change.put({ ...node, properties: { ...node.properties, data } });
      });
    set('/content/own', 'Qg==');
    assert.deepEqual(tagOf('/content/own'), { type: 'String', value: 'mine' });
    const before = tagOf('/content/tagged');
    set('/content/tagged/jcr:content', 'Qg==');
    assert.deepEqual(tagOf('/content/tagged'), before, 'only a file is one thing with its content');
    set('/content/tagged', 'Qg==');
    assert.notDeepEqual(tagOf('/content/tagged'), before);
    create('/content', 'plain', 'nt:unstructured', { properties: [binary('QQ==')] });
    set('/content/plain', 'Qg==');
    assert.equal(tagOf('/content/plain'), undefined);
  });
});

describe('rights within a commit', () => {
  const repository = () => {
    const made = new MemoryRepository();
    const create = (path: string, name: string) =>
      made.do(createNode.operation, { path, name, nodeType: 'nt:unstructured' });
    create('/content', 'a');
    create('/content', 'shut');
    made.do(setAccessControl.operation, { path: '/content', principal: 'ann', privileges: ['all'] });
    made.do(setAccessControl.operation, {
      path: '/content/shut',
      entries: [{ principal: 'ann', privileges: ['removeNode', 'modifyProperties'], allow: false }],
    });
    return made;
  };
  const node = (path: string, name: string) => ({
    field: 'createNode',
    input: { path, name, nodeType: 'nt:unstructured' },
  });
  const send = (...steps: readonly { field: string; input: object }[]) =>
    repository().do(contentTransaction(nodeOperations), steps, ANN);
  const forbidden = { code: 'FORBIDDEN' };

  it('are those that the operations before have left', () => {
    const deny = [{ principal: 'ann', privileges: ['addChildNodes'], allow: false }];
    const access = { field: 'setAccessControl', input: { path: '/content/a', entries: deny } };
    assert.equal(send(node('/content/a', 'x'), node('/content/a', 'y')).length, 2);
    assert.throws(() => send(node('/content/a', 'x'), access, node('/content/a', 'y')), forbidden);
  });

  it('are those of the place that a node has come to', () => {
    const move = { field: 'moveNode', input: { sourcePath: '/content/a', destPath: '/content/shut' } };
    const remove = (path: string) => ({ field: 'deleteNode', input: { path } });
    assert.equal(send(node('/content/a', 'x'), remove('/content/a/x'), move).length, 3);
    assert.throws(
      () => send(node('/content/a', 'x'), node('/content/a', 'y'), move, remove('/content/shut/a/x')),
      forbidden,
    );
  });
});
