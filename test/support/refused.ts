import assert from 'node:assert/strict';

/** Asserts that the work is refused with the code, for the reason. */
export const refused = (work: () => unknown, code: string, reason: string): void =>
  assert.throws(work, (thrown: { readonly code?: string; readonly info?: { readonly reason?: string } }) => {
    assert.deepEqual([thrown.code, thrown.info?.reason], [code, reason]);
    return true;
  });
