import { commitClientOptions, type RedisAddress, shownAddress } from './redis-address.js';
import type { OpeningLink, RedisPort } from './redis-port.js';

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
