import { connect, type Socket } from 'node:net';

/** What a call was answered with. */
export interface RawAnswer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly text: string;
}

/** A call without an answer: so many others are under way that it was not sent, or the connection was lost. */
export class NoAnswer extends Error {}

const WARMED_UP_AT_ONCE = 20;

/**
 * Sends requests on connections that are kept; far cheaper than Node's own client, so that a server can be offered several times what it can do from the same
 * machine.
 */
export class RawClient {
  readonly #port: number;
  readonly #head: string;
  readonly #request: Buffer;
  readonly #connectionsMax: number;
  readonly #idle: Connection[] = [];
  #connections = 0;

  /** `headers`: lines that end the head of a POST, without its length. `body`: of what is sent over and over. */
  constructor(url: URL, headers: readonly string[], body: string, connectionsMax = 2_000) {
    this.#port = Number(url.port);
    this.#connectionsMax = connectionsMax;
    const lines = [`POST ${url.pathname} HTTP/1.1`, `host: ${url.host}`, 'content-type: application/json', ...headers];
    this.#head = `${lines.join('\r\n')}\r\ncontent-length: `;
    this.#request = this.requestOf(body);
  }

  /** A request of a body. */
  requestOf(body: string): Buffer {
    return Buffer.from(`${this.#head}${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  /** Makes so many connections ahead, as whoever has asked before has one: a busy server takes one new one in each turn of its event loop. */
  async warmUp(connections: number): Promise<void> {
    while (this.#connections < connections) {
      const made = Array.from({ length: WARMED_UP_AT_ONCE }, () => this.#connect());
      await Promise.all(made.map((connection) => connection.call(this.#request)));
      this.#idle.push(...made);
    }
  }

  /** `request`: default the one of the constructor. @throws NoAnswer */
  async call(request = this.#request): Promise<RawAnswer> {
    let connection = this.#idle.pop();
    while (connection?.isClosed) connection = this.#idle.pop();
    if (connection === undefined) {
      if (this.#connections >= this.#connectionsMax) throw new NoAnswer('not sent');
      connection = this.#connect();
    }
    const answer = await connection.call(request);
    this.#idle.push(connection);
    return answer;
  }

  #connect(): Connection {
    this.#connections++;
    return new Connection(this.#port, () => this.#connections--);
  }

  close(): void {
    for (const connection of this.#idle) connection.close();
  }
}

/** One connection, with one call at a time. */
class Connection {
  readonly #socket: Socket;
  #text = '';
  #isClosed = false;
  #waiting: { resolve(answer: RawAnswer): void; reject(error: Error): void } | undefined;

  constructor(port: number, onClosed: () => void) {
    this.#socket = connect(port, '127.0.0.1').setNoDelay(true).setEncoding('latin1');
    this.#socket.on('data', (text: string) => this.#take(text));
    this.#socket.on('error', () => {});
    this.#socket.once('close', () => {
      this.#isClosed = true;
      this.#waiting?.reject(new NoAnswer('connection lost'));
      onClosed();
    });
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  call(request: Buffer): Promise<RawAnswer> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(text: string): void {
    this.#text += text;
    const end = this.#text.indexOf('\r\n\r\n');
    if (end < 0) return;
    const head = this.#text.slice(0, end);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (this.#text.length < end + 4 + length) return;
    const answer = {
      status: Number(head.slice(9, 12)),
      retryAfter: /retry-after: (\S+)/i.exec(head)?.[1],
      text: this.#text.slice(end + 4, end + 4 + length),
    };
    this.#text = '';
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.resolve(answer);
  }
}
