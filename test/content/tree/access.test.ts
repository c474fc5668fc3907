import assert from 'node:assert/strict';
import { setAccessControl } from '../../../src/content/edit/access-control.js';
import { createNode } from '../../../src/content/edit/create-node.js';
import { deleteNode } from '../../../src/content/large/delete-node.js';
import { ContentView } from '../../../src/content/tree/content-view.js';
import { checkin, checkout, checkpoint } from '../../../src/content/version/check-in.js';
import { versions } from '../../../src/content/version/version.js';
import type { Caller } from '../../../src/shared/caller.js';
import { callerNamed } from '../../support/harness.js';
import { MemoryRepository } from '../support/memory-repository.js';
import { ANN } from '../support/tree.js';

const BEN = callerNamed('ben');
const LIVE = callerNamed('late');

describe('a version', () => {
  const repository = new MemoryRepository();
  let id: string;

  const create = (path: string, name: string, mixins: readonly string[] = []) =>
    repository.do(createNode.operation, { path, name, nodeType: 'nt:unstructured', mixins }).nodeId;
  const hide = (path: string) =>
    repository.do(setAccessControl.operation, { path, principal: 'ann', privileges: ['read'], allow: false });
  /** Who may read the node, by its path in the storage of versions. */
  const readers = (path = '') =>
    [ANN, BEN]
      .filter((by) => new ContentView(repository.state(), by).at(`/jcr:system/jcr:versionStorage${path}`) !== undefined)
      .map(({ userId }) => userId);
  const frozen = (name: string) => readers(`/${id}/1.0/jcr:frozenNode/${name}`);

  before(() => {
    id = create('/content', 'it', ['mix:versionable']);
    for (const name of ['open', 'hidden', 'taken']) create('/content/it', name);
    hide('/content/it/hidden');
    repository.do(checkin.operation, { path: '/content/it' });
    repository.do(checkout.operation, { path: '/content/it' });
  });

  it('shows of each node what those may read who may read that', () => {
    assert.deepEqual(readers(), ['ann', 'ben']);
    for (const path of ['', '/jcr:versionLabels', '/1.0', '/1.0/jcr:frozenNode'])
      assert.deepEqual(readers(`/${id}${path}`), ['ann', 'ben'], path);
    assert.deepEqual([frozen('open'), frozen('hidden')], [['ann', 'ben'], ['ben']]);
  });

  it('shows of a node that is gone, or waits to be swept, what those may read who could', () => {
    repository.do(deleteNode.operation, { path: '/content/it/open' });
    repository.change((change) => {
      for (const name of ['hidden', 'taken']) change.detach(change.at(`/content/it/${name}`));
    });
    assert.deepEqual([frozen('open'), frozen('taken'), frozen('hidden')], [['ann', 'ben'], ['ann', 'ben'], ['ben']]);
  });

  it('shows of a node that is gone nothing by entries to whoever was made since', () => {
    const path = '/content/it/early';
    create('/content/it', 'early');
    const entries = [
      { principal: 'everyone', privileges: ['jcr:read'], allow: false },
      { principal: 'late', privileges: ['jcr:read'] },
    ];
    repository.do(setAccessControl.operation, { path, entries });
    const node = new ContentView(repository.state(), LIVE).at(path);
    assert.ok(node !== undefined);
    for (let times = 0; times < 2; times++) repository.do(checkpoint.operation, { path: '/content/it' });
    const [first = 0, second = 0] = repository.documents
      .all(versions)
      .filter(({ name }) => name === '1.1' || name === '1.2')
      .map(({ created }) => created)
      .sort();
    assert.ok(first < second);
    const seen = (made: number | undefined, more: Partial<Caller> = { userId: 'late' }) => {
      const by = callerNamed('ben', { ...(made !== undefined && { made: new Map([['late', made]]) }), ...more });
      const view = new ContentView(repository.state(), by);
      const there = (name: string) =>
        view.at(`/jcr:system/jcr:versionStorage/${id}/${name}/jcr:frozenNode/early`) !== undefined;
      return ['1.1', '1.2'].filter(there);
    };
    assert.deepEqual(seen(second + 1), ['1.1', '1.2'], 'as long as the node is there, its own list counts');
    repository.do(deleteNode.operation, { path });
    for (const who of [{ userId: 'late' }, { groups: ['late'] }]) {
      assert.deepEqual(seen(undefined, who), ['1.1', '1.2']);
      assert.deepEqual(seen(first, who), ['1.1', '1.2']);
      assert.deepEqual(seen(first + 1, who), ['1.2']);
      assert.deepEqual(seen(second, who), ['1.2']);
      assert.deepEqual(seen(second + 1, who), []);
    }
    assert.deepEqual(seen(first, { userId: 'ben' }), []);
  });

  it('is hidden with its node', () => {
    hide('/content/it');
    assert.deepEqual(readers(), ['ann', 'ben']);
    for (const path of ['', '/jcr:versionLabels', '/1.0', '/1.0/jcr:frozenNode', '/1.0/jcr:frozenNode/open'])
      assert.deepEqual(readers(`/${id}${path}`), ['ben'], path);
  });
});
