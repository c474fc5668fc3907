import { ServiceError } from '../../src/shared/errors.js';
import { pause, type Time } from '../../src/shared/time.js';
import type { AnyOperation } from '../../src/store/decision.js';
import { jobs } from '../../src/store/job/job.js';
import { RedisModel } from '../support/redis-model/redis-model.js';
import { callerNamed } from '../support/test-domain.js';
import { add, addAsked, look, type Order, order, spread } from './domain.js';
import { Faults } from './faults.js';
import { Follower } from './follower.js';
import { check } from './invariants.js';
import { Random } from './random.js';
import { type Life, Scheduler } from './scheduler.js';
import { SimServer } from './server.js';
import { clearStage, lastEvent, storedLines } from './stage.js';

/** Callers are to be answered within so many ms, whatever becomes of the log (and a few more, as time goes on by itself); asks take their own time. */
const ANSWERED_MS = 2_020;
/** What was on its way when the storm ended has arrived by then, and 2 s later everything is well, ms. */
const HEALED_MS = 3_000;
/** A story that is not over by then stands still, ms of its time. */
const STORY_MS = 120_000;
const CALLERS = 4;

/** A call as its caller saw it. */
export interface Call {
  readonly operation: string;
  readonly input: unknown;
  /** The client's key; null: none. */
  readonly key: string | null;
  /** What it was answered at last; null: never. */
  outcome: { readonly answer: unknown; readonly revision: number } | { readonly code: string } | null;
  /** Whether it may have happened although it was not answered so: an answer was UNAVAILABLE, or its server was killed. */
  isUnsure: boolean;
}

/** What a story came to. */
export interface Told {
  readonly seed: number;
  /** What must not be; none: all is well. */
  readonly wrong: readonly string[];
  readonly trace: readonly string[];
  /** How many callbacks it had. */
  readonly steps: number;
  /** How many calls were made. */
  readonly calls: number;
}

/** Plays the story of a seed: callers, jobs, a reaction and streams on one partition, through a storm of faults into the calm behind it. */
export async function playStory(seed: number, isTraced = false): Promise<Told> {
  const story = new Story(seed, isTraced);
  const told = await story.play();
  // Connections are given back to the machine when the event loop has its turn.
  await new Promise((resolve) => setImmediate(resolve));
  return told;
}

class Story {
  readonly #seed: number;
  readonly #random: Random;
  readonly #scheduler: Scheduler;
  readonly #faults: Faults;
  /** The world outside of the server. */
  readonly #world: Life = { name: 'world', isDead: false };
  readonly #time: Time;
  readonly #redis: RedisModel | null;
  /** How far somebody has set the clock of Redis, ms. */
  #redisAhead = 0;
  readonly #wrong: string[] = [];
  readonly #calls: Call[] = [];
  readonly #servers: SimServer[] = [];
  readonly #followers: Follower[];
  /** The server that takes calls; null: there is none just now. */
  #server: SimServer | null = null;
  #isCalm = true;
  /** Whether something was lost that had been answered, as it may be where Redis flushes once a second. */
  #isLossy = false;
  #keys = 0;

  constructor(seed: number, isTraced: boolean) {
    this.#seed = seed;
    this.#random = new Random(seed);
    this.#scheduler = new Scheduler(this.#random, isTraced ? [] : null);
    this.#time = this.#scheduler.time(this.#world);
    this.#faults = new Faults(this.#scheduler);
    clearStage(this.#time);
    this.#redis = this.#random.chance(0.5) ? this.#newRedis() : null;
    this.#followers = [1, 2].map(
      (number) => new Follower({ number, time: this.#time, random: this.#random, server: () => this.#server }),
    );
  }

  async play(): Promise<Told> {
    try {
      await this.#scheduler.run(this.#begun(), STORY_MS);
    } catch (thrown) {
      this.#wrong.push(`the story stands still: ${thrown instanceof Error ? thrown.message : thrown}`);
    }
    this.#scheduler.trace?.push(...storedLines(), ...this.#wrong.map((what) => `WRONG: ${what}`));
    for (const server of this.#servers) server.kill();
    this.#world.isDead = true;
    return {
      seed: this.#seed,
      wrong: this.#wrong,
      trace: this.#scheduler.trace ?? [],
      steps: this.#scheduler.steps,
      calls: this.#calls.length,
    };
  }

  async #begun(): Promise<void> {
    await this.#startServer();
    for (const follower of this.#followers) void follower.follow();
    await this.#callersMake(2);
    const made = this.#callersMake(this.#random.between(3, 12));
    await this.#storm(this.#random.between(200, 5_000));
    await this.#calm();
    await made;
    await this.#idleEnd();
    await this.#callersMake(3);
    await this.#end();
  }

  /** Whoever calls goes on calling. */
  async #storm(ms: number): Promise<void> {
    this.#scheduler.note('the storm begins');
    this.#isCalm = false;
    this.#faults.begin();
    const damage = this.#damage(this.#scheduler.now + ms);
    await pause(this.#time, ms);
    this.#scheduler.note('the storm is over');
    this.#faults.end();
    await damage;
  }

  /** Everything is mended from outside; what is to go on by itself does so in its time. */
  async #calm(): Promise<void> {
    this.#redis?.start();
    this.#redis?.resume();
    this.#redis?.cut();
    if (this.#server === null) await this.#startServer();
    await pause(this.#time, HEALED_MS);
    this.#scheduler.note('it is calm');
    this.#isCalm = true;
  }

  /** Threads end while nobody calls: by the next call they are there again. */
  async #idleEnd(): Promise<void> {
    this.#server?.endThreads();
    await pause(this.#time, HEALED_MS);
  }

  /** What happens to the whole of the server, its disk or its Redis. */
  async #damage(until: number): Promise<void> {
    for (let times = this.#random.below(4); times > 0; times--) {
      await pause(this.#time, this.#random.below(2_000));
      if (this.#scheduler.now > until) return;
      const its = this.#redis === null ? this.#onDisk : this.#onRedis(this.#redis);
      await this.#random.pick([...its, this.#kill, this.#restart, this.#endThreads])();
    }
  }

  readonly #kill = async (): Promise<void> => {
    const server = this.#server;
    this.#server = null;
    server?.kill();
    await pause(this.#time, this.#random.between(1, 500));
    await this.#startServer();
  };

  readonly #restart = async (): Promise<void> => {
    const server = this.#server;
    if (server === null) return;
    this.#server = null;
    this.#scheduler.note(`${server.life.name} is closed`);
    await this.#closes(server);
    server.kill();
    await this.#startServer();
  };

  readonly #endThreads = async (): Promise<void> => this.#server?.endThreads();

  readonly #onDisk = [
    async () => {
      const ms = this.#random.between(100, 3_000);
      this.#faults.fill(ms);
      await pause(this.#time, ms);
    },
  ];

  #onRedis(redis: RedisModel): (() => Promise<void>)[] {
    return [
      async () => {
        this.#scheduler.note('fault: all connections to Redis are cut');
        redis.cut();
      },
      async () => {
        const ms = this.#random.pick([-1, 1]) * this.#random.between(1, 60_000);
        this.#scheduler.note(`fault: the clock of Redis is set by ${ms} ms`);
        this.#redisAhead += ms;
      },
      async () => {
        this.#scheduler.note('fault: Redis stops');
        redis.pause();
        await pause(this.#time, this.#random.between(10, 4_000));
        redis.resume();
      },
      async () => {
        // As it flushes always, or once a second.
        const isLossy = this.#random.chance(0.2);
        const lost = isLossy ? redis.unanswered + this.#random.between(1, 9) : this.#random.below(redis.unanswered + 1);
        this.#scheduler.note(
          `fault: Redis is killed and loses ${lost} changes${isLossy ? '' : ' that nobody was told of'}`,
        );
        this.#isLossy ||= isLossy;
        redis.kill(lost);
        await pause(this.#time, this.#random.between(10, 2_500));
        redis.start();
      },
    ];
  }

  /** Tries until it is there, as whoever looks after a server does. */
  async #startServer(): Promise<void> {
    for (;;) {
      const parts = {
        ...{ scheduler: this.#scheduler, faults: this.#faults, redis: this.#redis },
        // Where history went back, a job may be under way by both.
        wrong: (what: string) => void (this.#isLossy || this.#wrong.push(what)),
      };
      const server = new SimServer(parts, this.#servers.length + 1);
      this.#servers.push(server);
      try {
        await server.begin();
        this.#server = server;
        return;
      } catch (thrown) {
        this.#scheduler.note(
          `${server.life.name} does not start: ${thrown instanceof Error ? thrown.message : thrown}`,
        );
        server.kill();
        if (!isUnavailable(thrown)) throw thrown;
      }
      await pause(this.#time, 100);
    }
  }

  async #callersMake(calls: number): Promise<void> {
    await Promise.all(Array.from({ length: CALLERS }, (_, i) => this.#caller(i, calls)));
  }

  async #caller(number: number, calls: number): Promise<void> {
    for (let made = 0; made < calls; made++) {
      await pause(this.#time, this.#random.below(this.#isCalm ? 30 : 250));
      await this.#call(number);
    }
  }

  async #call(number: number): Promise<void> {
    const [operation, input] = this.#wish();
    const key = this.#random.chance(0.6) ? `key-${number}-${++this.#keys}` : null;
    const call: Call = { operation: operation.name, input, key, outcome: null, isUnsure: false };
    this.#calls.push(call);
    for (;;) {
      const isAnswered = await this.#ask(call, operation);
      if (isAnswered || (key === null && call.isUnsure)) return;
      await pause(this.#time, this.#random.between(10, 300));
    }
  }

  /** Whether it was answered with more than UNAVAILABLE. */
  async #ask(call: Call, operation: AnyOperation): Promise<boolean> {
    const server = this.#server;
    if (server === null) return false;
    const begun = this.#scheduler.now;
    const wasCalm = this.#isCalm;
    const killed = new Promise<never>((_, reject) => server.onKill(() => reject(new Killed())));
    killed.catch(() => {});
    const options = { caller: callerNamed('ann'), ...(call.key !== null && { commandId: call.key }) };
    const sent = server.partition.send(operation, call.input, options);
    sent.catch(() => {});
    try {
      const { answer, revision } = await Promise.race([sent, killed]);
      call.outcome = { answer, revision };
    } catch (thrown) {
      if (!(thrown instanceof ServiceError || thrown instanceof Killed)) this.#wrong.push(`a call failed: ${thrown}`);
      const code = thrown instanceof ServiceError ? thrown.code : 'UNAVAILABLE';
      if (code !== 'UNAVAILABLE') call.outcome = { code };
      else call.isUnsure = true;
      if (code === 'UNAVAILABLE' && wasCalm) this.#wrong.push(`a call was refused in the calm: ${thrown}`);
    }
    const tookMs = this.#scheduler.now - begun;
    if (operation !== addAsked && tookMs > ANSWERED_MS)
      this.#wrong.push(`a call of '${operation.name}' was answered after ${Math.round(tookMs)} ms`);
    return call.outcome !== null;
  }

  #wish(): [AnyOperation, unknown] {
    const id = () => `c${this.#random.below(4)}`;
    const wishes: (() => [AnyOperation, unknown])[] = [
      () => [add, { id: id(), by: this.#random.between(-3, 5) }],
      () => [add, { id: id(), by: 1 }],
      () => [addAsked, { id: `a${this.#random.below(2)}` }],
      () => [spread, { ids: Array.from({ length: 9 }, (_, i) => `s${(i + this.#random.below(3)) % 12}-${i}`) }],
      () => [look, { id: id() }],
      () => [order, this.#newOrder()],
      () => [order, this.#newOrder()],
    ];
    return this.#random.pick(wishes)();
  }

  #newOrder(): Order {
    const { chance, below, pick } = bound(this.#random);
    return {
      id: `o${this.#calls.length}-${below(1_000_000)}`,
      exclusive: chance(0.5) ? pick(['x', 'y']) : null,
      waitMs: chance(0.5) ? 0 : below(400),
      chain: chance(0.3) ? below(3) : 0,
    };
  }

  /** What is due is done, whoever follows has come to the end, the server closes, and what is stored is as it was told. */
  async #end(): Promise<void> {
    const server = this.#server;
    if (server === null) throw new Error('there is no server in the calm');
    await this.#eventually(
      'what is due is not done',
      () => server.partition.decider.jobs.running === 0 && !hasWork(server),
    );
    await this.#eventually('a stream has not come to the end', () =>
      this.#followers.every((follower) => follower.isAt(lastEvent())),
    );
    const state = server.partition.replica.read({ readMax: 10_000 });
    const kills = this.#servers.length - 1;
    const isLossy = this.#isLossy;
    check({ calls: this.#calls, followers: this.#followers, kills, isLossy, state, wrong: this.#wrong });
    for (const follower of this.#followers) follower.end();
    await this.#closes(server);
  }

  async #closes({ partition }: SimServer): Promise<void> {
    let isClosed = false;
    void partition.close(500).then(() => {
      isClosed = true;
    });
    await this.#eventually('the server does not close', () => isClosed);
  }

  async #eventually(otherwise: string, holds: () => boolean): Promise<void> {
    for (let looks = 0; looks < 300 && !holds(); looks++) await pause(this.#time, 50);
    if (!holds()) this.#wrong.push(otherwise);
  }

  #newRedis(): RedisModel {
    const soon = (work: () => void) => void this.#scheduler.add(this.#world, this.#faults.delay(), 'redis', work);
    const now = () => this.#time.now() + this.#redisAhead;
    return new RedisModel({ now, soon, fault: (words) => this.#faults.redis(words) });
  }
}

class Killed extends Error {}

const isUnavailable = (thrown: unknown) => thrown instanceof ServiceError && thrown.code === 'UNAVAILABLE';

const bound = (random: Random) => ({
  chance: (of: number) => random.chance(of),
  below: (max: number) => random.below(max),
  pick: <T>(list: readonly T[]) => random.pick(list),
});

const hasWork = ({ partition }: SimServer): boolean =>
  partition.replica
    .read({ readMax: 10_000 })
    .range(jobs, 'due', [0], 1_000)
    .some(({ actor }) => actor.value !== 'dead');
