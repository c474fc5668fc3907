import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { LongJob, LongJobProgress } from '../../src/store/index.js';
import { temporaryFolder } from '../support/temporary.js';
import type { Counter } from '../support/test-domain.js';

const child = fileURLToPath(new URL('../support/long-job-child.js', import.meta.url));

interface Left {
  readonly jobs: readonly LongJob[];
  readonly told: readonly (readonly LongJobProgress[])[];
  readonly visits: readonly Counter[];
}

/** Runs a child; kills it once it has done item `killAt`. Gives what it said. */
function run(folder: string, mode: string, { holdAt = 0, killAt = 0 } = {}): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const program = spawn('node', [child, folder, mode, String(holdAt)], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    program.stdout.on('data', (data: Buffer) => {
      output += data;
      if (killAt > 0 && output.includes(`done ${killAt}\n`)) program.kill('SIGKILL');
    });
    program.on('exit', (code, signal) => {
      if (signal === 'SIGKILL' || code === 0) resolve(output.trim().split('\n'));
      else reject(new Error(`the child ended by itself with ${code}`));
    });
  });
}

describe('long jobs of a server that is killed', function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  let left: Left;
  before(async () => {
    await run(folder.path, 'first', { killAt: 37, holdAt: 60 });
    await run(folder.path, 'again', { killAt: 90, holdAt: 120 });
    const [last = ''] = (await run(folder.path, 'last')).slice(-1);
    left = JSON.parse(last);
  });
  after(() => folder.remove());

  const of = (type: string) => left.jobs.filter((job) => job.type === type);
  const walk = () => of('walk').find(({ items }) => items === 150);

  it('go on from their checkpoint, and do everything that there was to do', () => {
    const job = walk();
    assert.deepEqual([job?.actor.value, job?.result], ['completed', { walked: 150 }]);
    assert.deepEqual([job?.actor.context.attempt, job?.deaths], [3, 2]);
    const walked = left.visits.filter(({ id }) => id.startsWith('/walk/'));
    assert.equal(walked.length, 150);
    const again = walked.reduce((sum, { value }) => sum + value - 1, 0);
    assert.ok(again < 50, `${again} items were done again`);
  });

  it('have failed where they cannot be run again', () => {
    const [job] = of('wait');
    assert.equal(job?.actor.value, 'failed');
    assert.equal(job?.figures.errorMessage, 'The server ended while the job was running.');
  });

  it('are aborted where that was asked', () => assert.equal(of('deaf')[0]?.actor.value, 'aborted'));

  it('are run where they were still waiting, and wait where they were not started', () => {
    const states = (items: string) => left.visits.find(({ id }) => id === items)?.value;
    assert.deepEqual([states('/waited'), states('/not-started')], [1, undefined]);
    const small = of('walk').filter(({ items }) => items === 1);
    assert.deepEqual(small.map(({ actor }) => actor.value).sort(), ['completed', 'init']);
  });

  it('never told of counters that run backwards, and told of their end once, at the end', () => {
    for (const told of left.told) {
      told.reduce(
        (before, { itemsProcessed, version }) => {
          assert.ok(itemsProcessed >= before.itemsProcessed && version === before.version + 1);
          return { itemsProcessed, version };
        },
        { itemsProcessed: 0, version: 0 },
      );
      const ends = told.filter(({ status }) => ['completed', 'failed', 'aborted'].includes(status));
      assert.equal(ends.length, told.length > 0 ? 1 : 0);
    }
  });
});
