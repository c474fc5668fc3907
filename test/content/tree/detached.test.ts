import assert from 'node:assert/strict';
import { setAccessControl } from '../../../src/content/edit/access-control.js';
import { contentTransaction } from '../../../src/content/edit/content-transaction.js';
import { createNode } from '../../../src/content/edit/create-node.js';
import { setProperties } from '../../../src/content/edit/set-properties.js';
import { deleteNode, removeSubtree } from '../../../src/content/large/delete-node.js';
import { nodeOperations } from '../../../src/content/operations.js';
import {
  detachedTrees,
  isHolding,
  isStored,
  sweeping,
  type Whereabout,
  Whereabouts,
} from '../../../src/content/tree/detached.js';
import { nodes, ROOT_ID, VERSION_STORAGE_ID } from '../../../src/content/tree/node.js';
import { systemCaller } from '../../../src/shared/caller.js';
import { MemoryRepository } from '../support/memory-repository.js';
import { nodeOf, reference } from '../support/tree.js';

const ANN = { ...systemCaller('test'), userId: 'ann', roles: [], groups: [] };

describe('a subtree that is not in the tree', () => {
  let repository: MemoryRepository;

  const plant = (parent: string | null, name: string, more: object = {}) =>
    repository.documents.put(nodes, nodeOf(parent, name, more));
  const detach = (id: string, isStaging: boolean) =>
    repository.documents.put(detachedTrees, { id, isStaging, since: 0 });

  beforeEach(() => {
    repository = new MemoryRepository();
    for (const name of ['about', 'other']) plant(ROOT_ID, name);
    for (const name of ['staging', 'foreign', 'swept', 'unknown']) plant(null, name);
    for (const name of ['staging', 'foreign']) detach(name, true);
    detach('swept', false);
    for (const top of ['about', 'other', 'staging', 'foreign', 'swept', 'unknown', 'gone']) {
      plant(top, `${top}-child`);
      plant(`${top}-child`, `${top}-leaf`);
    }
  });

  it('is told from what is in it', () => {
    const places = new Whereabouts(repository.state(), 'about', 'staging');
    const of = (id: string) => places.of(repository.state().get(nodes, id) ?? assert.fail(id));
    const EXPECTED: Readonly<Record<string, Whereabout>> = {
      about: 'within',
      other: 'elsewhere',
      staging: 'staged',
      foreign: 'foreign',
      swept: 'lost',
      unknown: 'lost',
      'gone-child': 'lost',
      [ROOT_ID]: 'elsewhere',
    };
    for (const round of ['first', 'second']) {
      for (const [top, where] of Object.entries(EXPECTED)) {
        assert.equal(of(top), where, `${top}, ${round}`);
        const leaf = `${top.replace('-child', '')}-leaf`;
        if (top !== ROOT_ID) assert.equal(of(leaf), where, `${leaf}, ${round}`);
      }
    }
  });

  it('refers to something only while it is being made', () => {
    const held = repository.change((change) =>
      ['about', 'other', 'staging', 'foreign', 'swept', 'unknown', 'gone']
        .map((top) => change.tree.get(`${top}-leaf`) ?? assert.fail(top))
        .filter((node) => isHolding(change.draft, change.tree, node))
        .map(({ id }) => id),
    );
    assert.deepEqual(held, ['about-leaf', 'other-leaf', 'staging-leaf', 'foreign-leaf']);
  });

  it('consists of stored nodes, none of which is only shown', () => {
    repository.change((change) => {
      assert.equal(isStored(change, nodeOf(null, 'about')), true);
      assert.equal(isStored(change, nodeOf(VERSION_STORAGE_ID, 'shown')), false);
    });
  });

  it('is swept with the histories that the whole is swept with', () => {
    const of = (id: string, from?: string) => {
      const { write, jobs } = sweeping(repository.state(), id, from);
      assert.deepEqual(
        jobs.map(({ type, input }) => [type, input]),
        [['sweepDetached', { rootId: id }]],
      );
      return (write[0]?.document as { keepsHistories?: true } | undefined)?.keepsHistories;
    };
    repository.documents.put(detachedTrees, { id: 'swept', isStaging: false, since: 0, keepsHistories: true });
    assert.equal(of('swept'), true);
    assert.equal(of('part', 'swept'), true);
    assert.equal(of('part', 'foreign'), undefined);
    assert.equal(of('part'), undefined);
  });
});

describe('a node that is referred to', () => {
  let repository: MemoryRepository;
  let id: string;

  const create = (name: string, more: object = {}) =>
    repository.do(createNode.operation, { path: '/content', name, nodeType: 'nt:unstructured', ...more }).nodeId;
  const refer = (name: string, target: string, type: 'Reference' | 'WeakReference' = 'Reference') => {
    const value = { type, multiple: false, values: [target] };
    repository.do(setProperties.operation, { path: `/content/${name}`, properties: [{ name: 'to', value }] });
  };
  const remove = (by?: typeof ANN) => repository.do(deleteNode.operation, { path: '/content/it' }, by);
  const referenced = (message: string) => ({ code: 'CONFLICT', message });

  beforeEach(() => {
    repository = new MemoryRepository();
    id = create('it', { mixins: ['mix:referenceable'] });
    create('holder');
  });

  it('stays, unless the reference is weak or its own', () => {
    refer('holder', id);
    assert.throws(() => remove(), referenced("'/content/it' cannot be removed: '/content/holder' refers to it"));
    refer('holder', id, 'WeakReference');
    refer('it', id);
    assert.equal(remove(), true);
  });

  it('tells whoever may not read the holder only that there is one', () => {
    refer('holder', id);
    repository.do(setAccessControl.operation, { path: '/content', principal: 'ann', privileges: ['all'] });
    const deny = { path: '/content/holder', principal: 'ann', privileges: ['read'], allow: false };
    repository.do(setAccessControl.operation, deny);
    const message = "'/content/it' cannot be removed: a node that you may not read refers to it";
    assert.throws(() => remove(ANN), referenced(message));
  });

  it('is left to the reader, where too many that refer to it wait to be swept', () => {
    plantHolders(200, null);
    assert.throws(() => remove(), /but it asks/);
  });

  it('may go where few of those wait', () => {
    plantHolders(199, null);
    assert.equal(remove(), true);
  });

  it('stays where one of many refers to it', () => {
    plantHolders(60, null);
    repository.documents.put(nodes, nodeOf(ROOT_ID, 'zz', { properties: { to: reference(id) } }));
    assert.throws(() => remove(), { code: 'CONFLICT' });
  });

  it('may go in a commit at whose end nothing refers to it, or it is there again', () => {
    refer('holder', id);
    const steps = (...paths: string[]) => paths.map((path) => ({ field: 'deleteNode', input: { path } }));
    const send = (...paths: string[]) => repository.do(contentTransaction(nodeOperations), steps(...paths));
    assert.throws(() => send('/content/it'), { code: 'CONFLICT' });
    assert.equal(send('/content/it', '/content/holder').length, 2);
  });

  it('stays where too many that refer to it wait to be swept at the end of the commit', () => {
    plantHolders(200, null);
    refer('holder', id);
    const steps = ['/content/it', '/content/holder'].map((path) => ({ field: 'deleteNode', input: { path } }));
    assert.throws(() => repository.do(contentTransaction(nodeOperations), steps), { code: 'UNAVAILABLE' });
  });

  it('may go for something else in its place only within a commit of several operations', () => {
    refer('holder', id);
    const replace = (isPart: boolean) =>
      repository.change((change) => {
        change.isPart = isPart;
        const node = change.at('/content/it');
        removeSubtree(change, node);
        change.put(node);
        return change.find('/content/it')?.id;
      });
    assert.throws(() => replace(false), { code: 'CONFLICT' });
    assert.equal(replace(true), id);
  });

  const plantHolders = (count: number, parent: string | null) => {
    for (let n = 0; n < count; n++)
      repository.documents.put(nodes, nodeOf(parent, `holder${n}`, { properties: { to: reference(id) } }));
  };
});
