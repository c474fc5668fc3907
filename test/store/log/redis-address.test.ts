import assert from 'node:assert/strict';
import {
  commitClientOptions,
  parseRedisUrl,
  shownAddress,
  streamClientOptions,
} from '../../../src/store/log/redis-address.js';

const parsed = (url: string) => {
  const address = parseRedisUrl(url);
  assert.ok(address, url);
  return address;
};

describe('the address of a Redis server', () => {
  it('is read from a URL: host, port, database, user, password, TLS', () => {
    assert.deepEqual(parsed('redis://cache'), {
      at: { host: 'cache', port: 6379, tls: false },
      username: undefined,
      password: undefined,
      database: 0,
    });
    assert.deepEqual(parsed('rediss://app:p%40ss@10.0.0.1:7000/12'), {
      at: { host: '10.0.0.1', port: 7000, tls: true },
      username: 'app',
      password: 'p@ss',
      database: 12,
    });
    assert.deepEqual(parsed('redis://[::1]:1234').at, { host: '::1', port: 1234, tls: false });
  });

  it('may be the path of a unix socket', () => {
    assert.deepEqual(parsed('unix:///run/redis/a%20b.sock?db=7').at, { path: '/run/redis/a b.sock' });
    assert.equal(parsed('unix:///run/redis.sock?db=7').database, 7);
  });

  it('is no other text', () => {
    for (const url of [
      '',
      'cache:6379',
      'http://cache',
      'redis://',
      'redis://cache/x',
      'redis://cache/0?x=1',
      'redis://cache#a',
      'redis://cache/-1',
      'unix://',
      'unix:///run/redis.sock?db=x',
      'redis://:p%ZZ@cache',
    ]) {
      assert.equal(parseRedisUrl(url), undefined, url);
    }
  });

  it('is shown without user and password', () => {
    assert.equal(shownAddress(parsed('rediss://app:secret@cache/2')), 'rediss://cache:6379/2');
    assert.equal(shownAddress(parsed('unix:///run/redis.sock')), 'unix:///run/redis.sock?db=0');
  });

  it('connects for commits once, without a queue that would be sent again', () => {
    const options = commitClientOptions(parsed('rediss://app:secret@cache/2'));
    assert.equal(options.disableOfflineQueue, true);
    assert.equal(options.socket?.reconnectStrategy, false);
    assert.equal(commitClientOptions(parsed('redis://cache'), 30_000).socket?.connectTimeout, 30_000);
    assert.equal(options.socket?.tls, true);
    assert.deepEqual([options.username, options.password, options.database], ['app', 'secret', 2]);
  });

  it('connects for streams again and again, or not at all', () => {
    const address = parsed('rediss://cache/2');
    assert.equal(streamClientOptions(address, false).retryStrategy?.(1), null);
    assert.equal(streamClientOptions(address, true).retryStrategy?.(1_000), 500);
    assert.deepEqual(streamClientOptions(address, true).tls, { servername: 'cache' });
  });

  it('names its host to a server with TLS, and trusts and shows what it is told to', () => {
    const tls = { ca: 'ca', cert: 'cert', key: 'key' };
    const address = { ...parsed('rediss://cache'), tls };
    assert.deepEqual(streamClientOptions(address, true).tls, { servername: 'cache', ...tls });
    const { host, servername, ca, cert, key } = commitClientOptions(address).socket as Record<string, unknown>;
    assert.deepEqual({ host, servername, ca, cert, key }, { host: 'cache', servername: 'cache', ...tls });
    assert.deepEqual(streamClientOptions(parsed('rediss://10.0.0.1'), true).tls, {}, 'addresses are no names');
  });
});
