import assert from 'node:assert/strict';
import { type GraphQLObjectType, isEnumType, isObjectType } from 'graphql';
import { longJobMachine, longJobs } from '../../src/store/index.js';
import { jobIn } from '../support/long-jobs.js';
import type { EventReader, Frame } from './support/event-reader.js';
import { JobServer, jobSchema } from './support/job-server.js';

const REF = 'jobId: ID!; status: LongJobStatus!; itemsAccepted: Long; itemsTotal: Long';
const PROGRESS =
  'jobId: ID!; status: LongJobStatus!; itemsTotal: Long!; itemsProcessed: Long!; itemsDeleted: Long; itemsArchived: Long; itemsImported: Long; itemsNew: Long; itemsOverwritten: Long; itemsSkipped: Long; itemsError: Long; errorSamples: [String!]; dryRunHasErrors: Boolean; dryRunNodeCount: Long; dryRunBinaryCount: Long; dryRunDetail: String; currentPath: String; errorMessage: String; phase: String; targetWorkspace: String; downloadUrl: String; timestamp: DateTime!';

/** The frames that tell something: no comments. */
async function nextFrame(reader: EventReader): Promise<Frame | undefined> {
  for (;;) {
    const frame = await reader.next();
    if (frame === undefined || frame.event !== undefined) return frame;
  }
}

/** Status and itemsProcessed of the next event. */
async function told(reader: EventReader): Promise<{ readonly now: string; readonly id: string }> {
  const frame = await nextFrame(reader);
  assert.equal(frame?.event, 'next', JSON.stringify(frame));
  const { status, itemsProcessed } = JSON.parse(frame?.data ?? '').data.jobProgress;
  return { now: `${status} ${itemsProcessed}`, id: frame?.id ?? '' };
}

/** Everything up to the end of the operation. */
async function toldToEnd(reader: EventReader): Promise<string[]> {
  const all: string[] = [];
  let frame = await nextFrame(reader);
  for (; frame?.event === 'next'; frame = await nextFrame(reader)) {
    const { status, itemsProcessed } = JSON.parse(frame.data ?? '').data.jobProgress;
    all.push(`${status} ${itemsProcessed}`);
  }
  assert.equal(frame?.event, 'complete');
  return all;
}

describe('long jobs through GraphQL', () => {
  const server = new JobServer();
  before(() => server.open());
  after(() => server.close());

  const readers: EventReader[] = [];
  afterEach(() => {
    for (const reader of readers.splice(0)) reader.close();
  });
  const follow = async (...args: Parameters<JobServer['follow']>): Promise<EventReader> => {
    const reader = await server.follow(...args);
    readers.push(reader);
    return reader;
  };
  const ended = async (jobId: string) => {
    (await server.held.running(jobId)).end();
    await jobIn(server.partition, jobId, 'completed');
  };

  it('has the types that clients know, described throughout', () => {
    assert.deepEqual(jobSchema.problems, []);
    for (const [name, fields] of Object.entries({ JobRef: REF, JobProgressEvent: PROGRESS })) {
      const type = jobSchema.schema.getType(name);
      assert.ok(isObjectType(type));
      const actual = Object.values((type as GraphQLObjectType).getFields()).map(
        (field) => `${field.name}: ${field.type}`,
      );
      assert.equal(actual.join('; '), fields);
    }
  });

  it('shows the states of the machine letter by letter', () => {
    const type = jobSchema.schema.getType('LongJobStatus');
    assert.ok(isEnumType(type));
    assert.deepEqual(
      type.getValues().map(({ name }) => name),
      Object.keys(longJobMachine.states),
    );
  });

  it('makes, fills, starts and aborts a job', async () => {
    const made = await server.mutate('initHeld(priority: 2)');
    assert.match(made.jobId, /^\d{13}-[0-9a-f]{4}$/);
    const { jobId } = made;
    assert.equal((await server.mutate(`appendHeld(jobId: "${jobId}", items: ["/a", "", "/b"])`)).itemsAccepted, 2);
    const started = await server.mutate(`startHeld(jobId: "${jobId}")`);
    assert.deepEqual([started.status, started.itemsTotal], ['queued', 2]);
    await assert.rejects(server.mutate(`startHeld(jobId: "${jobId}")`), /UNAVAILABLE/);
    await assert.rejects(server.mutate(`abortHeld(jobId: "${jobId}")`, { cookie: 'user=bob' }), /FORBIDDEN/);
    const run = await server.held.running(jobId);
    assert.equal((await server.mutate(`abortHeld(jobId: "${jobId}")`)).status, 'aborting');
    run.fail(run.context.signal.reason);
    await jobIn(server.partition, jobId, 'aborted');
  });

  it('shows how far a job is to whoever knows its id, null where there is none, and refuses what is no id', async () => {
    const jobId = await server.started();
    const run = await server.held.running(jobId);
    run.context.progress({ itemsProcessed: 1, currentPath: '/a', errorSamples: ['/a\tbroken'] });
    await ended(jobId);
    const fields = 'jobId status itemsTotal itemsProcessed itemsDeleted currentPath errorSamples timestamp';
    const { data } = await server.ask(`{ jobProgress(jobId: "${jobId}") { ${fields} } }`, { cookie: 'user=bob' });
    const { timestamp, ...shown } = (data?.jobProgress ?? {}) as Record<string, unknown>;
    assert.deepEqual(shown, {
      jobId,
      status: 'completed',
      itemsTotal: 1,
      itemsProcessed: 1,
      itemsDeleted: null,
      currentPath: '/a',
      errorSamples: ['/a\tbroken'],
    });
    assert.equal(Date.parse(String(timestamp)), server.partition.replica.read().get(longJobs, jobId)?.ended);
    assert.deepEqual((await server.ask(`{ jobProgress(job: "${jobId}") { status } }`)).data, {
      jobProgress: { status: 'completed' },
    });
    for (const name of ['job', 'jobId'])
      assert.deepEqual((await server.ask(`{ jobProgress(${name}: "1-0a1b") { status } }`)).data, { jobProgress: null });
    for (const args of ['(jobId: "abc")', '(job: "1-0a1b", jobId: "1-0a1b")', '']) {
      const refused = await server.ask(`{ jobProgress${args} { status } }`);
      assert.equal(refused.errors?.[0]?.extensions.code, 'BAD_REQUEST', args);
    }
  });

  it('follows a job from its present snapshot to its end, and completes then', async () => {
    const jobId = await server.started();
    const { context, end } = await server.held.running(jobId);
    const reader = await follow(`jobId: "${jobId}"`);
    assert.equal((await told(reader)).now, 'running 0');
    context.progress({ itemsProcessed: 1 });
    assert.equal((await told(reader)).now, 'running 1');
    end();
    assert.deepEqual(await toldToEnd(reader), ['completed 1']);
  });

  it('tells of a job that has ended, and completes', async () => {
    const jobId = await server.started();
    await ended(jobId);
    assert.deepEqual(await toldToEnd(await follow(`jobId: "${jobId}"`)), ['completed 0']);
  });

  it('refuses what is no id at the start', async () => {
    const frame = await nextFrame(await follow('jobId: "abc"'));
    assert.equal(JSON.parse(frame?.data ?? '').errors[0].extensions.code, 'BAD_REQUEST');
  });

  it('waits for a job that is not there yet, and tells nothing of others', async () => {
    const waiting = await follow('jobId: "4000000000000-0a1b"');
    const other = await server.mutate('initHeld');
    const job = server.partition.replica.read().get(longJobs, other.jobId);
    assert.ok(job);
    await server.appear({ ...job, id: '4000000000000-0a1b' });
    assert.equal((await told(waiting)).now, 'init 0');
  });

  it('goes on behind the last event that a client saw', async () => {
    const jobId = await server.started();
    const { context, end } = await server.held.running(jobId);
    const first = await follow(`jobId: "${jobId}"`);
    await told(first);
    context.progress({ itemsProcessed: 1 });
    const { id } = await told(first);
    first.close();
    context.progress({ itemsProcessed: 2 });
    const second = await follow(`jobId: "${jobId}"`, undefined, id);
    assert.equal((await told(second)).now, 'running 2');
    second.close();
    end();
    await jobIn(server.partition, jobId, 'completed');
    const third = await follow(`jobId: "${jobId}"`, undefined, id);
    assert.deepEqual(await toldToEnd(third), ['running 2', 'completed 2']);
  });

  it('begins behind a position, and still tells the end of a job where nothing more will come', async () => {
    const made = await server.mutate('initHeld');
    const { jobId } = made;
    await server.mutate(`appendHeld(jobId: "${jobId}", items: ["/a"])`);
    await server.mutate(`startHeld(jobId: "${jobId}")`);
    await ended(jobId);
    const from = await follow(`jobId: "${jobId}", after: "${made.position}"`);
    assert.deepEqual(await toldToEnd(from), ['init 0', 'queued 0', 'running 0', 'completed 0']);
    const later = (await server.mutate('initHeld')).position;
    assert.deepEqual(await toldToEnd(await follow(`jobId: "${jobId}", after: "${later}"`)), ['completed 0']);
  });

  it('refuses a position that is none, or of another history', async () => {
    const { jobId } = await server.mutate('initHeld');
    const code = async (after: string) =>
      JSON.parse((await nextFrame(await follow(`jobId: "${jobId}", after: "${after}"`)))?.data ?? '').errors[0]
        .extensions.code;
    assert.equal(await code('nonsense'), 'BAD_REQUEST');
    const elsewhere = Buffer.from(JSON.stringify([['test', 'other epoch', 1, 1]])).toString('base64url');
    assert.equal(await code(elsewhere), 'RESYNC_REQUIRED');
  });
});
