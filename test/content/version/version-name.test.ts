import assert from 'node:assert/strict';
import { nextVersionName, ROOT_VERSION } from '../../../src/content/version/version-history.js';

describe('the name of the next version', () => {
  const next = (base: string, ...taken: string[]) => nextVersionName(base, (name) => taken.includes(name));

  it('counts up from 1.0', () => {
    assert.equal(next(ROOT_VERSION), '1.0');
    assert.equal(next('1.0'), '1.1');
    assert.equal(next('1.9'), '1.10');
    assert.equal(next('1.0.3'), '1.0.4');
  });

  it('begins a branch where that is taken', () => {
    assert.equal(next('1.0', '1.1'), '1.0.0');
    assert.equal(next('1.0', '1.1', '1.0.0'), '1.0.0.0');
    assert.equal(next('1.1', '1.2', '1.1.0'), '1.1.0.0');
  });

  it('begins another line behind the root version', () => {
    assert.equal(next(ROOT_VERSION, '1.0'), '2.0');
    assert.equal(next(ROOT_VERSION, '1.0', '2.0'), '3.0');
  });
});
