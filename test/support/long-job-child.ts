import { writeSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { SteadyClock } from '../../src/shared/clock.js';
import { hasEnded, type LongJobType, longJobs, operation, put } from '../../src/store/index.js';
import { Store } from '../../src/store/store.js';
import { toldUntil } from './long-jobs.js';
import { callerNamed, counters } from './test-domain.js';

/**
 * Runs long jobs until it is killed; with `last` until all of them are over, and tells how. A job of type `walk` does one item after the other and
 * says so on stdout; at item `holdAt` it stands still. Jobs of type `wait` and `deaf` never end by themselves.
 */
if (process.argv[1] !== fileURLToPath(import.meta.url)) throw new Error('expected to be run as a program of its own');
const [folder = '', mode = '', holdAt = ''] = process.argv.slice(2);
const caller = callerNamed('ann');
const never = () => new Promise<undefined>(() => {});
const say = (line: string) => writeSync(1, `${line}\n`);

/** Counts how often an item was done. */
const visit = operation('visit', (state, { id }: { id: string }) => {
  const before = state.get(counters, id) ?? { id, group: 'visits', value: 0, tags: [] };
  return { write: [put(counters, { ...before, value: before.value + 1 })], answer: null };
});

const throttle = { items: 3, ms: 5 };
const types: LongJobType[] = [
  {
    type: 'walk',
    needsItems: true,
    resume: 'restart',
    throttle,
    run: async ({ job, items, partition, progress }) => {
      const from = (job.checkpoint ?? 0) as number;
      let n = 0;
      for await (const item of items) {
        if (++n <= from) continue;
        if (n === Number(holdAt)) await never();
        await partition.send(visit, { id: item }, { caller });
        progress({ itemsProcessed: n, checkpoint: n });
        say(`done ${n}`);
      }
      return { result: { walked: n } };
    },
  },
  { type: 'wait', needsItems: false, resume: 'fail', throttle, run: never },
  { type: 'deaf', needsItems: false, resume: 'restart', throttle, run: never },
];
const store = new Store({
  folder,
  collections: [counters],
  operations: [visit],
  evaluators: {},
  jobTypes: [],
  reactions: [],
  clock: new SteadyClock(),
  jobSlots: 8,
  callerOf: callerNamed,
  longJobs: { types, workers: mode === 'last' ? 4 : 3 },
});
const partition = await store.open('test', 'test');
const { initLongJob, appendLongJobItems, startLongJob, abortLongJob } = store.longJobs.operations;

async function make(type: string, items: readonly string[] = []): Promise<string> {
  const { jobId } = (await partition.send(initLongJob, { type }, { caller })).answer;
  for (let n = 0; n < items.length; n += 100) {
    await partition.send(appendLongJobItems, { jobId, type, items: items.slice(n, n + 100) }, { caller });
  }
  return jobId;
}

async function started(type: string, items?: readonly string[]): Promise<string> {
  const jobId = await make(type, items);
  await partition.send(startLongJob, { jobId, type }, { caller });
  return jobId;
}

if (mode === 'first') {
  // Three workers: the fourth job waits.
  const deaf = await started('deaf');
  await started('wait');
  await toldUntil(partition, deaf, ({ status }) => status === 'running');
  await partition.send(abortLongJob, { jobId: deaf, type: 'deaf' }, { caller });
  await started(
    'walk',
    Array.from({ length: 150 }, (_, n) => `/walk/${n}`),
  );
  await started('walk', ['/waited']);
  await make('walk', ['/not-started']);
}
if (mode === 'last') {
  const all = partition.replica.read().range(longJobs, 'created', [0], 100);
  for (const { id, actor } of all) if (actor.value !== 'init') await toldUntil(partition, id);
  const jobs = partition.replica.read().range(longJobs, 'created', [0], 100);
  const told = await Promise.all(jobs.map(({ id, actor }) => (hasEnded(actor.value) ? toldUntil(partition, id) : [])));
  const visits = partition.replica.read().range(counters, 'group', ['visits'], 900);
  say(JSON.stringify({ jobs, told, visits }));
  await store.close(1_000);
  process.exit(0);
}
// Not for ever, should nobody kill it.
setTimeout(() => process.exit(1), 60_000);
