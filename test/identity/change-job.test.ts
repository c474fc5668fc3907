import assert from 'node:assert/strict';
import { principalChanges } from '../../src/identity/collections.js';
import { identityApi } from '../../src/identity/identity.js';
import { endPrincipalChanges } from '../../src/identity/operation/principal-changes.js';
import { formerName, operation, put } from '../../src/store/index.js';
import { IdentityStore, type Note, notes } from './support/identity-store.js';

/** Users that have gone while the shop was stopped. */
const plantChanges = operation('plantChanges', (state, count: number) => ({
  write: Array.from({ length: count }, (_, n) => {
    const change = { kind: 'user', from: `u${n}`, to: null, profileId: `p${n}`, jobId: null } as const;
    return put(principalChanges, { id: state.ids.next(), ...change, workspaces: ['shop'] });
  }),
  answer: null,
}));

describe('the job that changes names in all workspaces', () => {
  let it_: IdentityStore;
  afterEach(() => it_.close());

  const opened = async (made = new IdentityStore()) => {
    it_ = made;
    await it_.open();
    await it_.user('ann');
    for (const id of it_.known) await it_.write(id, { id: 'n', owner: 'ann' });
  };
  const owners = () => it_.store.partitions.map(({ id }) => it_.owner(id));
  const refused = (call: Promise<unknown>) =>
    call.then(
      () => 'not refused',
      (thrown) => thrown.info?.details,
    );

  it('does so in each that is open, and frees the name behind that', async () => {
    await opened();
    const held = it_.held();
    const jobId = await it_.deleteUser('ann');
    const go = await held;
    const taken = { refusal: 'ALREADY_EXISTS', field: null, jobId };
    assert.deepEqual(await refused(it_.user('ann')), taken);
    assert.deepEqual(
      await refused(it_.system.sendAsSystem(identityApi.createGroup, { name: 'ann' })),
      taken,
      'a group may not have it either',
    );
    assert.deepEqual(owners(), ['ann', 'ann', 'ann'], 'requests of before go on');
    go();
    assert.equal(await it_.ended(jobId), 'completed');
    assert.deepEqual(owners(), Array(3).fill(formerName('ann')));
    assert.deepEqual(it_.left(), []);
    await it_.user('ann');
  });

  it('changes also what somebody has copied meanwhile', async () => {
    await opened();
    const first = it_.held();
    const jobId = await it_.deleteUser('ann');
    const go = await first;
    const second = it_.held();
    go();
    const goOn = await second;
    assert.deepEqual(owners(), Array(3).fill(formerName('ann')));
    await it_.write('web', { id: 'copy', owner: 'ann' });
    assert.equal(it_.leaving('ann'), jobId);
    goOn();
    assert.equal(await it_.ended(jobId), 'completed');
    assert.equal(it_.owner('web', 'copy'), formerName('ann'));
  });

  it('leaves what is stopped, which is done when it starts, before anybody is answered there', async () => {
    await opened();
    await it_.store.closePartition('shop', 100);
    await it_.ended(await it_.deleteUser('ann'));
    assert.deepEqual(it_.left(), [['ann', null, ['shop']]]);
    await it_.user('ann');
    await it_.write('web', { id: 'n', owner: 'ann' });
    await it_.store.open('shop', 'shop', true);
    assert.deepEqual([it_.owner('shop'), it_.owner('web')], [formerName('ann'), 'ann']);
    assert.deepEqual(it_.left(), []);
    await it_.write('shop', { id: 'n', owner: 'ann' });
    await it_.store.closePartition('shop', 100);
    await it_.store.open('shop', 'shop', true);
    assert.equal(it_.owner('shop'), 'ann', 'it is done once');
  });

  it('makes one after the other what was to be made of a name while a workspace was stopped', async () => {
    await opened();
    const { createGroup, moveGroup } = identityApi;
    await it_.system.sendAsSystem(createGroup, { name: 'a' });
    await it_.write('shop', { id: 'n', owner: 'a' });
    await it_.store.closePartition('shop', 100);
    for (const [groupId, newName] of [
      ['a', 'b'],
      ['b', 'c'],
    ]) {
      const { jobId } = await it_.system.sendAsSystem(moveGroup, { groupId: groupId ?? '', newName: newName ?? '' });
      assert.equal(await it_.ended(jobId ?? ''), 'completed');
    }
    await it_.system.sendAsSystem(createGroup, { name: 'a' });
    await it_.store.open('shop', 'shop', true);
    assert.equal(it_.owner('shop'), 'c');
  });

  it('keeps a group from being renamed or removed as long as it is being renamed', async () => {
    await opened();
    const { createGroup, deleteGroup, moveGroup } = identityApi;
    await it_.system.sendAsSystem(createGroup, { name: 'a' });
    const held = it_.held();
    const { jobId } = await it_.system.sendAsSystem(moveGroup, { groupId: 'a', newName: 'b' });
    const changing = { refusal: 'CONFLICT', field: 'groupId', jobId };
    assert.deepEqual(await refused(it_.system.sendAsSystem(moveGroup, { groupId: 'b', newName: 'c' })), changing);
    assert.deepEqual(await refused(it_.system.sendAsSystem(deleteGroup, { id: 'b' })), changing);
    (await held)();
    await it_.ended(jobId ?? '');
    await it_.system.sendAsSystem(deleteGroup, { id: 'b' });
  });

  it('keeps the name where it fails, does all others all the same, and is begun anew', async () => {
    let isBroken = true;
    await opened(
      new IdentityStore({
        collection: notes,
        change: (state, found: readonly Note[]) => {
          if (isBroken && state.partition === 'web') throw new Error('broken');
          return { write: found.map((one) => put(notes, { ...one, owner: 'nobody' })) };
        },
      }),
    );
    const jobId = await it_.deleteUser('ann');
    assert.equal(await it_.ended(jobId), 'failed');
    assert.deepEqual(owners(), ['nobody', 'ann', 'nobody']);
    assert.deepEqual([it_.left(), it_.leaving('ann')], [[['ann', null, ['web']]], jobId]);
    isBroken = false;
    await it_.resume();
    const again = it_.leaving('ann') ?? '';
    assert.notEqual(again, jobId);
    assert.equal(await it_.ended(again), 'completed');
    assert.deepEqual([owners(), it_.left(), it_.leaving('ann')], [Array(3).fill('nobody'), [], undefined]);
  });

  it('forgets a workspace that is gone', async () => {
    await opened();
    await it_.store.closePartition('shop', 100);
    await it_.ended(await it_.deleteUser('ann'));
    assert.deepEqual(it_.left(), [['ann', null, ['shop']]]);
    await it_.resume();
    assert.equal(it_.left().length, 1, 'as long as the workspace is there');
    it_.known = ['system', 'web'];
    await it_.resume();
    assert.deepEqual(it_.left(), []);
    await it_.system.sendAsSystem(endPrincipalChanges, { jobId: 'another', workspaces: it_.known });
  });

  it('catches a workspace up with as many changes as there are, also where a start is cut off', async () => {
    let isBroken = true;
    await opened(
      new IdentityStore(
        {
          collection: notes,
          change: (state, found: readonly Note[]) => {
            if (isBroken && state.partition === 'shop' && found.some(({ id }) => id === 'n')) throw new Error('broken');
            return { write: found.map((one) => put(notes, { ...one, owner: 'nobody' })) };
          },
        },
        [plantChanges],
      ),
    );
    await it_.write('shop', { id: 'last', owner: 'zoe' });
    await it_.store.closePartition('shop', 100);
    await it_.system.sendAsSystem(plantChanges, 104);
    for (const name of ['ann', 'zoe']) {
      if (name === 'zoe') await it_.user(name);
      await it_.ended(await it_.deleteUser(name));
    }
    await assert.rejects(it_.store.open('shop', 'shop', true), /broken/);
    assert.equal(it_.left().length, 2);
    isBroken = false;
    await it_.store.open('shop', 'shop', true);
    assert.deepEqual([it_.owner('shop'), it_.owner('shop', 'last'), it_.left()], ['nobody', 'nobody', []]);
  });
});
