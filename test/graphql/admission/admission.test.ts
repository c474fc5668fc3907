import assert from 'node:assert/strict';
import { Admission } from '../../../src/graphql/admission/admission.js';
import { ServiceError } from '../../../src/shared/errors.js';
import type { Aside } from '../../../src/store/index.js';
import { ManualTimers } from '../support/manual-timers.js';

const LIMITS = { mutationsMax: 2, waitMs: 500, waitingMax: 10_000 };
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Timers whose turns of the event loop are the test's. */
class TurnTimers extends ManualTimers {
  #next: (() => void)[] = [];

  override soon(next: () => void): void {
    this.#next.push(next);
  }

  turn(): void {
    for (const next of this.#next.splice(0)) next();
  }
}

/** Requests, in the order in which they began, each until the test ends it. */
class Requests {
  readonly begun: string[] = [];
  readonly refused: string[] = [];
  readonly #ends = new Map<string, () => void>();
  readonly asides = new Map<string, Aside>();

  /** What a request does: it takes the main thread for as long as `busy` says. */
  work(name: string, busy = () => {}) {
    return (aside: Aside = () => {}) => {
      this.begun.push(name);
      this.asides.set(name, aside);
      busy();
      return new Promise<void>((resolve) => this.#ends.set(name, resolve));
    };
  }

  async end(name: string): Promise<void> {
    this.#ends.get(name)?.();
    await settle();
  }

  /** Notes why it was refused. */
  follow(name: string, answer: Promise<void>): void {
    answer.catch((thrown: unknown) => {
      assert.ok(thrown instanceof ServiceError);
      assert.deepEqual([thrown.code, thrown.info.reason], ['UNAVAILABLE', 'overloaded']);
      this.refused.push(name);
    });
  }
}

describe('admission', () => {
  let timers: TurnTimers;
  let admission: Admission;
  let requests: Requests;
  beforeEach(() => {
    timers = new TurnTimers();
    admission = new Admission(LIMITS, timers);
    requests = new Requests();
  });
  const mutate = (name: string, workspace = 'web') =>
    requests.follow(name, admission.mutation(workspace, requests.work(name)));
  const ask = (name: string, busy?: () => void) => requests.follow(name, admission.query(requests.work(name, busy)));

  it('lets mutations of a workspace begin in their order, so many at once', async () => {
    for (const name of ['a', 'b', 'c', 'd']) mutate(name);
    assert.deepEqual(requests.begun, ['a', 'b']);
    await requests.end('b');
    assert.deepEqual(requests.begun, ['a', 'b', 'c']);
    await requests.end('a');
    assert.deepEqual(requests.begun, ['a', 'b', 'c', 'd']);
  });

  it('keeps neither queries nor other workspaces waiting for them', () => {
    for (const name of ['a', 'b', 'c']) mutate(name);
    ask('query');
    mutate('elsewhere', 'other');
    assert.deepEqual(requests.begun, ['a', 'b', 'query', 'elsewhere']);
  });

  it('counts no mutation that waits for something else, until it goes on', async () => {
    for (const name of ['a', 'b', 'c', 'd']) mutate(name);
    requests.asides.get('a')?.(true);
    requests.asides.get('a')?.(true);
    assert.deepEqual(requests.begun, ['a', 'b', 'c']);
    requests.asides.get('a')?.(false);
    await requests.end('b');
    assert.deepEqual(requests.begun, ['a', 'b', 'c'], 'a has its place again');
    await requests.end('a');
    assert.deepEqual(requests.begun, ['a', 'b', 'c', 'd']);
  });

  it('refuses who has waited for too long, also where nothing goes on', async () => {
    for (const name of ['a', 'b', 'c']) mutate(name);
    timers.advance(450);
    mutate('d');
    timers.advance(51);
    await settle();
    assert.deepEqual(requests.refused, ['c']);
    await requests.end('a');
    assert.deepEqual(requests.begun, ['a', 'b', 'd']);
  });

  it('refuses at once where too many wait', async () => {
    admission = new Admission({ ...LIMITS, waitingMax: 1 }, timers);
    for (const name of ['a', 'b', 'c', 'd']) mutate(name);
    await settle();
    assert.deepEqual(requests.refused, ['d']);
  });

  it('begins queries in slices, between which the event loop turns', () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) ask(name, () => timers.advance(4));
    assert.deepEqual(requests.begun, ['a', 'b', 'c']);
    timers.turn();
    assert.deepEqual(requests.begun, ['a', 'b', 'c', 'd', 'e']);
  });

  it('keeps no mutation waiting for queries', () => {
    ask('busy', () => timers.advance(10));
    for (const name of ['q1', 'q2']) ask(name);
    mutate('m');
    assert.deepEqual(requests.begun, ['busy', 'm']);
    timers.turn();
    assert.deepEqual(requests.begun, ['busy', 'm', 'q1', 'q2']);
  });

  it('refuses at the door what comes late in a long turn of the event loop', () => {
    assert.equal(admission.isFull(false), false);
    timers.advance(250);
    assert.equal(admission.isFull(false), false);
    timers.advance(1);
    assert.equal(admission.isFull(false), true);
    timers.turn();
    assert.equal(admission.isFull(false), false);
  });

  it('refuses none of a few, however long the turn lasts in which they come', () => {
    for (const paused of [0, 251, 10_000]) {
      timers.advance(paused);
      assert.deepEqual([admission.isFull(true), admission.isFull(false)], [false, false]);
      timers.turn();
      assert.equal(admission.isFull(false), false);
      timers.advance(251);
      assert.equal(admission.isFull(true), false, 'a machine that stood still is no flood');
      timers.turn();
    }
  });

  it('refuses at the door of a busy loop where a line stands: who is new, and who comes behind a long line', () => {
    for (const name of ['a', 'b', 'c']) mutate(name);
    timers.advance(450);
    mutate('d');
    assert.equal(admission.isFull(true), false);
    timers.advance(51);
    timers.turn();
    assert.equal(admission.isFull(true), true); // the turn before was a long one
    assert.equal(admission.isFull(false), false);
    timers.advance(24);
    assert.equal(admission.isFull(false), false);
    timers.advance(1);
    assert.equal(admission.isFull(false), true);
  });

  it('has an open door where a line stands for what is not the event loop', () => {
    for (const name of ['a', 'b', 'c']) mutate(name);
    for (let ms = 0; ms < 600; ms++) {
      timers.advance(1);
      if (ms % 10 === 0) mutate(`waits since ${ms}`);
      timers.turn();
      assert.equal(admission.isFull(false), false);
      assert.equal(admission.isFull(true), false);
    }
  });
});

/** What a server did that works at `places` requests, `perSecond` in all, while others were offered. */
interface Told {
  readonly accepted: number;
  readonly refused: number;
  readonly longestMs: number;
}

/** A server of a known capacity under an open loop, in steps of 1 ms of a clock that is nobody's; tells of each second. `atOnce`: what comes first. */
async function simulate(offeredPerSecond: readonly number[], perSecond: number, atOnce = 0): Promise<Told[]> {
  const timers = new ManualTimers();
  const admission = new Admission({ ...LIMITS, mutationsMax: 64 }, timers);
  const inWork: (() => void)[] = [];
  const seconds: Told[] = [];
  let credit = 0;
  let offered = atOnce;
  for (const rate of offeredPerSecond) {
    const told = { accepted: 0, refused: 0, longestMs: 0 };
    seconds.push(told);
    for (let ms = 0; ms < 1_000; ms++) {
      timers.advance(1);
      credit = Math.min(credit + perSecond / 1_000, inWork.length);
      for (; credit >= 1; credit--) inWork.shift()?.();
      for (offered += rate / 1_000; offered >= 1; offered--) {
        const since = timers.monotonic();
        const work = () => new Promise<void>((resolve) => inWork.push(resolve));
        admission.mutation('web', work).then(
          () => {
            told.accepted++;
            told.longestMs = Math.max(told.longestMs, timers.monotonic() - since);
          },
          () => told.refused++,
        );
      }
      await settle();
    }
  }
  return seconds;
}

describe('admission under an open loop', () => {
  it('refuses nothing that the server can do, bursts included', async () => {
    for (const { refused, longestMs } of await simulate([200, 900, 0, 200], 1_000)) {
      assert.equal(refused, 0);
      assert.ok(longestMs <= 100, `${longestMs} ms`);
    }
    const [burst, later] = await simulate([200, 200], 1_000, 400);
    assert.deepEqual([burst?.refused, later?.refused], [0, 0]);
  });

  for (const factor of [1.5, 2, 3, 10]) {
    it(`carries out what the server can do at ${factor} times as much, steadily, and soon`, async () => {
      const capacity = 400;
      const rates = [200, ...Array<number>(8).fill(factor * capacity), 200, 200];
      const [before, ...seconds] = await simulate(rates, capacity);
      const [last, calm] = seconds.splice(-2);
      assert.equal(before?.refused, 0);
      for (const { accepted, longestMs } of seconds) {
        assert.ok(accepted >= 0.9 * capacity, `${accepted}/s`);
        assert.ok(longestMs <= 800, `${longestMs} ms`);
      }
      for (const { longestMs } of seconds.slice(2)) assert.ok(longestMs <= 300, `${longestMs} ms`);
      assert.ok((last?.refused ?? 0) < 100);
      assert.equal(calm?.refused, 0, 'it is over as soon as it is over');
    });
  }
});
