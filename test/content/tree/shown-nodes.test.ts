import assert from 'node:assert/strict';
import { createNode } from '../../../src/content/edit/create-node.js';
import { ContentView } from '../../../src/content/tree/content-view.js';
import { checkpoint } from '../../../src/content/version/check-in.js';
import { deleteVersion } from '../../../src/content/version/delete-version.js';
import { longJobClientOperations } from '../../../src/store/job/long/client-operations.js';
import { HeldType } from '../../support/long-jobs.js';
import { MemoryRepository } from '../support/memory-repository.js';
import { ADMIN } from '../support/tree.js';

describe('a node that is shown in the tree, but kept elsewhere', () => {
  let repository: MemoryRepository;
  let history: string;

  const create = (path: string, name: string, mixins: readonly string[] = []) =>
    repository.do(createNode.operation, {
      path,
      name,
      nodeType: 'nt:unstructured',
      mixins,
      allowSameNameSiblings: true,
    }).nodeId;
  const version = () => repository.do(checkpoint.operation, { path: '/content/it' });
  const at = (path: string) => new ContentView(repository.state(), ADMIN).at(path);
  /** The paths at which there is a node, which has that path. */
  const there = (...paths: readonly string[]) =>
    paths.filter((path) => {
      const view = new ContentView(repository.state(), ADMIN);
      const node = view.at(path);
      if (node !== undefined) assert.equal(view.tree.pathOf(node), path);
      return node !== undefined;
    });

  beforeEach(() => {
    repository = new MemoryRepository();
    history = `/jcr:system/jcr:versionStorage/${create('/content', 'it', ['mix:versionable'])}`;
  });

  it('has an index where it shares its name, as what it shows', () => {
    for (const name of ['x', 'x', 'y']) create('/content/it', name);
    create('/content/it/x[2]', 'below');
    version();
    const frozen = `${history}/1.0/jcr:frozenNode`;
    const paths = ['', '/x', '/x[2]', '/x[2]/below', '/y'].map((path) => `${frozen}${path}`);
    assert.deepEqual(there(...paths, ...['/x[3]', '/y[2]', '/x/below'].map((path) => `${frozen}${path}`)), paths);
    assert.deepEqual(there(history, `${history}[2]`, `${history}/1.0[2]`), [history]);
  });

  it('has none where names do not repeat', () => {
    const { initLongJob } = longJobClientOperations(new Map([['held', new HeldType()]]));
    const { jobId } = repository.do(initLongJob, { type: 'held' }, ADMIN);
    const paths = ['', '/1970', '/1970/01', `/1970/01/job-${jobId}`].map((path) => `/var/jobs${path}`);
    assert.deepEqual(there(...paths, ...paths.map((path) => `${path}[2]`), '/var/jobs/1970/02'), paths);
  });

  it('is where it is shown by then, also within one commit', () => {
    create('/content/it', 'x');
    version();
    version();
    repository.change((change) => {
      const path = `${history}/1.0/jcr:frozenNode/x`;
      const [node, other] = [change.at(path), change.at(`${history}/1.1/jcr:frozenNode/x`)];
      for (let look = 0; look < 2; look++) {
        assert.equal(change.at(path).id, node.id);
        assert.deepEqual([change.tree.pathOf(node), change.tree.chainOf(node)?.length], [path, 7]);
      }
      deleteVersion.apply(change, { path: '/content/it', versionName: '1.0' });
      assert.equal(change.find(path), undefined);
      assert.deepEqual([change.tree.pathOf(node), change.tree.chainOf(node)], [undefined, undefined]);
      assert.equal(change.pathOf(other), `${history}/1.1/jcr:frozenNode/x`);
    });
    assert.equal(at(`${history}/1.0`), undefined);
  });
});
