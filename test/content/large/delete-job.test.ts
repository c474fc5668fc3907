import assert from 'node:assert/strict';
import { ContentView } from '../../../src/content/tree/content-view.js';
import { type ContentNode, nodes } from '../../../src/content/tree/node.js';
import type { Property } from '../../../src/content/value/property.js';
import { systemCaller } from '../../../src/shared/caller.js';
import { hasEnded, type LongJob, longJobs } from '../../../src/store/index.js';
import { type ContentStore, contentStore, plant } from '../../support/content-store.js';

describe('a job that deletes', function () {
  this.timeout(60_000);
  let tree: ContentStore;
  let ended: (job: LongJob) => void = () => {};
  before(async () => {
    tree = await contentStore({
      committed: ({ writes }) => {
        for (const { collection, document } of writes) {
          if (collection.name !== longJobs.name || document === null) continue;
          const job = document as LongJob;
          if (hasEnded(job.actor.value)) ended(job);
        }
      },
    });
  });
  after(() => tree.close());

  const admin = { ...systemCaller('test'), userId: 'admin' };
  const idOf = (path: string): string => new ContentView(tree.partition.replica.read(), admin).at(path)?.id ?? '';
  const planted = async (made: readonly ContentNode[]) => {
    for (let from = 0; from < made.length; from += 500)
      await tree.partition.send(plant, made.slice(from, from + 500), { caller: admin });
  };
  const node = (id: string, parent: string, more: Partial<ContentNode> = {}): ContentNode => ({
    id,
    parent,
    name: id,
    order: null,
    type: 'nt:folder',
    mixins: [],
    properties: {},
    version: 0,
    ...more,
  });
  const deleted = async (...paths: string[]): Promise<LongJob> => {
    const { initLongJob, appendLongJobItems, startLongJob } = tree.longJobs;
    const end = new Promise<LongJob>((resolve) => {
      ended = resolve;
    });
    const { answer } = await tree.partition.send(initLongJob, { type: 'delete' }, { caller: admin });
    await tree.partition.send(
      appendLongJobItems,
      { type: 'delete', jobId: answer.jobId, items: paths },
      { caller: admin },
    );
    await tree.partition.send(startLongJob, { type: 'delete', jobId: answer.jobId }, { caller: admin });
    return end;
  };
  const reference = (...ids: string[]): Record<string, Property> => ({ to: { type: 'Reference', values: ids } });
  const LOOSE: Partial<ContentNode> = { type: 'nt:unstructured', mixins: ['mix:referenceable'] };

  it('takes a large folder away in many commits, each of them small', async () => {
    const content = idOf('/content');
    const made = [node('large', content)];
    for (let n = 0; n < 1_500; n++) made.push(node(`flat${n}`, 'large'));
    for (let n = 0; n < 300; n++) made.push(node(`deep${n}`, n === 0 ? 'large' : `deep${n - 1}`));
    await planted(made);
    tree.commits.length = 0;
    const job = await deleted('/content/large');
    assert.equal(job.actor.value, 'completed', job.figures.errorMessage ?? '');
    assert.equal(job.figures.itemsDeleted, made.length);
    assert.equal(tree.partition.replica.read().get(nodes, 'large'), undefined);
    const sizes = tree.commits.map(
      ({ writes }) => writes.filter(({ collection }) => collection.name === nodes.name).length,
    );
    assert.ok(Math.max(...sizes) <= 100, `the largest commit has ${Math.max(...sizes)} nodes`);
  });

  it('takes away at once what refers to itself crosswise', async () => {
    const made = [node('cross', idOf('/content'), LOOSE)];
    for (let n = 0; n < 300; n++)
      made.push(node(`c${n}`, 'cross', { ...LOOSE, properties: reference(`c${(n + 150) % 300}`) }));
    await planted(made);
    const job = await deleted('/content/cross');
    assert.equal(job.actor.value, 'completed', job.figures.errorMessage ?? '');
    assert.equal(job.figures.itemsDeleted, made.length);
    assert.equal(new ContentView(tree.partition.replica.read(), admin).at('/content/cross'), undefined);
  });

  it('stops at a node that is referred to from outside, far below, and leaves only what comes behind it', async () => {
    const content = idOf('/content');
    const made = [node('outer', content, LOOSE)];
    for (let n = 0; n < 250; n++) made.push(node(`o${String(n).padStart(3, '0')}`, 'outer', LOOSE));
    made.push(node('holder', content, { ...LOOSE, properties: reference('o200') }));
    await planted(made);
    const job = await deleted('/content/outer');
    assert.equal(job.actor.value, 'failed');
    assert.match(
      job.figures.errorMessage ?? '',
      /'\/content\/outer\/o200' cannot be removed: '\/content\/holder' refers to it/,
    );
    assert.equal(job.figures.itemsDeleted, 200);
    assert.equal(tree.partition.replica.read().get(nodes, 'o199'), undefined);
    assert.notEqual(tree.partition.replica.read().get(nodes, 'o249'), undefined);
  });
});
