import assert from 'node:assert/strict';
import { isFor, type Notified } from '../../src/identity/index.js';

const notified = (users: readonly string[] | null, groups: readonly string[] | null) => ({ users, groups }) as Notified;
const groupsOf = () => ['everyone', 'staff'];

describe('a notification', () => {
  it('is for all where nobody is named', () => assert.ok(isFor(notified(null, null), 'ann', groupsOf)));
  it('is for those who are named, and members of named groups', () => {
    assert.ok(isFor(notified(['ann'], null), 'ann', groupsOf));
    assert.ok(isFor(notified(['bob'], ['staff']), 'ann', groupsOf));
    assert.ok(!isFor(notified(['bob'], ['clerks']), 'ann', groupsOf));
  });
  it('is for nobody where the lists are empty', () => assert.ok(!isFor(notified([], []), 'ann', groupsOf)));
});
