import assert from 'node:assert/strict';
import { sessions } from '../../../src/identity/index.js';
import { allByUser } from '../../../src/server/session/all-by-user.js';
import type { ReplicaSide } from '../../../src/store/index.js';

describe('all documents of users', () => {
  it('are read on behind a page that is short because some of it is damaged', () => {
    const pages = [
      [{ id: 'a', userId: 'ann' }],
      [
        { id: 'b', userId: 'ben' },
        { id: 'c', userId: 'ben' },
      ],
      [],
    ];
    const asked: unknown[] = [];
    const read = () => ({
      range: (_collection: unknown, _index: string, from: unknown) => {
        asked.push(from);
        return pages.shift();
      },
    });
    const found = allByUser({ read } as unknown as Pick<ReplicaSide, 'read'>, sessions);
    assert.deepEqual(
      found.map(({ id }) => id),
      ['a', 'b', 'c'],
    );
    assert.deepEqual(asked, [[''], ['ann', 'a '], ['ben', 'c ']]);
  });
});
