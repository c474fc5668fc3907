import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { log } from '../shared/log.js';
import type { Phase } from './http/front.js';

/** One thing to be closed at the end. */
export interface Closing {
  /** As the log calls it. */
  readonly name: string;
  close(): Promise<void> | void;
}

/** Parts of a server that a lifecycle drains and closes. */
interface LifecycleParts {
  readonly server: Server;
  /** How long calls in flight may take. */
  readonly drainTimeoutMs: number;
  /** Ends streams and lets running work finish; called once, when the server has stopped listening. */
  readonly drain: () => Promise<void>;
  /** Closed one after the other, in this order, when calls and work are done. */
  readonly closings: readonly Closing[];
}

/** How far a server is, and its orderly end. */
export class Lifecycle {
  #phase: Phase = 'starting';
  #ended: Promise<boolean> | undefined;
  readonly #parts: LifecycleParts;
  readonly #inFlight = new InFlight<ServerResponse>();
  readonly #sockets = new Set<Socket>();

  constructor(parts: LifecycleParts) {
    this.#parts = parts;
    parts.server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    parts.server.on('request', (_req, res) => {
      this.#inFlight.add(res);
      res.once('close', () => this.#inFlight.delete(res));
    });
  }

  get phase(): Phase {
    return this.#phase;
  }

  /** From now on the server takes calls. */
  ready(): void {
    if (this.#phase === 'starting') this.#phase = 'ready';
  }

  /**
   * Ends the server: it is no longer ready, stops listening, lets calls in flight finish for as long as the drain may take, and closes everything
   * in order. True when all could be closed; calls that took too long are cut off. Asked again, it is the same end.
   */
  end(): Promise<boolean> {
    this.#ended ??= this.#end();
    return this.#ended;
  }

  async #end(): Promise<boolean> {
    this.#phase = 'draining';
    const startedAt = performance.now();
    const drained = await this.#drain();
    let well = true;
    for (const closing of this.#parts.closings) well = (await closed(closing)) && well;
    log.info({ ms: Math.round(performance.now() - startedAt), inTime: drained }, 'the server has stopped');
    return well;
  }

  /** Whether everything was done in time. */
  async #drain(): Promise<boolean> {
    const { server, drain, drainTimeoutMs } = this.#parts;
    const closedAll = new Promise<void>((resolve) => server.close(() => resolve()));
    // Browsers connect ahead of what they may ask; Node does not count such a connection among the idle ones.
    for (const socket of this.#sockets) if (socket.bytesRead === 0) socket.destroy();
    // A connection that is kept alive would hold the server open after its answer.
    for (const res of this.#inFlight) if (!res.headersSent) res.shouldKeepAlive = false;
    const work = drain().catch((error: unknown) => log.error({ err: error }, 'draining failed'));
    const tooLate = new AbortController();
    const inTime = await Promise.race([
      Promise.all([closedAll, work]).then(() => true),
      pause(drainTimeoutMs, false, { signal: tooLate.signal }),
    ]);
    tooLate.abort();
    if (!inTime) {
      log.warn({ calls: this.#inFlight.size }, 'calls in flight took longer than the drain may take, and are cut off');
      server.closeAllConnections();
    }
    return inTime;
  }
}

/** How long one thing may take to close; what hangs must not keep the others from closing. */
const CLOSE_TIMEOUT_MS = 5000;

async function closed({ name, close }: Closing): Promise<boolean> {
  const tooLate = new AbortController();
  try {
    return await Promise.race([
      Promise.resolve(close()).then(() => true),
      pause(CLOSE_TIMEOUT_MS, undefined, { signal: tooLate.signal }).then(() => {
        throw new Error(`expected it to close within ${CLOSE_TIMEOUT_MS} ms`);
      }),
    ]);
  } catch (error) {
    log.error({ err: error, closing: name }, 'something could not be closed');
    return false;
  } finally {
    tooLate.abort();
  }
}

const PLACE = Symbol('its place among those in flight');

type Placed = { [PLACE]?: number };

/**
 * Things that come and go by the thousand, each an object. A Set of them is rehashed again and again, and each table that it leaves keeps what was in flight then, and the next
 * table, until a full collection of garbage: requests that are answered later than they come would nearly all grow old.
 */
export class InFlight<T extends object> implements Iterable<T> {
  readonly #all: (T & Placed)[] = [];

  get size(): number {
    return this.#all.length;
  }

  add(one: T): void {
    (one as Placed)[PLACE] = this.#all.length;
    this.#all.push(one);
  }

  /** What is not there is left as it is. */
  delete(one: T): void {
    const place = (one as Placed)[PLACE];
    const last = this.#all.at(-1);
    if (place === undefined || last === undefined || this.#all[place] !== one) return;
    this.#all[place] = last;
    last[PLACE] = place;
    this.#all.pop();
    (one as { [PLACE]?: number | undefined })[PLACE] = undefined;
  }

  [Symbol.iterator](): Iterator<T> {
    return [...this.#all].values();
  }
}
