import assert from 'node:assert/strict';
import { deleteAccessControl, setAccessControl } from '../../../src/content/edit/access-control.js';
import { createFolder } from '../../../src/content/edit/create-node.js';
import { ContentView } from '../../../src/content/tree/content-view.js';
import { systemCaller } from '../../../src/shared/caller.js';
import { MemoryRepository } from '../support/memory-repository.js';

const ANN = { ...systemCaller('test'), userId: 'ann', roles: [] };

describe('the access control list of a node', () => {
  let repository: MemoryRepository;

  const set = (input: object, by?: typeof ANN) =>
    repository.do(setAccessControl.operation, { path: '/content/a', ...input }, by).entries;
  const take = (principal: string) => repository.do(deleteAccessControl.operation, { path: '/content/a', principal });
  const canRead = () => new ContentView(repository.state(), ANN).at('/content/a') !== undefined;

  beforeEach(() => {
    repository = new MemoryRepository();
    repository.do(createFolder.operation, { path: '/content', name: 'a' });
  });

  it('is set as a whole', () => {
    const entries = [{ principal: 'ann', privileges: ['read'], allow: false }];
    assert.deepEqual(set({ entries }), [{ principal: 'ann', privileges: ['jcr:read'], allow: false }]);
    assert.equal(canRead(), false);
    assert.deepEqual(set({ entries: [] }), []);
    assert.equal(canRead(), true);
  });

  it('is set for one principal, behind the entries of others', () => {
    set({ entries: ['ann', 'ben'].map((principal) => ({ principal, privileges: ['read'], allow: false })) });
    const entries = set({ principal: 'ann', privileges: ['jcr:read', '{http://www.jcp.org/jcr/1.0}read'] });
    assert.deepEqual(
      entries.map(({ principal, privileges, allow }) => [principal, privileges, allow]),
      [
        ['ben', ['jcr:read'], false],
        ['ann', ['jcr:read'], true],
      ],
    );
    assert.equal(canRead(), true);
  });

  it('is given in one of two forms', () => {
    const entries = [{ principal: 'ann', privileges: ['read'] }];
    const refused = (input: object, found: string) =>
      assert.throws(() => set(input), {
        message: `expected either 'entries', or 'principal' with 'privileges', but found ${found}`,
      });
    refused({}, 'neither');
    refused({ principal: 'ann' }, 'one of the two');
    refused({ privileges: ['read'] }, 'one of the two');
    refused({ entries, principal: 'ann' }, 'both');
  });

  it('names principals and privileges, so many as there may be', () => {
    const one = { principal: 'ann', privileges: ['read'] };
    assert.throws(() => set({ entries: [{ ...one, principal: ' ' }] }), { code: 'BAD_REQUEST' });
    assert.throws(() => set({ entries: [{ ...one, principal: 'x'.repeat(256) }] }), { code: 'BAD_REQUEST' });
    assert.throws(() => set({ entries: [{ ...one, privileges: [] }] }), { code: 'BAD_REQUEST' });
    assert.throws(() => set({ entries: [{ ...one, privileges: ['fly'] }] }), /but found 'fly'/);
    assert.throws(() => set({ entries: Array.from({ length: 501 }, () => one) }), { code: 'LIMIT_EXCEEDED' });
    assert.equal(
      set({ entries: Array.from({ length: 500 }, () => ({ ...one, principal: 'x'.repeat(255) })) }).length,
      500,
    );
  });

  it('loses all entries of a principal', () => {
    set({ entries: ['ann', 'ben', 'ann'].map((principal) => ({ principal, privileges: ['read'], allow: false })) });
    assert.equal(take('ann'), true);
    assert.equal(canRead(), true);
    assert.throws(() => take('ann'), { message: `expected an entry of 'ann' at '/content/a', but there is none` });
  });

  it('is set by whoever may', () => {
    const entries = [{ principal: 'ann', privileges: ['all'] }];
    assert.throws(() => set({ entries }, ANN), { code: 'FORBIDDEN' });
    set({ principal: 'ann', privileges: ['modifyAccessControl'] });
    assert.deepEqual(set({ entries }, ANN), [{ principal: 'ann', privileges: ['jcr:all'], allow: true }]);
  });
});
