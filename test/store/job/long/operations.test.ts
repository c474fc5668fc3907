import assert from 'node:assert/strict';
import type { Caller } from '../../../../src/shared/caller.js';
import { VirtualClock } from '../../../../src/shared/clock.js';
import { badRequest, ServiceError } from '../../../../src/shared/errors.js';
import {
  type LongJobProgress,
  type LongJobType,
  longJobs,
  type Operation,
  operation,
  type Partition,
  put,
  remove,
} from '../../../../src/store/index.js';
import { attemptOperations } from '../../../../src/store/job/attempt-operations.js';
import { longJobPieces, pieceId } from '../../../../src/store/job/long/long-job.js';
import {
  completedLongJob,
  longJobClass,
  longJobOperations,
  SERVER_ENDED,
} from '../../../../src/store/job/long/operations.js';
import type { LogPlace } from '../../../contract/log-kit.js';
import { localKit } from '../../../contract/support/local-kit.js';
import { openLog } from '../../../contract/support/log-fixture.js';
import { memoryKit } from '../../../contract/support/memory-kit.js';
import { partitionOn } from '../../../contract/support/test-partition.js';
import { toldUntil } from '../../../support/long-jobs.js';
import { MemoryDocuments, MemoryState } from '../../../support/memory-state.js';
import { callerNamed } from '../../../support/test-domain.js';

const NOW = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;
const throttle = { items: 1, ms: 0 };
const run = async () => undefined;
const types: LongJobType[] = [
  { type: 'delete', needsItems: true, resume: 'restart', throttle, run },
  {
    type: 'import',
    needsItems: false,
    resume: 'fail',
    throttle,
    run,
    prepare: (_, { parameters }) => prepared(parameters),
  },
  { type: 'stop-workspace', needsItems: false, resume: 'restart', throttle, run, abortable: false },
];
function prepared(parameters: unknown) {
  if (parameters === null) throw badRequest('expected an archive');
  return { parameters: { archive: parameters }, figures: { phase: 'reading' } };
}

const ann = callerNamed('ann');
const bob = callerNamed('bob');
const admin: Caller = { ...callerNamed('admin'), roles: ['administrator'] };
const typed = new Map(types.map((type) => [type.type, type]));
const ops = longJobOperations(typed);
const runs = attemptOperations(longJobClass(typed), { holds: () => false });

/** Work that a decision does, which completes its job. */
const finish = operation('finish', (state, run: { jobId: string; attempt: number }) => ({
  ...completedLongJob(state, run, { result: 'made' }),
  answer: null,
}));

for (const kit of [memoryKit, localKit]) {
  describe(`operations of long jobs on ${kit.name}`, () => {
    let place: LogPlace;
    const clock = new VirtualClock(NOW);
    let partition: Partition;
    before(async () => {
      const parts = { clock, operations: [...Object.values(ops), ...Object.values(runs), finish] };
      place = await kit.make();
      partition = partitionOn(await openLog(place), (log) => log, parts);
      await partition.begin();
    });
    after(async () => {
      await partition.close(100);
      await place.remove();
    });

    const send = async <I, A>(operation: Operation<I, A>, input: I, caller = ann): Promise<A> =>
      (await partition.send(operation, input, { caller })).answer;
    const refused = async (sent: Promise<unknown>, code: string, says: RegExp = /./) =>
      assert.rejects(sent, (error) => error instanceof ServiceError && error.code === code && says.test(error.message));
    const init = async (type = 'delete', priority = 0) => (await send(ops.initLongJob, { type, priority })).jobId;
    const append = (jobId: string, items: readonly string[], caller = ann) =>
      send(ops.appendLongJobItems, { jobId, type: 'delete', items }, caller);
    const started = async (type = 'delete') => {
      const jobId = await init(type);
      if (type === 'delete') await append(jobId, ['/a', '/b']);
      await send(ops.startLongJob, { jobId, type, parameters: 'zip' });
      return jobId;
    };
    const taken = async (type = 'delete') => {
      const jobId = await started(type);
      await send(runs.take, { ids: [jobId] });
      return jobId;
    };
    const job = (jobId: string) => partition.replica.read().get(longJobs, jobId);
    const status = (jobId: string) => job(jobId)?.actor.value;

    it('makes a job whose id is its time and four digits', async () => {
      const ref = await send(ops.initLongJob, { type: 'delete' });
      assert.match(ref.jobId, new RegExp(`^${clock.now()}-[0-9a-f]{4}$`));
      assert.deepEqual({ ...ref, jobId: '' }, { jobId: '', status: 'init', itemsAccepted: null, itemsTotal: null });
      assert.equal(job(ref.jobId)?.userId, 'ann');
    });

    it('gives many jobs of one millisecond different ids', async () => {
      const ids = await Promise.all(Array.from({ length: 300 }, () => init()));
      assert.equal(new Set(ids).size, 300);
    });

    it('refuses a type that nobody registered, and a priority that is no integer', async () => {
      await refused(init('dance'), 'BAD_REQUEST', /dance/);
      await refused(init('delete', 1.5), 'BAD_REQUEST', /1\.5/);
    });

    it('takes items in many appends, in order, blank ones left out', async () => {
      const jobId = await init();
      const all: string[] = [];
      for (let n = 0; n < 12; n++) {
        const items = Array.from({ length: 100 }, (_, i) => `/content/${'x'.repeat(100)}/${n}/${i}`);
        all.push(...items);
        assert.equal((await append(jobId, items)).itemsAccepted, 100);
      }
      assert.equal((await append(jobId, ['/last', '', '  '])).itemsAccepted, 1);
      assert.equal((await append(jobId, [' '])).itemsAccepted, 0);
      const stored = job(jobId);
      assert.equal(stored?.items, 1_201);
      assert.ok(Number(stored?.pieces) > 1, 'one document would become too large');
      const pieces = Array.from({ length: stored?.pieces ?? 0 }, (_, n) =>
        partition.replica.read().get(longJobPieces, pieceId(jobId, n)),
      );
      assert.deepEqual(
        pieces.flatMap((piece) => piece?.items ?? []),
        [...all, '/last'],
      );
      const ref = await send(ops.startLongJob, { jobId, type: 'delete' });
      assert.deepEqual([ref.status, ref.itemsTotal], ['queued', 1_201]);
    });

    for (const [length, pieces] of [
      [65_535, 1],
      [65_536, 2],
    ] as const)
      it(`puts an item behind items of ${length} characters into document ${pieces}`, async () => {
        const jobId = await init();
        // As JSON text: each item has two quotes and a comma, and all of them two brackets.
        const items = [...Array(7).fill(8_192), length - 2 - 7 * 8_195 - 3].map((n) => 'x'.repeat(n));
        await append(jobId, [...items, '/last']);
        assert.equal(job(jobId)?.pieces, pieces);
        assert.equal(
          partition.replica
            .read()
            .get(longJobPieces, pieceId(jobId, pieces - 1))
            ?.items.at(-1),
          '/last',
        );
      });

    it('keeps documents small whatever characters items have', async () => {
      const jobId = await init();
      const wide = Array.from({ length: 100 }, (_, i) => `${i}${'\u0001'.repeat(8_000)}`);
      assert.equal((await append(jobId, wide)).itemsAccepted, 100);
      assert.equal((await append(jobId, wide)).itemsAccepted, 100);
    });

    it('takes at most 100 items at once, none that is very long, and only before the start', async () => {
      const jobId = await init();
      await refused(append(jobId, Array(101).fill('/a')), 'BAD_REQUEST', /100/);
      await refused(append(jobId, ['x'.repeat(8_193)]), 'BAD_REQUEST', /8192/);
      assert.equal((await append(jobId, ['x'.repeat(8_192)])).itemsAccepted, 1);
      await refused(append(await started(), ['/c']), 'UNAVAILABLE', /queued/);
      const without = await init('import');
      await refused(send(ops.appendLongJobItems, { jobId: without, type: 'import', items: ['/a'] }), 'BAD_REQUEST');
    });

    it('is started once, and not without the items that its type needs', async () => {
      const jobId = await init();
      await refused(send(ops.startLongJob, { jobId, type: 'delete' }), 'UNAVAILABLE', /items/);
      await append(jobId, ['/a']);
      await send(ops.startLongJob, { jobId, type: 'delete' });
      await refused(send(ops.startLongJob, { jobId, type: 'delete' }), 'UNAVAILABLE', /queued/);
    });

    it('lets its type check what it is started with, and begin its figures', async () => {
      const jobId = await init('import');
      await refused(send(ops.startLongJob, { jobId, type: 'import' }), 'BAD_REQUEST', /archive/);
      assert.equal(status(jobId), 'init');
      const ref = await send(ops.startLongJob, { jobId, type: 'import', parameters: 'zip' });
      assert.deepEqual([ref.status, ref.itemsTotal], ['queued', null]);
      assert.deepEqual([job(jobId)?.parameters, job(jobId)?.figures.phase], [{ archive: 'zip' }, 'reading']);
      const other = await init('stop-workspace');
      const parameters = 'x'.repeat(70_000);
      await refused(send(ops.startLongJob, { jobId: other, type: 'stop-workspace', parameters }), 'LIMIT_EXCEEDED');
    });

    it('refuses ids of another form, of no job, and of a job of another type', async () => {
      for (const operation of [ops.startLongJob, ops.abortLongJob]) {
        for (const jobId of ['', 'x', '1-2-3', `${NOW}-00zz`, `${NOW}-0a1b `, `${NOW}-0a1b0`]) {
          await refused(send(operation, { jobId, type: 'delete' }), 'BAD_REQUEST', /job id/);
        }
        await refused(send(operation, { jobId: '1-0a1b', type: 'delete' }), 'BAD_REQUEST', /1-0a1b/);
        await refused(send(operation, { jobId: await init('import'), type: 'delete' }), 'BAD_REQUEST');
      }
      await refused(append('x', ['/a']), 'BAD_REQUEST');
      await refused(append('1-0a1b', ['/a']), 'BAD_REQUEST');
    });

    it('belongs to whoever made it, and to administrators', async () => {
      const jobId = await init();
      await refused(append(jobId, ['/a'], bob), 'FORBIDDEN');
      await refused(send(ops.startLongJob, { jobId, type: 'delete' }, bob), 'FORBIDDEN');
      await refused(send(ops.abortLongJob, { jobId, type: 'delete' }, bob), 'FORBIDDEN');
      await append(jobId, ['/a'], admin);
      await send(ops.startLongJob, { jobId, type: 'delete' }, admin);
      assert.equal(job(jobId)?.userId, 'ann', 'it still runs as its owner');
      assert.equal((await send(ops.abortLongJob, { jobId, type: 'delete' }, admin)).status, 'aborting');
    });

    it('aborts by its state: at once in init, later when it was started, never when it is over', async () => {
      const abort = async (jobId: string, type = 'delete') => (await send(ops.abortLongJob, { jobId, type })).status;
      assert.equal(await abort(await init()), 'aborted');
      const queued = await started();
      assert.deepEqual([await abort(queued), await abort(queued)], ['aborting', 'aborting']);
      assert.deepEqual(await send(runs.take, { ids: [queued] }), []);
      await send(ops.stopLongJob, { jobId: queued });
      assert.deepEqual([status(queued), await abort(queued)], ['aborted', 'aborted']);
      const done = await taken();
      await send(ops.completeLongJob, { jobId: done, attempt: 1, outcome: {} });
      assert.equal(await abort(done), 'completed');
      const stubborn = await taken('stop-workspace');
      assert.equal(await abort(stubborn, 'stop-workspace'), 'running');
    });

    it('tells every change, counters never backwards, and its end last', async () => {
      const jobId = await taken();
      const of = { jobId, attempt: 1 };
      await send(ops.progressLongJob, { ...of, changes: { itemsProcessed: 5, itemsDeleted: 7, currentPath: '/a' } });
      await send(ops.progressLongJob, { ...of, changes: { itemsProcessed: 3, itemsDeleted: 9, currentPath: '/b' } });
      await send(ops.completeLongJob, {
        ...of,
        changes: { itemsProcessed: 6 },
        outcome: { changes: { downloadUrl: '/x' }, result: { file: 'f' } },
      });
      await refused(send(ops.progressLongJob, { ...of, changes: { itemsProcessed: 9 } }), 'CONFLICT');
      await refused(send(ops.failLongJob, { ...of, message: 'late' }), 'CONFLICT');
      const told = await toldUntil(partition, jobId);
      const seen = told.map(({ status, itemsProcessed, itemsDeleted, currentPath }: LongJobProgress) =>
        [status, itemsProcessed, itemsDeleted, currentPath].join(' '),
      );
      assert.deepEqual(seen, [
        'init 0  ',
        'init 0  ',
        'queued 0  ',
        'running 0  ',
        'running 5 7 /a',
        'running 5 9 /b',
        'completed 6 9 /b',
      ]);
      assert.deepEqual(
        told.map(({ version }) => version),
        [1, 2, 3, 4, 5, 6, 7],
      );
      assert.deepEqual([job(jobId)?.result, told.at(-1)?.downloadUrl], [{ file: 'f' }, '/x']);
      assert.equal(job(jobId)?.ended, clock.now());
    });

    it('cuts long texts, keeps 20 samples, and refuses a large result', async () => {
      const jobId = await taken();
      const of = { jobId, attempt: 1 };
      const errorSamples = Array.from({ length: 30 }, (_, i) => `${i}\t${'x'.repeat(2_000)}`);
      await send(ops.progressLongJob, { ...of, changes: { errorSamples, currentPath: 'y'.repeat(9_000) } });
      const { figures } = job(jobId) ?? {};
      assert.deepEqual([figures?.errorSamples?.length, figures?.errorSamples?.[0]?.length], [20, 1_000]);
      assert.equal(figures?.currentPath?.length, 8_192);
      await refused(
        send(ops.completeLongJob, { ...of, outcome: { result: 'z'.repeat(70_000) } }),
        'LIMIT_EXCEEDED',
        /result/,
      );
    });

    it('listens to its present run alone', async () => {
      const jobId = await taken();
      await send(runs.release, { jobs: [{ id: jobId, attempt: 1, told: { checkpoint: { at: 4 } } }] });
      assert.deepEqual([status(jobId), job(jobId)?.checkpoint], ['queued', { at: 4 }]);
      await send(runs.take, { ids: [jobId] });
      await refused(send(ops.completeLongJob, { jobId, attempt: 1, outcome: {} }), 'CONFLICT', /attempt 2/);
      await send(ops.completeLongJob, { jobId, attempt: 2, outcome: {} });
      assert.equal(status(jobId), 'completed');
    });

    it('is given back by the attempt that it is at, and by none when it is gone or over', async () => {
      const [running, over] = [await taken(), await taken()];
      await send(ops.completeLongJob, { jobId: over, attempt: 1, outcome: {} });
      const others = [
        { id: '1-0a1b', attempt: 1 },
        { id: over, attempt: 1 },
        { id: running, attempt: 2 },
      ];
      assert.equal(await send(runs.release, { jobs: others }), 0);
      assert.deepEqual([running, over].map(status), ['running', 'completed']);
      assert.equal(await send(runs.release, { jobs: [...others, { id: running, attempt: 1 }] }), 1);
      assert.equal(status(running), 'queued');
    });

    it('is completed by the decision that does its work, if that is of its present run and no abort was asked', async () => {
      const jobId = await taken();
      const gone = { code: 'CONFLICT', info: { reason: 'job_attempt_over', resourceId: jobId } };
      await assert.rejects(send(finish, { jobId, attempt: 2 }), {
        ...gone,
        message: `expected job '${jobId}' to be running attempt 2, but it is running at attempt 1`,
      });
      await send(finish, { jobId, attempt: 1 });
      assert.deepEqual([status(jobId), job(jobId)?.result, job(jobId)?.ended], ['completed', 'made', clock.now()]);
      const aborting = await taken();
      await send(ops.abortLongJob, { jobId: aborting, type: 'delete' });
      await refused(send(finish, { jobId: aborting, attempt: 1 }), 'CONFLICT', /aborting/);
      await refused(send(finish, { jobId: '1-0a1b', attempt: 1 }), 'CONFLICT', /gone/);
    });

    it('fails a job that is not run again when the server drains', async () => {
      const jobId = await taken('import');
      await send(runs.release, { jobs: [{ id: jobId, attempt: 1 }] });
      assert.deepEqual([status(jobId), job(jobId)?.figures.errorMessage], ['failed', SERVER_ENDED]);
    });

    it('takes up what a dead server left, as the types say, and gives up at the third death', async () => {
      while ((await send(runs.recover, {})) > 0); // what other cases left
      const [restarted, failed, aborting, queued, unstarted] = [
        await taken(),
        await taken('import'),
        await taken(),
        await started(),
        await init(),
      ];
      await send(ops.abortLongJob, { jobId: aborting, type: 'delete' });
      assert.equal(await send(runs.recover, {}), 3);
      assert.equal(await send(runs.recover, {}), 0);
      const all = [restarted, failed, aborting, queued, unstarted].map(status);
      assert.deepEqual(all, ['queued', 'failed', 'aborted', 'queued', 'init']);
      assert.equal(job(failed)?.figures.errorMessage, SERVER_ENDED);
      for (const expected of ['queued', 'failed']) {
        await send(runs.take, { ids: [restarted] });
        await send(runs.recover, {});
        assert.equal(status(restarted), expected);
      }
      assert.match(String(job(restarted)?.figures.errorMessage), /died 3 times/);
    });

    it('removes what ended or was made long ago, with its items, and nothing else', async () => {
      const [old, oldUnstarted, waiting] = [await taken(), await init(), await started()];
      await append(oldUnstarted, ['/a']);
      await send(ops.completeLongJob, { jobId: old, attempt: 1, outcome: {} });
      clock.set(clock.now() + 2 * DAY_MS);
      const [young, youngUnstarted] = [await taken(), await init()];
      await send(ops.completeLongJob, { jobId: young, attempt: 1, outcome: {} });
      const before = clock.now() - DAY_MS;
      while (await send(ops.sweepLongJobs, { unstartedBefore: before, endedBefore: before }));
      assert.deepEqual([old, oldUnstarted].map(status), [undefined, undefined]);
      assert.deepEqual([waiting, young, youngUnstarted].map(status), ['queued', 'completed', 'init']);
      for (const id of [old, oldUnstarted])
        assert.equal(partition.replica.read().get(longJobPieces, pieceId(id, 0)), undefined);
      assert.deepEqual(partition.replica.read().get(longJobPieces, pieceId(young, 0))?.items, ['/a', '/b']);
    });

    it('removes a job with very many items bit by bit, and tells that one which was never started is over', async () => {
      const jobId = await init();
      const wide = Array.from({ length: 100 }, (_, i) => `${i}${'\u0001'.repeat(8_180)}`);
      for (let n = 0; n < 9; n++) await append(jobId, wide);
      assert.ok(Number(job(jobId)?.pieces) > 400, 'more than one commit removes');
      clock.set(clock.now() + 2 * DAY_MS);
      const before = { unstartedBefore: clock.now() - DAY_MS, endedBefore: clock.now() - 30 * DAY_MS };
      assert.equal(await send(ops.sweepLongJobs, before), true);
      await refused(send(ops.startLongJob, { jobId, type: 'delete' }), 'UNAVAILABLE', /aborted/);
      while (await send(ops.sweepLongJobs, before));
      assert.equal(status(jobId), undefined);
      assert.equal(partition.replica.read().get(longJobPieces, pieceId(jobId, 0)), undefined);
      assert.equal((await toldUntil(partition, jobId)).at(-1)?.status, 'aborted');
    });
  });
}

describe('a long job at its limits', () => {
  const context = { caller: ann, commandId: 'c1', seed: 'seed', answers: [] };
  let documents: MemoryDocuments;
  beforeEach(() => {
    documents = new MemoryDocuments();
  });
  /** `numbers`: what is drawn for ids, one after the other. */
  const decided = <I, A>(operation: Operation<I, A>, input: I, numbers: readonly number[] = [0]): A => {
    const state = new MemoryState(documents, 'seed', NOW);
    let drawn = 0;
    Object.assign(state.ids, { random: () => (numbers[drawn++] ?? assert.fail('no more is drawn')) / 0x1_0000 });
    const result = operation.decide(state, input, context);
    assert.ok(!('ask' in result));
    documents.apply(result.write ?? []);
    return result.answer;
  };

  it('has a new id at the hundredth try, and is refused when that is taken, too', () => {
    const init = (numbers: readonly number[]) => decided(ops.initLongJob, { type: 'delete' }, numbers).jobId;
    const taken = Array.from({ length: 99 }, () => 0);
    assert.equal(init([0]), `${NOW}-0000`);
    assert.equal(init([...taken, 10]), `${NOW}-000a`);
    assert.throws(() => init([...taken, 10, 11]), {
      code: 'LIMIT_EXCEEDED',
      message: 'expected fewer new jobs within one millisecond, try again',
      info: { reason: 'job_ids_exhausted' },
    });
  });

  it('is removed with its items where all of that fits into a commit, and is not begun with where nothing does', () => {
    const { jobId } = decided(ops.initLongJob, { type: 'delete' });
    const [job] = documents.all(longJobs);
    assert.ok(job);
    const old = (id: string, pieces: number) =>
      put(longJobs, { ...job, ...{ id, pieces, ended: 1 }, actor: { ...job.actor, value: 'completed' } });
    documents.apply([remove(longJobs, jobId), old('1-0000', 399), old('2-0000', 7), old('3-0000', 394)]);
    const before = { unstartedBefore: 2, endedBefore: 2 };
    const left = () => documents.all(longJobs).map(({ id, pieces }) => `${id} ${pieces}`);
    assert.equal(decided(ops.sweepLongJobs, before), true);
    assert.deepEqual(left(), ['2-0000 7', '3-0000 394']);
    assert.equal(decided(ops.sweepLongJobs, before), true);
    assert.deepEqual(left(), ['3-0000 3'], 'eight and 391 documents, and the job as it is then');
    assert.equal(decided(ops.sweepLongJobs, before), true);
    assert.deepEqual(left(), []);
    assert.equal(decided(ops.sweepLongJobs, before), false);
  });

  it('has a million items, and not one more', () => {
    const { jobId } = decided(ops.initLongJob, { type: 'delete' });
    const [job] = documents.all(longJobs);
    assert.ok(job);
    documents.apply([put(longJobs, { ...job, items: 999_998 })]);
    const append = (items: readonly string[]) => decided(ops.appendLongJobItems, { jobId, type: 'delete', items });
    const more = {
      code: 'LIMIT_EXCEEDED',
      message: `expected at most 1000000 items of a job, but job '${jobId}' would have more`,
      info: { reason: 'too_many_items', resourceId: jobId },
    };
    assert.throws(() => append(['/a', '/b', '/c']), more);
    assert.equal(append(['/a', '/b']).itemsAccepted, 2);
    assert.throws(() => append(['/c']), more);
  });
});
