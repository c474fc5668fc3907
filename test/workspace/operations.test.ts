import assert from 'node:assert/strict';
import { type Caller, systemCaller } from '../../src/shared/caller.js';
import { ServiceError } from '../../src/shared/errors.js';
import { type Operation, operation } from '../../src/store/index.js';
import type { WorkspaceEvent } from '../../src/workspace/machine.js';
import {
  createdWorkspace,
  ensureWorkspaces,
  forgetWorkspace,
  moveWorkspace,
  updateWorkspace,
} from '../../src/workspace/operations.js';
import { type Workspace, workspaces } from '../../src/workspace/workspace.js';
import { MemoryRepository } from '../content/support/memory-repository.js';

const admin: Caller = { ...systemCaller('system'), userId: 'admin', roles: ['administrator'] };
const ann: Caller = { ...systemCaller('system'), userId: 'ann', roles: ['supervisor'] };

const createWorkspace = operation('create', (state, { name }: { name: string }, { caller }) => {
  const { workspace, ...made } = createdWorkspace(state, name, caller);
  return { ...made, answer: workspace };
});

describe('operations on workspaces', () => {
  let repository: MemoryRepository;
  beforeEach(() => {
    repository = new MemoryRepository();
    send(ensureWorkspaces, { names: ['system', 'web'] });
  });
  const send = <I, A>(operation: Operation<I, A>, input: I, caller = admin): A =>
    repository.do(operation, input, caller);
  const known = (name: string): Workspace => {
    const [found] = repository.state().find(workspaces, 'name', [name]);
    assert.ok(found);
    return found;
  };
  const refused = <I, A>(operation: Operation<I, A>, input: I, caller = admin): string => {
    try {
      send(operation, input, caller);
    } catch (thrown) {
      if (thrown instanceof ServiceError) return thrown.info.reason ?? thrown.code;
      throw thrown;
    }
    return 'not refused';
  };
  const movedBy = (
    { id }: Workspace,
    ...events: (WorkspaceEvent | WorkspaceEvent['type'])[]
  ): Workspace | undefined => {
    let moved: Workspace | undefined;
    for (const event of events)
      moved = send(moveWorkspace, {
        id,
        event: typeof event === 'string' ? ({ type: event } as WorkspaceEvent) : event,
      });
    return moved;
  };

  it('are the administrator’s alone', () => {
    assert.equal(refused(createWorkspace, { name: 'shop' }, ann), 'access_denied');
    assert.equal(refused(updateWorkspace, { name: 'web', bpmEnabled: false }, ann), 'access_denied');
  });

  it('take names that are whole ones, and free', () => {
    for (const name of ['', 'Shop', '1shop', '-shop', 'shop/x', 'a b', '..', 'é', 'a'.repeat(65), 'a\n'])
      assert.equal(refused(createWorkspace, { name }), 'invalid_input', JSON.stringify(name));
    const made = send(createWorkspace, { name: 'a'.repeat(64) });
    assert.deepEqual(
      [made.actor.value, made.autoStart, made.bpmEnabled, made.eipEnabled],
      ['STARTING', true, true, true],
    );
    assert.equal(refused(createWorkspace, { name: 'a'.repeat(64) }), 'already_exists');
    assert.equal(refused(createWorkspace, { name: 'system' }), 'already_exists');
  });

  it('start, fail, stop and start again', () => {
    const shop = send(createWorkspace, { name: 'shop' });
    const failed = movedBy(shop, { type: 'fail', message: 'no room' });
    assert.deepEqual(failed?.actor, { value: 'FAILED', context: { message: 'no room' } });
    assert.deepEqual(movedBy(shop, 'start')?.actor, { value: 'STARTING', context: { message: null } });
    assert.equal(movedBy(shop, 'opened')?.actor.value, 'ONLINE');
    assert.equal(movedBy(shop, 'opened')?.actor.value, 'ONLINE', 'told twice it is the same');
    assert.equal(movedBy(shop, 'stop', 'stop')?.actor.value, 'STOPPED');
    assert.equal(movedBy(shop, 'start', 'opened')?.actor.value, 'ONLINE');
  });

  it('delete what is stopped alone, keep its name until nothing is left, and never start it again', () => {
    const shop = send(createWorkspace, { name: 'shop' });
    movedBy(shop, 'opened');
    const move = (type: WorkspaceEvent['type']) => ({ id: shop.id, event: { type } as WorkspaceEvent });
    assert.equal(refused(moveWorkspace, move('delete')), 'workspace_state');
    assert.equal(refused(forgetWorkspace, { id: shop.id }), 'workspace_state');
    movedBy(shop, 'stop', 'delete');
    assert.equal(refused(moveWorkspace, move('start')), 'workspace_state');
    assert.equal(refused(createWorkspace, { name: 'shop' }), 'already_exists');
    assert.equal(refused(updateWorkspace, { name: 'shop', autoStart: false }), 'not_found');
    send(forgetWorkspace, { id: shop.id });
    send(forgetWorkspace, { id: shop.id });
    assert.notEqual(send(createWorkspace, { name: 'shop' }).id, shop.id);
  });

  it('never stop the system', () => {
    const system = known('system');
    movedBy(system, 'opened');
    for (const type of ['stop', 'delete'] as const)
      assert.equal(refused(moveWorkspace, { id: system.id, event: { type } }), 'invalid_input');
    assert.equal(send(updateWorkspace, { name: 'system', autoStart: false }).autoStart, true);
  });

  it('write what is given of the settings, and nothing else', () => {
    send(updateWorkspace, { name: 'web', displayName: 'The web', bpmEnabled: false });
    const updated = send(updateWorkspace, { name: 'web', displayName: null });
    assert.deepEqual([updated.displayName, updated.bpmEnabled, updated.eipEnabled], [null, false, true]);
    assert.equal(refused(updateWorkspace, { name: 'shop', displayName: 'x' }), 'not_found');
  });

  it('know one that was stored before there were states as online', () => {
    const { implied } = workspaces;
    assert.deepEqual(implied.actor?.({} as Workspace), { value: 'ONLINE', context: { message: null } });
  });
});
