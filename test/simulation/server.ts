import { type DomainClock, SteadyClock } from '../../src/shared/clock.js';
import { served } from '../../src/shared/thread-service.js';
import type { Time } from '../../src/shared/time.js';
import { LogPatience } from '../../src/store/decide/outbox.js';
import { LocalLog } from '../../src/store/log/local-log.js';
import type { Log } from '../../src/store/log/log.js';
import { RedisLog } from '../../src/store/log/redis-log.js';
import type { OpeningLink, RedisLink, RedisPort, RedisStreamsPort } from '../../src/store/log/redis-port.js';
import { ReplicaRequests } from '../../src/store/log/replica-requests.js';
import { ReplicaThread } from '../../src/store/log/replica-thread.js';
import { LogWriter } from '../../src/store/log/writer.js';
import { WriterRequests } from '../../src/store/log/writer-requests.js';
import { Partition } from '../../src/store/partition/partition.js';
import { Replica } from '../../src/store/replica.js';
import type { Database } from '../../src/store/sqlite.js';
import type { RedisModel } from '../support/redis-model/redis-model.js';
import { callerNamed } from '../support/test-domain.js';
import { collections, greet, operations, work } from './domain.js';
import type { Faults } from './faults.js';
import { faultyDatabase } from './faulty-database.js';
import type { Life, Scheduler } from './scheduler.js';
import { SimThread } from './sim-thread.js';
import { connect, STAGE, shapes } from './stage.js';

/** How long the log may take for an answer in a story, ms. */
export const ANSWER_MS = 1_500;

export interface ServerParts {
  readonly scheduler: Scheduler;
  readonly faults: Faults;
  /** null: the embedded log. */
  readonly redis: RedisModel | null;
  readonly wrong: (what: string) => void;
}

/** A server's process: a partition and what it runs on, until it is killed or closed. */
export class SimServer {
  readonly life: Life;
  readonly #parts: ServerParts;
  readonly #time: Time;
  readonly #log: Log;
  readonly #threads = new Set<SimThread>();
  readonly #database = connect();
  readonly #replica = new Replica(this.#database);
  readonly #ends: (() => void)[] = [];
  #partition: Partition | null = null;

  constructor(parts: ServerParts, number: number) {
    this.#parts = parts;
    this.life = { name: `server ${number}`, isDead: false };
    this.#time = parts.scheduler.time(this.life);
    this.#log = parts.redis === null ? this.#localLog() : this.#redisLog(parts.redis, this.#replica);
  }

  get partition(): Partition {
    if (this.#partition === null) throw new Error('the partition is not open');
    return this.#partition;
  }

  /** Opens the log as a start does, then begins. */
  async begin(): Promise<void> {
    if (this.#parts.redis !== null) await this.#log.recover();
    this.#partition = this.#makePartition();
    await this.#partition.begin();
  }

  /** Its threads end by themselves, while nothing may have been asked of them. */
  endThreads(): void {
    for (const thread of this.#threads) thread.die('it ended by itself');
  }

  /** kill -9: nothing of it happens any more, and nobody is told. */
  kill(): void {
    this.#parts.scheduler.note(`${this.life.name} is killed`);
    this.life.isDead = true;
    for (const thread of this.#threads) thread.kill();
    this.#parts.redis?.cut();
    for (const end of this.#ends) end();
    closed(this.#database);
  }

  onKill(end: () => void): void {
    this.#ends.push(end);
  }

  #makePartition(): Partition {
    const { scheduler, wrong } = this.#parts;
    const time = this.#time;
    const clock: DomainClock = new SteadyClock({ wall: time.now, monotonic: time.monotonic });
    const running = new Map<string, string>();
    return new Partition({
      id: 'p',
      workspace: 'p',
      log: this.#log,
      replica: this.#replica,
      collections,
      clock,
      time,
      patience: new LogPatience(ANSWER_MS),
      automatic: true,
      jobSlots: scheduler.random.between(1, 4),
      callerOf: callerNamed,
      operations,
      evaluators: { number: () => this.#answered() },
      jobTypes: [work({ time, random: scheduler.random, running, wrong })],
      reactions: [greet],
    });
  }

  /** An ask is answered after a while, or fails. */
  #answered(): Promise<number> {
    const { random } = this.#parts.scheduler;
    return new Promise((resolve, reject) => {
      this.#time.after(random.below(100), () => {
        if (random.chance(0.1)) reject(new Error('nobody knows'));
        else resolve(random.between(1, 9));
      });
    });
  }

  #thread(name: string, begin: ConstructorParameters<typeof SimThread>[0]['begin']): SimThread {
    const { scheduler, faults } = this.#parts;
    const thread = new SimThread({ scheduler, faults, life: this.life, name, begin });
    this.#threads.add(thread);
    return thread;
  }

  #localLog(): Log {
    const { faults } = this.#parts;
    const startWriter = () => {
      const thread = this.#thread('writer', (reply) => {
        const real = connect();
        const writer = new LogWriter(
          faultyDatabase(real, faults, () => thread.die('a fault')),
          shapes,
        );
        return { take: served(new WriterRequests(writer), reply), end: () => closed(real) };
      });
      return thread;
    };
    return new LocalLog({ time: this.#time, startWriter });
  }

  #redisLog(redis: RedisModel, replica: Replica): Log {
    const replicas = new ReplicaThread(() => this.#replicaThread(redis));
    return new RedisLog({
      address: { at: { path: 'nowhere' }, username: undefined, password: undefined, database: 0 },
      ports: { redis: portOf(redis, [this.life]), replicas, time: this.#time },
      partition: 'p',
      holder: 'server',
      path: STAGE,
      replica,
      shapes,
      leaseMs: 10_000,
      answerMs: ANSWER_MS,
      connected: async () => {},
    });
  }

  #replicaThread(redis: RedisModel): SimThread {
    const { faults } = this.#parts;
    const thread = this.#thread('replica', (reply, inner) => {
      const opened: Database[] = [];
      const open = () => {
        const real = connect();
        opened.push(real);
        return faultyDatabase(real, faults, () => thread.die('a fault'));
      };
      const links: RedisLink[] = [];
      const port = portOf(redis, [this.life, inner], links);
      const requests = new ReplicaRequests(
        () => port,
        (news) => reply({ news }),
        open,
      );
      const end = () => {
        for (const link of links) link.close();
        for (const database of opened) closed(database);
      };
      return { take: served(requests, reply), end };
    });
    return thread;
  }
}

/** As a connection that ends with its thread: what was begun comes to nothing. */
function closed(database: Database): void {
  if (!database.isOpen) return;
  if (database.isTransaction) database.exec('ROLLBACK');
  database.close();
}

/** The connections of a process, or of a thread of it: when that is dead, nothing is sent any more. */
function portOf(redis: RedisModel, lives: readonly Life[], links: RedisLink[] = []): RedisPort & RedisStreamsPort {
  const isDead = () => lives.some((life) => life.isDead);
  const kept = <L extends RedisLink>(link: L): L => {
    links.push(link);
    return link;
  };
  return {
    name: 'the simulated Redis',
    load: async () => {},
    connect: () => (isDead() ? deadLink : kept(redis.port.connect())),
    reader: (comesBack) => (isDead() ? deadLink : kept(redis.port.reader(comesBack))),
  };
}

const never = new Promise<never>(() => {});
const deadLink: OpeningLink = { isOpen: false, opened: never, send: () => never, close: () => {} };
