import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '../../../src/store/sqlite.js';
import type { LogKit, LogPlace } from '../log-kit.js';

const program = fileURLToPath(new URL('../support/crash-child.js', import.meta.url));
/** The logs that one child writes at the same time: a kill strikes each of them at an instant of its own. */
const PARTITIONS = ['p1', 'p2', 'p3', 'p4'];
/** Of a process that lives for a moment: what is made faster is used no more. */
const FLAGS = ['--no-opt'];

/** When a child is killed: so many ms after it has printed so many lines, of which the first says that it is ready. */
interface Strike {
  readonly lines: number;
  readonly ms: number;
}

const spawned = (place: LogPlace, ...args: string[]) =>
  spawn(process.execPath, [...FLAGS, program, JSON.stringify(place.child), PARTITIONS.join(','), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });

/** Runs a child until it is killed; gives what it answered. */
function runUntilKilled(place: LogPlace, prefix: string, { lines, ms }: Strike): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const child = spawned(place, prefix);
    let output = '';
    const hasPrinted = () => output.split('\n').length > lines;
    child.stdout.on('data', (data: Buffer) => {
      const isAwaited = !hasPrinted();
      output += data;
      if (isAwaited && hasPrinted()) setTimeout(() => child.kill('SIGKILL'), ms);
    });
    child.on('exit', (code, signal) => {
      if (signal !== 'SIGKILL') reject(new Error(`the child ended by itself with ${code}`));
    });
    child.on('close', () => resolve(output.split('\n').slice(1, -1)));
  });
}

/** Lets a child do all that the killed ones left; gives the line of each partition. */
function drain(place: LogPlace): Promise<string[]> {
  return new Promise((resolve) => {
    const child = spawned(place, 'last', 'drain');
    let output = '';
    child.stdout.on('data', (data: Buffer) => {
      output += data;
    });
    child.on('close', () => resolve(output.trim().split('\n')));
  });
}

/** Compares the files with what was answered; gives how many commands they have. */
function check(folder: string, answered: ReadonlyMap<string, number>): number {
  const log = openDatabase(join(folder, 'log.db'), { readOnly: true });
  const rows = log.prepare('SELECT revision FROM commits ORDER BY revision').all() as unknown as { revision: number }[];
  for (const [i, { revision }] of rows.entries()) assert.equal(revision, i + 1, 'revisions are dense');
  for (const [id, answer] of answered) {
    const kept = log.prepare('SELECT body FROM outcome WHERE id = ?').get(id) as { body: string } | undefined;
    assert.equal(kept && (JSON.parse(kept.body) as { answer: number }).answer, answer, `command ${id} is kept`);
  }
  const read = (id: string) => {
    const row = log.prepare('SELECT body FROM d_counter WHERE id = ?').get(id) as { body: string } | undefined;
    return row === undefined ? 0 : (JSON.parse(row.body) as { value: number }).value;
  };
  let total = 0;
  for (const worker of [0, 1, 2]) {
    const left = read(`w${worker}-left`);
    assert.equal(left, read(`w${worker}-right`), 'no half of a commit');
    total += left;
  }
  const { outcomes } = log.prepare('SELECT count(*) AS outcomes FROM outcome').get() as { outcomes: number };
  assert.equal(total, outcomes, 'every kept command counted once');
  log.close();
  return total;
}

/** A life of kills on one place; nothing that was answered is lost of any of its logs. */
async function killAgainAndAgain(kit: LogKit): Promise<void> {
  const place = await kit.make();
  const answered = new Map(PARTITIONS.map((name) => [name, new Map<string, number>()]));
  const checked = (name: string) => check(join(place.folder, name), answered.get(name) ?? new Map());
  const kills = kit.kills / PARTITIONS.length;
  for (let kill = 0; kill < kills; kill++) {
    // A prime step walks through all delays; a short life hits the first commits and recovery itself.
    const ms = (kill * 29 + 1) % 167;
    // What else can be killed goes down while the child works, or at the same moment, or while nobody is there.
    const other = kill % 2 === 0 ? later((kill * 17) % 100, () => place.killOther?.()) : undefined;
    // Now and then it has to answer before, however slow the machine is.
    const lines = await runUntilKilled(place, `k${kill}`, { ms, lines: kill % 4 === 1 ? 2 : 1 });
    for (const line of lines) {
      const [name = '', id = '', answer] = line.split(' ');
      answered.get(name)?.set(id, Number(answer));
    }
    await other;
    if (kill % 10 === 0) PARTITIONS.forEach(checked);
  }
  const totals = new Map(PARTITIONS.map((name) => [name, checked(name)]));
  for (const line of await drain(place)) {
    const [name = '', , ...counts] = line.split(' ');
    // The next server may find a last group that was in the log but not yet in its replica when the killed one ended.
    const [kept = 0, jobs, reactions] = counts.map(Number);
    assert.ok(kept >= (totals.get(name) ?? Number.POSITIVE_INFINITY));
    assert.deepEqual([jobs, reactions], [kept, kept], 'no job and no reaction is lost');
    totals.delete(name);
  }
  assert.deepEqual([...totals.keys()], [], 'each partition came to its end');
  for (const [name, { size }] of answered) assert.ok(size > 0, `${name} answered nothing`);
  await place.remove();
}

const later = async (ms: number, work: () => Promise<void> | undefined) => {
  await new Promise((resolve) => setTimeout(resolve, ms));
  await work();
};

/** A kill at any instant loses nothing that was answered. */
export function killContract(kit: LogKit): void {
  describe('a server killed at any instant', () => {
    it(`loses nothing that was answered, in ${kit.kills} kills`, async function () {
      this.timeout(600_000);
      await killAgainAndAgain(kit);
    });
  });
}
