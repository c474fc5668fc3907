import { writeSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { SteadyClock } from '../../../src/shared/clock.js';
import { ServiceError } from '../../../src/shared/errors.js';
import { incidents, operation, put } from '../../../src/store/documents.js';
import type { Partition } from '../../../src/store/index.js';
import { takeOutcome } from '../../../src/store/job/outcome.js';
import { Store } from '../../../src/store/store.js';
import { Changes } from '../../support/changes.js';
import { callerNamed, counters } from '../../support/test-domain.js';
import type { ChildPlace } from '../log-kit.js';
import { logsOfChild } from './child-logs.js';

/**
 * Works until it is killed, on several partitions at a time: every command changes two counters alike, makes an event that a reaction counts and a
 * job that counts itself. Each answer is written to stdout at once: `<partition> <command id> <answer>`. Arguments: the place, the names of the
 * partitions with commas, what the ids of commands begin with, `drain`.
 */
const count = operation('count', (state, { id }: { id: string }) => {
  const pair = ['left', 'right'].map((side) => {
    const before = state.get(counters, `${id}-${side}`) ?? { id: `${id}-${side}`, group: id, value: 0, tags: [] };
    return { ...before, value: before.value + 1 };
  });
  return {
    write: pair.map((counter) => put(counters, counter)),
    events: [{ type: 'counted', ids: { counterId: id }, data: null }],
    jobs: [{ id: state.ids.next(), type: 'count', dueAt: state.now, immediate: true, input: null }],
    answer: pair[0]?.value ?? 0,
  };
});

const jobDone = operation('jobDone', (state, input: { jobId: string; attempt: number }) => {
  const { done } = takeOutcome(state, input);
  const before = state.get(counters, 'jobs') ?? { id: 'jobs', group: 'jobs', value: 0, tags: [] };
  return { write: [done, put(counters, { ...before, value: before.value + 1 })], answer: null };
});

// Loaded by anything but the crash test (mocha, told to take every file) it must not take a foreign argument for its folder.
if (process.argv[1] !== fileURLToPath(import.meta.url)) throw new Error('expected to be run as a program of its own');
const [place = '', names = '', prefix = '', drain = ''] = process.argv.slice(2);
const child = JSON.parse(place) as ChildPlace;
const commits = new Changes();
const store = new Store({
  folder: child.folder,
  logs: logsOfChild(child),
  collections: [counters],
  operations: [count, jobDone],
  evaluators: {},
  jobTypes: [
    {
      type: 'count',
      run: (job) => ({ operation: jobDone, input: { jobId: job.id, attempt: job.actor.context.attempt } }),
    },
  ],
  reactions: [
    {
      name: 'counter',
      types: ['counted'],
      react: (state) => {
        const before = state.get(counters, 'reactions') ?? { id: 'reactions', group: 'reactions', value: 0, tags: [] };
        return { write: [put(counters, { ...before, value: before.value + 1 })], answer: null };
      },
    },
  ],
  clock: new SteadyClock(),
  jobSlots: 8,
  callerOf: callerNamed,
  followers: () => [{ committed: commits.tell }],
});
const partitions = await Promise.all(names.split(',').map((name) => patiently(() => store.open(name, name))));
const caller = callerNamed('ann');

/** Writes at once: what is buffered would be lost with the process. The reader may be slow. */
function say(line: string): void {
  for (let rest = Buffer.from(line); rest.length > 0; ) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (thrown) {
      if ((thrown as { code?: unknown }).code !== 'EAGAIN') throw thrown;
    }
  }
}

/** As a client does: again, under the same key, while the log is away. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (thrown) {
      if (!(thrown instanceof ServiceError && thrown.code === 'UNAVAILABLE')) throw thrown;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}

const work = async (partition: Partition, worker: number) => {
  for (let n = 0; ; n++) {
    const commandId = `${prefix}-${worker}-${n}`;
    const send = () => partition.send(count, { id: `w${worker}` }, { caller, commandId });
    const { answer } = await patiently(send);
    say(`${partition.id} ${commandId} ${answer}\n`);
  }
};

/**
 * Only looks at what the killed ones left: every job and every reaction comes to its end. A job that three servers in a row died with is dead, with
 * an incident that says so.
 */
async function drained(partition: Partition): Promise<void> {
  const value = (id: string) => partition.replica.read().get(counters, id)?.value ?? 0;
  const total = () => [0, 1, 2].reduce((sum, worker) => sum + value(`w${worker}-left`), 0);
  const dead = () => {
    const failed = partition.replica.read().range(incidents, 'created', [0], 900);
    return failed.filter(({ type, message }) => type === 'failedJob' && message?.includes('the server died')).length;
  };
  await commits.until(() => value('jobs') + dead() >= total() && value('reactions') >= total());
  say(`${partition.id} drained ${total()} ${value('jobs') + dead()} ${value('reactions')}\n`);
}

if (drain === 'drain') {
  await Promise.all(partitions.map(drained));
  await store.close(1_000);
} else {
  say('ready\n');
  await Promise.all(partitions.flatMap((partition) => [0, 1, 2].map((worker) => work(partition, worker))));
}
