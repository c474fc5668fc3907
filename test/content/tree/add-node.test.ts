import assert from 'node:assert/strict';
import { setAccessControl } from '../../../src/content/edit/access-control.js';
import { createFolder, createNode } from '../../../src/content/edit/create-node.js';
import { addMixin } from '../../../src/content/edit/mixins.js';
import { addNode } from '../../../src/content/tree/add-node.js';
import { ContentView } from '../../../src/content/tree/content-view.js';
import { checkin } from '../../../src/content/version/check-in.js';
import { systemCaller } from '../../../src/shared/caller.js';
import { refused } from '../../support/refused.js';
import { MemoryRepository } from '../support/memory-repository.js';

const ADMIN = systemCaller('test');
const ANN = { ...ADMIN, userId: 'ann', roles: [], groups: [] };

describe('a node that is added', () => {
  let repository: MemoryRepository;

  const folder = (path: string, name: string, more: object = {}, by?: typeof ANN) =>
    repository.do(createFolder.operation, { path, name, ...more }, by).nodeId;
  const create = (path: string, name: string, nodeType = 'nt:unstructured', more: object = {}) =>
    repository.do(createNode.operation, { path, name, nodeType, ...more }).nodeId;
  const at = (path: string) => new ContentView(repository.state(), ADMIN).at(path);
  const grant = (path: string, ...privileges: string[]) =>
    repository.do(setAccessControl.operation, { path, principal: 'ann', privileges });
  const hide = (path: string) =>
    repository.do(setAccessControl.operation, { path, principal: 'ann', privileges: ['read'], allow: false });

  beforeEach(() => {
    repository = new MemoryRepository();
  });

  describe('in a folder that is missing', () => {
    it('gets all folders on the way', () => {
      folder('/content/a/b', 'c');
      folder('/content/a/b', 'd');
      assert.deepEqual([at('/content/a')?.type, at('/content/a/b')?.type], ['nt:folder', 'nt:folder']);
      assert.notEqual(at('/content/a/b/c'), undefined);
      assert.notEqual(at('/content/a/b/d'), undefined);
    });

    it('gets none where that is not wanted', () => {
      const work = () => folder('/content/a', 'b', { createParents: false });
      assert.throws(work, { code: 'BAD_REQUEST', message: 'Parent node not found: /content/a' });
      folder('/content', 'a');
      folder('/content/a', 'b', { createParents: false });
      assert.notEqual(at('/content/a/b'), undefined);
    });

    it('gets no second folder of a name', () => {
      assert.throws(() => folder('/content/a[2]', 'b'), { message: 'Parent node not found: /content/a[2]' });
      assert.equal(at('/content/a'), undefined);
    });

    it('does not go through what the user may not read, and tells of it only to whoever could add it', () => {
      folder('/content', 'a');
      folder('/content', 'secret');
      hide('/content/secret');
      const work = () => folder('/content/secret', 'b', {}, ANN);
      refused(work, 'FORBIDDEN', 'access_denied');
      grant('/content', 'addChildNodes');
      refused(work, 'ALREADY_EXISTS', 'node_exists');
      folder('/content/a', 'b', {}, ANN);
      assert.notEqual(at('/content/a/b'), undefined);
    });

    it('does not tell of what is hidden in a checked-in node, but where its versions leave children out', () => {
      repository.register(`
        [closed] > nt:base, mix:versionable + * (nt:base)
        [open] > nt:base, mix:versionable + * (nt:base) ignore + other (nt:base)`);
      for (const name of ['closed', 'open']) {
        create('/content', name, name);
        create(`/content/${name}`, 'secret');
        hide(`/content/${name}/secret`);
        grant(`/content/${name}`, 'addChildNodes');
        repository.do(checkin.operation, { path: `/content/${name}` });
      }
      refused(() => folder('/content/closed/secret', 'x', {}, ANN), 'CONFLICT', 'checked_in');
      refused(() => folder('/content/open/secret', 'x', {}, ANN), 'ALREADY_EXISTS', 'node_exists');
      refused(() => create('/content/open', 'other'), 'CONFLICT', 'checked_in');
      create('/content/open', 'more');
      assert.notEqual(at('/content/open/more'), undefined);
    });
  });

  it('gets the children that its type creates, each once', () => {
    repository.register(`
      [made] > nt:base + part (nt:base) = nt:unstructured autocreated
      [parted] mixin + part (nt:base) = nt:unstructured autocreated`);
    const part = (path: string) => at(`${path}/part`)?.id;
    create('/content', 'it', 'made');
    assert.notEqual(part('/content/it'), undefined);
    create('/content', 'own');
    const id = create('/content/own', 'part');
    repository.do(addMixin.operation, { path: '/content/own', mixinType: 'parted' });
    assert.equal(part('/content/own'), id);
    assert.equal(at('/content/own/part[2]'), undefined);
  });

  it('has no default reference that leads nowhere', () => {
    const [missing, plain] = ['6b1a2c3d-0000-7000-8000-00000000000a', at('/content')?.id];
    repository.register(`
      [missing] > nt:base - to (reference) = '${missing}' autocreated
      [plain] > nt:base - to (reference) = '${plain}' autocreated
      [weak] > nt:base - to (weakreference) = '${missing}' autocreated`);
    refused(() => create('/content', 'it', 'missing'), 'BAD_REQUEST', 'reference_target_missing');
    refused(() => create('/content', 'it', 'plain'), 'BAD_REQUEST', 'target_not_referenceable');
    create('/content', 'it', 'weak');
    assert.deepEqual(at('/content/it')?.properties.to, { type: 'WeakReference', value: missing });
  });

  it('shares its name only with those whose definition lets names repeat, too', () => {
    repository.register('[list] > nt:base orderable + a (nt:folder) sns + a (nt:unstructured) + b (nt:base) sns');
    const shared = { allowSameNameSiblings: true };
    create('/content', 'one', 'list');
    create('/content/one', 'a', 'nt:folder', shared);
    create('/content/one', 'a', 'nt:folder', shared);
    refused(() => create('/content/one', 'a', 'nt:unstructured', shared), 'ALREADY_EXISTS', 'node_exists');
    assert.deepEqual([at('/content/one/a[2]')?.type, at('/content/one/a[3]')], ['nt:folder', undefined]);
    create('/content', 'two', 'list');
    create('/content/two', 'a', 'nt:unstructured', shared);
    refused(() => create('/content/two', 'a', 'nt:folder', shared), 'ALREADY_EXISTS', 'node_exists');
    create('/content/two', 'b', 'nt:folder', shared);
    create('/content/two', 'b', 'nt:unstructured', shared);
    refused(() => create('/content/two', 'b', 'nt:unstructured'), 'ALREADY_EXISTS', 'node_exists');
    assert.equal(at('/content/two/b[2]')?.type, 'nt:unstructured');
  });

  it('is of the type that its parent has by default, or of a given one', () => {
    create('/content', 'it');
    const add = (path: string) =>
      repository.change((change) => addNode(change, change.at(path), { name: 'x', type: null }).type);
    assert.equal(add('/content/it'), 'nt:unstructured');
    folder('/content', 'a');
    assert.throws(() => add('/content/a'), {
      message: "expected a node type for 'x', as 'nt:folder' has none for its children by default",
    });
  });

  it('is none of those that the repository alone makes', () => {
    create('/content', 'it');
    for (const type of ['nt:frozenNode', 'nt:version'])
      assert.throws(() => create('/content/it', 'x', type), { code: 'BAD_REQUEST' }, type);
    refused(() => create('/content/it', 'x', 'mi:system'), 'BAD_REQUEST', 'repository_type');
  });
});
