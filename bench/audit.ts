import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { AUDIT_STREAM, Audit } from '../src/server/audit/audit.js';
import { AUDIT_PACKING } from '../src/server/audit/audit-entry.js';
import { SteadyClock } from '../src/shared/clock.js';
import { type CommitFollower, type Committed, PackedRows, Records } from '../src/store/index.js';
import { engineInStore } from './engine-in-store.js';
import { percentile, round, say, type Work } from './measure.js';
import { timed, toldTimes } from './timed.js';

const CALLERS = 64;
const SLICE_MS = 400;
const WARM_MS = 3_000;
/** How many real commits are recorded again and again, how many in all, and how many a second. */
const KNOWN_COMMITS = 4_000;
const COMMITS = 40_000;
const COMMITS_PER_MS = 10;
const ENTRIES = 1_000_000;
const ENTRIES_PER_WRITE = 500;
const USERS = 200;
const DAY_MS = 86_400_000;

const opened = (dataFolder: string) => {
  const records = new Records({ dataFolder, retention: { [AUDIT_STREAM]: { ageMaxMs: 90 * DAY_MS } } });
  return { records, audit: new Audit(records, new SteadyClock()) };
};

const median = (values: readonly number[]): number =>
  percentile(
    values.toSorted((a, b) => a - b),
    0.5,
  );

/** Cost of the audit log to each commit, and of finding entries among a million. */
export async function auditBench(folder: string, pairs: number): Promise<void> {
  await besideNone(folder, pairs);
  await recordingAlone(folder, Math.ceil(pairs / 4));
  await amongMany(folder);
}

/** Two stores in turns, one of them with the audit log. */
async function besideNone(folder: string, pairs: number): Promise<void> {
  const { audit } = opened(join(folder, 'with'));
  const none = await engineInStore(join(folder, 'without'));
  const one = await engineInStore(join(folder, 'with'), { followers: (name) => [audit.follower(name)] });
  audit.begin(one.partition);
  const works = [none.work('d'), one.work('d')] as const;
  for (const work of works) await cpuOf(work, WARM_MS);
  const ratios: number[] = [];
  const costs: number[] = [];
  for (let i = 0; i < pairs; i++) {
    const order = i % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const);
    const taken: number[] = [];
    for (const at of order) taken[at] = await cpuOf(works[at], SLICE_MS);
    ratios.push((taken[1] ?? 0) / (taken[0] ?? 1));
    costs.push((taken[1] ?? 0) - (taken[0] ?? 0));
  }
  const sorted = ratios.toSorted((x, y) => x - y);
  say(`The audit log, CPU of all threads, (d) with ${CALLERS} callers, ${pairs} pairs of slices in turns:`);
  say(
    `  with it ${round(median(ratios))} of what it is without (quartiles ${round(percentile(sorted, 0.25))} to ${round(percentile(sorted, 0.75))}), ${round(median(costs) / 2)} µs a commit`,
  );
  await none.close();
  await one.close();
  await audit.close();
}

/** CPU of an operation, µs, with what is done behind it. */
async function cpuOf(work: Work, ms: number): Promise<number> {
  await rest(200);
  const before = process.cpuUsage();
  const until = performance.now() + ms;
  let done = 0;
  const caller = async () => {
    for (; performance.now() < until; done++) await work();
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  await rest(200);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / done;
}

/** Real commits of (d), given to the follower as a log of 10,000 a second would. */
async function recordingAlone(folder: string, times: number): Promise<void> {
  const commits: Committed[] = [];
  const engine = await engineInStore(null, { followers: () => [{ committed: (commit) => commits.push(commit) }] });
  const work = engine.work('d');
  while (commits.length < KNOWN_COMMITS) await work();
  await engine.close();
  mkdirSync(join(folder, 'alone', 'p'), { recursive: true });
  const { audit } = opened(join(folder, 'alone'));
  const recorder = audit.follower('p');
  audit.begin({
    id: 'p',
    replica: { feed: { epoch: '', oldest: () => 0, newest: () => 0, keptCommits: () => [] } },
  } as never);
  await rest(500);
  let revision = 0;
  const again = (follower: Pick<CommitFollower, 'committed'>) => async (n: number) => {
    const commit = commits[n % commits.length] as Committed;
    follower.committed({ ...commit, record: { ...commit.record, revision: ++revision } });
  };
  const costs: number[] = [];
  for (let i = 0; i <= times; i++) {
    const none = await cpuOfFeed(again({ committed: () => {} }));
    const one = await cpuOfFeed(again(recorder));
    if (i > 0) costs.push(one - none);
  }
  say(`  recording alone: ${round(median(costs))} µs a commit (${costs.map(round).join(', ')})`);
  await audit.close();
}

async function cpuOfFeed(give: (n: number) => unknown): Promise<number> {
  const before = process.cpuUsage();
  const begun = performance.now();
  for (let given = 0; given < COMMITS; ) {
    await rest(4);
    const due = Math.min(COMMITS, Math.floor((performance.now() - begun) * COMMITS_PER_MS));
    for (; given < due; given++) give(given);
  }
  await rest(300);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / COMMITS;
}

/** Pages of 50 of a million entries of 200 users, 30 days long, one of them of a user of whom there is no other. */
async function amongMany(folder: string): Promise<void> {
  mkdirSync(join(folder, 'many', 'p'), { recursive: true });
  const { audit, records } = opened(join(folder, 'many'));
  const end = Date.now();
  const at = (n: number) => end - 30 * DAY_MS + Math.floor((n / ENTRIES) * 30 * DAY_MS);
  for (let from = 0; from < ENTRIES; from += ENTRIES_PER_WRITE) {
    const packed = new PackedRows(AUDIT_PACKING);
    for (let n = from; n < from + ENTRIES_PER_WRITE; n++) {
      packed
        .begin(at(n))
        .field(n === 500 ? 'rare' : `user${n % USERS}`)
        .field(n % 3 === 0 ? 'createNode' : 'setProperties')
        .field('DONE');
      packed.text('', `/content/some/folder/node-${n}`).end();
    }
    await records.write('p', [], { stream: AUDIT_STREAM, place: `${from}` }, packed);
  }
  say(`Among ${round(ENTRIES)} entries of ${USERS} users in 30 days, a page of 50:`);
  const day = { from: at(ENTRIES / 2), to: at(ENTRIES / 2) + DAY_MS };
  for (const [what, filter] of Object.entries({
    'the newest': {},
    'of a user': { userId: 'user7' },
    'of a user and a type': { userId: 'user8', type: 'createNode' },
    'of a day': day,
    'of a user on a day': { ...day, userId: 'user7' },
    'of a user who did one thing, long ago': { userId: 'rare' },
    'of nobody': { userId: 'nobody' },
  })) {
    const times = await timed(5, () => audit.read('p', filter, { limit: 50 }));
    say(`  ${what.padEnd(38)} ${toldTimes(times)}`);
  }
  const waits = timed(20, async () => {
    await records.write('p', [], { stream: 'other', place: '' });
    await rest(20);
  });
  await audit.read('p', { userId: 'nobody' }, { limit: 50 });
  say(`  what is written while all are looked through waits, each with 20 ms: ${toldTimes(await waits)}`);
  await audit.close();
}
