import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '../../../src/store/sqlite.js';
import type { LogKit, LogPlace } from '../log-kit.js';

const program = fileURLToPath(new URL('../support/crash-child.js', import.meta.url));
/** Lives of kills beside each other, each on a place of its own. */
const LANES = 2;

/** When a child is killed: so many ms after it has printed so many lines, of which the first says that it is ready. */
interface Strike {
  readonly lines: number;
  readonly ms: number;
}

/** Runs a child until it is killed; gives what it answered. */
function runUntilKilled(place: LogPlace, prefix: string, { lines, ms }: Strike): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const child = spawn('node', [program, JSON.stringify(place.child), prefix], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
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

function drain(place: LogPlace): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn('node', [program, JSON.stringify(place.child), 'last', 'drain'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (data: Buffer) => {
      output += data;
    });
    child.on('close', () => resolve(output.trim()));
  });
}

/** Compares the files with what was answered. */
function check(folder: string, answered: Map<string, number>): number {
  const log = openDatabase(join(folder, 'test', 'log.db'), { readOnly: true });
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

/** A life of kills on one place; gives how much was answered, and that nothing of it was lost. */
async function killAgainAndAgain(kit: LogKit, lane: number): Promise<number> {
  const place = await kit.make();
  const answered = new Map<string, number>();
  const kills = kit.kills / LANES;
  for (let kill = 0; kill < kills; kill++) {
    // A prime step walks through all delays; a short life hits the first commits and recovery itself.
    const ms = (kill * 29 + lane) % 167;
    // What else can be killed goes down while the child works, or at the same moment, or while nobody is there.
    const other = kill % 2 === 0 ? later((kill * 17) % 100, () => place.killOther?.()) : undefined;
    // Now and then it has to answer before, however slow the machine is.
    const lines = await runUntilKilled(place, `k${kill}`, { ms, lines: kill % 4 === 1 ? 2 : 1 });
    for (const line of lines) {
      const [id = '', answer] = line.split(' ');
      answered.set(id, Number(answer));
    }
    await other;
    if (kill % 20 === 0) check(place.folder, answered);
  }
  const total = check(place.folder, answered);
  assert.ok(total >= answered.size);
  // The next server may find a last group that was in the log but not yet in its replica when the killed one ended.
  const [kept = 0, jobs, reactions] = (await drain(place)).split(' ').slice(1).map(Number);
  assert.ok(kept >= total);
  assert.deepEqual([jobs, reactions], [kept, kept], 'no job and no reaction is lost');
  await place.remove();
  return answered.size;
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
      const lanes = Array.from({ length: LANES }, (_, i) => killAgainAndAgain(kit, i + 1));
      const answered = await Promise.all(lanes);
      assert.ok(Math.min(...answered) > 0);
    });
  });
}
