import assert from 'node:assert/strict';
import { formerName, namesAt, namesChanged, namesOf, withNameChanged } from '../../../src/store/principal/names-at.js';

const principals = { owner: '', 'context.holder': '', 'users[]': '', 'list[].principal': '' };
const document = {
  owner: 'ann',
  context: { holder: 'bob', other: 'ann' },
  users: ['ann', 'bob'],
  list: [
    { principal: 'ann', allow: true },
    { principal: 'bob', allow: false },
    { principal: 'ann', allow: false },
  ],
};

describe('names of principals in a document', () => {
  it('are found at their paths, and nowhere else', () => {
    assert.deepEqual(namesAt(document, 'owner'), ['ann']);
    assert.deepEqual(namesAt(document, 'context.holder'), ['bob']);
    assert.deepEqual(namesAt(document, 'users[]'), ['ann', 'bob']);
    assert.deepEqual(namesAt(document, 'list[].principal'), ['ann', 'bob', 'ann']);
    assert.deepEqual(namesOf({ principals }, document).sort(), ['ann', 'bob']);
  });

  it('may be missing, or be something else than a text', () => {
    for (const lacking of [
      {},
      { owner: null, context: null, users: null, list: [] },
      { owner: '', context: 'x', users: 'ann', list: 'ann' },
      { owner: 1, context: [], users: [{}], list: ['ann', null] },
    ]) {
      assert.deepEqual(namesOf({ principals }, lacking), []);
      assert.equal(withNameChanged({ principals }, lacking, { from: 'ann', to: 'eve' }), lacking);
    }
  });

  it('are changed to others, each once in a list of names', () => {
    assert.deepEqual(withNameChanged({ principals }, document, { from: 'ann', to: 'bob' }), {
      owner: 'bob',
      context: { holder: 'bob', other: 'ann' },
      users: ['bob'],
      list: [
        { principal: 'bob', allow: true },
        { principal: 'bob', allow: false },
        { principal: 'bob', allow: false },
      ],
    });
    assert.deepEqual(namesChanged(['ann', 'eve'], { from: 'eve', to: 'ann' }), ['ann']);
  });

  it('of those who are gone leave lists, and become nobody’s elsewhere', () => {
    const { owner, context, users, list } = withNameChanged({ principals }, document, { from: 'ann', to: null });
    assert.deepEqual([owner, context.holder], [formerName('ann'), 'bob']);
    assert.deepEqual(users, ['bob']);
    assert.deepEqual(list, [{ principal: 'bob', allow: false }]);
  });
});
