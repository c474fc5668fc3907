import { unavailable } from '../../../shared/errors.js';
import { activeTraceparent } from '../../../shared/trace.js';
import type { HttpFront, HttpReply, HttpRequest, HttpRequestHead } from '../../component/http-front.js';
import { Batch } from './batch.js';
import { type HttpFromRoutes, type HttpToRoutes, STREAM, type StreamMessage } from './messages.js';
import { bytesAsText, packedRequest, textAsBytes, unpackedReply } from './packed-head.js';
import { StreamSource, StreamTarget } from './stream-window.js';

interface Waiting {
  resolve(reply: HttpReply): void;
  reject(thrown: Error): void;
}

/** The HTTP side of a thread of routes, on the main thread: mounts are made as it tells, requests go over, and answers come back. */
export class HttpCrossing {
  readonly #front: HttpFront;
  readonly #batch: Batch<HttpToRoutes>;
  readonly #mounts = new Map<number, () => void>();
  readonly #waiting = new WaitingSlots<Waiting>();
  readonly #requests = new Map<number, StreamSource>();
  readonly #replies = new Map<number, StreamTarget>();
  #last = 0;

  constructor(front: HttpFront, tell: (messages: readonly HttpToRoutes[]) => void) {
    this.#front = front;
    this.#batch = new Batch(tell);
  }

  take(message: HttpFromRoutes): void {
    switch (message.kind) {
      case 'mount': {
        const { mount, place } = message;
        const serve = (request: HttpRequest) => this.#serve(mount, request);
        this.#mounts.set(mount, this.#front.mount({ ...place, serve }));
        break;
      }
      case 'unmount':
        this.#mounts.get(message.mount)?.();
        this.#mounts.delete(message.mount);
        break;
      case 'reply':
        this.#replied(message);
        break;
      default:
        this.#streamed(message);
    }
  }

  /** The thread has gone: nothing of it is served any more, and whoever waits for it gets the reason. */
  end(reason: Error): void {
    for (const unmount of this.#mounts.values()) unmount();
    this.#mounts.clear();
    for (const { reject } of this.#waiting.takeAll()) reject(unavailable(reason.message));
    for (const source of this.#requests.values()) source.end();
    for (const target of this.#replies.values()) target.end(reason);
  }

  #send(message: HttpToRoutes): void {
    this.#batch.add(message);
  }

  #serve(mount: number, { body, ...head }: HttpRequest): Promise<HttpReply> {
    const id = ++this.#last;
    const isStream = body !== null && !(body instanceof Uint8Array);
    return new Promise((resolve, reject) => {
      const slot = this.#waiting.add({ resolve, reject });
      const whole = isStream ? STREAM : body === null ? null : bytesAsText(body);
      this.#send({ kind: 'request', id, slot, mount, head: packedRequest(traced(head)), body: whole });
      if (isStream) this.#requests.set(id, this.#sourceOf(id, body));
    });
  }

  #sourceOf(id: number, body: AsyncIterable<Uint8Array>): StreamSource {
    return new StreamSource(body, (step) => {
      if (step.kind === 'end') this.#requests.delete(id);
      this.#send({ id, of: 'request', ...step } as StreamMessage);
    });
  }

  #replied({ id, slot, head, body, isBytes }: HttpFromRoutes & { readonly kind: 'reply' }): void {
    const waiting = this.#waiting.take(slot);
    const whole = typeof body === 'string' && isBytes ? textAsBytes(body) : body;
    waiting?.resolve({ ...unpackedReply(head), body: whole === STREAM ? this.#targetOf(id) : whole });
  }

  #targetOf(id: number): StreamTarget {
    const target = new StreamTarget((step) => {
      if (step.kind === 'enough') this.#replies.delete(id);
      this.#send({ id, of: 'reply', ...step } as StreamMessage);
    });
    this.#replies.set(id, target);
    return target;
  }

  #streamed(message: StreamMessage): void {
    const { id, of } = message;
    if (of === 'request') this.#requests.get(id)?.take(message);
    else this.#replies.get(id)?.take(message);
    if (message.kind === 'end') this.#replies.delete(id);
    if (message.kind === 'enough') this.#requests.delete(id);
  }
}

/** The request within the span that the server has of it, which continues that of the client. */
function traced(head: HttpRequestHead): HttpRequestHead {
  const traceparent = activeTraceparent();
  if (traceparent === undefined) return head;
  const others = head.headers.filter(([name]) => name.toLowerCase() !== 'traceparent');
  return { ...head, headers: [...others, ['traceparent', traceparent]] };
}

/** Those who wait for an answer, by numbers that are given again when somebody has been answered. So nothing is kept that only a full collection of garbage would free. */
export class WaitingSlots<T> {
  readonly #slots: (T | undefined)[] = [];
  readonly #free: number[] = [];

  add(waiting: T): number {
    const slot = this.#free.pop() ?? this.#slots.length;
    this.#slots[slot] = waiting;
    return slot;
  }

  /** Undefined: nobody waits there any more. */
  take(slot: number): T | undefined {
    const waiting = this.#slots[slot];
    if (waiting === undefined) return undefined;
    this.#slots[slot] = undefined;
    this.#free.push(slot);
    return waiting;
  }

  /** All, who wait no more then. */
  takeAll(): T[] {
    this.#free.length = 0;
    return this.#slots.splice(0).filter((waiting) => waiting !== undefined);
  }
}
