import assert from 'node:assert/strict';
import { badRequest } from '../../../../src/shared/errors.js';
import { type LongJobType, longJobs, type Partition, type Store } from '../../../../src/store/index.js';
import { HeldType, jobIn, startedJob, toldUntil } from '../../../support/long-jobs.js';
import { recordSpans } from '../../../support/span-recorder.js';
import { temporaryFolder } from '../../../support/temporary.js';
import { callerNamed } from '../../../support/test-domain.js';
import { openTestPartition, openTestStore } from '../../../support/test-store.js';

const ann = { caller: callerNamed('ann') };

describe('the runner of long jobs', () => {
  let store: Store;
  let partition: Partition;
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(async () => {
    await store.close(0);
    folder.remove();
  });

  const begin = async (types: readonly LongJobType[], { workers = 4, inMemory = true } = {}) => {
    store = openTestStore({ folder: inMemory ? null : folder.path }, { longJobs: { types, workers } });
    partition = await openTestPartition(store);
  };
  const started = (more: Parameters<typeof startedJob>[1] = {}) => startedJob({ partition, store }, more);
  const abort = (jobId: string, type = 'held') =>
    partition.send(store.longJobs.operations.abortLongJob, { jobId, type }, ann);

  it('runs a job with what it was given, as its owner, and keeps what it made', async () => {
    const held = new HeldType({ needsItems: true });
    await begin([held]);
    const { initLongJob, appendLongJobItems, startLongJob } = store.longJobs.operations;
    const { jobId } = (await partition.send(initLongJob, { type: 'held' }, ann)).answer;
    await partition.send(appendLongJobItems, { jobId, type: 'held', items: ['/a', '/b'] }, ann);
    await partition.send(appendLongJobItems, { jobId, type: 'held', items: ['/c'] }, ann);
    await partition.send(startLongJob, { jobId, type: 'held', parameters: { deep: true } }, ann);
    const { context, end } = await held.running(jobId);
    for (let reading = 0; reading < 2; reading++) {
      const items: string[] = [];
      for await (const item of context.items) items.push(item);
      assert.deepEqual(items, ['/a', '/b', '/c']);
    }
    assert.deepEqual(context.parameters, { deep: true });
    assert.deepEqual([context.caller.userId, context.caller.groups], ['ann', ['everyone']]);
    assert.equal(context.partition, partition);
    end({ result: { file: 'a.zip' }, changes: { itemsProcessed: 3, downloadUrl: '/bin/a.zip' } });
    const job = await jobIn(partition, jobId, 'completed');
    assert.deepEqual([job.result, job.figures.downloadUrl], [{ file: 'a.zip' }, '/bin/a.zip']);
  });

  it('is given more to do by its run, each once', async () => {
    const held = new HeldType();
    await begin([held]);
    const jobId = await started();
    const { context, end } = await held.running(jobId);
    await context.add(['/a', '/b'], { checkpoint: 'looked' });
    await context.add(['/c'], { checkpoint: 'looked again' });
    const items: string[] = [];
    for await (const item of context.items) items.push(item);
    assert.deepEqual(items, ['/a', '/b', '/c']);
    const { checkpoint, figures, actor } = partition.replica.read().get(longJobs, jobId) ?? {};
    assert.deepEqual([checkpoint, figures?.itemsTotal], ['looked again', 3]);
    const again = { jobId, attempt: actor?.context.attempt ?? 0, behind: 2, items: ['/c'], changes: {} };
    await partition.sendAsSystem(store.longJobs.operations.fillLongJob, again);
    assert.equal(partition.replica.read().get(longJobs, jobId)?.items, 3);
    end();
    await jobIn(partition, jobId, 'completed');
    await assert.rejects(context.add(['/d'], {}), /CONFLICT|attempt/);
  });

  it('runs so many at once, then those with the highest priority, then the oldest', async () => {
    const held = new HeldType();
    await begin([held], { workers: 2 });
    const first = [await started(), await started()];
    const [low, high, high2, lower] = [
      await started({ priority: 1 }),
      await started({ priority: 9 }),
      await started({ priority: 9 }),
      await started({ priority: -5 }),
    ];
    for (const jobId of [...first, high, high2, low, lower]) {
      const run = await held.running(jobId);
      assert.ok(store.longJobs.running <= 2);
      run.end();
      await jobIn(partition, jobId, 'completed');
    }
    assert.deepEqual(held.begun, [...first, high, high2, low, lower]);
  });

  it('shares its workers among all workspaces', async () => {
    const held = new HeldType();
    await begin([held], { workers: 1 });
    const other = await store.open('other', 'other');
    const here = await started();
    const there = await startedJob({ partition: other, store }, { priority: 1 });
    const later = await started();
    for (const [where, jobId] of [
      [partition, here],
      [other, there],
      [partition, later],
    ] as const) {
      (await held.running(jobId)).end();
      await jobIn(where, jobId, 'completed');
    }
    assert.deepEqual(held.begun, [here, there, later]);
  });

  for (const [older, newer, priority, first] of [
    ['here', 'there', 0, 'older'],
    ['there', 'here', 0, 'older'],
    ['here', 'there', 1, 'newer'],
    ['there', 'here', 1, 'newer'],
  ] as const)
    it(`takes of two workspaces the ${first} job, where the newer one has priority ${priority} and is ${newer}`, async () => {
      const held = new HeldType();
      await begin([held], { workers: 1 });
      const places = { here: partition, there: await store.open('other', 'other') };
      const before = await started();
      const waiting = {
        older: await startedJob({ partition: places[older], store }),
        newer: await startedJob({ partition: places[newer], store }, { priority }),
      };
      const second = first === 'older' ? waiting.newer : waiting.older;
      for (const jobId of [before, waiting[first], second]) (await held.running(jobId)).end();
      assert.deepEqual(held.begun, [before, waiting[first], second]);
    });

  it('does not store again what is stored', async () => {
    const held = new HeldType({ throttle: { items: 1, ms: 0 } });
    await begin([held]);
    const jobId = await started();
    const { context, end } = await held.running(jobId);
    context.progress({ itemsProcessed: 1 });
    await toldUntil(partition, jobId, ({ itemsProcessed }) => itemsProcessed === 1);
    await jobIn(partition, await started(), 'running');
    end();
    const statuses = (await toldUntil(partition, jobId)).map(({ status }) => status);
    assert.deepEqual(statuses, ['init', 'queued', 'running', 'running', 'completed']);
  });

  it('stores progress on its way, and what is left of it with the end', async () => {
    const held = new HeldType({ throttle: { items: 10, ms: 3_600_000 } });
    await begin([held]);
    const jobId = await started();
    const { context, end } = await held.running(jobId);
    context.progress({ itemsProcessed: 1 });
    await toldUntil(partition, jobId, ({ itemsProcessed }) => itemsProcessed === 1);
    context.progress({ itemsProcessed: 2, currentPath: '/b' });
    context.progress({ itemsProcessed: 3 });
    end();
    const told = await toldUntil(partition, jobId);
    const last = told.at(-1);
    assert.deepEqual([last?.status, last?.itemsProcessed, last?.currentPath], ['completed', 3, '/b']);
    assert.equal(told.filter(({ status }) => status === 'running').length, 2);
    context.progress({ itemsProcessed: 4 });
    await new Promise(setImmediate);
    assert.equal(
      partition.replica.read().get(longJobs, jobId)?.figures.itemsProcessed,
      3,
      'nothing comes behind the end',
    );
  });

  it('fails a job with the sentence of a refusal, and with no more than that of a bug', async () => {
    const held = new HeldType();
    await begin([held]);
    const [refused, broken] = [await started(), await started()];
    const run = await held.running(refused);
    run.context.progress({ itemsProcessed: 2 });
    run.fail(badRequest('expected an archive, but found a poem'));
    (await held.running(broken)).fail(new Error('secret'));
    const job = await jobIn(partition, refused, 'failed');
    assert.deepEqual(
      [job.figures.errorMessage, job.figures.itemsProcessed],
      ['expected an archive, but found a poem', 2],
    );
    assert.equal((await jobIn(partition, broken, 'failed')).figures.errorMessage, 'Internal error');
  });

  it('fails a job whose run throws before it waits, or whose result cannot be kept', async () => {
    const throwing: LongJobType = {
      type: 'throwing',
      needsItems: false,
      resume: 'fail',
      throttle: { items: 1, ms: 0 },
      run: () => {
        throw new Error('at once');
      },
    };
    const held = new HeldType();
    await begin([throwing, held]);
    assert.equal((await jobIn(partition, await started({ type: 'throwing' }), 'failed')).actor.value, 'failed');
    const large = await started();
    (await held.running(large)).end({ result: 'x'.repeat(100_000) });
    assert.match(String((await jobIn(partition, large, 'failed')).figures.errorMessage), /result of at most/);
    assert.equal(store.longJobs.running <= 1, true);
  });

  it('fails a job whose type nobody registers any more', async () => {
    const held = new HeldType();
    await begin([held], { workers: 1, inMemory: false });
    const [running, waiting] = [await started(), await started()];
    await held.running(running);
    await store.close(0);
    await begin([], { inMemory: false });
    for (const jobId of [running, waiting]) {
      const { figures } = await jobIn(partition, jobId, 'failed');
      assert.equal(figures.errorMessage, "Nothing runs jobs of type 'held'.");
    }
  });

  it('aborts a waiting job without running it, and a running one by its signal', async () => {
    const held = new HeldType();
    await begin([held], { workers: 1 });
    const [running, waiting] = [await started(), await started()];
    assert.equal((await abort(waiting)).answer.status, 'aborting');
    await jobIn(partition, waiting, 'aborted');
    const { context, fail } = await held.running(running);
    context.progress({ itemsProcessed: 1 });
    const stopped = new Promise<void>((resolve) => {
      context.signal.addEventListener('abort', () => resolve());
    });
    assert.equal((await abort(running)).answer.status, 'aborting');
    await stopped;
    context.progress({ itemsProcessed: 2 });
    fail(context.signal.reason);
    const told = await toldUntil(partition, running);
    assert.deepEqual(
      [told.at(-1)?.status, told.at(-1)?.itemsProcessed, told.at(-1)?.errorMessage],
      ['aborted', 2, null],
    );
    assert.deepEqual(held.begun, [running]);
  });

  it('has a span for each run, which has failed where the run has, and not where it was asked to end', async () => {
    const recorder = recordSpans();
    const held = new HeldType();
    await begin([held]);
    const [ending, failing, aborting] = [await started(), await started(), await started()];
    (await held.running(ending)).end();
    (await held.running(failing)).fail(badRequest('no luck'));
    const { context, fail } = await held.running(aborting);
    context.signal.addEventListener('abort', () => fail(context.signal.reason));
    await abort(aborting);
    await jobIn(partition, ending, 'completed');
    await jobIn(partition, failing, 'failed');
    await jobIn(partition, aborting, 'aborted');
    const spans = recorder.spans().filter(({ name }) => name === 'process held');
    const failed = new Map(spans.map(({ attributes, status }) => [attributes['app.job.id'], status.message ?? null]));
    await recorder.stop();
    assert.deepEqual(
      [ending, failing, aborting].map((jobId) => failed.get(jobId)),
      [null, 'no luck', null],
    );
  });

  it('aborts a job that fails, or comes to its end, while its abort is under way', async () => {
    const held = new HeldType();
    await begin([held]);
    const [failing, ending] = [await started(), await started()];
    const runs = [await held.running(failing), await held.running(ending)];
    await Promise.all([abort(failing), abort(ending)]);
    runs[0]?.fail(new Error('late'));
    runs[1]?.end({ result: 'done', changes: { downloadUrl: '/x' } });
    for (const jobId of [failing, ending]) {
      const { figures, result } = await jobIn(partition, jobId, 'aborted');
      assert.deepEqual([figures.errorMessage, figures.downloadUrl, result], [null, null, null]);
    }
  });

  it('gives running jobs back when it drains: the next server runs them again, from their checkpoint', async () => {
    const held = new HeldType();
    await begin([held], { inMemory: false });
    const [first, second] = [await started(), await started()];
    const [heeding, deaf] = [await held.running(first), await held.running(second)];
    heeding.context.progress({ itemsProcessed: 5, checkpoint: '/m' });
    heeding.context.signal.addEventListener('abort', () => heeding.fail(heeding.context.signal.reason));
    deaf.context.progress({ itemsProcessed: 1 });
    await toldUntil(partition, second, ({ itemsProcessed }) => itemsProcessed === 1);
    deaf.context.progress({ currentPath: '/z' });
    await store.close(20);
    assert.ok(deaf.context.signal.aborted);
    deaf.end();
    const again = new HeldType();
    await begin([again], { inMemory: false });
    const { context, end } = await again.running(first);
    assert.deepEqual([context.job.checkpoint, context.job.figures.itemsProcessed], ['/m', 5]);
    assert.deepEqual([context.job.actor.context.attempt, context.job.deaths], [2, 0]);
    end();
    const other = await again.running(second);
    assert.equal(other.context.job.figures.currentPath, '/z', 'what it told last is kept, though it heeds nothing');
    other.end();
    for (const jobId of [first, second]) await jobIn(partition, jobId, 'completed');
  });

  it('fails what cannot run again when it drains, unless it comes to its end in time', async () => {
    const held = new HeldType({ resume: 'fail' });
    await begin([held], { inMemory: false });
    const [slow, quick] = [await started(), await started()];
    await held.running(slow);
    const run = await held.running(quick);
    run.context.signal.addEventListener('abort', () => run.end({ result: 1 }));
    await store.close(20);
    await begin([held], { inMemory: false });
    assert.equal(
      (await jobIn(partition, slow, 'failed')).figures.errorMessage,
      'The server ended while the job was running.',
    );
    assert.equal((await jobIn(partition, quick, 'completed')).result, 1);
  });

  it('refuses two types of one name', () => {
    store = openTestStore({ folder: null });
    assert.throws(
      () => openTestStore({ folder: null }, { longJobs: { types: [new HeldType(), new HeldType()] } }),
      /once/,
    );
  });
});
