import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What somebody asked of a peer. */
export interface Asked {
  readonly method: string;
  readonly url: string;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

type Answer = (response: ServerResponse, asked: Asked, request: IncomingMessage) => void;

/** Another server, on this machine: it answers as it is told, and by default with what it was asked, as JSON. */
export class HttpPeer {
  readonly asked: Asked[] = [];
  readonly #server: Server;
  readonly #answers = new Map<string, Answer>();

  constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  /** `127.0.0.1:4711` */
  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Answers requests of that path. */
  on(path: string, answer: Answer): void {
    this.#answers.set(path, answer);
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const { method = '', url = '', headers } = request;
    const asked = { method, url, headers, body: Buffer.concat(pieces) };
    this.asked.push(asked);
    const answer = this.#answers.get(url.split('?')[0] ?? '') ?? echo;
    answer(response, asked, request);
  }
}

const echo: Answer = (response, { method, url, headers, body }) => {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ method, url, headers, body: body.toString('latin1') }));
};
