import assert from 'node:assert/strict';
import { nearest } from '../../src/shared/nearest.js';

describe('the nearest name', () => {
  it('is the one in which fewest letters differ, the first of several', () => {
    assert.equal(nearest('asignee', ['owner', 'assignee', 'name']), 'assignee');
    assert.equal(nearest('ab', ['ax', 'xb']), 'ax');
    assert.equal(nearest('anything', []), undefined);
  });

  it('is none where too many letters differ', () => {
    assert.equal(nearest('asignee', ['assignee'], 1), 'assignee');
    assert.equal(nearest('wonder', ['owner', 'name'], 1), undefined);
    assert.equal(nearest('wonder', ['owner', 'name']), 'owner');
  });
});
