import assert from 'node:assert/strict';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from 'redis';
import { ServiceError } from '../../../src/shared/errors.js';
import { systemTime, type Time } from '../../../src/shared/time.js';
import { decodePosition } from '../../../src/store/feed/position.js';
import { incidents } from '../../../src/store/index.js';
import { commitClientOptions, parseRedisUrl } from '../../../src/store/log/redis-address.js';
import { RedisConnection, redisClients } from '../../../src/store/log/redis-connection.js';
import { redisFacts } from '../../../src/store/log/redis-durability.js';
import { RedisLogs, type RedisLogsOptions } from '../../../src/store/log/redis-logs.js';
import { replicaThread } from '../../../src/store/log/replica-thread.js';
import type { Partition } from '../../../src/store/partition/partition.js';
import { openDatabase } from '../../../src/store/sqlite.js';
import type { Store } from '../../../src/store/store.js';
import { eventually } from '../../support/eventually.js';
import { RedisServer } from '../../support/redis-server.js';
import { temporaryFolder } from '../../support/temporary.js';
import { add, callerNamed, counters, drop, set } from '../../support/test-domain.js';
import { openTestPartition, openTestStore, type TestParts } from '../../support/test-store.js';

const ann = { caller: callerNamed('ann') };
const code = (wanted: string) => (thrown: unknown) => thrown instanceof ServiceError && thrown.code === wanted;
const value = (partition: Partition, id: string) => partition.replica.read().get(counters, id)?.value;

/** A test's Redis, and the servers on it. */
class Setting {
  readonly folders: { path: string; remove(): void }[] = [];
  readonly stores: Store[] = [];
  readonly url: string;
  readonly redis: RedisServer;

  constructor(redis: RedisServer) {
    this.redis = redis;
    this.url = redis.url();
  }

  folder(): string {
    const folder = temporaryFolder();
    this.folders.push(folder);
    return folder.path;
  }

  /** A server's partition, on a data folder of its own unless told otherwise. */
  async open(folder = this.folder(), options: Partial<RedisLogsOptions> = {}, parts?: TestParts): Promise<Partition> {
    const address = parseRedisUrl(this.url);
    assert.ok(address);
    const store = openTestStore({ folder, logs: new RedisLogs({ address, dataFolder: folder, ...options }) }, parts);
    const partition = await openTestPartition(store);
    this.stores.push(store);
    return partition;
  }

  async command(...words: string[]): Promise<unknown> {
    const address = parseRedisUrl(this.url);
    assert.ok(address);
    const client = createClient(commitClientOptions(address));
    await client.connect();
    try {
      return await client.sendCommand(words);
    } finally {
      client.destroy();
    }
  }

  /** As if the server that holds the partition had not been heard of for long. */
  endLease = () => this.command('HSET', 'millrace:{test}:meta', 'lease', '0');

  async end(): Promise<void> {
    for (const store of this.stores.splice(0)) await store.close(0);
    for (const folder of this.folders.splice(0)) folder.remove();
  }
}

/** A client sends again what was refused while the log is away. */
const sentAgain = (send: () => Promise<unknown>) =>
  eventually('the log takes commits', () =>
    send().then(
      () => true,
      () => false,
    ),
  );

describe('a log in Redis', () => {
  let redis: RedisServer;
  let on: Setting;
  before(async () => {
    redis = await RedisServer.start();
  });
  after(() => redis.remove());
  beforeEach(() => {
    on = new Setting(redis);
  });
  afterEach(() => on.end());

  it('makes a replica anew that cannot be read, or of which half is gone', async () => {
    const folder = on.folder();
    const partition = await on.open(folder);
    for (let i = 0; i < 300; i++) await partition.send(add, { id: `c${i}`, by: i }, ann);
    const { epoch } = partition.replica.feed;
    await end();
    for (const damage of [
      (path: string) => writeFileSync(path, 'garbage '.repeat(2_000)),
      (path: string) => truncateSync(path, 8_192),
      (path: string) => writeFileSync(`${path}.damaged`, ''),
    ]) {
      // A place of its own: connections of this process know the sound file for a while.
      const other = on.folder();
      cpSync(folder, other, { recursive: true, filter: (file) => !/-(wal|shm)$/.test(file) });
      damage(join(other, 'test', 'log.db'));
      const again = await on.open(other);
      assert.deepEqual([value(again, 'c299'), again.replica.feed.epoch], [299, epoch]);
      await again.send(add, { id: 'c0', by: 0 }, ann);
      await end();
    }
  });

  it('fills a replica again in which a document is damaged', async () => {
    const folder = on.folder();
    const before = await on.open(folder);
    for (const id of ['a', 'b']) await before.send(add, { id, by: 5 }, ann);
    // What a server has in memory it need not read.
    await end();
    const partition = await on.open(folder);
    const database = openDatabase(join(folder, 'test', 'log.db'));
    database.exec(`UPDATE d_counter SET body = replace(body, '5', '6') WHERE id = 'a'`);
    database.close();
    assert.throws(() => value(partition, 'a'), code('DATA_DAMAGED'));
    await eventually('the replica is filled again', () => {
      try {
        return value(partition, 'a') === 5;
      } catch {
        return false;
      }
    });
    assert.equal((await partition.send(add, { id: 'a', by: 1 }, ann)).answer, 6);
  });

  const end = async () => {
    for (const store of on.stores.splice(0)) await store.close(0);
  };

  describe('has everything', () => {
    it('that a server with an empty data folder needs: documents, indexes, outcomes, feed, in the same history', async () => {
      const first = await on.open();
      await first.send(set, { id: 'gone', group: 'g', value: 1, tags: ['red'] }, ann);
      for (let i = 0; i < 700; i++) void first.send(add, { id: `c${i % 300}`, by: 1, group: `g${i % 3}` }, ann);
      await first.send(set, { id: 'kept', group: 'g0', value: 9, tags: ['red', 'blue'] }, ann);
      await first.send(drop, { id: 'gone' }, ann);
      await first.send(add, { id: 'keyed', by: 1 }, { ...ann, commandId: 'k' });
      const position = first.replica.feed.position(500);
      await end();
      const second = await on.open();
      const state = second.replica.read();
      assert.equal(state.get(counters, 'gone'), undefined);
      assert.equal(state.find(counters, 'group', ['g0']).length, 101);
      assert.deepEqual(
        state.findMulti(counters, 'tag', 'red').map(({ id }) => id),
        ['kept'],
      );
      assert.equal((await second.send(add, { id: 'keyed', by: 1 }, { ...ann, commandId: 'k' })).answer, 1);
      const [place] = decodePosition(position);
      const revisions: number[] = [];
      for await (const { revision } of second.replica.feed.follow(place ?? null, new AbortController().signal)) {
        if (revisions.push(revision) === 201) break;
      }
      assert.deepEqual(revisions.slice(0, 2), [501, 502]);
      assert.equal((await second.send(add, { id: 'c0', by: 1 }, ann)).revision, 705);
    });

    it('also when its stream was shortened, and a replica that is too far behind is made anew', async () => {
      const [here, there] = [on.folder(), on.folder()];
      const first = await on.open(here);
      for (let i = 0; i < 5; i++) await first.send(add, { id: 'a', by: 1 }, ann);
      await end();
      const second = await on.open(there);
      await second.send(drop, { id: 'a' }, ann);
      for (let i = 0; i < 20; i++) await second.send(add, { id: 'b', by: 1 }, { ...ann, commandId: `k${i}` });
      await end();
      await on.command('XTRIM', 'millrace:{test}:log', 'MINID', '20-0');
      await on.command('HSET', 'millrace:{test}:meta', 'trimmed', '20');
      const again = await on.open(here);
      assert.equal(value(again, 'a'), undefined);
      assert.equal(value(again, 'b'), 20);
      assert.equal(again.replica.feed.oldest(), 20);
      assert.equal((await again.send(add, { id: 'b', by: 1 }, { ...ann, commandId: 'k3' })).answer, 4);
    });

    it('that is not trimmed, and no more', async () => {
      const address = parseRedisUrl(on.url);
      assert.ok(address);
      const { log, replica } = await new RedisLogs({ address, dataFolder: on.folder() }).open('test', []);
      const body = '{"events":[],"docs":[]}';
      const commit = (revision: number) =>
        ({
          revision,
          id: `c${revision}`,
          at: revision,
          events: 1,
          body,
          outcome: { id: `k${revision}`, body: '{}' },
          documents: [],
        }) as const;
      await log.append(Array.from({ length: 30 }, (_, i) => commit(i + 1)));
      await log.trim(20, 11);
      assert.equal(await on.command('XLEN', 'millrace:{test}:log'), 11, 'the 20th is kept for comparing');
      assert.equal(await on.command('HLEN', 'millrace:{test}:outcome'), 20);
      assert.equal(await on.command('ZCARD', 'millrace:{test}:outcome-at'), 20);
      assert.deepEqual([replica.outcome('k10'), replica.outcome('k11')], [undefined, '{}']);
      await log.trim(99, 0);
      assert.equal(await on.command('XLEN', 'millrace:{test}:log'), 1, 'never the newest');
      await log.recover();
      assert.equal(replica.revision(), 30);
      await log.close();
      replica.close();
    });
  });

  describe('is written by one server', () => {
    it('which another on the same data cannot displace while it is alive', async () => {
      const first = await on.open(undefined, { leaseMs: 900 });
      await first.send(add, { id: 'a', by: 1 }, ann);
      await assert.rejects(on.open(undefined, { leaseMs: 900 }), code('CONFLICT'));
      assert.equal((await first.send(add, { id: 'a', by: 1 }, ann)).answer, 2);
    });

    it('which another follows at once when it has ended, and after its lease when it has died', async () => {
      const first = await on.open();
      await first.send(add, { id: 'a', by: 1 }, ann);
      await end();
      const begun = performance.now();
      const second = await on.open();
      assert.ok(performance.now() - begun < 5_000);
      await second.send(add, { id: 'a', by: 1 }, ann);
      await on.command('HSET', 'millrace:{test}:meta', 'holder', 'dead', 'lease', String(Date.now() + 700));
      const third = await on.open(undefined, { leaseMs: 500 });
      assert.equal(value(third, 'a'), 2);
    });

    it('and the one that was displaced writes nothing, says so, and goes on when it may', async () => {
      const first = await on.open();
      await first.send(add, { id: 'a', by: 1 }, ann);
      await on.endLease();
      const second = await on.open();
      await second.send(add, { id: 'a', by: 10 }, ann);
      await assert.rejects(first.send(add, { id: 'a', by: 100 }, ann), code('UNAVAILABLE'));
      assert.equal((await second.send(add, { id: 'a', by: 10 }, ann)).answer, 21);
      await on.stores.pop()?.close(0);
      await sentAgain(() => first.send(add, { id: 'b', by: 1 }, ann));
      assert.equal((await first.send(add, { id: 'a', by: 1 }, ann)).answer, 22);
    });
  });

  describe('that is away', () => {
    it('is UNAVAILABLE until it is back, and nothing is lost or done twice', async () => {
      const partition = await on.open();
      await partition.send(add, { id: 'a', by: 1 }, ann);
      await redis.kill();
      const keyed = { ...ann, commandId: 'k' };
      await assert.rejects(partition.send(add, { id: 'a', by: 1 }, keyed), code('UNAVAILABLE'));
      assert.equal(value(partition, 'a'), 1, 'what was there can be read');
      await redis.start();
      await sentAgain(() => partition.send(add, { id: 'a', by: 1 }, keyed));
      assert.equal((await partition.send(add, { id: 'a', by: 1 }, keyed)).answer, 2);
      assert.equal(value(partition, 'a'), 2);
    });

    it('is noticed also when it hangs', async () => {
      const address = parseRedisUrl(on.url);
      assert.ok(address);
      // As long as it does not hang, nobody knows how long this machine makes it take.
      let hangs = false;
      const time: Time = { ...systemTime, after: (ms, run) => systemTime.after(hangs ? ms : 100 * ms, run) };
      const ports = { redis: redisClients(address), replicas: replicaThread, time };
      const partition = await on.open(undefined, { answerMs: 300, ports });
      await partition.send(add, { id: 'a', by: 1 }, ann);
      redis.signal('SIGSTOP');
      hangs = true;
      const keyed = { ...ann, commandId: 'k' };
      try {
        await assert.rejects(partition.send(add, { id: 'a', by: 1 }, keyed), code('UNAVAILABLE'));
      } finally {
        redis.signal('SIGCONT');
        hangs = false;
      }
      await sentAgain(() => partition.send(add, { id: 'a', by: 1 }, keyed));
      assert.equal(value(partition, 'a'), 2, 'whether the first one landed or not');
    });

    it('and comes back between two commands is not noticed by anybody', async () => {
      const partition = await on.open();
      await partition.send(add, { id: 'a', by: 1 }, ann);
      await redis.kill();
      await redis.start();
      assert.equal((await partition.send(add, { id: 'a', by: 1 }, ann)).answer, 2);
    });

    it('at the start is said so', async () => {
      const address = parseRedisUrl('unix:///nowhere/redis.sock');
      assert.ok(address);
      const logs = new RedisLogs({ address, dataFolder: on.folder() });
      await assert.rejects(logs.open('test', []), (thrown: ServiceError) => {
        assert.equal(thrown.code, 'UNAVAILABLE');
        assert.match(
          thrown.message,
          /^expected the Redis server at unix:\/\/\/nowhere\/redis\.sock\?db=0 to answer, but/,
        );
        return true;
      });
    });
  });

  describe('whose folder', () => {
    it('holds what an embedded log decided is refused, and left as it is', async () => {
      const folder = on.folder();
      const store = openTestStore({ folder });
      const partition = await openTestPartition(store);
      await partition.send(add, { id: 'a', by: 5 }, ann);
      await store.close(0);
      await assert.rejects(on.open(folder), code('CONFLICT'));
      const again = openTestStore({ folder });
      assert.equal(value(await openTestPartition(again), 'a'), 5);
      await again.close(0);
    });

    it('is a replica of it is refused by an embedded log', async () => {
      const folder = on.folder();
      await on.open(folder);
      await end();
      const store = openTestStore({ folder });
      await assert.rejects(openTestPartition(store), code('CONFLICT'));
      rmSync(join(folder, 'test'), { recursive: true });
      await openTestPartition(store);
      await store.close(0);
    });
  });
});

describe('a Redis that lost what it had answered', () => {
  /** No file is appended to: what came after the last snapshot is gone with the process. */
  const forgetful = ['--appendonly', 'no'];

  for (const [what, snapshot] of [
    ['its tail', true],
    ['everything', false],
  ] as const) {
    it(`(${what}) is noticed while the server runs: another epoch, RESYNC_REQUIRED, a copy of what was known`, async () => {
      const redis = await RedisServer.start(forgetful);
      const on = new Setting(redis);
      const folder = on.folder();
      try {
        const partition = await on.open(folder);
        for (let i = 0; i < 3; i++) await partition.send(add, { id: 'a', by: 1 }, ann);
        if (snapshot) await on.command('SAVE');
        for (let i = 0; i < 5; i++) await partition.send(add, { id: 'a', by: 1 }, ann);
        const { epoch } = partition.replica.feed;
        const place = decodePosition(partition.replica.feed.position())[0] ?? null;
        const follower = partition.replica.feed.follow(place, new AbortController().signal).next();
        const told = assert.rejects(follower, code('RESYNC_REQUIRED'));
        await redis.kill();
        await redis.start();
        const kept = snapshot ? 3 : 0;
        assert.equal((await partition.send(add, { id: 'a', by: 1 }, ann)).answer, kept + 1);
        await told;
        assert.notEqual(partition.replica.feed.epoch, epoch);
        assert.throws(() => partition.replica.feed.check(place), code('RESYNC_REQUIRED'));
        const copy = `log.db.${epoch}-8`;
        assert.ok(existsSync(join(folder, 'test', copy)), readdirSync(join(folder, 'test')).join());
        assert.deepEqual(partition.replica.read().range(incidents, 'created', [0], 10), []);
      } finally {
        await on.end();
        await redis.remove();
      }
    });
  }

  it('is noticed at the next start too', async () => {
    const redis = await RedisServer.start(forgetful);
    const on = new Setting(redis);
    const folder = on.folder();
    try {
      const partition = await on.open(folder);
      await partition.send(add, { id: 'a', by: 1 }, ann);
      await on.command('SAVE');
      await partition.send(add, { id: 'a', by: 1 }, ann);
      const { epoch } = partition.replica.feed;
      await redis.kill();
      for (const store of on.stores.splice(0)) await store.close(0);
      await redis.start();
      const again = await on.open(folder);
      assert.equal(value(again, 'a'), 1);
      assert.notEqual(again.replica.feed.epoch, epoch);
    } finally {
      await on.end();
      await redis.remove();
    }
  });
});

describe('what a Redis server is asked at start', () => {
  const facts = async (...options: string[]) => {
    const redis = await RedisServer.start(options);
    const connection = await RedisConnection.open(redisClients(parseRedisUrl(redis.url()) ?? assert.fail()), 5_000);
    try {
      return await redisFacts(connection);
    } finally {
      connection.destroy();
      await redis.remove();
    }
  };

  it('is its version, and how far what it answers is safe', async () => {
    const { version, durability, warnings } = await facts();
    assert.match(version, /^\d+\.\d+/);
    assert.deepEqual([durability, warnings], ['always', []]);
  });

  it('warns of every mode that can lose what was answered, and of eviction', async () => {
    const reasons = async (...options: string[]) => {
      const { warnings } = await facts(...options);
      return warnings.map(({ reason, isUnready }) => [reason, isUnready]);
    };
    const lazy = await facts('--appendfsync', 'everysec', '--maxmemory-policy', 'allkeys-lru');
    assert.equal(lazy.durability, 'everysec');
    assert.deepEqual(
      lazy.warnings.map(({ reason }) => reason),
      ['log_not_flushed', 'log_may_evict'],
    );
    const evicting = ['--maxmemory', '100mb', '--maxmemory-policy'];
    assert.deepEqual(await reasons(...evicting, 'allkeys-random'), [['log_evicts', true]]);
    assert.deepEqual(await reasons(...evicting, 'volatile-lru'), [], 'no key of ours ever expires');
    const none = await facts('--appendonly', 'no');
    assert.equal(none.durability, 'none');
    assert.match(none.warnings[0]?.message ?? '', /appendonly no/);
  });
});

describe('a Redis that is set otherwise while the server runs', () => {
  let redis: RedisServer;
  let on: Setting;
  before(async () => {
    redis = await RedisServer.start();
    on = new Setting(redis);
  });
  after(async () => {
    await on.end();
    await redis.remove();
  });

  it('is looked at again on each connect and at each look, and when it is mended', async () => {
    const address = parseRedisUrl(on.url) ?? assert.fail();
    const logs = new RedisLogs({ address, dataFolder: on.folder() });
    const { log, replica } = await logs.open('test', []);
    const reasons = () => logs.warnings.map(({ reason }) => reason);
    assert.deepEqual(reasons(), []);
    await on.command('CONFIG', 'SET', 'maxmemory', '1gb', 'maxmemory-policy', 'allkeys-lru');
    await logs.look();
    assert.deepEqual(reasons(), ['log_evicts']);
    await on.command('CONFIG', 'SET', 'appendfsync', 'no');
    await log.recover();
    assert.deepEqual(reasons(), ['log_not_flushed', 'log_evicts']);
    await on.command('CONFIG', 'SET', 'maxmemory-policy', 'noeviction', 'appendfsync', 'always', 'maxmemory', '0');
    await logs.look();
    assert.deepEqual(reasons(), []);
    await log.close();
    replica.close();
  });
});

describe('a Redis that has lost keys', () => {
  let redis: RedisServer;
  let on: Setting;
  before(async () => {
    redis = await RedisServer.start();
  });
  after(() => redis.remove());
  beforeEach(() => {
    on = new Setting(redis);
  });
  afterEach(() => on.end());

  const key = (name: string) => `millrace:{test}:${name}`;
  const filled = async (folder: string) => {
    const partition = await on.open(folder);
    for (let i = 0; i < 5; i++) await partition.send(add, { id: `c${i}`, by: 1 }, { ...ann, commandId: `k${i}` });
    await partition.send(drop, { id: 'c4' }, ann);
    return partition;
  };

  for (const name of ['doc:counter', 'outcome', 'outcome-at', 'log']) {
    it(`(${name}) is noticed at the next look, and a replica that is lost is not made anew from what is left`, async () => {
      const folder = on.folder();
      const address = parseRedisUrl(on.url) ?? assert.fail();
      const logs = new RedisLogs({ address, dataFolder: folder });
      const store = openTestStore({ folder, logs });
      on.stores.push(store);
      const partition = await openTestPartition(store);
      for (let i = 0; i < 5; i++) await partition.send(add, { id: `c${i}`, by: 1 }, { ...ann, commandId: `k${i}` });
      await logs.look();
      assert.deepEqual(logs.warnings, []);
      await on.command('DEL', key(name));
      await partition.send(add, { id: 'c0', by: 1 }, ann);
      await partition.send(add, { id: 'c0', by: 1 }, { ...ann, commandId: 'k9' });
      await logs.look();
      assert.deepEqual(
        logs.warnings.map(({ reason, isUnready }) => [reason, isUnready]),
        [['log_incomplete', true]],
      );
      assert.equal(value(partition, 'c0'), 3, 'what is there is right: it is in the replica');
      await end();
      await assert.rejects(on.open(), (thrown: Error) => {
        assert.ok(thrown.message.includes(name), thrown.message);
        return true;
      });
      assert.equal(value(await on.open(folder), 'c0'), 3, 'where the replica is, it goes on');
    });
  }

  it('(what says where it is) is refused in a sentence, and begins not from nothing beside what is left', async () => {
    const folder = on.folder();
    await filled(folder);
    await end();
    await on.command('DEL', key('meta'));
    await assert.rejects(on.open(folder), /has millrace:\{test\}:log, but no longer millrace:\{test\}:meta.*restore/);
  });

  it('is not one that an older server has filled, which is counted as it is', async () => {
    const folder = on.folder();
    await filled(folder);
    await end();
    await on.command('HSET', key('meta'), 'format', '1');
    await on.command('HDEL', key('meta'), 'count:doc:counter', 'count:outcome');
    const again = await on.open();
    assert.equal(value(again, 'c3'), 1);
    assert.equal(await on.command('HGET', key('meta'), 'count:doc:counter'), '4');
    assert.equal(await on.command('HGET', key('meta'), 'format'), '3');
  });

  it('is missed also where the server before was of the format before, which counted, too', async () => {
    const folder = on.folder();
    await filled(folder);
    await end();
    await on.command('HSET', key('meta'), 'format', '2', 'count:doc:counter', '7');
    await on.open(folder);
    assert.equal(await on.command('HGET', key('meta'), 'format'), '3');
    assert.equal(await on.command('HGET', key('meta'), 'count:doc:counter'), '7');
  });

  const end = async () => {
    for (const store of on.stores.splice(0)) await store.close(0);
  };
});

describe('a log in a Redis whose power goes', () => {
  it('has nothing of a batch that was written by half, however often Redis is started', async () => {
    const files = temporaryFolder();
    const redis = await RedisServer.start(['--dir', files.path]);
    const on = new Setting(redis);
    try {
      const partition = await on.open();
      await partition.send(add, { id: 'a', by: 1 }, ann);
      for (const round of [1, 2]) {
        await partition.send(add, { id: `new ${round}`, by: 1 }, ann);
        await redis.kill();
        cutWithinTransaction(join(files.path, 'appendonlydir'));
        await redis.start();
        // Whatever is sent while the log is away is refused; the clients send it again.
        await sentAgain(() => partition.send(add, { id: 'a', by: 1 }, ann));
      }
      await redis.restart();
      await sentAgain(() => partition.send(add, { id: 'a', by: 1 }, ann));
      const counted = await on.command('HGET', 'millrace:{test}:meta', 'count:doc:counter');
      assert.equal(Number(await on.command('HLEN', 'millrace:{test}:doc:counter')), Number(counted));
      for (const store of on.stores.splice(0)) await store.close(0);
      const again = await on.open();
      assert.deepEqual([value(again, 'new 1'), value(again, 'new 2')], [undefined, undefined]);
    } finally {
      await on.end();
      await redis.remove();
      files.remove();
    }
  });
});

/** Takes the end of the newest file of Redis away, up to the middle of the last command before the last `EXEC`. */
function cutWithinTransaction(folder: string): void {
  const newest = readdirSync(folder)
    .filter((name) => name.endsWith('.incr.aof'))
    .sort((a, b) => statSync(join(folder, a)).mtimeMs - statSync(join(folder, b)).mtimeMs)
    .at(-1);
  assert.ok(newest);
  const path = join(folder, newest);
  const text = readFileSync(path, 'latin1');
  truncateSync(path, text.lastIndexOf('*', text.lastIndexOf('*1\r\n$4\r\nEXEC') - 1) + 5);
}
