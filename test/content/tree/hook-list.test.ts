import assert from 'node:assert/strict';
import { HookList } from '../../../src/content/tree/hook-list.js';

describe('a list of hooks', () => {
  it('has what was given, in the same order', () => {
    const list = new HookList<string>('onDone');
    list.give('first', 'second');
    assert.deepEqual(list.all, ['first', 'second']);
  });

  it('may have been given nothing', () => {
    const list = new HookList<string>('onDone');
    list.give();
    assert.deepEqual(list.all, []);
  });

  it('is not taken for empty where it was forgotten', () => {
    const list = new HookList<string>('onDone');
    assert.throws(() => list.all, /expected hooks of 'onDone', but none were given yet/);
  });
});
