import assert from 'node:assert/strict';
import { removeSubtree } from '../../../src/content/large/delete-node.js';
import { addNode } from '../../../src/content/tree/add-node.js';
import { type ContentNode, nodes } from '../../../src/content/tree/node.js';
import { typePacks, typeStamps, typesOf } from '../../../src/content/tree/stored-types.js';
import { readCnd } from '../../../src/content/type/cnd.js';
import { builtInNamespaces } from '../../../src/content/value/names.js';
import { childEntry } from '../../../src/content/version/frozen-entry.js';
import { entriesOf } from '../../../src/content/version/frozen-tree.js';
import { frozenTrees, versionHistories, versions } from '../../../src/content/version/version.js';
import { versionOperations } from '../../../src/content/version/version-operations.js';
import type { ServiceError } from '../../../src/shared/errors.js';
import { put, remove, type Write } from '../../../src/store/index.js';
import { MemoryRepository } from '../support/memory-repository.js';

const CND = `
[doc]
  - copied (string) copy
  - versioned (string) version
  - ignored (string) ignore
  - computed (string) compute
  - initial (string) = 'fresh' autocreated initialize
  - forbidden (string) abort
  + copied (nt:base) = nt:unstructured copy
  + versioned (nt:base) = nt:unstructured version
  + ignored (nt:base) = nt:unstructured ignore
  + initial (nt:base) = nt:unstructured initialize
  + forbidden (nt:base) = nt:unstructured abort
`;
const PATH = '/content/doc';
const CHILDREN = ['copied', 'versioned', 'ignored', 'initial'];
const { checkpoint, checkin, restoreVersion } = versionOperations;

/** A node of a type with every on-parent-version, with a version 1.0 of it. */
class Scene {
  readonly repository = new MemoryRepository();
  readonly id: string;

  constructor(childMixins: readonly string[] = []) {
    const types = [put(typePacks, { id: '0', types: readCnd(CND, builtInNamespaces).types })];
    // A stamp of its own for each scene: what is known of types is kept by it.
    const stamp = put(typeStamps, { id: 'types', stamp: `opv-${childMixins.join()}`, namespaces: {} });
    this.repository.documents.apply([...types, stamp]);
    this.id = this.repository.change((change) => {
      const node = addNode(change, change.at('/content'), { name: 'doc', type: 'doc', mixins: ['mix:versionable'] });
      for (const name of CHILDREN) {
        const child = addNode(change, node, { name, type: 'nt:unstructured', mixins: childMixins });
        addNode(change, child, { name: 'below', type: 'nt:unstructured' });
      }
      return node;
    }).id;
    this.set('old');
    this.repository.do(checkpoint.operation, { path: PATH });
  }

  set(value: string, names: readonly string[] = ['copied', 'versioned', 'ignored', 'computed', 'initial']): void {
    this.repository.change((change) => {
      const node = change.at(PATH);
      const set = Object.fromEntries(names.map((name) => [name, { type: 'String', value } as const]));
      change.put({ ...node, properties: { ...node.properties, ...set } });
    });
  }

  value(name: string): unknown {
    const property = this.repository.state().get(nodes, this.id)?.properties[name];
    return property && 'value' in property ? property.value : undefined;
  }

  names(parent = this.id): string[] {
    return this.repository
      .state()
      .find(nodes, 'name', [parent])
      .map(({ name }) => name);
  }

  child(name: string): string {
    return this.repository.state().find(nodes, 'name', [this.id, name])[0]?.id ?? '';
  }

  remove(name: string): void {
    this.repository.change((change) => {
      removeSubtree(change, change.at(`${PATH}/${name}`));
    });
  }

  restore(): void {
    this.repository.do(restoreVersion.operation, { path: PATH, versionName: '1.0' });
  }

  frozen(): { readonly kind: string; readonly name: string }[] {
    const state = this.repository.state();
    const [version] = state.find(versions, 'name', [this.id, '1.0']);
    const tree = state.get(frozenTrees, version?.id ?? '');
    return tree === undefined ? [] : entriesOf(state, tree).map(({ kind, name }) => ({ kind, name }));
  }
}

describe('on-parent-version', () => {
  it('says what a version keeps of properties, and what a restore does with them', () => {
    const scene = new Scene();
    scene.set('new');
    scene.restore();
    assert.equal(scene.value('copied'), 'old');
    assert.equal(scene.value('versioned'), 'old');
    assert.equal(scene.value('computed'), 'old');
    assert.equal(scene.value('ignored'), 'new');
    assert.equal(scene.value('initial'), 'fresh');
  });

  it('says what a version keeps of children', () => {
    const kinds = new Scene().frozen();
    assert.deepEqual(
      CHILDREN.map((name) => kinds.find((entry) => entry.name === name)?.kind),
      ['node', 'node', undefined, 'initial'],
    );
    // Below what is made anew, or left out, nothing is kept.
    assert.equal(kinds.filter(({ name }) => name === 'below').length, 2);
  });

  it('lets a child under IGNORE be what it is, whatever is restored', () => {
    const scene = new Scene();
    const ignored = scene.child('ignored');
    scene.remove('copied');
    scene.repository.change((change) => addNode(change, change.at(`${PATH}/ignored`), { name: 'more', type: null }));
    scene.restore();
    assert.deepEqual(scene.names().sort(), [...CHILDREN].sort());
    assert.equal(scene.child('ignored'), ignored);
    assert.deepEqual(scene.names(ignored), ['below', 'more']);
  });

  it('forbids versions by ABORT', () => {
    const scene = new Scene();
    scene.set('x', ['forbidden']);
    const refusedBy = (work: () => unknown): string => {
      try {
        work();
        return '';
      } catch (thrown) {
        return (thrown as ServiceError).code;
      }
    };
    const again = () => scene.repository.do(checkin.operation, { path: PATH });
    assert.equal(refusedBy(again), 'CONFLICT');
    const other = new Scene();
    other.repository.change((change) => addNode(change, change.at(PATH), { name: 'forbidden', type: null }));
    assert.equal(
      refusedBy(() => other.repository.do(checkin.operation, { path: PATH })),
      'CONFLICT',
    );
  });

  it('divides versionable children: those under VERSION have a history, those under COPY are copied', () => {
    const scene = new Scene(['mix:versionable']);
    const kinds = scene.frozen();
    assert.deepEqual(
      CHILDREN.map((name) => kinds.find((entry) => entry.name === name)?.kind),
      ['node', 'history', undefined, 'initial'],
    );
    const versioned = scene.child('versioned');
    scene.repository.change((change) => addNode(change, change.at(`${PATH}/versioned`), { name: 'more', type: null }));
    scene.repository.change((change) => addNode(change, change.at(`${PATH}/copied`), { name: 'more', type: null }));
    scene.restore();
    assert.deepEqual(scene.names(versioned), ['below', 'more']);
    assert.deepEqual(scene.names(scene.child('copied')), ['below']);
  });

  describe('of a versionable child that is copied', () => {
    const gone = (scene: Scene, ...more: readonly Write[]) => {
      const id = scene.child('copied');
      const below = scene.repository.state().find(nodes, 'name', [id]);
      scene.repository.documents.apply([
        ...[id, ...below.map((node) => node.id)].map((one) => remove(nodes, one)),
        ...more,
      ]);
      return id;
    };
    const versioningOf = (scene: Scene, id: string) => scene.repository.state().get(nodes, id)?.versioning;

    it('leaves its own history alone while it is there', () => {
      const scene = new Scene(['mix:versionable']);
      const id = scene.child('copied');
      const before = versioningOf(scene, id);
      scene.repository.change((change) => {
        const node = change.at(`${PATH}/copied`);
        change.put({ ...node, properties: { ...node.properties, title: { type: 'String', value: 'new' } } });
      });
      scene.restore();
      assert.deepEqual(
        [scene.repository.state().get(nodes, id)?.properties.title, before?.checkedOut],
        [undefined, true],
      );
      assert.deepEqual(versioningOf(scene, id), before);
    });

    it('lets it go on with that when it comes back', () => {
      const scene = new Scene(['mix:versionable']);
      const id = gone(scene);
      scene.restore();
      const baseVersion = scene.repository.state().get(versionHistories, id)?.rootVersion;
      assert.deepEqual(versioningOf(scene, id), { checkedOut: false, baseVersion, predecessors: [] });
    });

    it('lets it begin another one where that has gone, once it is swept', () => {
      const scene = new Scene(['mix:versionable']);
      const id = scene.child('copied');
      const history = scene.repository.state().get(versionHistories, id) ?? assert.fail();
      gone(scene, put(versionHistories, { ...history, deleted: true }));
      assert.throws(() => scene.restore(), { code: 'UNAVAILABLE', message: /'copied' are being removed/ });
      scene.repository.documents.apply([remove(versions, history.rootVersion), remove(versionHistories, id)]);
      scene.restore();
      assert.equal(versioningOf(scene, id)?.checkedOut, true);
      assert.notEqual(versioningOf(scene, id)?.baseVersion, history.rootVersion);
    });
  });

  it('makes what is initialized anew with what its type makes below it', () => {
    const repository = new MemoryRepository();
    repository.register(
      '[auto] + made (nt:base) = nt:unstructured autocreated + * (nt:base) = nt:unstructured [holder] + initial (nt:base) = auto initialize',
    );
    const made = repository.change((change) => {
      const node = addNode(change, change.at('/content'), { name: 'h', type: 'holder', mixins: ['mix:versionable'] });
      return addNode(change, node, { name: 'initial', type: 'auto' });
    });
    repository.do(checkpoint.operation, { path: '/content/h' });
    repository.change((change) => void removeSubtree(change, change.at('/content/h/initial')));
    repository.do(restoreVersion.operation, { path: '/content/h', versionName: '1.0' });
    assert.deepEqual(
      repository
        .state()
        .find(nodes, 'name', [made.id])
        .map(({ name }) => name),
      ['made'],
    );
    const [kept] = repository.state().find(nodes, 'name', [made.id]);
    repository.do(versionOperations.checkout.operation, { path: '/content/h' });
    repository.change((change) => addNode(change, change.at('/content/h/initial'), { name: 'more', type: null }));
    repository.do(restoreVersion.operation, { path: '/content/h', versionName: '1.0' });
    assert.deepEqual(
      repository
        .state()
        .find(nodes, 'name', [made.id])
        .map(({ id }) => id),
      [kept?.id],
      'what comes with it stays, and what was added goes',
    );
  });

  it('takes a child of a versionable type that has no versions yet for a copy', () => {
    const types = typesOf(new Scene().repository.state());
    const child = {
      id: 'c',
      parent: 'p',
      name: 'versioned',
      order: null,
      type: 'nt:unstructured',
      properties: {},
      version: 3,
    };
    const parent = { name: 'doc', type: 'doc', mixins: [] };
    const kindOf = (more: Partial<ContentNode>) => childEntry(types, parent, { ...child, mixins: [], ...more })?.kind;
    const versioning = { checkedOut: true, baseVersion: 'v', predecessors: [] };
    assert.deepEqual(
      [kindOf({}), kindOf({ mixins: ['mix:versionable'] }), kindOf({ mixins: ['mix:versionable'], versioning })],
      ['node', 'node', 'history'],
    );
  });
});
