import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Stands between the server and its Redis: passes on, holds back, swallows, cuts. */
export class RedisProxy {
  readonly #server: Server;
  readonly #pairs = new Set<readonly [client: Socket, redis: Socket]>();
  /** Nothing is passed on, and nothing is lost yet. */
  #held = false;
  /** Commands are passed on, replies are not. */
  #swallows = false;

  private constructor(socketPath: string) {
    this.#server = createServer((client) => this.#join(client, connect(socketPath)));
  }

  static async start(socketPath: string): Promise<RedisProxy> {
    const proxy = new RedisProxy(socketPath);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get url(): string {
    return `redis://127.0.0.1:${(this.#server.address() as AddressInfo).port}/0`;
  }

  /** All connections are lost at once. */
  cut(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
  }

  /** Nothing passes until it is released: the network is away, and nobody says so. */
  hold(isHeld: boolean): void {
    this.#held = isHeld;
    for (const pair of this.#pairs)
      for (const socket of pair) {
        if (isHeld) socket.pause();
        else socket.resume();
      }
  }

  /** Replies are lost although what was asked for is done. */
  swallow(isSwallowing: boolean): void {
    this.#swallows = isSwallowing;
  }

  close(): void {
    this.cut();
    this.#server.close();
  }

  #join(client: Socket, redis: Socket): void {
    const pair = [client, redis] as const;
    this.#pairs.add(pair);
    client.on('data', (data) => redis.write(data));
    redis.on('data', (data) => {
      if (!this.#swallows) client.write(data);
    });
    for (const socket of pair) {
      socket.on('error', () => {});
      socket.on('close', () => {
        this.#pairs.delete(pair);
        for (const other of pair) other.destroy();
      });
      if (this.#held) socket.pause();
    }
  }
}
