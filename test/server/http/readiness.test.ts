import assert from 'node:assert/strict';
import { Readiness } from '../../../src/server/http/readiness.js';
import { unavailable } from '../../../src/shared/errors.js';

describe('readiness', () => {
  const partition = (waitedMs: number, probe: () => Promise<void> = async () => {}) => ({
    workspace: 'system',
    isOpen: true,
    decider: { waitedMs: () => waitedMs, probe },
  });
  const reasonOf = async (...partitions: ReturnType<typeof partition>[]) =>
    (await new Readiness({ partitions, warnings: [] }, 5_000).check())?.reason;

  it('is there when every log takes writes and nobody waits for long', async () => {
    assert.equal(await reasonOf(partition(0), partition(5_000)), undefined);
  });

  it('is not when a log refuses a look', async () => {
    const refuses = () => Promise.reject(unavailable('no space left'));
    assert.equal(await reasonOf(partition(0), partition(0, refuses)), 'log_away');
  });

  it('is there when a workspace is stopped while its log is looked at', async () => {
    const stopping = { ...partition(0, () => Promise.reject(unavailable('it is closed'))), isOpen: false };
    assert.equal(await reasonOf(partition(0), stopping), undefined);
  });

  it('is not when the oldest command has waited for too long, although the log takes writes', async () => {
    assert.equal(await reasonOf(partition(0), partition(5_001)), 'commands_wait');
  });

  it('is not when the log may not keep what it takes; what is merely to be known is told beside it', async () => {
    const warning = { reason: 'log_may_evict', message: 'set noeviction', isUnready: false } as const;
    const risk = { reason: 'log_evicts', message: 'set noeviction', isUnready: true } as const;
    const warned = new Readiness({ partitions: [partition(0)], warnings: [warning] }, 5_000);
    assert.equal(await warned.check(), undefined);
    assert.deepEqual(warned.warnings(), [{ reason: 'log_may_evict', message: 'set noeviction' }]);
    const endangered = new Readiness({ partitions: [partition(0)], warnings: [warning, risk] }, 5_000);
    assert.deepEqual(await endangered.check(), { reason: 'log_evicts', message: 'set noeviction' });
  });
});
