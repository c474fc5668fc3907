import assert from 'node:assert/strict';
import {
  type ProcessDefinition,
  type ProcessInstance,
  processInstances,
  type Task,
  tasks,
} from '../../../src/engine/collections.js';
import {
  assignRight,
  claimRight,
  commentRight,
  completeRight,
  requireDeployer,
  requireInstanceRight,
  requireStartRight,
  requireSupervisor,
  requireTaskRight,
  unclaimRight,
} from '../../../src/engine/rule/rights.js';
import type { Caller } from '../../../src/shared/caller.js';

const caller = (userId: string, { groups = [] as string[], roles = [] as string[] } = {}): Caller => ({
  userId,
  groups,
  roles,
  sessionId: null,
  workspace: 'web',
  cause: {},
});

const admin = caller('root', { roles: ['administrator'] });
const supervisor = caller('sue', { roles: ['supervisor'] });
const ann = caller('ann');
const clerk = caller('carl', { groups: ['clerks'] });
const other = caller('otto', { groups: ['guests'], roles: ['operator'] });

interface People {
  readonly assignee?: string;
  readonly owner?: string;
  readonly users?: readonly string[];
  readonly groups?: readonly string[];
}

const task = ({ assignee, owner, users = [], groups = [] }: People): Task =>
  ({
    id: 't',
    candidateUsers: users,
    candidateGroups: groups,
    actor: { value: 'created', context: { assignee: assignee ?? null, owner: owner ?? null } },
  }) as unknown as Task;

/** Which of the callers may, of administrator, supervisor, ann, clerk and another. */
const allowed = (may: (who: Caller) => unknown): string[] =>
  [admin, supervisor, ann, clerk, other].filter((who) => may(who) !== false).map(({ userId }) => userId);

const passes = (require: (who: Caller) => void, code = (_: Caller) => 'FORBIDDEN') =>
  allowed((who) => {
    try {
      require(who);
      return true;
    } catch (thrown) {
      assert.equal((thrown as { readonly code?: string }).code, code(who));
      return false;
    }
  });

describe('rights on a task', () => {
  const rows: readonly (readonly [string, People, string, string, string, string])[] = [
    // who may:                          see              claim            give back, complete  assign
    ['of nobody, without candidates', {}, 'ann carl otto', 'ann carl otto', 'ann carl otto', 'ann carl otto'],
    ['of nobody, with a candidate', { users: ['ann'] }, 'ann', 'ann', 'ann', 'ann'],
    ['of nobody, with a group', { groups: ['clerks'] }, 'carl', 'carl', 'carl', 'carl'],
    ['of nobody, with both', { users: ['ann'], groups: ['clerks'] }, 'ann carl', 'ann carl', 'ann carl', 'ann carl'],
    ['of ann, without candidates', { assignee: 'ann' }, 'ann', 'ann carl otto', 'ann', 'ann'],
    ['of ann, with a group', { assignee: 'ann', groups: ['clerks'] }, 'ann carl', 'ann carl', 'ann', 'ann'],
    [
      'of ann, owned by another',
      { assignee: 'ann', owner: 'otto', groups: ['x'] },
      'ann otto',
      'ann',
      'ann',
      'ann otto',
    ],
  ];
  for (const [what, people, see, claim, complete, assign] of rows)
    it(`${what}: supervisors may all, others as the table says`, () => {
      const one = task(people);
      const may = (right: typeof claimRight) => allowed((who) => right.allows(who, one)).join(' ');
      assert.equal(allowed((who) => tasks.visible?.(who, one)).join(' '), `root sue ${see}`);
      assert.equal(may(commentRight), `root sue ${see}`);
      assert.equal(may(claimRight), `root sue ${claim}`);
      assert.equal(may(unclaimRight), `root sue ${complete}`);
      assert.equal(may(completeRight('complete')), `root sue ${complete}`);
      assert.equal(may(assignRight('assign')), `root sue ${assign}`);
      const passed = passes(
        (who) => requireTaskRight(who, one, assignRight('assign')),
        (who) => (see.split(' ').includes(who.userId) ? 'FORBIDDEN' : 'NOT_FOUND'),
      );
      assert.equal(passed.join(' '), `root sue ${assign}`);
    });
});

describe('rights on instances and definitions', () => {
  it('are those of the starter, beside supervisors', () => {
    const instance = { id: 'i', startUserId: 'ann' } as ProcessInstance;
    assert.deepEqual(
      passes((who) => requireInstanceRight(who, instance, 'cancel')),
      ['root', 'sue', 'ann'],
    );
  });

  it('to operate are the supervisors’, and to deploy the deployers’, too', () => {
    assert.deepEqual(
      passes((who) => requireSupervisor(who, 'suspend')),
      ['root', 'sue'],
    );
    assert.deepEqual(
      passes((who) => requireDeployer(who, 'deploy')),
      ['root', 'sue'],
    );
    requireDeployer(caller('dee', { roles: ['deployer'] }), 'deploy');
    assert.throws(() => requireSupervisor(caller('dee', { roles: ['deployer'] }), 'suspend'), { code: 'FORBIDDEN' });
  });

  it('to see an instance are those to change it', () => {
    const instance = { id: 'i', startUserId: 'ann' } as ProcessInstance;
    assert.deepEqual(
      allowed((who) => processInstances.visible?.(who, instance)),
      ['root', 'sue', 'ann'],
    );
  });

  it('to start are everybody’s, or those of the candidate starters', () => {
    const definition = (users: readonly string[], groups: readonly string[]) =>
      ({ id: 'd', candidateStarterUsers: users, candidateStarterGroups: groups }) as ProcessDefinition;
    const starters = (users: readonly string[], groups: readonly string[]) =>
      passes((who) => requireStartRight(who, definition(users, groups))).join(' ');
    assert.equal(starters([], []), 'root sue ann carl otto');
    assert.equal(starters(['ann'], []), 'root sue ann');
    assert.equal(starters([], ['clerks']), 'root sue carl');
    assert.equal(starters(['ann'], ['clerks']), 'root sue ann carl');
  });
});
