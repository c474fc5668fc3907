import { messageOf, unavailable } from '../../shared/errors.js';
import { systemTime, type Time, within } from '../../shared/time.js';
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
