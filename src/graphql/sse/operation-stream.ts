import { randomBytes, randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { GraphQLFormattedError } from 'graphql';
import { type Caller, haveSameRights } from '../../shared/caller.js';
import { streamResumes } from '../../shared/metrics.js';
import type { Timer } from '../../shared/time.js';
import { annotateSpan } from '../../shared/trace.js';
import type { RunnableOperation } from '../execution/executor.js';
import type { Asked } from '../execution/operation-runner.js';
import type { EarliestPosition } from '../feed-iterator.js';
import { TransportError, unknownToken } from '../http/transport-error.js';
import { type StreamOptions, streamOperation } from './distinct-connection.js';
import { type CloseReason, type Deferred, deferred, EventConnection } from './event-connection.js';
import {
  completeFrame,
  FrameLog,
  nextFrame,
  type ResumePoint,
  readResumePoint,
  writeResumePoint,
} from './frame-log.js';
import { bringerOf, ownerOf, type StreamOwner, type StreamSlot } from './stream-registry.js';
import { type ResultSink, SubscriptionRun } from './subscription-run.js';

/** Options of an {@link OperationStream} besides those of all event streams. */
interface OperationStreamOptions<W> extends StreamOptions<W> {
  readonly earliestPosition: EarliestPosition;
  /** Called once, when the stream is over for good. */
  readonly onDrop: (stream: OperationStream<W>) => void;
}

interface Running<W> {
  readonly runnable: RunnableOperation;
  readonly asked: Asked<W>;
  run: SubscriptionRun<W>;
}

/**
 * The operations of one token in single connection mode. It is reserved until its first connection, attached while there is one, and parked
 * after it: then no source is asked for more, and the client finds everything in order when it comes back. One connection at a time; a new
 * one takes over, for a client notices a broken connection earlier than the server.
 *
 * The rule for ids: results go out in the order in which they are made, which for operations that follow the feed live is its order. The
 * position of a frame's id is the earliest of its own event's and of where every other operation of the stream has come to, so it is never
 * ahead of an event that another operation has yet to deliver.
 */
export class OperationStream<W> implements StreamSlot {
  readonly token = randomUUID();
  readonly owner: StreamOwner;
  readonly #tag = randomBytes(6).toString('hex');
  readonly #options: OperationStreamOptions<W>;
  readonly #operations = new Map<string, Running<W> | AbortController>();
  readonly #log: FrameLog;
  #caller: Caller;
  #connection: EventConnection | undefined;
  #flushed = 0;
  #isDropped = false;
  #dropping: Timer;
  /** Where operations start that a client posts again after it came back with the id of another stream. */
  #resume: { readonly position: string; readonly until: number } | undefined;
  #attached: Deferred = deferred();

  constructor({ caller, address }: Pick<Asked<W>, 'caller' | 'address'>, options: OperationStreamOptions<W>) {
    this.#caller = caller;
    this.#options = options;
    this.owner = ownerOf(caller, address);
    this.#log = new FrameLog(options.limits.replayFramesMax, options.limits.replayCharsMax);
    this.#dropping = options.timers.after(options.limits.reservationMs, () => this.drop());
  }

  get workspace(): string {
    return this.#caller.workspace;
  }

  /** Whether it was reserved by whoever asks: by the same session or token, in the same workspace. */
  isOf(caller: Caller): boolean {
    return this.workspace === caller.workspace && bringerOf(this.#caller) === bringerOf(caller);
  }

  get isIdle(): boolean {
    return this.#connection === undefined;
  }

  /** Connects the client, with everything behind `lastEventId`; without one, with everything that was not sent. @throws 404 when that is gone */
  attach(response: ServerResponse, caller: Caller, lastEventId: string | undefined): void {
    const point = lastEventId === undefined ? undefined : readResumePoint(lastEventId);
    const previous = this.#connection;
    this.#connection = undefined;
    previous?.end('server');
    this.#become(caller);
    const missed = this.#missedSince(point);
    annotateSpan({ 'app.sse.mode': 'single' }); // of the request: its span ends as soon as the stream is open
    this.#dropping.cancel();
    const connection = new EventConnection(response, {
      limits: this.#options.limits,
      timers: this.#options.timers,
      stillValid: () => this.#options.stillValid(this.#caller),
      expiresAt: caller.proof?.expiresAt,
      heartbeatId: () => this.#id(this.#log.last),
      onClose: (reason, unsent) => this.#onClose(connection, reason, unsent),
    });
    this.#connection = connection;
    for (const frame of missed) connection.send(frame);
    this.#attached.resolve();
  }

  /** Refuses one operation more than a stream may have. @throws TransportError 429 */
  refuseBeyondLimit(operationId: string): void {
    const max = this.#options.limits.operationsPerStreamMax;
    if (this.#operations.has(operationId) || this.#operations.size < max) return;
    throw new TransportError(
      429,
      'RATE_LIMITED',
      `expected at most ${max} operations of one event stream, but all of them are running`,
    );
  }

  /** Starts an operation; one that has the same id ends without a word. */
  start(operationId: string, work: RunnableOperation | GraphQLFormattedError[], asked: Asked<W>): void {
    this.remove(operationId);
    if (Array.isArray(work)) {
      this.#next(operationId, JSON.stringify({ errors: work }));
      this.#complete(operationId);
    } else if (work.operation.type === 'subscription') {
      const { after: given, ...fromNow } = asked; // a client may send what it resumed from with each of its operations
      const after = (given === undefined ? undefined : readResumePoint(given).position) ?? this.#resumePosition();
      this.#subscribe(operationId, work, after === undefined ? fromNow : { ...fromNow, after });
    } else this.#execute(operationId, work, asked);
  }

  /** Ends an operation because the client wants no more of it. */
  remove(operationId: string): void {
    const running = this.#operations.get(operationId);
    this.#operations.delete(operationId);
    if (running instanceof AbortController) running.abort();
    else running?.run.stop();
  }

  async look(): Promise<void> {
    try {
      if (await this.#options.stillValid(this.#caller)) this.#become(this.#options.callerNow(this.#caller));
      else this.drop();
    } catch {
      // Nobody can tell now: each event and each heartbeat asks again.
    }
  }

  /** What was told with other rights is not sent again: its operations begin again at the client's place, with the rights of then. */
  #become(caller: Caller): void {
    if (!haveSameRights(this.#caller, caller)) this.#log.clear();
    this.#caller = caller;
  }

  drop(): void {
    if (this.#isDropped) return;
    this.#isDropped = true;
    this.#dropping.cancel();
    for (const operationId of [...this.#operations.keys()]) this.remove(operationId);
    this.#connection?.end('session');
    this.#attached.resolve();
    this.#options.onDrop(this);
  }

  #subscribe(operationId: string, runnable: RunnableOperation, asked: Asked<W>): void {
    const sink: ResultSink = {
      ready: () => this.#ready(),
      next: (result, position) => this.#next(operationId, result, position),
      complete: () => this.#complete(operationId),
      fail: () => this.drop(),
    };
    const run = new SubscriptionRun(this.#options, runnable, asked, sink);
    this.#operations.set(operationId, { runnable, asked, run });
    void run.run();
  }

  /** When events may be asked for: there is a client, and it takes what it is sent. A slow one leaves them in the feed. */
  async #ready(): Promise<void> {
    while (!this.#isDropped) {
      const waiting = this.#connection === undefined ? this.#attached.promise : this.#connection.whenFree();
      if (waiting === undefined) return;
      await waiting;
    }
  }

  #execute(operationId: string, runnable: RunnableOperation, asked: Asked<W>): void {
    const abandoned = new AbortController();
    this.#operations.set(operationId, abandoned);
    const isWanted = () => this.#operations.get(operationId) === abandoned;
    const sink = {
      ready: () => this.#ready(),
      next: (result: string) => isWanted() && this.#next(operationId, result),
      complete: () => isWanted() && this.#complete(operationId),
    };
    const { runner, underWay } = this.#options;
    void underWay.during(this.workspace, () => streamOperation(runner, runnable, asked, sink, abandoned));
  }

  #next(operationId: string, result: string, position?: string): void {
    this.#send((id) => nextFrame(result, id, operationId), position);
  }

  #complete(operationId: string): void {
    this.#operations.delete(operationId);
    this.#send((id) => completeFrame(id, operationId));
  }

  #send(frameOf: (id: string) => string, position?: string): void {
    const frame = frameOf(this.#id(this.#log.last + 1, position));
    this.#log.append(frame, this.#connection !== undefined);
    this.#connection?.send(frame);
  }

  #id(sequence: number, own?: string): string {
    const places = own === undefined ? [] : [own];
    for (const running of this.#operations.values()) {
      const place = running instanceof AbortController ? undefined : running.run.position;
      if (place !== undefined) places.push(place);
    }
    const position = places.length === 0 ? undefined : this.#options.earliestPosition(places);
    return writeResumePoint({ position, stream: this.#tag, sequence });
  }

  /** The frames that the client lacks; where they are gone, its operations begin again at the position that it names. */
  #missedSince(point: ResumePoint | undefined): readonly string[] {
    const isOwn = point === undefined || point.stream === this.#tag;
    const frames = isOwn ? this.#log.after(point?.sequence ?? this.#flushed) : undefined;
    if (frames !== undefined) {
      if (point !== undefined) streamResumes.add(1, { 'sse.resume.outcome': 'hit' });
      return frames;
    }
    if (point?.position === undefined) {
      this.drop();
      throw unknownToken();
    }
    this.#beginAgain(point.position);
    return [];
  }

  #beginAgain(position: string): void {
    const { timers, limits } = this.#options;
    this.#resume = { position, until: timers.monotonic() + limits.reservationMs };
    this.#log.clear();
    for (const [operationId, running] of [...this.#operations]) {
      if (running instanceof AbortController) continue;
      running.run.stop();
      this.#subscribe(operationId, running.runnable, { ...running.asked, after: position });
    }
  }

  #resumePosition(): string | undefined {
    if (this.#resume !== undefined && this.#options.timers.monotonic() > this.#resume.until) this.#resume = undefined;
    return this.#resume?.position;
  }

  #onClose(connection: EventConnection, reason: CloseReason, unsent: number): void {
    if (this.#connection === connection) this.#connection = undefined;
    if (this.#isDropped || this.#connection !== undefined) return;
    this.#flushed = this.#log.last - unsent;
    if (reason === 'session') this.drop();
    else this.#park();
  }

  #park(): void {
    this.#attached = deferred();
    this.#dropping.cancel();
    this.#dropping = this.#options.timers.after(this.#options.limits.parkedMs, () => this.drop());
  }
}
