import assert from 'node:assert/strict';
import { AUDIT_PACKING, addEntry, entryOfUnknown } from '../../../src/server/audit/audit-entry.js';
import type { AuditEntry } from '../../../src/shared/audit.js';
import { PackedRows, type RecordedCommit, rowsIn } from '../../../src/store/index.js';

const commit = {
  revision: 7,
  at: 5,
  type: 'completeTask',
  userId: 'ann',
  cause: {},
  events: [] as { type: string; ids: Record<string, string | null>; data: unknown }[],
  written: () => ['task/t1', 'instance/i1'],
};
const entryOf = (of: RecordedCommit) => {
  const entries = new PackedRows(AUDIT_PACKING);
  addEntry(of, entries);
  const [entry] = rowsIn(entries.entry('p', 's').rows);
  return entry as AuditEntry | undefined;
};
const done = { at: 5, userId: 'ann', type: 'completeTask', outcome: 'DONE' };

describe('an entry of the audit log', () => {
  it('names what the events are about, each once, and no values', () => {
    const task = {
      type: 'task.completed',
      ids: { definitionKey: 'k', taskId: 't1', processInstanceId: 'i1' },
      data: { secret: 1 },
    };
    const node = { type: 'node.changed', ids: { nodeId: 'n1' }, data: { path: '/content/a' } };
    const gone = { type: 'node.changed', ids: { nodeId: 'n2' }, data: { path: null } };
    assert.deepEqual(entryOf({ ...commit, events: [task, node, gone, task] }), {
      ...done,
      targets: ['task/t1', '/content/a', 'node/n2'],
    });
  });

  it('names at most ten, and so much of each', () => {
    const events = Array.from({ length: 20 }, (_, n) => ({ type: 'x', ids: { taskId: `t${n}` }, data: null }));
    assert.equal(entryOf({ ...commit, events })?.targets.length, 10);
    const node = { type: 'node.changed', ids: {}, data: { path: `/${'x'.repeat(1_000)}` } };
    assert.equal(entryOf({ ...commit, events: [node] })?.targets[0]?.length, 512);
  });

  it('names what was written where there are no events', () => {
    assert.deepEqual(entryOf(commit), { ...done, targets: ['task/t1', 'instance/i1'] });
  });

  it('is none of what the server did by itself, or a job on behalf of somebody', () => {
    assert.equal(entryOf({ ...commit, userId: 'system' }), undefined);
    assert.equal(entryOf({ ...commit, cause: { jobId: 'j1' } }), undefined);
  });

  it('is one of what the server did as a provider of sign-in says', () => {
    const { userId, type } = entryOf({ ...commit, userId: 'system', type: 'signInExternally' }) ?? {};
    assert.deepEqual([userId, type], ['system', 'signInExternally']);
  });

  it('tells how a long job has ended, and of nothing before that', () => {
    const progress = (status: string) => ({
      ...{ ...commit, userId: 'system', type: 'completeLongJob' },
      events: [
        { type: 'other.happened', ids: {}, data: null },
        { type: 'longJob.progressed', ids: { jobId: 'j1', userId: 'ann', type: 'delete' }, data: { status } },
      ],
    });
    assert.equal(entryOf(progress('running')), undefined);
    const ended = { at: 5, userId: 'ann', type: 'delete', targets: ['job/j1'] };
    assert.deepEqual(
      ['completed', 'failed', 'aborted'].map((status) => entryOf(progress(status))),
      ['DONE', 'FAILED', 'ABORTED'].map((outcome) => ({ ...ended, outcome })),
    );
  });

  it('tells of a commit that is damaged, and of those that went before they were recorded', () => {
    const unknown = { at: 9, userId: '', type: 'unknown' };
    assert.deepEqual(entryOfUnknown({ from: 7, to: 7, reason: 'damaged' }, 9), {
      ...unknown,
      ...{ targets: ['commit/7'], outcome: 'DATA_DAMAGED' },
    });
    assert.deepEqual(entryOfUnknown({ from: 7, to: 9, reason: 'gone' }, 9), {
      ...unknown,
      ...{ targets: ['commit/7', 'commit/9'], outcome: 'NOT_RECORDED', count: 3 },
    });
  });
});
