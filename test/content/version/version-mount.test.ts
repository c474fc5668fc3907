import assert from 'node:assert/strict';
import type { ContentNode } from '../../../src/content/index.js';
import { beginStaging } from '../../../src/content/large/staging.js';
import { VERSION_STORAGE_ID } from '../../../src/content/tree/node.js';
import { valuesOf } from '../../../src/content/value/property.js';
import { versionMount } from '../../../src/content/version/version-mount.js';
import { systemCaller } from '../../../src/shared/caller.js';
import { openSubject } from '../support/open-subject.js';
import { ADMIN } from '../support/tree.js';

describe('version histories as nodes', () => {
  const subject = openSubject();
  let id: string;
  /** The versions by name. */
  let versions: ReadonlyMap<string, ContentNode>;
  before(async () => {
    id = await create('/content', 'doc', { mixins: ['mix:versionable', 'mix:title'] });
    for (const name of ['b', 'a', 'c', 'a']) await create('/content/doc', name);
    await create('/content/doc', 'own', { mixins: ['mix:versionable'] });
    await subject.send('setAccessControl', { path: '/content/doc/b', principal: 'ann', privileges: ['read'] }, ADMIN);
    await send('checkpoint', '/content/doc');
    await send('checkpoint', '/content/doc');
    await send('addVersionLabel', '/content/doc', { versionName: '1.0', label: 'first' });
    versions = new Map(children(get(`${id}.history`)).map((node) => [node.name, node]));
  });

  const send = (field: string, path: string, more: object = {}) => subject.send(field, { path, ...more }, ADMIN);
  const create = async (path: string, name: string, more: object = {}): Promise<string> => {
    const input = { path, name, nodeType: 'nt:unstructured', allowSameNameSiblings: true, ...more };
    return ((await subject.send('createNode', input, ADMIN)) as { nodeId: string }).nodeId;
  };
  const reading = () => subject.partition.replica.read();
  const find = (at: string) => versionMount.get(reading(), at);
  const get = (at: string): ContentNode => find(at) ?? assert.fail(`expected a node ${at}`);
  const storage = (): ContentNode => subject.view(ADMIN).get(VERSION_STORAGE_ID) ?? assert.fail();
  const children = (parent: ContentNode, after: string | null = null, limit = 100) =>
    versionMount.children(reading(), parent, after, limit);
  const names = (...asked: Parameters<typeof children>) => children(...asked).map(({ name }) => name);
  const child = (parent: ContentNode, name: string, index?: number) =>
    versionMount.child(reading(), parent, name, index);
  const version = (name: string): ContentNode => versions.get(name) ?? assert.fail();
  const frozen = (name: string): ContentNode => child(version(name), 'jcr:frozenNode') ?? assert.fail();
  const told = (node: ContentNode, name: string) => valuesOf(node.properties[name] ?? assert.fail(name));

  it('are listed by the identifiers of their nodes, in pages', async () => {
    const other = await create('/content', 'other', { mixins: ['mix:versionable'] });
    const all = names(storage());
    assert.deepEqual(all, [...all].sort());
    assert.ok(all.includes(id) && all.includes(other));
    assert.deepEqual(names(storage(), null, 1), all.slice(0, 1));
    assert.deepEqual(names(storage(), all[0], 1), all.slice(1, 2));
    assert.deepEqual(names(storage(), all.at(-1)), []);
    assert.equal(child(storage(), id)?.id, `${id}.history`);
    assert.equal(child(storage(), id, 2), undefined);
    assert.equal(child(storage(), 'nowhere'), undefined);
  });

  it('have their versions and labels below them, by name', () => {
    const history = get(`${id}.history`);
    assert.deepEqual([history.type, history.parent, history.name], ['nt:versionHistory', VERSION_STORAGE_ID, id]);
    const all = ['1.0', '1.1', 'jcr:rootVersion', 'jcr:versionLabels'];
    assert.deepEqual(names(history), all);
    for (const [at, name] of all.entries()) {
      assert.deepEqual(names(history, name, 1), all.slice(at + 1, at + 2));
      assert.equal(child(history, name)?.name, name);
      assert.equal(child(history, name, 2), undefined);
    }
    assert.deepEqual(names(history, null, 2), ['1.0', '1.1']);
    assert.equal(child(history, '9.9'), undefined);
    const labels = get(`${id}.labels`);
    assert.deepEqual([labels.parent, told(labels, 'first')], [history.id, [version('1.0').id]]);
    assert.deepEqual(names(labels), []);
    assert.equal(child(labels, 'first'), undefined);
    assert.deepEqual(told(version('1.0'), 'jcr:successors'), [version('1.1').id]);
  });

  it('show what a version has frozen, in its order and in pages', () => {
    const root = frozen('1.0');
    assert.deepEqual([root.name, root.parent, root.type], ['jcr:frozenNode', version('1.0').id, 'nt:frozenNode']);
    assert.deepEqual(names(version('1.0')), ['jcr:frozenNode']);
    assert.deepEqual(names(version('1.0'), 'jcr:frozenNode'), []);
    assert.deepEqual(names(version('jcr:rootVersion')), []);
    assert.equal(child(version('1.0'), 'other'), undefined);
    assert.equal(child(version('1.0'), 'jcr:frozenNode', 2), undefined);
    assert.equal(child(version('jcr:rootVersion'), 'jcr:frozenNode'), undefined);
    const all = ['b', 'a', 'c', 'a', 'own'];
    assert.deepEqual(names(root), all);
    for (const [at, segment] of ['b', 'a', 'c', 'a[2]', 'own'].entries())
      assert.deepEqual(names(root, segment, 2), all.slice(at + 1, at + 3), segment);
    const [b, a, , second, own] = children(root);
    assert.deepEqual([child(root, 'a')?.id, child(root, 'a', 2)?.id], [a?.id, second?.id]);
    assert.equal(child(root, 'a', 3), undefined);
    assert.equal(child(root, 'nothing'), undefined);
    assert.deepEqual(
      [root, b, a, second].map((node) => node && versionMount.index?.(reading(), node)),
      [1, 1, 1, 2],
    );
    assert.equal(versionMount.index?.(reading(), version('1.0')), undefined);
    assert.deepEqual([a?.acl, b?.acl?.length], [undefined, 1]);
    assert.deepEqual([own?.type, own?.version], ['nt:versionedChild', version('1.0').version]);
    assert.deepEqual(told(own ?? root, 'jcr:childVersionHistory'), [`${own?.id.split('.frozen.')[1]}.history`]);
    assert.deepEqual(children(a ?? root), []);
  });

  it('tell whose frozen nodes are, and of which types', () => {
    const root = frozen('1.1');
    assert.deepEqual(told(root, 'jcr:frozenUuid'), [id]);
    assert.deepEqual(told(root, 'jcr:frozenMixinTypes'), ['mix:versionable', 'mix:title']);
    const [b] = children(root);
    assert.equal(b?.properties['jcr:frozenMixinTypes'], undefined);
    assert.equal(root.properties['jcr:uuid'], undefined);
    const of = (at: string) => versionMount.original?.(at);
    assert.deepEqual([of(root.id), of(`${id}.history`), of(`${id}.labels`)], [id, id, id]);
    assert.equal(of(version('1.0').id), undefined);
    assert.ok(root.version < version('1.1').version);
    assert.ok((b?.version ?? 0) < version('1.0').version);
  });

  it('have the version of what was written when it was frozen', async () => {
    const fresh = await create('/content', 'fresh');
    await send('addVersionControl', '/content/fresh');
    const first = child(get(`${fresh}.history`), '1.0') ?? assert.fail();
    assert.equal(child(first, 'jcr:frozenNode')?.version, first.version);
  });

  it('are of what there is alone', () => {
    const [v, other] = [version('1.0').id, 'nowhere'];
    const missing = [`${other}.history`, `${other}.labels`, other, `${other}.frozen.${id}`, `${v}.frozen.${other}`];
    for (const at of missing) assert.equal(find(at), undefined, at);
    const content = subject.view(ADMIN).require('/content');
    assert.deepEqual([child(content, 'doc'), children(content)], [undefined, []]);
  });

  for (const [purpose, isShown] of [
    ['import', false],
    ['restore', true],
  ] as const)
    it(`are ${isShown ? '' : 'not '}shown of a node that an unfinished ${purpose} makes`, async () => {
      const made = await create('/content', purpose, { mixins: ['mix:versionable'] });
      await send('checkpoint', `/content/${purpose}`);
      const node = subject.view(ADMIN).require(`/content/${purpose}`);
      const base = node.versioning?.baseVersion ?? '';
      await subject.partition.send(
        beginStaging,
        { rootId: `held-${purpose}`, purpose },
        { caller: systemCaller('test') },
      );
      await subject.plant({ ...node, parent: `held-${purpose}` });
      for (const at of [`${made}.history`, `${made}.labels`, base, `${base}.frozen.${made}`])
        assert.equal(find(at) !== undefined, isShown, at);
      assert.equal(names(storage()).includes(made), isShown);
    });

  it('are shown of a node that is gone, as long as they are kept', async () => {
    const node = subject.view(ADMIN).require('/content/doc');
    await subject.plant({ ...node, parent: null });
    assert.ok(find(`${id}.history`));
    await subject.plant(node);
  });
});
