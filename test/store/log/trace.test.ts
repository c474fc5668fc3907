import assert from 'node:assert/strict';
import { Packer, traceOf } from '../../../src/store/log/packed.js';

const ID = '019b76da-a800-7130-a440-01593f1b0228';
const TEXTS = [
  '',
  'a',
  'short',
  '~tilde',
  'a longer text',
  'with "quotes" and \\ and \n and \u0000',
  'ümlaut and 😀',
  ID,
  '019b76da-a800-7130-a440-ffffffffffff',
  `${ID}:17`,
  'order:2:something',
  'x'.repeat(36),
  '9007199254740993',
];

describe('what tells that a document holds a text', () => {
  it('is within its text, packed or not, wherever the text stands', () => {
    for (const text of TEXTS) {
      const trace = traceOf(text);
      assert.ok(trace !== undefined);
      for (const document of [
        { id: ID, value: text },
        { value: text, again: text },
        { ids: [ID, ID], value: text, list: [text] },
        { value: `${text}:more`, list: [text] },
        { other: '019b76da-a800-7130-a440-000000000000', value: text },
      ]) {
        assert.ok(JSON.stringify(document).includes(trace), text);
        assert.ok(new Packer().pack(document).includes(trace), text);
      }
    }
  });

  it('is nothing for words in whose place a letter stands', () => assert.equal(traceOf('process.started'), undefined));

  it('tells most others apart', () =>
    assert.ok(!JSON.stringify({ value: 'a longer test' }).includes(traceOf('a longer text') ?? '')));
});
