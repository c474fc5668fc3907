import assert from 'node:assert/strict';
import { createFolder, createNode } from '../../../src/content/edit/create-node.js';
import { moveNode, orderNode, renameNode } from '../../../src/content/edit/move-node.js';
import { lockNode } from '../../../src/content/lock/lock-node.js';
import { ContentView } from '../../../src/content/tree/content-view.js';
import { nodes } from '../../../src/content/tree/node.js';
import { systemCaller } from '../../../src/shared/caller.js';
import { refused } from '../../support/refused.js';
import { MemoryRepository } from '../support/memory-repository.js';

const ADMIN = systemCaller('test');
const BEN = { ...ADMIN, userId: 'ben' };

describe('nodes that are moved', () => {
  let repository: MemoryRepository;

  const folder = (path: string, name: string) => repository.do(createFolder.operation, { path, name }).nodeId;
  const ordered = (path: string, name: string, more: object = {}) =>
    repository.do(createNode.operation, { path, name, nodeType: 'nt:unstructured', ...more }).nodeId;
  const move = (sourcePath: string, destPath: string, name?: string) =>
    repository.do(moveNode.operation, { sourcePath, destPath, ...(name !== undefined && { name }) });
  const rename = (path: string, name: string) => repository.do(renameNode.operation, { path, name });
  const order = (path: string, before: string | null) => repository.do(orderNode.operation, { path, before });
  const view = () => new ContentView(repository.state(), ADMIN);
  const idAt = (path: string) => view().at(path)?.id;
  /** Names of the children in their order, same-name siblings with their index. */
  const children = (path: string) => {
    const { state, tree } = view();
    const parent = idAt(path);
    assert.ok(parent, path);
    return state.find(nodes, 'order', [parent], { limit: 20 }).map((child) => tree.segmentOf(child));
  };

  beforeEach(() => {
    repository = new MemoryRepository();
    folder('/content', 'a');
    folder('/content/a', 'b');
    folder('/content', 'other');
  });

  it('keep their identifier, and all below them comes along', () => {
    const [a, b] = [idAt('/content/a'), idAt('/content/a/b')];
    assert.equal(move('/content/a', '/content/other', 'new').nodeId, a);
    assert.equal(idAt('/content/other/new'), a);
    assert.equal(idAt('/content/other/new/b'), b);
    assert.equal(idAt('/content/a'), undefined);
  });

  it('stay as they are where they lie there already', () => {
    const version = view().at('/content/a')?.version;
    move('/content/a', '/content');
    assert.equal(view().at('/content/a')?.version, version);
  });

  it('do not come below themselves', () => {
    refused(() => move('/content/a', '/content/a/b'), 'BAD_REQUEST', 'move_below_itself');
    refused(() => move('/content/a', '/content/a', 'x'), 'BAD_REQUEST', 'move_below_itself');
  });

  it('take no name that another one has', () => {
    folder('/content/other', 'a');
    refused(() => move('/content/a', '/content/other'), 'ALREADY_EXISTS', 'node_exists');
    refused(() => rename('/content/a', 'other'), 'ALREADY_EXISTS', 'node_exists');
  });

  it('are no standard folders, and not the root', () => {
    refused(() => move('/etc', '/content'), 'BAD_REQUEST', 'standard_folder');
    refused(() => rename('/content', 'contents'), 'BAD_REQUEST', 'standard_folder');
    assert.throws(() => rename('/', 'root'), { message: 'the root cannot be renamed' });
    assert.throws(() => move('/', '/content', 'root'), { message: 'the root cannot be moved' });
  });

  it('are unlocked for whoever moves them, as are both parents', () => {
    const by = { ...BEN, roles: [] };
    repository.change((change) => {
      const all = { principal: 'ben', privileges: ['jcr:all'], allow: true };
      change.put({ ...change.at('/content'), acl: [all] });
    });
    const moveByBen = () =>
      repository.do(moveNode.operation, { sourcePath: '/content/a', destPath: '/content/other' }, by);
    for (const path of ['/content/a', '/content/other']) {
      repository.do(lockNode.operation, { path });
      refused(moveByBen, 'CONFLICT', 'locked');
      repository.change((change) => {
        const { lock: _, ...unlocked } = change.at(path);
        change.put(unlocked);
      });
    }
    moveByBen();
    assert.notEqual(idAt('/content/other/a'), undefined);
  });

  it('keep their place when they are renamed, and come last elsewhere', () => {
    ordered('/content', 'list');
    for (const name of ['x', 'y', 'z']) ordered('/content/list', name);
    rename('/content/list/x', 'w');
    assert.deepEqual(children('/content/list'), ['w', 'y', 'z']);
    ordered('/content', 'more');
    ordered('/content/more', 'first');
    move('/content/list/w', '/content/more');
    assert.deepEqual(children('/content/more'), ['first', 'w']);
  });

  it('keep their place whether or not names may repeat there', () => {
    repository.register('[list] > nt:base orderable + * (nt:base) [many] > nt:base orderable + * (nt:base) sns');
    ordered('/content', 'list', { nodeType: 'list' });
    for (const name of ['x', 'y']) ordered('/content/list', name);
    rename('/content/list/x', 'w');
    assert.deepEqual(children('/content/list'), ['w', 'y']);
    ordered('/content', 'many', { nodeType: 'many' });
    for (const name of ['x', 'y']) ordered('/content/many', name);
    rename('/content/many/x', 'w');
    assert.deepEqual(children('/content/many'), ['w', 'y']);
    refused(() => move('/content/many/w', '/content/list'), 'ALREADY_EXISTS', 'node_exists');
  });

  it('come behind those whose name they share', () => {
    ordered('/content', 'list');
    for (const name of ['x', 'y', 'x']) ordered('/content/list', name, { allowSameNameSiblings: true });
    assert.deepEqual(children('/content/list'), ['x', 'y', 'x[2]']);
    rename('/content/list/y', 'x');
    assert.deepEqual(children('/content/list'), ['x', 'x[2]', 'x[3]']);
  });

  it('are put before a sibling, or behind all', () => {
    ordered('/content', 'list');
    for (const name of ['x', 'y', 'z']) ordered('/content/list', name);
    order('/content/list/z', 'x');
    assert.deepEqual(children('/content/list'), ['z', 'x', 'y']);
    order('/content/list/z', 'y');
    assert.deepEqual(children('/content/list'), ['x', 'z', 'y']);
    order('/content/list/x', null);
    assert.deepEqual(children('/content/list'), ['z', 'y', 'x']);
    order('/content/list/y', 'y');
    assert.deepEqual(children('/content/list'), ['z', 'y', 'x']);
    assert.throws(() => order('/content/list/x', 'missing'), { code: 'BAD_REQUEST' });
    assert.throws(() => order('/content/list/x', '../other'), {
      message: "expected 'before' to name a sibling of '/content/list/x', but found '../other'",
    });
    ordered('/content/list/y', 'inner');
    assert.throws(() => order('/content/list/x', 'y/inner'), { code: 'BAD_REQUEST' });
    assert.deepEqual(children('/content/list'), ['z', 'y', 'x']);
  });

  it('have an order only where the type of their parent gives them one', () => {
    assert.throws(() => order('/content/a/b', null), {
      message: `expected the parent of '/content/a/b' to have orderable children, but its type does not`,
    });
  });

  it('are those that the client has read', () => {
    const version = view().at('/content/a')?.version ?? 0;
    const input = { path: '/content/a', name: 'c', expectedVersion: version - 1 };
    refused(() => repository.do(renameNode.operation, input), 'CONFLICT', 'version_mismatch');
    repository.do(renameNode.operation, { ...input, expectedVersion: version });
    assert.notEqual(idAt('/content/c'), undefined);
  });
});
