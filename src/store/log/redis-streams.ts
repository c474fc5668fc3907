import { Redis } from 'ioredis';
import { type RedisAddress, streamClientOptions } from './redis-address.js';
import type { RedisLink, RedisStreamsPort } from './redis-port.js';

/** The server at an address, by the client `ioredis`: the thread of the replicas alone loads it. */
export const redisStreams = (address: RedisAddress): RedisStreamsPort => ({
  reader: (comesBack) => readerOf(address, comesBack),
});

function readerOf(address: RedisAddress, comesBack: boolean): RedisLink {
  const redis = new Redis(streamClientOptions(address, comesBack));
  // Whoever waits for a revision has a patience of their own, and whoever asks is told.
  redis.on('error', () => {});
  return {
    get isOpen() {
      return redis.status === 'ready';
    },
    send: ([command = '', ...rest]) => redis.call(command, rest),
    close: () => redis.disconnect(),
  };
}
