import { messageOf, unavailable } from '../../shared/errors.js';
import { systemTime, type Time, within } from '../../shared/time.js';
import { commitClientOptions, type RedisAddress, shownAddress } from './redis-address.js';
import type { OpeningLink, RedisPort } from './redis-port.js';
import { type RedisScript, SCRIPTS } from './redis-scripts.js';

/** One connection for commits: what is sent on it is done in that order, once or not at all. When it is lost it stays so. */
export class RedisConnection {
  readonly #link: OpeningLink;
  readonly #name: string;
  readonly #answerMs: number;
  readonly #time: Time;

  private constructor(redis: RedisPort, answerMs: number, time: Time) {
    this.#link = redis.connect();
    this.#name = redis.name;
    this.#answerMs = answerMs;
    this.#time = time;
  }

  /**
   * Connects, and makes the scripts known. When an answer takes longer than `answerMs` the connection is given up, so that nobody waits for a
   * server that hangs. @throws UNAVAILABLE
   */
  static async open(redis: RedisPort, answerMs: number, time: Time = systemTime): Promise<RedisConnection> {
    await redis.load();
    const connection = new RedisConnection(redis, answerMs, time);
    try {
      await connection.#within(connection.#link.opened);
      for (const { text } of SCRIPTS) await connection.command(['SCRIPT', 'LOAD', text]);
      return connection;
    } catch (thrown) {
      connection.destroy();
      throw thrown;
    }
  }

  get isOpen(): boolean {
    return this.#link.isOpen;
  }

  /** @throws UNAVAILABLE when the answer does not come: it may be done or not */
  command(words: readonly string[]): Promise<unknown> {
    return this.#within(this.#link.send(words));
  }

  /** Runs a script. @throws as {@link command} */
  run({ sha }: RedisScript, keys: readonly string[], args: readonly string[]): Promise<unknown> {
    return this.command(['EVALSHA', sha, String(keys.length), ...keys, ...args]);
  }

  /** Ends it at once; whoever waits is told. */
  destroy(): void {
    this.#link.close();
  }

  async #within<T>(answer: Promise<T>): Promise<T> {
    const late = () => {
      this.destroy();
      return new Error(`it did not answer within ${this.#answerMs} ms`);
    };
    try {
      return await within(this.#time, this.#answerMs, answer, late);
    } catch (thrown) {
      const hint = isUntrusted(thrown) ? '; REDIS_TLS_CA tells which certificates are trusted' : '';
      throw unavailable(`expected the Redis server at ${this.#name} to answer, but: ${messageOf(thrown)}${hint}`);
    }
  }
}

/** Whether TLS found nobody whom it trusts behind the server's certificate. */
const isUntrusted = (thrown: unknown): boolean =>
  thrown instanceof Error &&
  'code' in thrown &&
  /SELF_SIGNED_CERT|UNABLE_TO_(GET_ISSUER|VERIFY)/.test(String(thrown.code));

/** The server at an address, by the client `redis`. `connectMs`: how long a connection for commits may take to be there. */
export const redisClients = (address: RedisAddress, connectMs?: number): RedisPort => ({
  name: shownAddress(address),
  load: () => import('redis').then(() => {}),
  connect: () => new CommitLink(address, connectMs),
});

/** A client of `redis`, as far as it is used. */
interface Client {
  readonly isOpen: boolean;
  readonly isReady: boolean;
  sendCommand(words: string[]): Promise<unknown>;
  destroy(): void;
}

class CommitLink implements OpeningLink {
  readonly opened: Promise<void>;
  #client: Client | null = null;
  #closed = false;

  constructor(address: RedisAddress, connectMs?: number) {
    this.opened = this.#open(address, connectMs);
  }

  get isOpen(): boolean {
    return this.#client?.isReady === true;
  }

  send(words: readonly string[]): Promise<unknown> {
    if (this.#client === null) return Promise.reject(new Error('the connection is not open yet'));
    return this.#client.sendCommand([...words]);
  }

  close(): void {
    this.#closed = true;
    if (this.#client?.isOpen === true) this.#client.destroy();
  }

  async #open(address: RedisAddress, connectMs?: number): Promise<void> {
    // Loaded by servers that need it alone: it takes longer than everything else.
    const { createClient } = await import('redis');
    if (this.#closed) throw new Error('the connection was closed');
    const client = createClient(commitClientOptions(address, connectMs));
    this.#client = client;
    // Whoever waits for an answer is told; the event alone would end the process.
    client.on('error', () => {});
    await client.connect();
  }
}
