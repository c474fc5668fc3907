import assert from 'node:assert/strict';
import { ServiceError } from '../../../src/shared/errors.js';
import { type CommitRecord, type Log, LogBroken } from '../../../src/store/log/log.js';
import { add, addAsked, callerNamed, counters } from '../../support/test-domain.js';
import type { LogKit } from '../log-kit.js';
import { openLog, placeFixture } from '../support/log-fixture.js';
import { partitionOn } from '../support/test-partition.js';

const ann = { caller: callerNamed('ann') };

/** A log whose next groups fail as told: `lost` writes the group and loses the reply, `refused` writes nothing. */
class FaultyLog implements Log {
  readonly #log: Log;
  faults: ('lost' | 'refused' | 'broken')[] = [];
  isAway = false;
  /** What a recovery waits for. */
  gate: Promise<void> = Promise.resolve();

  constructor(log: Log) {
    this.#log = log;
  }

  async append(group: readonly CommitRecord[]): Promise<void> {
    const fault = this.isAway ? 'refused' : this.faults.shift();
    if (fault === undefined || fault === 'lost') await this.#log.append(group);
    if (fault === 'broken') throw new LogBroken('UNIQUE constraint failed');
    if (fault !== undefined) throw new ServiceError('UNAVAILABLE', `the group was ${fault}`);
  }

  async recover(): Promise<void> {
    await this.gate;
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
  const partition = partitionOn(
    opened,
    (log) => {
      faultyLog = new FaultyLog(log);
      return faultyLog;
    },
    parts,
  );
  assert.ok(faultyLog);
  return { partition, log: faultyLog, value: (id: string) => partition.read().get(counters, id)?.value };
}

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
      log.faults = ['refused', 'refused', 'lost', 'refused'];
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
      const away = (error: unknown) => error instanceof ServiceError && error.code === 'UNAVAILABLE';
      await assert.rejects(partition.send(add, { id: 'a', by: 1 }, ann), away);
      await assert.rejects(partition.send(add, { id: 'a', by: 1 }, ann), away);
      assert.equal(value('a'), 1);
      log.isAway = false;
      for (let i = 0; i < 40; i++) {
        const back = await partition.send(add, { id: 'a', by: 1 }, ann).then(
          () => true,
          () => false,
        );
        if (back) break;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      assert.equal(value('a'), 2);
      await partition.close(0);
    });

    it('tells also those who came while it was tried that the log is away', async () => {
      const { partition, log } = await faulty();
      const away = (error: unknown) => error instanceof ServiceError && error.code === 'UNAVAILABLE';
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
      await partition.probe();
      log.isAway = true;
      const away = (error: unknown) => error instanceof ServiceError && error.code === 'UNAVAILABLE';
      await assert.rejects(partition.probe(), away);
      await assert.rejects(partition.send(add, { id: 'a', by: 1 }, ann), away);
      log.isAway = false;
      while (
        !(await partition.probe().then(
          () => true,
          () => false,
        ))
      )
        await new Promise((resolve) => setTimeout(resolve, 50));
      assert.equal(
        (await partition.send(add, { id: 'a', by: 1 }, ann)).revision,
        revision + 1,
        'a look writes nothing',
      );
      assert.equal(value('a'), 3);
      await partition.close(0);
    });

    it('stops the partition when what was decided contradicts what is stored', async () => {
      const { partition, log, value } = await faulty();
      log.faults = ['broken'];
      const stopped = (error: unknown) => error instanceof ServiceError && /stopped/.test(error.message);
      await assert.rejects(partition.send(add, { id: 'a', by: 1 }, ann), stopped);
      await assert.rejects(partition.send(add, { id: 'a', by: 1 }, ann), stopped);
      await assert.rejects(partition.probe(), stopped);
      assert.equal(value('a'), undefined);
      await partition.close(0);
    });
  });
}
