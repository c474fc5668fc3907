import assert from 'node:assert/strict';
import { whyOf } from '../../../src/server/provider/bounded-fetch.js';

describe('what went wrong with a provider', () => {
  it('is told in sentences alone, without what the errors carry', () => {
    const cause = Object.assign(new Error('unexpected "aud"'), { claims: { email: 'ann@example.com' } });
    assert.equal(whyOf(new Error('wrong token', { cause })), 'wrong token: unexpected "aud"');
    assert.equal(whyOf(new Error('wrong', { cause: { email: 'ann@example.com' } })), 'wrong');
    assert.equal(whyOf(Object.assign(new Error(''), { code: 'ECONNREFUSED' })), 'ECONNREFUSED');
    const endless = new Error('again');
    endless.cause = endless;
    assert.equal(whyOf(endless), 'again: again: again: again: again');
  });
});
