import assert from 'node:assert/strict';
import { type LongJob, longJobs, operation, type Partition, put, type Store } from '../../../../src/store/index.js';
import { LocalLogs } from '../../../../src/store/log/local-logs.js';
import { shapeOf } from '../../../../src/store/log/schema.js';
import { storeCollections } from '../../../../src/store/store.js';
import { partitionOn } from '../../../contract/support/test-partition.js';
import { HeldType, jobIn } from '../../../support/long-jobs.js';
import { temporaryFolder } from '../../../support/temporary.js';
import { callerNamed, counters } from '../../../support/test-domain.js';
import { openTestPartition, openTestStore } from '../../../support/test-store.js';

/** A long job as former versions wrote it while it ran: text of its document, letter by letter. */
const STORED =
  '{"id":"1795399375569-4cff","type":"held","priority":0,"userId":"ann","items":0,"pieces":0,"parameters":null,"figures":{"itemsTotal":0,"itemsProcessed":5,"itemsDeleted":null,"itemsArchived":null,"itemsImported":null,"itemsNew":null,"itemsOverwritten":null,"itemsSkipped":null,"itemsError":null,"errorSamples":null,"dryRunHasErrors":null,"dryRunNodeCount":null,"dryRunBinaryCount":null,"dryRunDetail":null,"currentPath":null,"errorMessage":null,"phase":null,"targetWorkspace":null,"downloadUrl":null},"version":4,"checkpoint":"/m","result":null,"created":1795399375569,"updated":1795399375592,"queued":1795399375577,"started":1795399375591,"ended":null,"ticket":"01a20624-5ad9-7000-8400-01f0fe81826a","cause":{"commandId":"01a20624-5ad9-7000-83c0-024971f22b12"},"deaths":0,"actor":{"value":"running","context":{"attempt":1}}}';

const store = operation('store', (_, { jobs }: { readonly jobs: readonly LongJob[] }) => ({
  write: jobs.map((job) => put(longJobs, job)),
  answer: null,
}));

describe('long jobs that a former version stored', () => {
  const folder = temporaryFolder();
  const held = new HeldType();
  const once = new HeldType({ type: 'once', resume: 'fail' });
  let opened: Store;
  let partition: Partition;

  const former = (last: string, value: LongJob['actor']['value'], more: Partial<LongJob> = {}): LongJob => {
    const job = JSON.parse(STORED) as LongJob;
    return { ...job, id: `1795399375569-000${last}`, ...more, actor: { ...job.actor, value } };
  };
  const waiting = { started: null, checkpoint: null, actor: { value: 'queued', context: { attempt: 0 } } } as const;
  const idOf = (last: string) => `1795399375569-000${last}`;

  before(async () => {
    const shapes = [...storeCollections(), counters].map(shapeOf);
    const before = partitionOn(await new LocalLogs(folder.path).open('test', shapes), (log) => log, {
      operations: [store],
    });
    const jobs: LongJob[] = [
      former('0', 'running'),
      former('1', 'running', { type: 'once' }),
      former('2', 'running', { deaths: 2 }),
      former('3', 'aborting'),
      { ...former('4', 'queued'), ...waiting, priority: -1, ticket: '01a20624-5ad9-7000-8400-000000000002' },
      { ...former('5', 'queued'), ...waiting, priority: 7, ticket: '01a20624-5ad9-7000-8400-000000000003' },
      { ...former('6', 'init'), ...waiting, actor: { value: 'init', context: { attempt: 0 } }, ticket: null },
      former('7', 'completed', { ended: 1795399375600, result: { file: 'a.zip' } }),
      former('8', 'failed', { ended: 1795399375600 }),
    ];
    await before.send(store, { jobs }, { caller: callerNamed('ann') });
    await before.close(0);
    opened = openTestStore({ folder: folder.path }, { longJobs: { types: [held, once], workers: 1 } });
    partition = await openTestPartition(opened);
  });
  after(async () => {
    await opened.close(0);
    folder.remove();
  });

  const job = (last: string) => partition.replica.read().get(longJobs, idOf(last));

  it('has failed, or is aborted, where its run was cut off and does not begin again', () => {
    assert.deepEqual(
      ['1', '2', '3'].map(job).map((one) => one?.actor.value),
      ['failed', 'failed', 'aborted'],
    );
    assert.match(String(job('1')?.figures.errorMessage), /server ended while/);
    assert.match(String(job('2')?.figures.errorMessage), /died 3 times/);
  });

  it('goes on by priority where it waits, and from its checkpoint where it ran', async () => {
    for (const last of ['5', '0', '4']) {
      const { context, end } = await held.running(idOf(last));
      assert.equal(context.job.checkpoint, last === '0' ? '/m' : null);
      assert.deepEqual(context.job.actor.context.attempt, last === '0' ? 2 : 1);
      end();
      await jobIn(partition, idOf(last), 'completed');
    }
    assert.deepEqual([held.begun, once.begun], [['5', '0', '4'].map(idOf), []]);
    assert.equal(job('0')?.deaths, 1);
  });

  it('can be started where it was not, and stays where it is over', async () => {
    const { startLongJob } = opened.longJobs.operations;
    await partition.send(startLongJob, { jobId: idOf('6'), type: 'held' }, { caller: callerNamed('ann') });
    (await held.running(idOf('6'))).end();
    await jobIn(partition, idOf('6'), 'completed');
    assert.deepEqual([job('7')?.result, job('8')?.actor.value], [{ file: 'a.zip' }, 'failed']);
  });
});
