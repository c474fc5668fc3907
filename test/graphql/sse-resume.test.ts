import assert from 'node:assert/strict';
import fc from 'fast-check';
import { EventReader, type Frame } from './support/event-reader.js';
import { asJson, signedIn, startServer } from './support/test-server.js';

/** What happens: a tick about a topic, or the client loses the connection, and the last `unseen` frames with it. */
const steps = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ tick: fc.constantFrom('a', 'b', 'c') }) },
    { weight: 1, arbitrary: fc.record({ unseen: fc.nat(4), newToken: fc.boolean() }) },
  ),
  { maxLength: 25 },
);

type Story = typeof steps extends fc.Arbitrary<infer T> ? T : never;

describe('resuming in single connection mode', () => {
  it('leaves out nothing, whenever the connection breaks; with the same token it repeats nothing either', () =>
    fc.assert(
      fc.asyncProperty(steps, async (story) => {
        const received = await play(story);
        const mayRepeat = story.some((step) => 'newToken' in step && step.newToken);
        for (const topic of ['a', 'b']) {
          const found = received[topic] ?? [];
          const ticks = story.flatMap((step, index) => ('tick' in step && step.tick === topic ? [String(index)] : []));
          assert.deepEqual(mayRepeat ? [...new Set(found)] : found, [...ticks, 'end']);
        }
      }),
      { numRuns: 40 },
    ));
});

/** The texts that reached a client during the story, by topic. */
async function play(story: Story): Promise<Record<string, string[]>> {
  const server = await startServer();
  const client = new Client(server.streamUrl);
  await client.begin();
  for (const [index, step] of story.entries()) {
    if ('tick' in step) server.workspace.feed.append(step.tick, String(index));
    else await client.loseConnection(step.unseen, step.newToken);
  }
  for (const topic of ['a', 'b']) server.workspace.feed.append(topic, 'end');
  const received = await client.receiveUntil('end');
  client.close();
  await server.close();
  return received;
}

/** A client that follows topics `a` and `b`, and reads only what it is told to. */
class Client {
  readonly #url: string;
  #token = '';
  #reader: EventReader | undefined;
  readonly #received: Frame[] = [];

  constructor(url: string) {
    this.#url = url;
  }

  async begin(lastEventId?: string): Promise<void> {
    this.#token = await (await fetch(this.#url, { method: 'PUT', headers: signedIn })).text();
    await this.#connect(lastEventId);
    for (const topic of ['a', 'b']) {
      const body = JSON.stringify({
        query: `subscription { ticked(topic: "${topic}") { text } }`,
        extensions: { operationId: topic },
      });
      await fetch(`${this.#url}?token=${this.#token}`, { method: 'POST', headers: asJson, body });
    }
  }

  /** Forgets the last frames, as if they had been under way, and comes back. */
  async loseConnection(unseen: number, newToken: boolean): Promise<void> {
    this.#received.splice(Math.max(0, this.#received.length - unseen));
    const last = this.#received.at(-1)?.id;
    this.#reader?.close();
    // Without any id a client knows no place: to a new token it would begin with what happens from then on.
    if (newToken && last !== undefined) await this.begin(last);
    else await this.#connect(last ?? '0~none-0');
  }

  async receiveUntil(text: string): Promise<Record<string, string[]>> {
    const texts: Record<string, string[]> = { a: [], b: [] };
    const take = (frame: Frame) => {
      const { id, payload } = JSON.parse(frame.data ?? '');
      texts[id]?.push(payload.data.ticked.text);
    };
    this.#received.forEach(take);
    while (!texts.a?.includes(text) || !texts.b?.includes(text)) {
      const frame = await this.#reader?.next();
      if (frame === undefined) throw new Error('expected more events, but the stream ended');
      take(frame);
    }
    return texts;
  }

  close(): void {
    this.#reader?.close();
  }

  async #connect(lastEventId?: string): Promise<void> {
    const headers = { ...signedIn, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) };
    this.#reader = await EventReader.open(`${this.#url}?token=${this.#token}`, { headers });
  }
}
