import assert from 'node:assert/strict';
import { checkContent } from '../../src/content/check-content.js';
import { createNode } from '../../src/content/edit/create-node.js';
import { addMixin } from '../../src/content/edit/mixins.js';
import { detachedTrees } from '../../src/content/tree/detached.js';
import { nodes, ROOT_ID } from '../../src/content/tree/node.js';
import { checkpoint } from '../../src/content/version/check-in.js';
import {
  frozenChunks,
  frozenNodes,
  frozenTrees,
  versionHistories,
  versionLitter,
  versions,
} from '../../src/content/version/version.js';
import type { Collection, Document, Scalar, StoredDocuments } from '../../src/store/index.js';
import { MemoryRepository } from './support/memory-repository.js';
import { nodeOf, reference } from './support/tree.js';

describe('the check of what the repository has stored', () => {
  let repository: MemoryRepository;
  let id: string;

  /** What it finds wrong, as `collection id: sentence`. */
  function problems(knows = true): string[] {
    const { documents } = repository;
    const found: string[] = [];
    const known = new Map<string, Map<string, Document>>();
    const byId = (collection: Collection<Document>) => new Map(documents.all(collection).map((it) => [it.id, it]));
    const one = (collection: Collection<Document>, wanted: string) => {
      const all = known.get(collection.name) ?? byId(collection);
      known.set(collection.name, all);
      return all.get(wanted);
    };
    const stored = {
      knows: () => knows,
      has: (collection: Collection<Document>, wanted: string) => one(collection, wanted) !== undefined,
      get: one,
      having: (collection: Collection<Document>, columns: Readonly<Record<string, Scalar>>) =>
        documents
          .all(collection)
          .filter((document) =>
            Object.entries(columns).every(([name, value]) => collection.columns[name]?.(document) === value),
          )
          .map((document) => document.id),
      *each<T extends Document>(collection: Collection<T>, check: (document: T) => void): Generator<void> {
        for (const document of documents.all(collection)) check(document);
        yield;
      },
    } as unknown as StoredDocuments;
    for (const _ of checkContent(stored, (what, which, problem) => void found.push(`${what} ${which}: ${problem}`)));
    return found;
  }
  const plant = (parent: string | null, name: string, more: object = {}) =>
    repository.documents.put(nodes, nodeOf(parent, name, more));
  const remove = (collection: Collection<never>, gone: string) =>
    repository.documents.apply([{ collection, id: gone, document: null } as never]);
  const all = <T extends Document>(collection: Collection<T>) => repository.documents.all(collection);
  const detach = (name: string, isStaging: boolean) =>
    repository.documents.put(detachedTrees, { id: name, isStaging, since: 0 });

  beforeEach(() => {
    repository = new MemoryRepository();
    const create = (path: string, name: string) =>
      repository.do(createNode.operation, { path, name, nodeType: 'nt:unstructured' }).nodeId;
    id = create('/content', 'it');
    create('/content/it', 'below');
    repository.do(addMixin.operation, { path: '/content/it', mixinType: 'mix:versionable' });
    for (let n = 0; n < 2; n++) repository.do(checkpoint.operation, { path: '/content/it' });
  });

  it('finds nothing where nothing is wrong, nor where there is no repository yet', () => {
    assert.deepEqual(problems(), []);
    remove(nodes as never, ROOT_ID);
    assert.ok(problems().includes(`node ${ROOT_ID}: the root of the tree is not there`));
    assert.deepEqual(problems(false), []);
  });

  it('finds nodes that are nowhere', () => {
    plant('gone', 'orphan');
    plant(null, 'out');
    plant(null, 'swept');
    detach('swept', false);
    assert.deepEqual(problems(), [
      "node orphan: its parent 'gone' is not there",
      'node out: it is not in the tree, and nothing says why',
    ]);
  });

  it('finds children of one name, where that may not repeat', () => {
    plant(id, 'a');
    plant(id, 'b', { name: 'a' });
    for (const order of ['1', '2']) plant(id, `same${order}`, { name: 'same', sns: true, order });
    assert.deepEqual(problems(), ["node b: node 'a' beside it has the same name, 'a'"]);
    plant(id, 'third', { name: 'same', sns: true, order: '2' });
    assert.deepEqual(problems().slice(1), ["node third: node 'same2' beside it has the same name, 'same'"]);
  });

  it('finds that what a node refers to is gone, unless it waits to be swept', () => {
    for (const top of ['swept', 'made']) plant(null, top);
    detach('swept', false);
    detach('made', true);
    for (const parent of [id, 'swept', 'made']) {
      const weak = { type: 'WeakReference', value: 'none' };
      plant(parent, `in-${parent}`, { properties: { to: reference('none'), there: reference(id), weak } });
    }
    const lacks = "it refers to node 'none', which is not there";
    assert.deepEqual(problems(), [`node in-${id}: ${lacks}`, `node in-made: ${lacks}`]);
  });

  it('finds that the version which a node goes on from is gone, unless the node waits to be swept', () => {
    const { versioning } = all(nodes).find((node) => node.id === id) ?? assert.fail();
    plant(null, 'swept', { versioning: { ...versioning, baseVersion: 'none' } });
    detach('swept', false);
    assert.deepEqual(problems(), []);
    plant(ROOT_ID, 'live', { versioning: { ...versioning, baseVersion: 'none' } });
    assert.deepEqual(problems(), ["node live: its base version 'none' is not there"]);
  });

  it('climbs no tree that goes round', () => {
    plant('b', 'a', { properties: { to: reference('none') } });
    plant('a', 'b');
    assert.deepEqual(problems(), []);
  });

  it('finds that versions lack one another, or their history, unless that is being swept', () => {
    const [root, first, second] = all(versions).sort((a, b) => a.number - b.number);
    remove(versions as never, first?.id ?? '');
    remove(versionHistories as never, id);
    const lacks = `version '${first?.id}' before or behind it is not there`;
    const history = `its history '${id}' is not there`;
    const frozen = `frozenTree ${first?.id}: its version is not there`;
    const expected = [root, second].flatMap((one) => [
      `version ${one?.id}: ${history}`,
      `version ${one?.id}: ${lacks}`,
    ]);
    assert.deepEqual(problems().sort(), [...expected, frozen].sort());
    repository.documents.put(versionLitter, { id, since: 0 });
    assert.deepEqual(problems(), []);
  });

  it('finds that a part of what was frozen is gone, each once', () => {
    const [chunk] = all(frozenChunks);
    const kept = all(frozenNodes);
    const [lost] = kept;
    remove(frozenNodes as never, lost?.id ?? '');
    assert.equal(problems().length, 1);
    assert.match(
      problems()[0] ?? '',
      new RegExp(`^frozenChunk ${chunk?.id}: what was frozen of node '.+' is not there$`),
    );
    remove(frozenChunks as never, chunk?.id ?? '');
    const told = problems();
    assert.equal(told.length, 1, 'versions share it');
    assert.match(told[0] ?? '', new RegExp(`^frozenTree .+: a part of it, '${chunk?.id}', is not there$`));
    assert.ok(all(frozenTrees).length >= 2);
    repository.documents.put(versionLitter, { id, since: 0 });
    assert.deepEqual(problems(), []);
  });
});
