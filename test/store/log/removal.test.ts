import assert from 'node:assert/strict';
import { cpSync, existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { partitionsIn } from '../../../src/store/index.js';
import { LocalLogs } from '../../../src/store/log/local-logs.js';
import { RedisLogs } from '../../../src/store/log/redis-logs.js';
import { modelPorts } from '../../support/redis-model/model-ports.js';
import { type Fault, RedisModel } from '../../support/redis-model/redis-model.js';
import { temporaryFolder } from '../../support/temporary.js';
import { add, callerNamed } from '../../support/test-domain.js';
import { openTestPartition, openTestStore } from '../../support/test-store.js';

const ann = { caller: callerNamed('ann') };

describe('the removal of a partition that a crash cut off', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  it('leaves nobody’s files, which go when it is repeated', async () => {
    const logs = new LocalLogs(folder.path);
    const store = openTestStore({ folder: folder.path, logs });
    await (await openTestPartition(store)).send(add, { id: 'a', by: 1 }, ann);
    await store.close(100);
    const [path, removed] = [join(folder.path, 'test'), join(folder.path, 'test.removed')];
    // Killed behind the first step, and another time behind a part of the second.
    renameSync(path, removed);
    assert.deepEqual(partitionsIn(folder.path), []);
    cpSync(removed, path, { recursive: true });
    await logs.remove('test');
    assert.deepEqual([existsSync(path), existsSync(removed)], [false, false]);
  });

  it('is repeated in Redis, and takes what is left there', async () => {
    const soon = (work: () => void) => void setImmediate(work);
    let unlinks = 0;
    let fault: Fault | undefined;
    const model = new RedisModel({
      now: Date.now,
      soon,
      fault: ([name]) => (name === 'UNLINK' && ++unlinks === 1 ? fault : undefined),
    });
    const address = { at: { path: 'nowhere' }, username: undefined, password: undefined, database: 0 };
    const logs = new RedisLogs({ address, ports: modelPorts(model, soon), dataFolder: folder.path });
    const keys = () => (model.command('KEYS') as string[]).filter((key) => key.includes('{test}'));
    for (fault of ['cut', 'cut after'] as const) {
      unlinks = 0;
      const store = openTestStore({ folder: folder.path, logs });
      await (await openTestPartition(store)).send(add, { id: 'a', by: 1 }, ann);
      await store.close(100);
      assert.ok(keys().length > 1);
      await assert.rejects(logs.remove('test'), { code: 'UNAVAILABLE' });
      assert.ok(keys().includes('millrace:{test}:meta'), 'what is left tells whose it is');
      assert.ok(existsSync(join(folder.path, 'test')));
      await logs.remove('test');
      assert.deepEqual([keys(), existsSync(join(folder.path, 'test'))], [[], false]);
    }
  });

  it('is refused while another server decides for the partition', async () => {
    const soon = (work: () => void) => void setImmediate(work);
    const model = new RedisModel({ now: Date.now, soon });
    const address = { at: { path: 'nowhere' }, username: undefined, password: undefined, database: 0 };
    const other = temporaryFolder();
    const [own, foreign] = [folder.path, other.path].map(
      (dataFolder) => new RedisLogs({ address, ports: modelPorts(model, soon), dataFolder }),
    );
    assert.ok(own && foreign);
    const store = openTestStore({ folder: other.path, logs: foreign });
    await (await openTestPartition(store)).send(add, { id: 'a', by: 1 }, ann);
    await assert.rejects(own.remove('test'), /but server .* does/);
    assert.equal((await store.find('test').send(add, { id: 'a', by: 1 }, ann)).answer, 2);
    await store.close(100);
    other.remove();
  });
});
