import assert from 'node:assert/strict';
import { entryOf } from '../../../src/server/audit/audit.js';

const commit = {
  at: 5,
  type: 'completeTask',
  userId: 'ann',
  cause: {},
  events: [] as { type: string; ids: Record<string, string | null>; data: unknown }[],
  written: ['task/t1', 'instance/i1'],
};
const done = { at: 5, userId: 'ann', type: 'completeTask', outcome: 'DONE' };

describe('an entry of the audit log', () => {
  it('names what the events are about, each once, and no values', () => {
    const task = { type: 'task.completed', ids: { taskId: 't1', processInstanceId: 'i1' }, data: { secret: 1 } };
    const node = { type: 'node.changed', ids: { nodeId: 'n1' }, data: { path: '/content/a' } };
    assert.deepEqual(entryOf({ ...commit, events: [task, node, task] }, 7), {
      ...done,
      targets: ['task/t1', '/content/a'],
    });
  });

  it('names at most ten', () => {
    const events = Array.from({ length: 20 }, (_, n) => ({ type: 'x', ids: { taskId: `t${n}` }, data: null }));
    assert.equal(entryOf({ ...commit, events }, 7)?.targets.length, 10);
  });

  it('names what was written where there are no events', () => {
    assert.deepEqual(entryOf(commit, 7), { ...done, targets: commit.written });
  });

  it('is none of what the server did by itself, or a job on behalf of somebody', () => {
    assert.equal(entryOf({ ...commit, userId: 'system' }, 7), undefined);
    assert.equal(entryOf({ ...commit, cause: { jobId: 'j1' } }, 7), undefined);
  });

  it('tells of a commit that is damaged', () => {
    assert.deepEqual(entryOf(null, 7)?.targets, ['commit/7']);
  });
});
