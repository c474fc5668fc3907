import assert from 'node:assert/strict';
import { RedisConnection } from '../../../src/store/log/redis-connection.js';
import { Random } from '../../simulation/random.js';
import { Scheduler } from '../../simulation/scheduler.js';
import { RedisModel } from '../../support/redis-model/redis-model.js';

describe('a connection for commits', () => {
  const life = { name: 'server', isDead: false };

  /** Opens one to a Redis that takes so long; what it needs of this machine takes `loadMs` before. */
  const opened = (answerMs: number, { loadMs = 0, redisMs = 0 }) => {
    const scheduler = new Scheduler(new Random(1), null);
    const time = scheduler.time(life);
    const soon = (work: () => void) => void time.after(redisMs, work);
    const { port } = new RedisModel({ now: () => time.now(), soon });
    let isLoaded = false;
    const load = async () => {
      await new Promise<void>((resolve) => void time.after(loadMs, resolve));
      isLoaded = true;
    };
    const connect = () => {
      assert.ok(isLoaded);
      return port.connect();
    };
    const opening = RedisConnection.open({ ...port, connect, load }, answerMs, time);
    return scheduler.run(opening, 60_000);
  };

  it('gives Redis its time, however long this machine takes before', async () => {
    assert.equal((await opened(1_500, { loadMs: 10_000 })).isOpen, true);
  });

  it('gives Redis no more than its time', async () => {
    await assert.rejects(opened(1_500, { redisMs: 2_000 }), /UNAVAILABLE|did not answer within 1500 ms/);
    assert.equal((await opened(9_000, { redisMs: 2_000 })).isOpen, true);
  });
});
