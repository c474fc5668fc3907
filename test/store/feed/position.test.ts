import assert from 'node:assert/strict';
import { decodePosition, earliestPosition, encodePosition, type Place } from '../../../src/store/feed/position.js';

const place = (revision: number, index = 0, partition = 'p'): Place => ({ partition, epoch: 'e', revision, index });
const token = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a position of the feed', () => {
  it('gives back the places that it was made of', () => {
    const places = [place(7, 3), { partition: 'q', epoch: 'f', revision: 0, index: 0 }];
    assert.deepEqual(decodePosition(encodePosition(places)), places);
  });

  it('has at most 16 places', () => {
    const sixteen = Array.from({ length: 16 }, (_, n) => place(n));
    assert.deepEqual(decodePosition(encodePosition(sixteen)), sixteen);
  });

  for (const [what, given] of [
    ['no JSON', 'x'],
    ['no list', token({ length: 1 })],
    ['no place', token([])],
    ['17 places', token(Array.from({ length: 17 }, () => ['p', 'e', 1, 1]))],
    ['a place that is no list', token(['p'])],
    ['a partition that is no text', token([[1, 'e', 1, 1]])],
    ['an epoch that is no text', token([['p', 1, 1, 1]])],
    ['a revision that is no whole number', token([['p', 'e', 1.5, 1]])],
    ['an index that is no whole number', token([['p', 'e', 1, null]])],
  ] as const)
    it(`is refused where it holds ${what}`, () =>
      assert.throws(() => decodePosition(given), {
        code: 'BAD_REQUEST',
        message: 'expected a position as an earlier answer or event gave it',
        info: { reason: 'position_unreadable' },
      }));

  for (const [what, places, earliest] of [
    ['the lower revision', [place(2, 9), place(3, 1)], place(2, 9)],
    ['the lower index of one revision', [place(2, 8), place(2, 9)], place(2, 8)],
    ['either of two that are the same', [place(2, 8), place(2, 8)], place(2, 8)],
  ] as const)
    it(`is behind another one from ${what} on, in whatever order they are given`, () => {
      for (const given of [places, [...places].reverse()])
        assert.deepEqual(decodePosition(earliestPosition(given.map((one) => encodePosition([one])))), [earliest]);
    });

  it('is the earliest of each partition that any of several follows', () => {
    const several = [[place(5), place(4, 0, 'q')], [place(6)], [place(3, 0, 'q')]].map(encodePosition);
    assert.deepEqual(decodePosition(earliestPosition(several)), [place(5), place(3, 0, 'q')]);
  });
});
