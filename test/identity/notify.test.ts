import assert from 'node:assert/strict';
import { isFor, type Notified } from '../../src/identity/index.js';

const notified = (
  users: readonly string[] | null,
  groups: readonly string[] | null,
  roles: readonly string[] | null = null,
) => ({ users, groups, roles }) as Notified;
const ann = { userId: 'ann', groups: ['everyone', 'staff'], roles: ['operator'] };

describe('a notification', () => {
  it('is for all where nobody is named', () => assert.ok(isFor(notified(null, null), ann)));
  it('is for those who are named, members of named groups, and who has a named role', () => {
    assert.ok(isFor(notified(['ann'], null), ann));
    assert.ok(isFor(notified(['bob'], ['staff']), ann));
    assert.ok(isFor(notified(null, null, ['operator']), ann));
    assert.ok(!isFor(notified(['bob'], ['clerks'], ['administrator']), ann));
    assert.ok(!isFor(notified(null, null, ['staff']), ann));
  });
  it('is for nobody where the lists are empty', () => assert.ok(!isFor(notified([], []), ann)));
});
