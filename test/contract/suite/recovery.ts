import assert from 'node:assert/strict';
import { ServiceError } from '../../../src/shared/errors.js';
import { LogPatience } from '../../../src/store/decide/outbox.js';
import { decodePosition } from '../../../src/store/feed/position.js';
import { type Job, jobs, operation, put } from '../../../src/store/index.js';
import { type JobAttempt, takeOutcome } from '../../../src/store/job/outcome.js';
import { type CommitRecord, type Log, LogBroken } from '../../../src/store/log/log.js';
import type { Partition } from '../../../src/store/partition/partition.js';
import { Changes } from '../../support/changes.js';
import { eventually, untilTaken } from '../../support/eventually.js';
import { add, addAsked, callerNamed, counters } from '../../support/test-domain.js';
import type { LogKit } from '../log-kit.js';
import { openLog, placeFixture } from '../support/log-fixture.js';
import { partitionOn } from '../support/test-partition.js';

const ann = { caller: callerNamed('ann') };
const away = (error: unknown) => error instanceof ServiceError && error.code === 'UNAVAILABLE';

/** A log whose next groups fail as told: `lost` writes the group and loses the reply, `refused` writes nothing. */
class FaultyLog implements Log {
  readonly #log: Log;
  faults: ('lost' | 'refused' | 'broken')[] = [];
  isAway = false;
  /** What a recovery waits for. */
  gate: Promise<void> = Promise.resolve();
  recovering = (): Promise<void> => Promise.resolve();
  /** What an answer to a group waits for, the group being written. */
  silence: Promise<void> = Promise.resolve();

  constructor(log: Log) {
    this.#log = log;
  }

  async append(group: readonly CommitRecord[]): Promise<void> {
    const fault = this.isAway ? 'refused' : this.faults.shift();
    if (fault === undefined || fault === 'lost') await this.#log.append(group);
    if (fault === 'broken') throw new LogBroken('UNIQUE constraint failed');
    if (fault !== undefined) throw new ServiceError('UNAVAILABLE', `the group was ${fault}`);
    await this.silence;
  }

  async recover(): Promise<void> {
    await this.gate;
    await this.recovering();
    if (this.isAway) throw new ServiceError('UNAVAILABLE', 'no space left');
    await this.#log.recover();
  }

  async probe(): Promise<void> {
    if (this.isAway) throw new ServiceError('UNAVAILABLE', 'no space left');
    await this.#log.probe();
  }

  trim = (revision: number, before: number) => this.#log.trim(revision, before);
  close = () => this.#log.close();
}

function faultyOn(opened: Parameters<typeof partitionOn>[0], parts?: Parameters<typeof partitionOn>[2]) {
  let faultyLog: FaultyLog | undefined;
  const commits = new Changes();
  const partition = partitionOn(
    opened,
    (log) => {
      faultyLog = new FaultyLog(log);
      return faultyLog;
    },
    { committed: commits.tell, ...parts },
  );
  assert.ok(faultyLog);
  const value = (id: string) => partition.replica.read().get(counters, id)?.value;
  return { partition, log: faultyLog, value, until: (holds: () => boolean) => commits.until(holds) };
}

/** Holds the next recovery back: it has begun, and it may go on. */
function gateOf(log: FaultyLog): { readonly reached: Promise<void>; open(): void } {
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    log.recovering = () => {
      resolve();
      return gate;
    };
  });
  return { reached, open };
}

/** What a follower of the feed is shown: the event, or the counter and its value; `shown` waits for so many. */
function follow(partition: Partition, signal: AbortSignal) {
  const seen: string[] = [];
  const following = new Changes();
  const [place] = decodePosition(partition.replica.feed.position());
  void (async () => {
    for await (const { event } of partition.replica.feed.follow(place ?? null, signal)) {
      const { id, value } = (event.data ?? {}) as { id?: string; value?: number };
      seen.push(id === undefined ? event.type : `${id} ${value}`);
      following.tell();
    }
  })();
  return { seen, shown: (count: number) => following.until(() => seen.length >= count) };
}

/** Makes a job that goes on by itself. */
const order = operation('order', (state, _input: object) => ({
  jobs: [{ id: state.ids.next(), type: 'delivery', dueAt: state.now, immediate: true, input: null }],
  events: [{ type: 'ordered', ids: {}, data: null }],
  answer: null,
}));

const delivered = operation('delivered', (state, input: JobAttempt) => {
  const { done } = takeOutcome(state, input);
  const before = state.get(counters, 'delivered') ?? { id: 'delivered', group: 'g', value: 0, tags: [] };
  const after = { ...before, value: before.value + 1 };
  const events = [{ type: 'counter.changed', ids: {}, data: after }];
  return { write: [done, put(counters, after)], events, answer: null };
});

const delivery = {
  type: 'delivery',
  run: (job: Job) => ({ operation: delivered, input: { jobId: job.id, attempt: job.actor.context.attempt } }),
};

/** After a failure of the log nothing that was answered is lost, and nothing happens twice. */
export function recoveryContract(kit: LogKit): void {
  describe('recovery', () => {
    const place = placeFixture(kit);
    const faulty = async (parts?: Parameters<typeof partitionOn>[2]) => faultyOn(await openLog(place()), parts);

    it('answers as done what the log kept although its reply was lost', async () => {
      const { partition, log, value } = await faulty();
      log.faults = ['lost'];
      const sent = [1, 2, 3].map((by) => partition.send(add, { id: 'a', by }, ann));
      assert.deepEqual(
        (await Promise.all(sent)).map(({ answer }) => answer),
        [1, 3, 6],
      );
      assert.equal(value('a'), 6);
      await partition.close(0);
    });

    it('decides again what the log did not take', async () => {
      const { partition, log, value } = await faulty();
      // Not three that a command may be in: the third would refuse it.
      log.faults = ['refused', 'lost', 'refused'];
      const sent = Array.from({ length: 100 }, () => partition.send(add, { id: 'a', by: 1 }, ann));
      const answers = (await Promise.all(sent)).map(({ answer }) => Number(answer));
      assert.deepEqual(
        answers.sort((x, y) => x - y),
        Array.from({ length: 100 }, (_, i) => i + 1),
      );
      assert.equal(value('a'), 100);
      await partition.close(0);
    });

    it('gives the revision of a commit that never became durable again', async () => {
      const { partition, log } = await faulty();
      await partition.send(add, { id: 'a', by: 1 }, ann);
      log.faults = ['refused'];
      const { revision } = await partition.send(add, { id: 'a', by: 1 }, ann);
      assert.equal(revision, 2);
      await partition.close(0);
    });

    it('asks anew what was being asked', async () => {
      let asked = 0;
      let answer: (n: number) => void = () => {};
      const evaluators = {
        number: () => {
          asked++;
          return asked === 1
            ? new Promise<number>((resolve) => {
                answer = resolve;
              })
            : 5;
        },
      };
      const { partition, log, value } = await faulty({ evaluators });
      const asking = partition.send(addAsked, { id: 'a', question: 'q' }, ann);
      log.faults = ['refused'];
      await partition.send(add, { id: 'b', by: 1 }, ann);
      answer(100);
      await asking;
      assert.equal(value('a'), 5);
      assert.equal(asked, 2);
      await partition.close(0);
    });

    it('refuses with UNAVAILABLE while the log is away, loses nothing, and goes on by itself', async () => {
      const { partition, log, value } = await faulty();
      await partition.send(add, { id: 'a', by: 1 }, ann);
      log.isAway = true;
      await assert.rejects(partition.send(add, { id: 'a', by: 1 }, ann), away);
      await assert.rejects(partition.send(add, { id: 'a', by: 1 }, ann), away);
      assert.equal(value('a'), 1);
      log.isAway = false;
      const send = () => partition.send(add, { id: 'a', by: 1 }, ann);
      await eventually('a command is taken', () => send().then(Boolean, () => false));
      assert.equal(value('a'), 2);
      await partition.close(0);
    });

    it('tells also those who came while it was tried that the log is away', async () => {
      const { partition, log } = await faulty();
      let open = () => {};
      log.gate = new Promise((resolve) => {
        open = resolve;
      });
      log.isAway = true;
      const first = assert.rejects(partition.send(add, { id: 'a', by: 1 }, ann), away);
      await new Promise((resolve) => setImmediate(resolve));
      const second = assert.rejects(partition.send(add, { id: 'a', by: 1 }, ann), away);
      open();
      await Promise.all([first, second]);
      log.isAway = false;
      await partition.close(0);
    });

    it('is set off by a look at a log that has gone unnoticed, and the look tells when it is back', async () => {
      const { partition, log, value } = await faulty();
      await partition.send(add, { id: 'a', by: 1 }, ann);
      const { revision } = await partition.send(add, { id: 'a', by: 1 }, ann);
      await partition.decider.probe();
      log.isAway = true;
      await assert.rejects(partition.decider.probe(), away);
      await assert.rejects(partition.decider.probe(), /takes no commands: it is (recovering|down)/);
      await assert.rejects(partition.send(add, { id: 'a', by: 1 }, ann), away);
      log.isAway = false;
      await untilTaken(partition);
      assert.equal(
        (await partition.send(add, { id: 'a', by: 1 }, ann)).revision,
        revision + 1,
        'a look writes nothing',
      );
      assert.equal(value('a'), 3);
      await partition.close(0);
    });

    it('decides those who came while it was being recovered behind those who were there, each of them', async () => {
      const { partition, log, value } = await faulty();
      const gate = gateOf(log);
      log.faults = ['refused'];
      const before = [1, 2].map(() => partition.send(add, { id: 'a', by: 1 }, ann));
      await gate.reached;
      const meanwhile = [1, 2, 3].map(() => partition.send(add, { id: 'a', by: 1 }, ann));
      gate.open();
      const answers = (await Promise.all([...before, ...meanwhile])).map(({ answer }) => answer);
      assert.deepEqual(answers, [1, 2, 3, 4, 5]);
      assert.equal(value('a'), 5);
      await partition.close(0);
    });

    it('refuses what was under way in three failures, and takes it when it comes again', async () => {
      const { partition, log, value } = await faulty();
      log.faults = ['refused', 'refused', 'refused'];
      await assert.rejects(partition.send(add, { id: 'a', by: 1 }, ann), away);
      assert.equal(value('a'), undefined);
      assert.equal((await partition.send(add, { id: 'a', by: 1 }, ann)).answer, 1);
      await partition.close(0);
    });

    it('tells of commits that landed although those who asked for them were refused', async () => {
      const { partition, log, value, until } = await faulty({ operations: [order, delivered], jobTypes: [delivery] });
      await partition.begin();
      await partition.send(add, { id: 'a', by: 1 }, ann);
      const control = new AbortController();
      const { seen, shown } = follow(partition, control.signal);
      log.faults = ['lost'];
      const gate = gateOf(log);
      const refused = assert.rejects(partition.send(order, {}, ann), away);
      const alsoRefused = assert.rejects(partition.send(add, { id: 'a', by: 1 }, ann), away);
      await gate.reached;
      log.isAway = true;
      gate.open();
      await Promise.all([refused, alsoRefused]);
      log.isAway = false;
      await until(() => value('delivered') === 1);
      assert.equal(value('a'), 2);
      await partition.send(add, { id: 'a', by: 1 }, ann);
      await shown(4);
      assert.deepEqual(seen, ['ordered', 'a 2', 'delivered 1', 'a 3']);
      assert.deepEqual(partition.replica.read().range(jobs, 'due', [0], 10), []);
      control.abort();
      await partition.close(0);
    });

    it('refuses within its time when the log is silent, reads on, and tells of what lands later', async () => {
      const { partition, log, value } = await faulty({ answerMs: 1_500 });
      await partition.send(add, { id: 'a', by: 1 }, ann);
      const control = new AbortController();
      const { seen, shown } = follow(partition, control.signal);
      let speak = () => {};
      log.silence = new Promise((resolve) => {
        speak = resolve;
      });
      log.gate = log.silence;
      await Promise.all([1, 2].map(() => assert.rejects(partition.send(add, { id: 'a', by: 1 }, ann), away)));
      await assert.rejects(partition.send(add, { id: 'b', by: 1 }, ann), away);
      assert.equal(value('b'), undefined);
      await assert.rejects(partition.decider.probe(), away);
      speak();
      await untilTaken(partition);
      assert.equal((await partition.send(add, { id: 'a', by: 1 }, ann)).answer, 4);
      await shown(3);
      assert.deepEqual(seen, ['a 2', 'a 3', 'a 4']);
      control.abort();
      await partition.close(0);
    });

    it('waits for the log, silent or away, while the server starts', async () => {
      const patience = new LogPatience(50, 60_000);
      const { partition, log } = await faulty({ patience });
      let speak = () => {};
      log.silence = new Promise((resolve) => {
        speak = resolve;
      });
      const first = partition.send(add, { id: 'a', by: 1 }, ann);
      const late = () => partition.decider.waitedMs() > 100;
      await eventually('the command has been waiting', late);
      speak();
      assert.equal((await first).answer, 1);
      log.isAway = true;
      const second = partition.send(add, { id: 'a', by: 1 }, ann);
      await eventually('the command has been waiting', late);
      log.isAway = false;
      assert.equal((await second).answer, 2);
      patience.started();
      log.isAway = true;
      await assert.rejects(partition.send(add, { id: 'a', by: 1 }, ann), away);
      log.isAway = false;
      await untilTaken(partition);
      await partition.close(0);
    });

    it('refuses within its time when a recovery takes long', async () => {
      const { partition, log } = await faulty({ answerMs: 1_500 });
      const gate = gateOf(log);
      log.faults = ['refused'];
      const before = assert.rejects(partition.send(add, { id: 'a', by: 1 }, ann), away);
      await gate.reached;
      const meanwhile = assert.rejects(partition.send(add, { id: 'a', by: 1 }, ann), away);
      await Promise.all([before, meanwhile]);
      await assert.rejects(partition.send(add, { id: 'a', by: 1 }, ann), away);
      gate.open();
      await untilTaken(partition);
      assert.equal((await partition.send(add, { id: 'a', by: 1 }, ann)).answer, 1);
      await partition.close(0);
    });

    it('knows for how long the oldest command has been waiting for the log', async () => {
      const { partition, log } = await faulty();
      assert.equal(partition.decider.waitedMs(), 0);
      const gate = gateOf(log);
      log.faults = ['refused'];
      const sent = partition.send(add, { id: 'a', by: 1 }, ann);
      await gate.reached;
      await eventually('the command has been waiting', () => partition.decider.waitedMs() > 5);
      gate.open();
      await sent;
      assert.equal(partition.decider.waitedMs(), 0);
      await partition.close(0);
    });

    it('goes on when somebody who is told of a commit fails', async () => {
      const { partition } = await faulty({
        committed: () => {
          throw new Error('not now');
        },
      });
      const sent = [1, 2, 3].map(() => partition.send(add, { id: 'a', by: 1 }, ann));
      assert.deepEqual(
        (await Promise.all(sent)).map(({ answer }) => answer),
        [1, 2, 3],
      );
      await partition.close(0);
    });

    it('stops the partition when what was decided contradicts what is stored', async () => {
      const { partition, log, value } = await faulty();
      log.faults = ['broken'];
      const stopped = (error: unknown) => error instanceof ServiceError && /stopped/.test(error.message);
      await assert.rejects(partition.send(add, { id: 'a', by: 1 }, ann), stopped);
      await assert.rejects(partition.send(add, { id: 'a', by: 1 }, ann), stopped);
      await assert.rejects(partition.decider.probe(), stopped);
      assert.equal(value('a'), undefined);
      await partition.close(0);
    });
  });
}
