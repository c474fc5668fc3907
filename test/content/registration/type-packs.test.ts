import assert from 'node:assert/strict';
import { changedPacks as packSteps } from '../../../src/content/registration/type-packs.js';
import { nodeType } from '../../../src/content/type/node-type.js';
import { allSteps } from '../../../src/store/index.js';

const changedPacks = (...asked: Parameters<typeof packSteps>) => allSteps(packSteps(...asked));

const small = (name: string) => nodeType({ name });
const large = (name: string) => nodeType({ name, primaryItem: 'x'.repeat(150_000) });
const names = (packs: ReturnType<typeof changedPacks>) =>
  packs.map(({ id, types }) => [id, types.map(({ name }) => name)]);

describe('the documents of node types', () => {
  it('are few, and only those that change are written', () => {
    const packs = changedPacks([], [small('a'), large('b'), large('c'), small('d')], []);
    assert.deepEqual(names(packs), [
      ['0', ['a', 'b', 'd']],
      ['1', ['c']],
    ]);
    assert.deepEqual(names(changedPacks(packs, [small('c')], [])), [['1', ['c']]]);
    assert.deepEqual(names(changedPacks(packs, [small('e')], ['d'])), [['0', ['a', 'b', 'e']]]);
    assert.deepEqual(changedPacks(packs, [], []), []);
  });

  it('are full at 200,000 characters', () => {
    const rest = JSON.stringify(large('b')).length - 150_000;
    const filled = (length: number) => nodeType({ name: 'a', primaryItem: 'x'.repeat(length) });
    const room = 200_000 - 150_000 - 2 * rest;
    assert.equal(changedPacks([], [large('b'), filled(room)], []).length, 1);
    assert.equal(changedPacks([], [large('b'), filled(room + 1)], []).length, 2);
  });

  it('move a type that has grown, and go when they are empty', () => {
    const packs = changedPacks([], [small('a'), large('b'), large('c')], []);
    assert.deepEqual(names(changedPacks(packs, [large('a')], [])), [
      ['0', ['b']],
      ['2', ['a']],
    ]);
    assert.deepEqual(names(changedPacks(packs, [], ['c'])), [['1', []]]);
  });
});
