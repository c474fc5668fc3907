import assert from 'node:assert/strict';
import { DELIVERIES_PER_TURN, DeliveryTurns } from '../../src/graphql/sse/delivery-turns.js';
import { EventReader } from './support/event-reader.js';
import { ManualTimers } from './support/manual-timers.js';
import { asJson, startServer } from './support/test-server.js';

const STREAMS = 40 * DELIVERIES_PER_TURN;

/** Timers whose turns of the event loop are the test's. */
class TurnTimers extends ManualTimers {
  #next: (() => void)[] = [];

  override soon(next: () => void): void {
    this.#next.push(next);
  }

  async turn(): Promise<void> {
    for (const next of this.#next.splice(0)) next();
    await Promise.resolve();
  }
}

describe('deliveries to streams', () => {
  it('go at once as long as they are few', () => {
    const turns = new DeliveryTurns(new TurnTimers());
    for (let n = 0; n < DELIVERIES_PER_TURN; n++) assert.equal(turns.next(), undefined);
    assert.notEqual(turns.next(), undefined);
  });

  it('are so many in each turn of the event loop, in their order', async () => {
    const timers = new TurnTimers();
    const turns = new DeliveryTurns(timers);
    const delivered: number[] = [];
    const deliver = async (n: number) => {
      await turns.next();
      delivered.push(n);
    };
    const all = Array.from({ length: 3 * DELIVERIES_PER_TURN }, (_, n) => deliver(n));
    await Promise.resolve();
    for (const share of [1, 2, 3]) {
      assert.equal(delivered.length, share * DELIVERIES_PER_TURN);
      await timers.turn();
    }
    await Promise.all(all);
    assert.deepEqual(
      delivered,
      [...delivered].sort((a, b) => a - b),
    );
    await timers.turn();
    assert.equal(turns.next(), undefined, 'they are few again');
  });

  it('of one event to many streams let a request pass, and each stream has all events in their order', async () => {
    let delivered = 0;
    const deliveredAt: number[] = [];
    const server = await startServer({
      streamLimits: { streamsPerSessionMax: STREAMS, streamsMax: STREAMS },
      context: (facts) => {
        if (facts.atLeast !== undefined) delivered++;
        if (facts.variables.isRequest === true) deliveredAt.push(delivered);
        return Object.assign({ position: () => undefined }, facts);
      },
    });
    const open = () =>
      EventReader.open(server.url, {
        method: 'POST',
        headers: { ...asJson, accept: 'text/event-stream' },
        body: JSON.stringify({ query: 'subscription { ticked { text } }' }),
      });
    const streams: EventReader[] = [];
    while (streams.length < STREAMS) streams.push(...(await Promise.all(Array.from({ length: 20 }, open))));
    for (const text of ['one', 'two']) server.workspace.feed.append('a', text);
    await server.ask('query ($isRequest: Boolean!) { greet(name: "Ann") thing @skip(if: $isRequest) { id } }', {
      isRequest: true,
    });
    for (const stream of streams) assert.deepEqual(await stream.texts(2), ['one', 'two']);
    assert.equal(delivered, 2 * STREAMS);
    assert.ok((deliveredAt[0] ?? delivered) < delivered, `after ${deliveredAt[0]} of ${delivered} deliveries`);
    for (const stream of streams) stream.close();
    await server.close();
  }).timeout(60_000);
});
