import assert from 'node:assert/strict';
import { systemCaller } from '../../src/shared/caller.js';
import { RightsOfNow } from '../../src/shared/rights-of-now.js';
import { callerNamed } from '../support/test-domain.js';

/** One user, whose rights the test sets. */
class Ann {
  version = 0;
  asked = 0;
  enabled = true;
  principalId = 'first';
  groups: readonly string[] = ['everyone', 'staff'];

  find(userId: string) {
    return userId === 'ann'
      ? { userId, principalId: this.principalId, enabled: this.enabled, credentialVersion: '' }
      : undefined;
  }

  groupsOf(): readonly string[] {
    this.asked++;
    return this.groups;
  }

  rolesOf(): readonly string[] {
    return this.groups.includes('staff') ? ['supervisor'] : [];
  }

  madeOf(): ReadonlyMap<string, number> {
    return new Map(this.groups.map((group) => [group, this.version]));
  }

  /** The user is another one from now on. */
  become(changes: Partial<Pick<Ann, 'enabled' | 'groups' | 'principalId'>>): void {
    Object.assign(this, changes);
    this.version++;
  }
}

describe('rights of now', () => {
  let ann: Ann;
  let rights: RightsOfNow;
  beforeEach(() => {
    ann = new Ann();
    rights = new RightsOfNow(ann);
  });
  const of = (caller: Parameters<RightsOfNow['of']>[0]) => {
    const { groups, roles } = rights.of(caller);
    return { groups, roles };
  };

  it('follow the principals, whatever the caller brought', () => {
    const caller = { ...callerNamed('ann'), groups: ['chiefs'], roles: ['administrator'] };
    assert.deepEqual(of(caller), { groups: ['everyone', 'staff'], roles: ['supervisor'] });
    ann.become({ groups: ['everyone'] });
    assert.deepEqual(of(caller), { groups: ['everyone'], roles: [] });
  });

  it('are none of a token that has ended meanwhile', () => {
    const ended = new Set<string>();
    const now = new RightsOfNow(ann, ({ id }) => !ended.has(id));
    const scope = { name: 'ci', access: [], workspaces: null, domains: null };
    const caller = { ...callerNamed('ann'), proof: { way: 'token', id: 't1', scope } };
    assert.equal(now.of(now.of(caller)).userId, 'ann');
    ended.add('t1');
    assert.throws(() => now.of(caller), { code: 'UNAUTHORIZED', message: /'ci' has ended/ });
    const { scope: _, ...proof } = caller.proof;
    assert.equal(now.of({ ...caller, proof }).userId, 'ann');
  });

  it('leave all else of the caller as it is', () => {
    const caller = { ...callerNamed('ann'), sessionId: 's', lockTokens: ['t'], cause: { jobId: 'j' } };
    const { sessionId, lockTokens, cause, workspace } = rights.of(caller);
    assert.deepEqual(
      { sessionId, lockTokens, cause, workspace },
      {
        ...{ sessionId: 's', lockTokens: ['t'], cause: { jobId: 'j' }, workspace: caller.workspace },
      },
    );
  });

  it('are looked up once for a user, as long as nothing changes', () => {
    const caller = rights.of(callerNamed('ann'));
    assert.equal(rights.of(caller), caller);
    rights.of(callerNamed('ann'));
    assert.equal(ann.asked, 1);
    ann.become({});
    rights.of(caller);
    assert.equal(ann.asked, 2);
  });

  it('are none at all for a user who is disabled or gone', () => {
    const caller = callerNamed('ann');
    rights.of(caller);
    ann.become({ enabled: false });
    for (const one of [caller, callerNamed('bob')]) assert.throws(() => rights.of(one), { code: 'UNAUTHORIZED' });
  });

  it('are none at all for whoever asked before another user got the name', () => {
    const caller = { ...callerNamed('ann'), principalId: 'first' };
    assert.deepEqual(of(caller).roles, ['supervisor']);
    ann.become({ principalId: 'second' });
    assert.throws(() => rights.of(caller), { code: 'UNAUTHORIZED' });
    assert.deepEqual(of({ ...caller, principalId: 'second' }).roles, ['supervisor']);
  });

  it('of a job are those of its user, and go on without groups and roles when that is gone', () => {
    assert.deepEqual(rights.ofJob('ann', 'web', {}).groups, ['everyone', 'staff']);
    ann.become({ enabled: false });
    const { userId, groups, roles } = rights.ofJob('ann', 'web', { jobId: 'j' });
    assert.deepEqual({ userId, groups, roles }, { userId: 'ann', groups: [], roles: [] });
    assert.deepEqual(of({ ...callerNamed('ann'), roles: ['administrator'], cause: { jobId: 'j' } }), {
      groups: [],
      roles: [],
    });
  });

  it('of the system itself are all', () => {
    assert.deepEqual(rights.ofJob('system', 'web', {}), systemCaller('web'));
    const caller = systemCaller('web');
    assert.equal(rights.of(caller), caller);
  });
});
