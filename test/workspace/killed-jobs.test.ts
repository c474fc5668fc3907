import assert from 'node:assert/strict';
import { cpSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SteadyClock } from '../../src/shared/clock.js';
import { longJobs, type Partition } from '../../src/store/index.js';
import { LocalLogs } from '../../src/store/log/local-logs.js';
import { type Log, LogBroken } from '../../src/store/log/log.js';
import type { Logs, OpenedLog } from '../../src/store/log/logs.js';
import type { TableShape } from '../../src/store/log/schema.js';
import { Store } from '../../src/store/store.js';
import { WorkspaceLifecycle, workspaceDomain, workspaces } from '../../src/workspace/index.js';
import { ensureWorkspaces } from '../../src/workspace/operations.js';
import { modelKit } from '../contract/support/model-kit.js';
import { Changes } from '../support/changes.js';
import { temporaryFolder } from '../support/temporary.js';
import { add, callerNamed, counters } from '../support/test-domain.js';

const admin = { ...callerNamed('admin'), roles: ['administrator'] };

/** Logs of a server that is killed: they do so many steps, and then nothing more. What is stored before a step is what is stored behind the one before. */
class DyingLogs implements Logs {
  readonly killed: Promise<void>;
  readonly done: string[] = [];
  readonly #logs: Logs;
  readonly #stepsMax: number;
  #tell = () => {};
  /** Steps that nobody answers; the machine has the server's memory back when they are given up. */
  readonly #hanging: ((gone: Error) => void)[] = [];
  #counts = false;
  #isDead = false;
  #isBuried = false;

  constructor(logs: Logs, stepsMax: number) {
    this.#logs = logs;
    this.#stepsMax = stepsMax;
    this.killed = new Promise((resolve) => {
      this.#tell = resolve;
    });
  }

  /** From now on steps count. */
  arm(): void {
    this.#counts = true;
  }

  async open(partition: string, shapes: readonly TableShape[], isKnown?: boolean): Promise<OpenedLog> {
    const opened = await this.#step(`open ${partition}`, () => this.#logs.open(partition, shapes, isKnown));
    const { log } = opened;
    const dying: Log = {
      append: (group) => this.#step(`commit ${partition}`, () => log.append(group)),
      recover: () => this.#step(null, () => log.recover()),
      probe: () => this.#step(null, () => log.probe()),
      trim: (revision, before) => this.#step(null, () => log.trim(revision, before)),
      close: () => log.close(),
      ...(log.inFlightMax !== undefined && { inFlightMax: log.inFlightMax }),
    };
    return { ...opened, log: dying };
  }

  remove(partition: string): Promise<void> {
    return this.#step(`remove ${partition}`, () => this.#logs.remove(partition));
  }

  /** What the server was waiting for it waits for no more: nothing of it is left in this process. */
  bury(): void {
    this.#isDead = true;
    this.#isBuried = true;
    for (const reject of this.#hanging.splice(0)) reject(new LogBroken('it was killed'));
  }

  async #step<T>(name: string | null, work: () => Promise<T>): Promise<T> {
    if (this.#isDead) return this.#hang();
    if (name === null || !this.#counts) return work();
    const done = await work();
    this.done.push(name);
    if (this.done.length < this.#stepsMax) return done;
    this.#isDead = true;
    this.#tell();
    return this.#hang();
  }

  #hang<T>(): Promise<T> {
    if (this.#isBuried) return Promise.reject(new LogBroken('it was killed'));
    return new Promise<T>((_, reject) => this.#hanging.push(reject));
  }
}

/** One life of a server that has workspaces and nothing else. */
class Life {
  readonly changes = new Changes();
  readonly store: Store;
  readonly #lifecycle: WorkspaceLifecycle;
  system!: Partition;

  constructor(folder: string, logs: Logs) {
    this.#lifecycle = new WorkspaceLifecycle({
      open: ({ id, name, wasOpened }) => this.store.open(id, name, wasOpened),
      close: ({ id }) => this.store.closePartition(id, 100),
      remove: ({ id }) => this.store.removePartition(id),
    });
    const domain = workspaceDomain(this.#lifecycle);
    this.store = new Store({
      folder,
      logs,
      collections: [...domain.collections, counters],
      operations: [...domain.operations, add],
      longJobs: { types: domain.longJobTypes ?? [] },
      evaluators: {},
      jobTypes: [],
      reactions: [],
      clock: new SteadyClock(),
      jobSlots: 1,
      callerOf: callerNamed,
      followers: () => [{ committed: this.changes.tell }],
      // On a busy machine too: a log that is slow is no log that is away.
      logAnswerMs: 30_000,
      startMs: 30_000,
    });
  }

  async begin(): Promise<this> {
    this.system = await this.store.open('system', 'system');
    await this.system.sendAsSystem(ensureWorkspaces, { names: ['system'] });
    await this.#lifecycle.begin(this.system);
    return this;
  }

  async start(type: string): Promise<string> {
    const { initLongJob, startLongJob } = this.store.longJobs.operations;
    const { jobId } = (await this.system.send(initLongJob, { type }, { caller: admin })).answer;
    await this.system.send(startLongJob, { jobId, type, parameters: { name: 'shop' } }, { caller: admin });
    return jobId;
  }

  /** All jobs that were begun have come to their end: none goes on. */
  async settled(): Promise<string[]> {
    const all = () => this.system.replica.read().range(longJobs, 'created', [0], 100);
    await this.changes.until(() => all().every(({ ended, actor }) => ended !== null || actor.value === 'init'));
    return all().map(({ actor }) => actor.value);
  }

  shop() {
    return this.system.replica.read().find(workspaces, 'name', ['shop'])[0];
  }
}

interface Place {
  readonly folder: string;
  logs(): Logs;
  remove(): Promise<void>;
}

/** Places with nothing in them, or with what `from` has. */
const kits: Readonly<Record<string, (from?: Place) => Promise<Place>>> = {
  'the embedded log': async (from) => {
    const { path: folder, remove } = temporaryFolder();
    if (from !== undefined) cpSync(from.folder, folder, { recursive: true });
    return { folder, logs: () => new LocalLogs(folder), remove: async () => remove() };
  },
  'a model of Redis': () => modelKit.make(),
};

/** What the workspace was before the job, and what it may be behind it, whenever the server was killed; undefined: there is none. */
const jobs = [
  { verb: 'create', before: undefined, behind: 'ONLINE' },
  { verb: 'start', before: 'STOPPED', behind: 'ONLINE' },
  { verb: 'stop', before: 'ONLINE', behind: 'STOPPED' },
  { verb: 'restart', before: 'ONLINE', behind: 'ONLINE' },
  { verb: 'delete', before: 'ONLINE', behind: undefined },
  { verb: 'delete', before: 'STOPPED', behind: undefined },
] as const;

/** Steps that each kind of job comes to. */
const KINDS = {
  create: ['commit system', 'open'],
  start: ['commit system', 'open'],
  stop: ['commit system'],
  restart: ['commit system', 'open'],
  delete: ['commit system', 'remove'],
} as const;

/** How often all steps are walked through, at most: one that was passed by is met by another walk. */
const WALKS_MAX = 5;

for (const [name, make] of Object.entries(kits))
  describe(`a server that is killed while it works at a workspace, on ${name}`, function () {
    this.timeout(120_000);
    let place: Place;
    const lives: { readonly life: Life; readonly logs?: DyingLogs }[] = [];
    const ended = async () => {
      for (const { life, logs } of lives.splice(0)) {
        logs?.bury();
        await life.store.close(0);
      }
    };
    afterEach(async () => {
      await ended();
      await place.remove();
    });

    const live = async (): Promise<Life> => {
      const life = new Life(place.folder, place.logs());
      lives.push({ life });
      return life.begin();
    };

    /** The workspace with a count of one in it, as it was before the job. */
    const prepared = async (before: 'ONLINE' | 'STOPPED' | undefined): Promise<void> => {
      if (before === undefined) return;
      const life = await live();
      await life.start('create-workspace');
      await life.settled();
      await life.store.find(life.shop()?.id ?? '').send(add, { id: 'a', by: 1 }, { caller: admin });
      if (before === 'STOPPED') await life.start('stop-workspace');
      await life.settled();
      await ended();
    };

    /** Runs the job in a server that is killed, as long as it lives; gives what its logs were asked, undefined where it was not killed. */
    const killed = async (verb: string, stepsMax: number): Promise<string[] | undefined> => {
      const logs = new DyingLogs(place.logs(), stepsMax);
      const life = new Life(place.folder, logs);
      lives.push({ life, logs });
      await life.begin();
      logs.arm();
      const job = life.start(`${verb}-workspace`).then(() => life.settled());
      job.catch(() => {});
      const wasKilled = await Promise.race([logs.killed.then(() => true), job.then(() => false)]);
      await ended();
      return wasKilled ? logs.done : undefined;
    };

    for (const { verb, before, behind } of jobs)
      it(`has never half of it: ${verb} of one that ${before === undefined ? 'is not there' : `is ${before}`}`, async () => {
        place = await make();
        const first = place;
        await prepared(before);
        const points: string[] = [];
        const isMet = (kind: string) => points.some((point) => point.startsWith(kind));
        for (let steps = 1, walks = 1; ; steps++) {
          place = await make(first);
          if (place.folder !== first.folder && readdirSync(place.folder).length === 0) await prepared(before);
          const done = await killed(verb, steps);
          points.push(done?.at(-1) ?? 'the end');
          const point = `killed behind step ${steps}, ${points.at(-1)}`;
          const life = await live();
          await life.settled();
          const shop = life.shop();
          // A job that never began has done nothing; one that did is through.
          assert.equal(shop?.actor.value, steps > 1 ? behind : before, point);
          const open = life.store.partitions.map(({ id }) => id);
          assert.deepEqual(open, shop?.actor.value === 'ONLINE' ? ['system', shop.id] : ['system'], point);
          const folders = readdirSync(place.folder).filter((entry) => existsSync(join(place.folder, entry, 'log.db')));
          assert.deepEqual(folders.sort(), [...(shop === undefined ? [] : [shop.id]), 'system'].sort(), point);
          if (shop === undefined) await life.start('create-workspace');
          else if (shop.actor.value === 'STOPPED') await life.start('start-workspace');
          await life.settled();
          const found = life.store
            .find(life.shop()?.id ?? '')
            .replica.read()
            .get(counters, 'a')?.value;
          assert.equal(found, before === undefined || shop === undefined ? undefined : 1, point);
          await ended();
          await place.remove();
          if (done !== undefined) continue;
          // How many commits there are hangs on the machine: progress is stored by time.
          if (KINDS[verb].every(isMet) || walks++ === WALKS_MAX) break;
          steps = 0;
        }
        await first.remove();
        for (const kind of KINDS[verb]) assert.ok(isMet(kind), points.join('; '));
      });
  });
