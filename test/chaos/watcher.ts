import { EventReader } from '../graphql/support/event-reader.js';
import type { Random } from '../support/random.js';
import type { Arena } from './arena.js';
import { sleep } from './ledger.js';

/** What is followed: the subscription, and what of an event names it. */
const FOLLOWED = {
  started:
    'subscription ($after: String) { event: processStarted(definitionKey: "load", after: $after) { processInstance { id } } }',
  ended:
    'subscription ($after: String) { event: processEnded(definitionKey: "load", after: $after) { processInstance { id } } }',
  made: 'subscription ($after: String) { event: nodeChanged(path: "/content", deep: true, after: $after) { eventType path } }',
} as const;

interface Event {
  readonly processInstance?: { readonly id: string };
  readonly eventType?: string;
  readonly path?: string;
}

/** Follows what happens on live streams from a position on, and goes on behind the last event whenever a stream ends. */
export class Watcher {
  readonly #arena: Arena;
  readonly #userId: string;
  readonly #cutAfterMs: () => number;
  /** What was delivered, in order: ids of instances, paths of nodes that were made. */
  readonly seen: Record<keyof typeof FOLLOWED, string[]> = { started: [], ended: [], made: [] };
  readonly violations: string[] = [];
  readonly #readers = new Set<EventReader>();
  #closed = false;
  reconnects = 0;

  /** `random`: the streams are cut again and again by the client, too. */
  constructor(arena: Arena, userId: string, after: string, random?: Random) {
    this.#arena = arena;
    this.#userId = userId;
    this.#cutAfterMs = () => (random === undefined ? Number.POSITIVE_INFINITY : 100 + random.below(700));
    for (const kind of ['started', 'ended', 'made'] as const) void this.#follow(kind, after);
  }

  close(): void {
    this.#closed = true;
    for (const reader of this.#readers) reader.close();
  }

  async #follow(kind: keyof typeof FOLLOWED, from: string): Promise<void> {
    let after = from;
    while (!this.#closed) {
      try {
        after = await this.#readOn(kind, after);
      } catch {
        // The server is gone for now.
      }
      this.reconnects++;
      await sleep(30);
    }
  }

  /** Reads one stream to its end; gives the position of its last event. */
  async #readOn(kind: keyof typeof FOLLOWED, from: string): Promise<string> {
    let after = from;
    const { url, headers } = this.#arena.client(this.#userId);
    const reader = await EventReader.open(url, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json', Accept: 'text/event-stream' },
      body: JSON.stringify({ query: FOLLOWED[kind], variables: { after } }),
    });
    const cutMs = this.#cutAfterMs();
    const cut = Number.isFinite(cutMs) ? setTimeout(() => reader.close(), cutMs) : undefined;
    this.#readers.add(reader);
    try {
      for (;;) {
        const frame = await reader.next();
        if (frame === undefined || frame.event === 'complete') return after;
        if (frame.event !== 'next') continue;
        this.#take(kind, frame.data ?? '');
        after = frame.id ?? after;
      }
    } finally {
      clearTimeout(cut);
      this.#readers.delete(reader);
      reader.close();
    }
  }

  #take(kind: keyof typeof FOLLOWED, text: string): void {
    const { data, errors } = JSON.parse(text) as { data?: { event?: Event } | null; errors?: unknown };
    if (errors !== undefined) {
      const code = JSON.stringify(errors);
      // A stream that begins while the server is not there for it is begun again.
      if (/UNAVAILABLE|RATE_LIMITED/.test(code)) return;
      this.violations.push(`the stream '${kind}' said ${code}`);
      return this.close();
    }
    const event = data?.event;
    if (kind !== 'made') this.seen[kind].push(event?.processInstance?.id ?? '');
    else if (event?.eventType === 'CREATED') this.seen.made.push(event.path ?? '');
  }
}
