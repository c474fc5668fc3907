import assert from 'node:assert/strict';
import { MemoryLogs } from '../../../src/store/log/memory-logs.js';
import { openTestStore } from '../../support/test-store.js';

/** Logs that tell how many of them are open. */
class CountedLogs extends MemoryLogs {
  count = 0;

  override async open(...args: Parameters<MemoryLogs['open']>) {
    const opened = await super.open(...args);
    const { log } = opened;
    const close = log.close.bind(log);
    this.count++;
    log.close = async () => {
      this.count--;
      await close();
    };
    return opened;
  }
}

describe('a partition that cannot be opened', () => {
  it('leaves no log open behind it, and is opened by another try', async () => {
    const logs = new CountedLogs();
    let isBroken = true;
    const resting = () => {
      if (isBroken) throw new Error('it cannot be made');
      return [];
    };
    const store = openTestStore({ folder: null, logs }, { resting });
    await assert.rejects(store.open('one', 'one'), /it cannot be made/);
    assert.equal(logs.count, 0);
    assert.throws(() => store.find('one'), { code: 'UNAVAILABLE' });
    isBroken = false;
    await store.open('one', 'one');
    assert.equal(logs.count, 1);
    await store.close(0);
    assert.equal(logs.count, 0);
  });
});
