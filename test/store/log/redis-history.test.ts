import assert from 'node:assert/strict';
import { nextStep } from '../../../src/store/log/redis-history.js';

const replica = { epoch: 'e', revision: 10, commit: 'c10' };
const redis = { epoch: 'e', revision: 12, commit: 'c12', trimmed: 4, atReplica: 'c10' };

describe('a replica and what Redis has', () => {
  it('go on together where the replica’s last commit is there', () => {
    assert.equal(nextStep(replica, redis), 'follow');
    assert.equal(nextStep(replica, { ...redis, revision: 10, commit: 'c10' }), 'follow');
    const gone = { ...redis, revision: 10, commit: 'c10', atReplica: undefined };
    assert.equal(nextStep(replica, gone), 'follow', 'the newest commit is known also without its entry');
    assert.equal(nextStep(replica, { ...redis, trimmed: 10 }), 'follow', 'the entry that was trimmed up to is kept');
  });

  it('begin anew where the replica knows nothing yet, or too little', () => {
    const empty = { epoch: 'own', revision: 0, commit: '' };
    assert.equal(nextStep(empty, { ...redis, atReplica: undefined }), 'load');
    assert.equal(nextStep({ ...empty, epoch: 'e' }, { ...redis, trimmed: 0, atReplica: undefined }), 'follow');
    assert.equal(nextStep(replica, { ...redis, trimmed: 11, atReplica: undefined }), 'load');
  });

  it('have parted where Redis has less, or another commit', () => {
    assert.equal(nextStep(replica, { ...redis, revision: 9, atReplica: undefined }), 'lost');
    assert.equal(nextStep(replica, { ...redis, atReplica: 'other' }), 'lost');
    assert.equal(
      nextStep(replica, { epoch: 'new', revision: 0, commit: '', trimmed: 0, atReplica: undefined }),
      'lost',
    );
    assert.equal(nextStep(replica, { ...redis, epoch: 'another' }), 'another');
  });
});
