import assert from 'node:assert/strict';
import type { AttachedNode, OverwrittenNode, PublishImport } from '../../../src/content/transfer/publish-import.js';
import { detachedTrees } from '../../../src/content/tree/detached.js';
import { type AccessEntry, type ContentNode, nodes } from '../../../src/content/tree/node.js';
import { typePacks, typeStamps } from '../../../src/content/tree/stored-types.js';
import { readCnd } from '../../../src/content/type/cnd.js';
import { builtInNamespaces } from '../../../src/content/value/names.js';
import { type Caller, systemCaller } from '../../../src/shared/caller.js';
import { type LongJob, longJobMachine, longJobs, put, start, step } from '../../../src/store/index.js';
import { ADMIN, ANN, lockOf, type MemoryTree, memoryTree, nodeOf } from '../support/tree.js';

const SYSTEM = systemCaller('test');
const grant = (...privileges: string[]): AccessEntry[] => [{ principal: 'ann', privileges, allow: true }];
const text = (value: string) => ({ type: 'String', value }) as const;
const date = (value: string) => ({ type: 'Date', value }) as const;
const LOCK = lockOf('bob');

describe('the publishing of an import', () => {
  let tree: MemoryTree;
  beforeEach(async () => {
    tree = await memoryTree();
    const [queued] = step(longJobMachine, start(longJobMachine, { attempt: 0 }), { type: 'start' });
    const [actor] = step(longJobMachine, queued, { type: 'take' });
    const job = { id: 'job', type: 'import-archive', figures: {}, version: 0, actor, userId: 'ann', cause: {} };
    tree.harness.documents.apply([put(longJobs, job as unknown as LongJob)]);
    tree.store(nodeOf(tree.base.id, 'in', { acl: grant('jcr:all') }));
    await tree.harness.run(tree.content.jobs.beginStaging, { rootId: 'holder', purpose: 'import' }, SYSTEM);
  });

  const stage = (...staged: readonly ContentNode[]) =>
    tree.harness.run(tree.content.jobs.stageNodes, { rootId: 'holder', purpose: 'import', nodes: staged }, SYSTEM);
  const publish = (more: Partial<PublishImport>, caller: Caller = ANN) =>
    tree.harness.run(
      tree.content.jobs.publishImport,
      {
        jobId: 'job',
        attempt: 1,
        holderId: 'holder',
        destinationPath: '/content/in',
        typeStamp: null,
        attached: [],
        overwritten: [],
        setsAccess: false,
        outcome: {},
        ...more,
      },
      caller,
    );
  const attached = (id: string, parentId: string | null = null): AttachedNode => ({ id, name: `its ${id}`, parentId });
  const changed = (id: string, more: Partial<OverwrittenNode> = {}): OverwrittenNode => ({
    id,
    type: 'nt:unstructured',
    mixins: [],
    properties: {},
    acl: null,
    isWhole: true,
    ...more,
  });
  const overwrite = (id: string, more: Partial<OverwrittenNode> = {}, caller?: Caller) =>
    publish({ overwritten: [changed(id, more)] }, caller);
  const refused = (work: Promise<unknown>, code: string, reason?: string) =>
    assert.rejects(work, (thrown: { code?: string; message: string; info?: { reason?: string } }) => {
      assert.deepEqual([thrown.code, reason && thrown.info?.reason], [code, reason], thrown.message);
      return true;
    });

  it('puts what was staged in its places, and completes the job, by one commit', async () => {
    await stage(nodeOf('holder', 'n1'), nodeOf('n1', 'below'), nodeOf('holder', 'n2'));
    await publish({ attached: [attached('n1'), attached('n2', tree.base.id)] }, ADMIN);
    assert.deepEqual(
      ['n1', 'below', 'n2'].map((id) => [tree.get(id)?.parent, tree.get(id)?.name]),
      [
        ['in', 'its n1'],
        ['n1', 'below'],
        [tree.base.id, 'its n2'],
      ],
    );
    assert.equal(tree.harness.get(longJobs, 'job')?.actor.value, 'completed');
    assert.deepEqual([tree.get('holder'), tree.harness.all(detachedTrees)], [undefined, []]);
    assert.deepEqual(new Set(tree.harness.eventTypes.slice(-3)), new Set(['longJob.progressed', 'node.changed']));
  });

  it('needs nothing staged where nothing is new', async () => {
    tree.store(nodeOf('in', 'there'));
    await publish({ holderId: null, overwritten: [changed('there', { properties: { p: text('new') } })] });
    assert.deepEqual(tree.get('there')?.properties, { p: text('new') });
    assert.notEqual(tree.get('holder'), undefined);
  });

  it('makes folders on the way to its destination', async () => {
    await stage(nodeOf('holder', 'n1', { type: 'nt:folder' }));
    await publish({ destinationPath: '/content/in/new', attached: [attached('n1')] });
    assert.equal(tree.get(tree.get('n1')?.parent ?? '')?.name, 'new');
  });

  it('asks the rights of whoever imports, of each node that is changed or added to', async () => {
    await stage(nodeOf('holder', 'n1'), nodeOf('holder', 'n2'));
    const added = (...privileges: string[]) => {
      tree.store(nodeOf('in', 'there', { acl: [...grant(...privileges)] }), nodeOf(tree.base.id, 'in', { acl: [] }));
      return publish({
        destinationPath: '/content/in/there',
        attached: [attached('n1', 'there'), attached('n2', 'there')],
      });
    };
    await refused(added('jcr:read'), 'FORBIDDEN');
    await added('jcr:read', 'jcr:addChildNodes');
    assert.equal(tree.get('n2')?.parent, 'there');
  });

  it('asks for more rights where lists come with its nodes', async () => {
    await stage(nodeOf('holder', 'n1', { acl: grant('jcr:read') }));
    const added = (...privileges: string[]) => {
      tree.store(nodeOf(tree.base.id, 'in', { acl: grant('jcr:read', 'jcr:addChildNodes', ...privileges) }));
      return publish({ setsAccess: true, attached: [attached('n1')] });
    };
    await refused(added(), 'FORBIDDEN');
    await added('jcr:modifyAccessControl');
    assert.deepEqual(tree.get('n1')?.acl, grant('jcr:read'));
  });

  it('asks which rights a node needs that is changed', async () => {
    const allowed = (privileges: string[], more: Partial<OverwrittenNode> = {}) => {
      tree.store(nodeOf(tree.base.id, 'in', { acl: grant('jcr:read', ...privileges) }), nodeOf('in', 'there'));
      return overwrite('there', more);
    };
    await refused(allowed([]), 'FORBIDDEN');
    await refused(allowed(['jcr:modifyProperties'], { acl: [] }), 'FORBIDDEN');
    await refused(allowed(['jcr:modifyProperties'], { mixins: ['mix:title'] }), 'FORBIDDEN');
    await allowed(['jcr:modifyProperties', 'jcr:nodeTypeManagement', 'jcr:modifyAccessControl'], {
      acl: [],
      mixins: ['mix:title'],
    });
    assert.deepEqual([tree.get('there')?.acl, tree.get('there')?.mixins], [[], ['mix:title']]);
  });

  it('needs no right to mixins that are there already', async () => {
    tree.store(
      nodeOf(tree.base.id, 'in', { acl: grant('jcr:read', 'jcr:modifyProperties') }),
      nodeOf('in', 'there', { mixins: ['mix:title', 'mix:language'], acl: grant('jcr:read') }),
    );
    await overwrite('there', { mixins: ['mix:title'] });
    assert.deepEqual(
      [tree.get('there')?.mixins, tree.get('there')?.acl],
      [['mix:title', 'mix:language'], grant('jcr:read')],
    );
  });

  it('is refused by locks, and by nodes that are checked in', async () => {
    tree.store(nodeOf('in', 'there', { lock: LOCK }));
    await refused(overwrite('there'), 'CONFLICT', 'locked');
    const versioning = { checkedOut: false, baseVersion: 'v', predecessors: [] };
    tree.store(nodeOf('in', 'there', { mixins: ['mix:versionable'], versioning }));
    await refused(overwrite('there'), 'CONFLICT');
  });

  it('replaces all that the archive says all of, and keeps what the repository keeps', async () => {
    tree.store(
      nodeOf('in', 'there', {
        mixins: ['mix:created', 'mix:referenceable'],
        properties: {
          'jcr:created': date('2001-02-03T04:05:06.000Z'),
          'jcr:createdBy': text('bob'),
          'jcr:uuid': text('there'),
          gone: text('old'),
          p: text('old'),
        },
      }),
    );
    await overwrite('there', {
      properties: { p: text('new'), 'jcr:createdBy': text('ann'), 'jcr:uuid': text('other') },
    });
    assert.deepEqual(tree.get('there')?.properties, {
      'jcr:created': date('2001-02-03T04:05:06.000Z'),
      'jcr:createdBy': text('bob'),
      'jcr:uuid': text('there'),
      p: text('new'),
    });
  });

  it('replaces what no type allows any more', async () => {
    tree.harness.documents.put(typePacks, { id: 'registered', types: readCnd('[strict]', builtInNamespaces).types });
    tree.harness.documents.put(typeStamps, { id: 'types', stamp: 'strict', namespaces: {} });
    tree.store(nodeOf('in', 'there', { type: 'strict', properties: { gone: text('old') } }));
    await publish({ typeStamp: 'strict', overwritten: [changed('there', { type: 'strict' })] });
    assert.deepEqual(tree.get('there')?.properties, {});
  });

  it('adds to what is there where the archive says no more of it', async () => {
    tree.store(nodeOf('in', 'there', { properties: { kept: text('old'), p: text('old') } }));
    await overwrite('there', { isWhole: false, properties: { p: text('new') } });
    assert.deepEqual(tree.get('there')?.properties, { kept: text('old'), p: text('new') });
  });

  it('tells who changed a node where its types tell that', async () => {
    tree.store(nodeOf('in', 'there', { mixins: ['mix:lastModified'] }));
    await overwrite('there');
    assert.deepEqual(tree.get('there')?.properties['jcr:lastModifiedBy'], text('ann'));
  });

  it('is refused when what it was checked against has changed', async () => {
    await refused(publish({ typeStamp: 'other' }), 'UNAVAILABLE', 'types_changed');
    tree.harness.documents.apply([put(typeStamps, { id: 'types', stamp: 'here', namespaces: {} })]);
    await refused(publish({}), 'UNAVAILABLE', 'types_changed');
    tree.store(
      nodeOf('in', 'there', { type: 'nt:folder' }),
      nodeOf('in', 'hidden', { acl: [{ principal: 'ann', privileges: ['jcr:read'], allow: false }] }),
    );
    const typeStamp = 'here';
    for (const id of ['there', 'gone', 'hidden'])
      await refused(publish({ typeStamp, overwritten: [changed(id)] }), 'UNAVAILABLE', 'tree_busy');
    await stage(nodeOf('holder', 'n1'));
    for (const parentId of ['gone', 'hidden'])
      await refused(publish({ typeStamp, attached: [attached('n1', parentId)] }), 'UNAVAILABLE', 'tree_busy');
    await publish({ typeStamp, attached: [attached('n1')] });
  });

  it('is refused when another run, or none, is the job’s, and when what was staged is given up', async () => {
    await refused(publish({ attempt: 2 }), 'CONFLICT');
    await refused(publish({ holderId: 'other' }), 'UNAVAILABLE', 'import_lost');
    await refused(publish({ attached: [attached('n1')] }), 'UNAVAILABLE', 'import_lost');
    assert.equal(
      tree.harness.all(nodes).some(({ name }) => name === 'its n1'),
      false,
    );
  });
});
