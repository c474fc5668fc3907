import type { HttpFront, HttpMount, HttpReply, HttpRequest } from '../../component/http-front.js';
import { MountTable } from '../../component/mount-table.js';
import { Batch } from './batch.js';
import { type HttpFromRoutes, type HttpToRoutes, STREAM, type StreamMessage } from './messages.js';
import { bytesAsText, packedReply, textAsBytes, unpackedRequest } from './packed-head.js';
import { StreamSource, StreamTarget } from './stream-window.js';

/** The server's front as the routes' thread has it: what is mounted is told, and what comes is served. */
export class ThreadFront implements HttpFront {
  readonly #tell: (messages: readonly HttpFromRoutes[]) => void;
  readonly #batch: Batch<HttpFromRoutes>;
  readonly #table = new MountTable<HttpMount>();
  readonly #mounts = new Map<number, HttpMount>();
  /** Bodies of requests, and of answers, that go on. */
  readonly #requests = new Map<number, StreamTarget>();
  readonly #replies = new Map<number, StreamSource>();
  #last = 0;

  constructor(tell: (messages: readonly HttpFromRoutes[]) => void) {
    this.#tell = tell;
    this.#batch = new Batch(tell);
  }

  mount(mount: HttpMount): () => void {
    const takeAway = this.#table.mount(mount);
    const id = ++this.#last;
    const { path, methods, isOpen, routeId } = mount;
    this.#mounts.set(id, mount);
    // At once: before it is told that the route has started, or has stopped.
    this.#tell([{ kind: 'mount', mount: id, place: { path, methods, isOpen, routeId } }]);
    return () => {
      takeAway();
      if (this.#mounts.delete(id)) this.#tell([{ kind: 'unmount', mount: id }]);
    };
  }

  take(message: HttpToRoutes): void {
    if (message.kind === 'request') this.#serve(message);
    else if (message.of === 'request') this.#requests.get(message.id)?.take(message);
    else {
      this.#replies.get(message.id)?.take(message);
      if (message.kind === 'enough') this.#over(message.id);
    }
  }

  #send(message: HttpFromRoutes): void {
    this.#batch.add(message);
  }

  #serve({ id, slot, mount: to, head, body }: HttpToRoutes & { readonly kind: 'request' }): void {
    const mount = this.#mounts.get(to);
    if (mount === undefined) return this.#send(unserved(id, slot));
    const whole = typeof body === 'string' ? textAsBytes(body) : null;
    const request: HttpRequest = { ...unpackedRequest(head), body: body === STREAM ? this.#bodyOf(id) : whole };
    mount.serve(request).then(
      (reply) => this.#reply(id, slot, reply),
      () => this.#send(failed(id, slot)),
    );
  }

  #bodyOf(id: number): StreamTarget {
    const target = new StreamTarget((step) => this.#send({ id, of: 'request', ...step } as StreamMessage));
    this.#requests.set(id, target);
    return target;
  }

  #reply(id: number, slot: number, { status, headers, body }: HttpReply): void {
    const head = packedReply({ status, headers });
    const isStream = body !== null && typeof body !== 'string' && !(body instanceof Uint8Array);
    if (!isStream) this.#leave(id);
    if (body === null || typeof body === 'string') this.#send({ kind: 'reply', id, slot, head, body, isBytes: false });
    else if (body instanceof Uint8Array)
      this.#send({ kind: 'reply', id, slot, head, body: bytesAsText(body), isBytes: true });
    else {
      this.#send({ kind: 'reply', id, slot, head, body: STREAM, isBytes: true });
      const source = new StreamSource(body, (step) => {
        if (step.kind === 'end') this.#over(id);
        this.#send({ id, of: 'reply', ...step } as StreamMessage);
      });
      this.#replies.set(id, source);
    }
  }

  #over(id: number): void {
    this.#replies.delete(id);
    this.#leave(id);
  }

  /** What the route left of the request is read by nobody. */
  #leave(id: number): void {
    this.#requests.get(id)?.leave();
    this.#requests.delete(id);
  }
}

/** The route was stopped while the request was on its way. */
const unserved = (id: number, slot: number): HttpFromRoutes => ({
  kind: 'reply',
  id,
  slot,
  head: '503',
  body: null,
  isBytes: false,
});

/** A fault of ours: what fails in routes is an answer. */
const failed = (id: number, slot: number): HttpFromRoutes => ({
  kind: 'reply',
  id,
  slot,
  head: '500',
  body: null,
  isBytes: false,
});
