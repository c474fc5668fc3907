import assert from 'node:assert/strict';
import fc from 'fast-check';
import { base64Bytes } from '../../../src/content/index.js';

describe('Base64 that callers give', () => {
  it('is the bytes that were encoded', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        const given = Buffer.from(bytes);
        assert.deepEqual(base64Bytes('data', given.toString('base64')), given);
      }),
    );
  });

  for (const text of [
    'YQ',
    'YQ=',
    'YQ===',
    '=',
    'Y===',
    'YW J',
    'YWJj\n',
    'Y-_j',
    'YW-j',
    'YW_j',
    'äöüß',
    'YQ==YQ==',
    '"YQ=',
  ]) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      assert.throws(() => base64Bytes('data', text), { code: 'BAD_REQUEST', message: /'data'/ });
    });
  }
});
