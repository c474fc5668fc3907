import type { ServerResponse } from 'node:http';
import { systemClock } from '../../shared/clock.js';
import { streamConnections } from '../../shared/metrics.js';
import type { Timer, Timers } from '../../shared/time.js';
import type { StreamLimits } from '../limits.js';
import { heartbeatFrame } from './frame-log.js';

/** Why a connection ended: the client went, the client is too slow, the session is over, or the server wanted it so. */
export type CloseReason = 'client' | 'slow' | 'session' | 'server';

/** Options of a connection besides its response. */
interface EventConnectionOptions {
  readonly limits: StreamLimits;
  readonly timers: Timers;
  /** Asked at each heartbeat and each {@link EventConnection.look}: whether the session still stands. A throw ends the connection, not the session. */
  readonly stillValid: () => boolean | Promise<boolean>;
  /** When what the client was signed in by ends by itself, ms UTC: asked again then. Undefined: never. */
  readonly expiresAt: number | undefined;
  /** The id that a heartbeat carries. */
  readonly heartbeatId: () => string | undefined;
  /** Called once. `unsent`: frames that were never written. */
  readonly onClose: (reason: CloseReason, unsent: number) => void;
}

/** One open response of events: writes frames in order, with a bounded queue for a slow client, and a heartbeat. */
export class EventConnection {
  readonly #response: ServerResponse;
  readonly #options: EventConnectionOptions;
  readonly #pending: string[] = [];
  #isBlocked = false;
  #isClosed = false;
  #isFinishing = false;
  #free: Deferred | undefined;
  #stuck: Timer | undefined;
  #heartbeat: Timer | undefined;
  #expiry: Timer | undefined;

  constructor(response: ServerResponse, options: EventConnectionOptions) {
    this.#response = response;
    this.#options = options;
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    });
    streamConnections.add(1);
    response.flushHeaders(); // a client may wait for the open connection before it posts its operations
    response.once('close', () => this.#close('client'));
    response.on('error', () => this.#close('client'));
    this.#awaitHeartbeat();
    this.#awaitExpiry();
  }

  /** Whether frames still go out. */
  get isOpen(): boolean {
    return !this.#isClosed;
  }

  /** Writes a frame, or keeps it until the client has taken what is before it. One frame too many closes the connection. */
  send(frame: string): void {
    if (this.#isClosed) return;
    if (!this.#isBlocked) this.#write(frame);
    else if (this.#pending.length < this.#options.limits.pendingFramesMax) this.#pending.push(frame);
    else this.#close('slow', 1);
  }

  /** Resolves when the client has taken what was sent, or the connection is over; undefined when there is nothing to wait for. */
  whenFree(): Promise<void> | undefined {
    if (this.#isClosed || !this.#isBlocked) return undefined;
    this.#free ??= deferred();
    return this.#free.promise;
  }

  /** Ends the connection once the client has taken everything. */
  finish(): void {
    this.#isFinishing = true;
    if (!this.#isBlocked) this.#close('server');
  }

  /** Ends the connection now; what is still pending is not sent. */
  end(reason: CloseReason): void {
    this.#close(reason);
  }

  #write(frame: string): void {
    if (this.#response.write(frame)) return;
    this.#isBlocked = true;
    this.#stuck = this.#options.timers.after(this.#options.limits.stuckWriteMs, () => this.#close('slow'));
    this.#response.once('drain', () => this.#flush());
  }

  #flush(): void {
    this.#stuck?.cancel();
    this.#isBlocked = false;
    while (!this.#isBlocked && !this.#isClosed) {
      const frame = this.#pending.shift();
      if (frame === undefined) break;
      this.#write(frame);
    }
    if (this.#isBlocked) return;
    this.#setFree();
    if (this.#isFinishing) this.#close('server');
  }

  #setFree(): void {
    this.#free?.resolve();
    this.#free = undefined;
  }

  #awaitHeartbeat(): void {
    this.#heartbeat = this.#options.timers.after(this.#options.limits.heartbeatMs, () => void this.#beat());
  }

  #awaitExpiry(): void {
    const { expiresAt, timers } = this.#options;
    if (expiresAt === undefined) return;
    const left = Math.max(EXPIRY_LOOK_MS, expiresAt - systemClock.now());
    // The clock may be set meanwhile, and no timer is as long as a year.
    this.#expiry = timers.after(Math.min(left, HOUR_MS), () => void this.#lookAtExpiry());
  }

  async #lookAtExpiry(): Promise<void> {
    if (systemClock.now() >= (this.#options.expiresAt ?? 0)) await this.look();
    if (!this.#isClosed) this.#awaitExpiry();
  }

  /** Ends the connection unless its session still stands. */
  async look(): Promise<void> {
    const isValid = await this.#isStillValid();
    if (isValid !== true) this.#close(isValid === false ? 'session' : 'client');
  }

  async #beat(): Promise<void> {
    await this.look();
    if (this.#isClosed) return;
    if (!this.#isBlocked) this.#write(heartbeatFrame(this.#options.heartbeatId()));
    this.#awaitHeartbeat();
  }

  async #isStillValid(): Promise<boolean | undefined> {
    try {
      return await this.#options.stillValid();
    } catch {
      return undefined; // nobody can tell now: the client comes back and is asked for its session then
    }
  }

  #close(reason: CloseReason, refused = 0): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    streamConnections.add(-1);
    this.#stuck?.cancel();
    this.#heartbeat?.cancel();
    this.#expiry?.cancel();
    // A client that does not read would keep an orderly end waiting for ever.
    if (reason === 'slow' || this.#isBlocked) this.#response.destroy();
    else this.#response.end();
    this.#setFree();
    this.#options.onClose(reason, this.#pending.length + refused);
  }
}

const HOUR_MS = 3_600_000;
/** How soon an expiry is looked at again that the clock of others has not come to. */
const EXPIRY_LOOK_MS = 200;

/** A promise that is settled from outside. */
export interface Deferred {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

export function deferred(): Deferred {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
