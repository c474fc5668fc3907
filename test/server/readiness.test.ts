import assert from 'node:assert/strict';
import { Readiness } from '../../src/server/readiness.js';
import { unavailable } from '../../src/shared/errors.js';

describe('readiness', () => {
  const partition = (waitedMs: number, probe: () => Promise<void> = async () => {}) => ({
    workspace: 'system',
    waitedMs: () => waitedMs,
    probe,
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

  it('is not when the oldest command has waited for too long, although the log takes writes', async () => {
    assert.equal(await reasonOf(partition(0), partition(5_001)), 'commands_wait');
  });
});
