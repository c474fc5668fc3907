import type { createClient } from 'redis';
import { messageOf, unavailable } from '../../shared/errors.js';
import { commitClientOptions, type RedisAddress, shownAddress } from './redis-address.js';
import { type RedisScript, SCRIPTS } from './redis-scripts.js';

/** One connection for commits: what is sent on it is done in that order, once or not at all. When it is lost it stays so. */
export class RedisConnection {
  readonly #client: ReturnType<typeof createClient>;
  readonly #address: RedisAddress;
  readonly #answerMs: number;

  private constructor(client: ReturnType<typeof createClient>, address: RedisAddress, answerMs: number) {
    this.#client = client;
    this.#address = address;
    this.#answerMs = answerMs;
  }

  /**
   * Connects, and makes the scripts known. When an answer takes longer than `answerMs` the connection is given up, so that nobody waits for a
   * server that hangs. @throws UNAVAILABLE
   */
  static async open(address: RedisAddress, answerMs: number): Promise<RedisConnection> {
    // Loaded by servers that need it alone: it takes longer than everything else.
    const { createClient } = await import('redis');
    const client = createClient(commitClientOptions(address));
    // Whoever waits for an answer is told; the event alone would end the process.
    client.on('error', () => {});
    const connection = new RedisConnection(client, address, answerMs);
    try {
      await connection.#within(client.connect());
      for (const { text } of SCRIPTS) await connection.command(['SCRIPT', 'LOAD', text]);
      return connection;
    } catch (thrown) {
      connection.destroy();
      throw thrown;
    }
  }

  get isOpen(): boolean {
    return this.#client.isReady;
  }

  /** @throws UNAVAILABLE when the answer does not come: it may be done or not */
  command(words: readonly string[]): Promise<unknown> {
    return this.#within(this.#client.sendCommand([...words]));
  }

  /** Runs a script. @throws as {@link command} */
  run({ sha }: RedisScript, keys: readonly string[], args: readonly string[]): Promise<unknown> {
    return this.command(['EVALSHA', sha, String(keys.length), ...keys, ...args]);
  }

  /** Ends it at once; whoever waits is told. */
  destroy(): void {
    if (this.#client.isOpen) this.#client.destroy();
  }

  async #within<T>(answer: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(new Error(`it did not answer within ${this.#answerMs} ms`));
        this.destroy();
      }, this.#answerMs);
    });
    try {
      return await Promise.race([answer, patience]);
    } catch (thrown) {
      const hint = isUntrusted(thrown) ? '; REDIS_TLS_CA tells which certificates are trusted' : '';
      throw unavailable(
        `expected the Redis server at ${shownAddress(this.#address)} to answer, but: ${messageOf(thrown)}${hint}`,
      );
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Whether TLS found nobody whom it trusts behind the server's certificate. */
const isUntrusted = (thrown: unknown): boolean =>
  thrown instanceof Error &&
  'code' in thrown &&
  /SELF_SIGNED_CERT|UNABLE_TO_(GET_ISSUER|VERIFY)/.test(String(thrown.code));
