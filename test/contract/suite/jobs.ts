import assert from 'node:assert/strict';
import { VirtualClock } from '../../../src/shared/clock.js';
import { ServiceError } from '../../../src/shared/errors.js';
import { idSource, newSeed } from '../../../src/shared/ids.js';
import { systemTime } from '../../../src/shared/time.js';
import { incidents, type JobType, jobs, operation, put } from '../../../src/store/index.js';
import { takeOutcome } from '../../../src/store/job/outcome.js';
import type { Partition } from '../../../src/store/partition/partition.js';
import { callerNamed, counters } from '../../support/test-domain.js';
import type { TestParts } from '../../support/test-store.js';
import type { LogKit } from '../log-kit.js';
import { storeFixture } from '../support/log-fixture.js';

const ann = { caller: callerNamed('ann') };

/** Jobs run when they are due, and their outcome is committed once. */
export function jobContract(kit: LogKit): void {
  const on = storeFixture(kit);
  let partition: Partition;
  const begin = async (parts?: TestParts) => {
    partition = await on.begin(parts);
  };
  const value = (id: string) => partition.replica.read().get(counters, id)?.value;

  describe('a job', () => {
    const work = operation(
      'work',
      (
        _state,
        { dueAt, id, exclusive, immediate }: { dueAt: number; id: string; exclusive?: string; immediate?: boolean },
      ) => ({
        jobs: [{ id, type: 'count', dueAt, input: null, exclusive: exclusive ?? null, immediate: immediate ?? false }],
        answer: null,
      }),
    );
    const counted = operation('counted', (state, input: { jobId: string; attempt: number }) => {
      const { done } = takeOutcome(state, input);
      const before = state.get(counters, 'jobs') ?? { id: 'jobs', group: 'g', value: 0, tags: [] };
      return { write: [done, put(counters, { ...before, value: before.value + 1 })], answer: null };
    });
    const type = (run: () => Promise<void> = async () => {}) => ({
      type: 'count',
      run: async (job: { id: string; actor: { context: { attempt: number } } }) => {
        await run();
        return { operation: counted, input: { jobId: job.id, attempt: job.actor.context.attempt } };
      },
    });
    const newId = () => idSource(newSeed(), Date.now()).next();

    it('runs when it is due, and its outcome is committed once', async () => {
      await begin({ operations: [work, counted], jobTypes: [type()] });
      for (let i = 0; i < 40; i++) await partition.send(work, { id: newId(), dueAt: Date.now() + (i % 4) * 20 }, ann);
      await on.until(() => value('jobs') === 40);
      await partition.decider.jobs.quiet();
      assert.deepEqual(partition.replica.read().range(jobs, 'due', [0], 10), []);
    });

    it('runs alone under its exclusive name', async () => {
      let now = 0;
      let most = 0;
      const slow = async () => {
        most = Math.max(most, ++now);
        await new Promise((resolve) => setTimeout(resolve, 2));
        now--;
      };
      await begin({ operations: [work, counted], jobTypes: [type(slow)] });
      const sent = Array.from({ length: 20 }, () =>
        partition.send(work, { id: newId(), dueAt: 0, exclusive: 'one', immediate: true }, ann),
      );
      await Promise.all(sent);
      await on.until(() => value('jobs') === 20);
      assert.equal(most, 1);
    });

    it('is not born running beside one of the same name that is just being taken', async () => {
      const running = new Set<string>();
      let most = 0;
      const together: JobType<{ jobId: string; attempt: number }> = {
        type: 'count',
        run: async (job) => {
          running.add(job.id);
          most = Math.max(most, running.size);
          await new Promise((resolve) => setTimeout(resolve, 20));
          running.delete(job.id);
          return { operation: counted, input: { jobId: job.id, attempt: job.actor.context.attempt } };
        },
      };
      const clock = new VirtualClock(1_000);
      await begin({ operations: [work, counted], jobTypes: [together], clock });
      await partition.send(work, { id: newId(), dueAt: 1_000, exclusive: 'one' }, ann);
      const taking = partition.decider.jobs.takeDue();
      await partition.send(work, { id: newId(), dueAt: 0, exclusive: 'one', immediate: true }, ann);
      await taking;
      await on.until(() => value('jobs') !== undefined);
      await partition.decider.jobs.takeDue();
      await on.until(() => value('jobs') === 2);
      assert.equal(most, 1);
    });

    it('is taken also when it falls due while all slots are used', async () => {
      let letGo = () => {};
      const gate = new Promise<void>((resolve) => {
        letGo = resolve;
      });
      await begin({ operations: [work, counted], jobTypes: [type(() => gate)], jobSlots: 1 });
      await partition.send(work, { id: newId(), dueAt: 0, immediate: true }, ann);
      await partition.send(work, { id: newId(), dueAt: Date.now() + 20 }, ann);
      await new Promise((resolve) => setTimeout(resolve, 60));
      letGo();
      await on.until(() => value('jobs') === 2);
    });

    it('that fails is tried three times, then is dead with an incident', async () => {
      let tries = 0;
      const fails = async () => {
        tries++;
        throw new ServiceError('EXECUTION_FAILED', 'no luck');
      };
      await begin({ operations: [work, counted], jobTypes: [type(fails)] });
      await partition.send(work, { id: newId(), dueAt: 0 }, ann);
      await on.until(() => partition.replica.read().range(incidents, 'created', [0], 10).length === 1);
      assert.equal(tries, 3);
      const [job] = partition.replica.read().range(jobs, 'due', [0], 10);
      assert.equal(job?.actor.value, 'dead');
      assert.equal(job?.failure?.message, 'no luck');
    });

    it('whose type nobody registered is dead, with an incident that says so', async () => {
      await begin({ operations: [work] });
      await partition.send(work, { id: newId(), dueAt: 0 }, ann);
      await on.until(() => partition.replica.read().range(incidents, 'created', [0], 10).length === 1);
      const [incident] = partition.replica.read().range(incidents, 'created', [0], 10);
      assert.equal(incident?.message, "nothing runs jobs of type 'count'");
    });

    it('does not begin any more when the server has come to its end', async () => {
      await begin({ operations: [work, counted], jobTypes: [type()], clock: new VirtualClock(1_000) });
      await partition.send(work, { id: newId(), dueAt: 1_000 }, ann);
      await on.end();
      await assert.rejects(partition.decider.jobs.takeDue(), {
        code: 'UNAVAILABLE',
        message: 'no job begins any more: the server drains',
      });
    });

    it('that is made dead is not begun', async () => {
      const bury = operation('bury', (_state, { id }: { id: string }) => ({
        jobs: [{ id, type: 'count', dueAt: 0, immediate: true, input: null, failure: { message: 'no', code: null } }],
        answer: null,
      }));
      await begin({ operations: [bury, counted], jobTypes: [type(() => assert.fail('it runs'))] });
      const { revision } = await partition.send(bury, { id: newId() }, ann);
      await partition.decider.jobs.quiet();
      const [job] = partition.replica.read().range(jobs, 'due', [0], 10);
      assert.deepEqual([job?.actor.value, partition.replica.read().revision], ['dead', revision + 1]);
    });

    it('is taken with at most 49 others by one commit', async () => {
      const clock = new VirtualClock(1_000);
      // However long the machine takes for a look at what is due, it is one look.
      const time = { ...systemTime, monotonic: () => 0 };
      await begin({ operations: [work, counted], jobTypes: [type()], jobSlots: 200, clock, time });
      await Promise.all(Array.from({ length: 101 }, () => partition.send(work, { id: newId(), dueAt: 1_000 }, ann)));
      const { revision } = partition.replica.read();
      assert.equal(await partition.decider.jobs.takeDue(), 101);
      await partition.decider.jobs.quiet();
      assert.equal(partition.replica.read().revision - revision, 101 + 3, 'fifty, fifty and one');
    });

    it('waits while a virtual clock stands, unless it goes on by itself', async () => {
      const clock = new VirtualClock(1_000);
      await begin({ operations: [work, counted], jobTypes: [type()], clock });
      await partition.send(work, { id: newId(), dueAt: 1_000 }, ann);
      const { commandId } = await partition.send(work, { id: newId(), dueAt: 1_000, immediate: true }, ann);
      await partition.replica.settled(commandId, 1_000);
      assert.equal(value('jobs'), 1);
      assert.equal(
        partition.replica.read().revision,
        4,
        'it was made running, and is not taken by a commit of its own',
      );
      assert.equal(await partition.decider.jobs.takeDue(), 1);
      await partition.decider.jobs.quiet();
      assert.equal(value('jobs'), 2);
    });

    it('is settled for whoever set it off when it is through', async () => {
      await begin({ operations: [work, counted], jobTypes: [type(() => new Promise((r) => setTimeout(r, 20)))] });
      const { commandId } = await partition.send(work, { id: newId(), dueAt: 0, immediate: true }, ann);
      assert.equal(value('jobs'), undefined);
      await partition.replica.settled(commandId, 2_000);
      assert.equal(value('jobs'), 1);
    });
  });
}
