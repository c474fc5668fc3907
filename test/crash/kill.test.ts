import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '../../src/store/sqlite.js';
import { temporaryFolder } from '../support/temporary.js';

const child = fileURLToPath(new URL('../support/crash-child.js', import.meta.url));
const KILLS = Number(process.env.MILLRACE_TEST_KILLS ?? 200);

/** Runs a child until it is killed some ms after it is ready; gives what it answered. */
function runUntilKilled(folder: string, prefix: string, ms: number): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const process = spawn('node', [child, folder, prefix], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    process.stdout.on('data', (data: Buffer) => {
      if (output === '') setTimeout(() => process.kill('SIGKILL'), ms);
      output += data;
    });
    process.on('exit', (code, signal) => {
      if (signal !== 'SIGKILL') reject(new Error(`the child ended by itself with ${code}`));
      else resolve(output.split('\n').slice(1, -1));
    });
  });
}

function drain(folder: string): Promise<string> {
  return new Promise((resolve) => {
    const process = spawn('node', [child, folder, 'last', 'drain'], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    process.stdout.on('data', (data: Buffer) => {
      output += data;
    });
    process.on('exit', () => resolve(output.trim()));
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

/** A life of kills on one folder; gives how much was answered, and that nothing of it was lost. */
async function killAgainAndAgain(lane: number): Promise<number> {
  const folder = temporaryFolder();
  const answered = new Map<string, number>();
  for (let kill = 0; kill < KILLS / 2; kill++) {
    // A prime step walks through all delays; a short life hits the first commits and recovery itself.
    const lines = await runUntilKilled(folder.path, `k${kill}`, (kill * 29 + lane) % 167);
    for (const line of lines) {
      const [id = '', answer] = line.split(' ');
      answered.set(id, Number(answer));
    }
    if (kill % 20 === 0) check(folder.path, answered);
  }
  const total = check(folder.path, answered);
  assert.ok(total >= answered.size);
  // The next server may find a last group that was in the file but not yet in its index when the killed one ended.
  const [kept = 0, jobs, reactions] = (await drain(folder.path)).split(' ').slice(1).map(Number);
  assert.ok(kept >= total);
  assert.deepEqual([jobs, reactions], [kept, kept], 'no job and no reaction is lost');
  folder.remove();
  return answered.size;
}

describe('a server killed at any instant', () => {
  it(`loses nothing that was answered, in ${KILLS} kills`, async function () {
    this.timeout(600_000);
    const answered = await Promise.all([killAgainAndAgain(1), killAgainAndAgain(2)]);
    assert.ok(Math.min(...answered) > 0);
  });
});
