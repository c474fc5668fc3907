import assert from 'node:assert/strict';
import type { ContentNode } from '../../../src/content/index.js';
import type { VersionAnswer } from '../../../src/content/version/check-in.js';
import { requireFreezable } from '../../../src/content/version/frozen-chunks.js';
import { versionHistories, versionLitter } from '../../../src/content/version/version.js';
import { contentVersions, type HistoryView, versionView } from '../../../src/content/version/version-view.js';
import type { Caller } from '../../../src/shared/caller.js';
import { openSubject } from '../support/open-subject.js';
import { ADMIN, ANN, nodeOf, reference } from '../support/tree.js';

describe('a version history', () => {
  const subject = openSubject();

  const send = (field: string, name: string, more: object = {}, by: Caller = ADMIN) =>
    subject.send(field, { path: `/content/${name}`, ...more }, by);
  const at = (name: string): ContentNode => subject.view(ADMIN).require(`/content/${name}`.replace(/\/$/, ''));
  const create = async (name: string, more: object = {}) => {
    await subject.send('createNode', { path: '/content', name, nodeType: 'nt:unstructured', ...more }, ADMIN);
    return at(name).id;
  };
  const versionable = (name: string) => create(name, { mixins: ['mix:versionable'] });
  const set = (name: string, value: string) => {
    const properties = [{ name: 'title', value: { type: 'String', multiple: false, values: [value] } }];
    return send('setProperties', name, { properties });
  };
  const title = (name: string) => (at(name).properties.title as { value: string } | undefined)?.value;
  const checkpoint = async (name: string) => (await send('checkpoint', name)) as VersionAnswer;
  const restore = (name: string, versionName: string) => send('restoreVersion', name, { versionName });
  const history = (name: string, more: object = {}, by: Caller = ADMIN): HistoryView | null => {
    const asked = { partition: 'test', nodeId: at(name).id, now: 0, first: 20, after: null, count: true, ...more };
    return subject.query(contentVersions, asked as never, by).answer;
  };
  const shown = (name: string) =>
    history(name)?.versions.rows.map(({ node }) => [node.name, node.predecessors, node.successors, node.labels]);
  const refused = (work: Promise<unknown>, code: string, reason: string) =>
    assert.rejects(work, (thrown: { code?: string; message: string; info?: { reason?: string } }) => {
      assert.deepEqual([thrown.code, thrown.info?.reason], [code, reason], thrown.message);
      return true;
    });

  describe('grows', () => {
    it('with each version of a node that is checked out, and in no other way', async () => {
      await create('doc');
      await refused(send('checkin', 'doc'), 'BAD_REQUEST', 'not_versionable');
      assert.equal(history('doc'), null);
      await send('addVersionControl', 'doc');
      await refused(send('addVersionControl', 'doc'), 'BAD_REQUEST', 'versionable_already');
      assert.deepEqual(at('doc').versioning?.checkedOut, false);
      await refused(send('checkin', 'doc'), 'UNAVAILABLE', 'checked_in');
      await refused(send('checkpoint', 'doc'), 'BAD_REQUEST', 'checked_in');
      await refused(send('uncheckout', 'doc'), 'BAD_REQUEST', 'checked_in');
      assert.equal(await send('checkout', 'doc'), true);
      await refused(send('checkout', 'doc'), 'UNAVAILABLE', 'checked_out');
      await send('checkin', 'doc');
      await send('checkout', 'doc');
      await checkpoint('doc');
      assert.equal(at('doc').versioning?.checkedOut, true);
      assert.deepEqual(shown('doc'), [
        ['1.0', [], ['1.1'], []],
        ['1.1', ['1.0'], ['1.2'], []],
        ['1.2', ['1.1'], [], []],
      ]);
      assert.equal(history('doc')?.baseVersion?.name, '1.2');
    });

    it('only where there is one', async () => {
      const node = nodeOf(at('').id, 'lost', { mixins: ['mix:versionable'] });
      const base = at('doc').versioning?.baseVersion ?? '';
      await subject.plant({ ...node, versioning: { checkedOut: true, baseVersion: base, predecessors: [base] } });
      await assert.rejects(send('checkin', 'lost'), { message: /expected node 'lost' to have a history/ });
      await versionable('astray');
      const astray = at('astray');
      const versioning = { checkedOut: true, baseVersion: 'nowhere', predecessors: [] };
      await subject.plant({ ...astray, versioning });
      await assert.rejects(send('checkin', 'astray'), { message: /to have a history/ });
    });

    it('up to 50,000 nodes in each version', () => {
      requireFreezable({ history: 'h' }, 50_000);
      assert.throws(() => requireFreezable({ history: 'h' }, 50_001), {
        code: 'LIMIT_EXCEEDED',
        info: { reason: 'subtree_too_large', resourceId: 'h' },
      });
    });

    it('with a node that becomes versionable again, behind its newest version', async () => {
      await versionable('again');
      await checkpoint('again');
      await checkpoint('again');
      const { versioning: _, ...bare } = at('again');
      await subject.plant({ ...bare, mixins: [] });
      await send('addMixin', 'again', { mixinType: 'mix:versionable' });
      assert.equal(history('again')?.baseVersion?.name, '1.1');
      assert.equal(at('again').versioning?.checkedOut, true);
    });
  });

  describe('is shown', () => {
    it('page by page, oldest first, to whoever may read the node', async () => {
      await versionable('paged');
      assert.deepEqual([history('paged')?.versions.rows, history('paged')?.baseVersion], [[], null]);
      for (let n = 0; n < 3; n++) await checkpoint('paged');
      const first = history('paged', { first: 2 })?.versions;
      assert.deepEqual(
        first?.rows.map(({ node }) => node.name),
        ['1.0', '1.1'],
      );
      assert.deepEqual([first?.hasNextPage, first?.totalCount], [true, 3]);
      const cursor = first?.rows.at(-1)?.cursor ?? '';
      assert.equal(Buffer.from(cursor, 'base64').toString(), 'version:1');
      const next = history('paged', { first: 2, after: cursor })?.versions;
      assert.deepEqual(
        next?.rows.map(({ node }) => node.name),
        ['1.2'],
      );
      assert.deepEqual([next?.hasNextPage, next?.hasPreviousPage], [false, true]);
      const foreign = Buffer.from('version:x').toString('base64');
      assert.throws(() => history('paged', { after: foreign }), { code: 'BAD_REQUEST', message: /this server gave/ });
      await send('setAccessControl', 'paged', { principal: 'ann', privileges: ['read'], allow: false });
      assert.equal(history('paged', {}, ANN), null);
    });

    it('version by version', async () => {
      const { versionId } = await checkpoint('paged');
      const { state } = subject.view(ADMIN);
      const view = versionView(state, versionId);
      assert.deepEqual([view?.name, view?.createdBy, view?.predecessors], ['1.3', 'admin', ['1.2']]);
      const path = `/jcr:system/jcr:versionStorage/${at('paged').id}/1.3/jcr:frozenNode`;
      assert.equal(view?.frozenNodePath, path);
      assert.equal(versionView(state, 'nowhere'), undefined);
    });
  });

  describe('has labels', () => {
    before(async () => {
      await versionable('labelled');
      await checkpoint('labelled');
      await checkpoint('labelled');
    });
    const label = (versionName: string, name: string, more: object = {}) =>
      send('addVersionLabel', 'labelled', { versionName, label: name, ...more });
    const labels = () => history('labelled')?.versions.rows.map(({ node }) => [...node.labels].sort());

    it('of which each has one version at most', async () => {
      await label('1.0', 'a');
      await label('1.0', 'b');
      await label('1.0', 'a');
      assert.deepEqual(labels(), [['a', 'b'], []]);
      for (const moveLabel of [false, null])
        await refused(label('1.1', 'a', { moveLabel }), 'ALREADY_EXISTS', 'label_exists');
      await label('1.1', 'a', { moveLabel: true });
      assert.deepEqual(labels(), [['b'], ['a']]);
      await refused(label('jcr:rootVersion', 'c'), 'BAD_REQUEST', 'root_version');
      await refused(label('7.0', 'c'), 'NOT_FOUND', 'version_not_found');
      await assert.rejects(label('7.0', 'c'), { message: /expected a version '7.0' of '\/content\/labelled'/ });
    });

    it('that name a version to be restored, and can be taken away', async () => {
      await set('labelled', 'new');
      await refused(send('restoreVersion', 'labelled', { label: 'c' }), 'NOT_FOUND', 'version_not_found');
      await assert.rejects(send('removeVersionLabel', 'labelled', { label: 'c' }), { message: /with the label 'c'/ });
      await refused(send('restoreVersion', 'labelled', {}), 'BAD_REQUEST', 'version_not_said');
      await refused(
        send('restoreVersion', 'labelled', { label: 'b', versionName: '1.0' }),
        'BAD_REQUEST',
        'version_not_said',
      );
      await send('restoreVersion', 'labelled', { label: 'b' });
      assert.equal(title('labelled'), undefined);
      assert.equal(history('labelled')?.baseVersion?.name, '1.0');
      await send('removeVersionLabel', 'labelled', { label: 'b' });
      await refused(send('removeVersionLabel', 'labelled', { label: 'b' }), 'NOT_FOUND', 'version_not_found');
      assert.deepEqual(labels(), [[], ['a']]);
    });

    it('up to a thousand', async () => {
      const id = at('labelled').id;
      const operations = (from: number, to: number) =>
        Array.from({ length: to - from }, (_, n) => ({
          field: 'addVersionLabel',
          input: { path: '/content/labelled', versionName: '1.0', label: `l${from + n}` },
        }));
      for (let from = 1; from < 1_000; from += 100)
        await subject.send('contentTransaction', operations(from, Math.min(from + 100, 1_000)), ADMIN);
      const kept = subject.partition.replica.read().get(versionHistories, id);
      assert.equal(Object.keys(kept?.labels ?? {}).length, 1_000);
      await assert.rejects(label('1.0', 'more'), { code: 'LIMIT_EXCEEDED' });
    });
  });

  describe('loses a version', () => {
    before(async () => {
      await versionable('many');
      for (let n = 0; n < 4; n++) await checkpoint('many');
      await restore('many', '1.1');
      await send('checkout', 'many');
      await checkpoint('many');
    });
    const remove = (versionName: string) => send('deleteVersion', 'many', { versionName });

    it('unless it is the first, the node follows it, or something refers to it', async () => {
      await refused(remove('jcr:rootVersion'), 'BAD_REQUEST', 'root_version');
      await refused(remove('1.1.0'), 'CONFLICT', 'version_in_use');
      const [version] = history('many')?.versions.rows ?? [];
      await subject.plant(nodeOf(at('').id, 'referring', { properties: { ref: reference(version?.node.id ?? '') } }));
      await refused(remove('1.0'), 'CONFLICT', 'version_in_use');
      await send('deleteNode', 'referring');
    });

    it('with its labels, and those before and behind it follow each other', async () => {
      for (const [versionName, label] of [
        ['1.1', 'goes'],
        ['1.2', 'stays'],
      ])
        await send('addVersionLabel', 'many', { versionName, label });
      assert.equal(await remove('1.1'), true);
      await refused(remove('1.1'), 'NOT_FOUND', 'version_not_found');
      assert.deepEqual(shown('many'), [
        ['1.0', [], ['1.2', '1.1.0'], []],
        ['1.2', ['1.0'], ['1.3'], ['stays']],
        ['1.3', ['1.2'], [], []],
        ['1.1.0', ['1.0'], [], []],
      ]);
      assert.deepEqual([...subject.labelsOf(at('many').id).keys()], ['stays']);
      assert.ok(subject.partition.replica.read().get(versionLitter, at('many').id));
      await remove('1.0');
      assert.deepEqual(shown('many')?.[0], ['1.2', [], ['1.3'], ['stays']]);
    });
  });

  describe('is gone back in', () => {
    it('by restore and uncheckout, which leave the node checked in', async () => {
      await versionable('draft');
      await refused(send('uncheckout', 'draft'), 'BAD_REQUEST', 'no_version');
      await refused(restore('draft', 'jcr:rootVersion'), 'BAD_REQUEST', 'root_version');
      await set('draft', 'one');
      await checkpoint('draft');
      await set('draft', 'two');
      assert.equal(await send('uncheckout', 'draft'), true);
      assert.deepEqual([title('draft'), at('draft').versioning?.checkedOut], ['one', false]);
    });
  });

  describe('is the business of', () => {
    it('whoever manages versions, as long as nobody else has locked the node', async () => {
      await create('guarded', { mixins: ['mix:versionable', 'mix:lockable'] });
      await assert.rejects(send('checkpoint', 'guarded', {}, ANN), { code: 'FORBIDDEN' });
      await send('setAccessControl', 'guarded', { principal: 'ann', privileges: ['jcr:versionManagement'] });
      await send('lockNode', 'guarded');
      await assert.rejects(send('checkpoint', 'guarded', {}, ANN), { code: 'CONFLICT' });
      await send('unlockNode', 'guarded');
      await send('checkpoint', 'guarded', {}, ANN);
    });
  });

  describe('ends', () => {
    it('with the mixin, where it has no versions and nothing refers to it', async () => {
      const id = await versionable('short');
      const without = () => send('deleteMixin', 'short', { mixinType: 'mix:versionable' });
      const refer = (to: string) =>
        subject.plant(nodeOf(at('').id, 'pointing', { properties: { ref: reference(to) } }));
      const root = subject.partition.replica.read().get(versionHistories, id)?.rootVersion ?? '';
      for (const to of [`${id}.history`, root]) {
        await refer(to);
        await assert.rejects(without(), { code: 'CONFLICT', message: /refers to its history/ });
      }
      await send('deleteNode', 'pointing');
      await without();
      assert.equal(at('short').versioning, undefined);
      assert.equal(subject.partition.replica.read().get(versionHistories, id), undefined);
      assert.equal(subject.partition.replica.read().get(versionLitter, id), undefined);
      for (const mixinType of ['mix:versionable', 'mix:title']) await send('addMixin', 'short', { mixinType });
      await checkpoint('short');
      await send('deleteMixin', 'short', { mixinType: 'mix:title' });
      assert.equal(history('short')?.baseVersion?.name, '1.0');
      await assert.rejects(without(), { code: 'CONFLICT', message: /it has versions/ });
    });

    it('with the mixin where all its versions were deleted, and leaves them to the sweep', async () => {
      const id = await versionable('emptied');
      await checkpoint('emptied');
      await checkpoint('emptied');
      await send('deleteVersion', 'emptied', { versionName: '1.0' });
      const node = at('emptied');
      const root = subject.partition.replica.read().get(versionHistories, id)?.rootVersion ?? '';
      const versioning = { checkedOut: true, baseVersion: root, predecessors: [root] };
      await subject.plant({ ...node, versioning });
      await send('deleteVersion', 'emptied', { versionName: '1.1' });
      await send('deleteMixin', 'emptied', { mixinType: 'mix:versionable' });
      assert.ok(subject.partition.replica.read().get(versionLitter, id));
      assert.equal(subject.partition.replica.read().get(versionHistories, id), undefined);
    });

    it('with the node, and is not begun anew before it is swept', async () => {
      const id = await versionable('former');
      await checkpoint('former');
      await send('deleteNode', 'former');
      assert.equal(subject.partition.replica.read().get(versionHistories, id)?.deleted, true);
      await subject.plant(nodeOf(at('').id, 'former', { id }));
      await assert.rejects(send('addMixin', 'former', { mixinType: 'mix:versionable' }), {
        code: 'UNAVAILABLE',
        message: /'former' are being removed/,
      });
    });
  });
});
