import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DataFolder, dataFolder } from '../support/data-folder.js';
import { Random } from '../support/random.js';
import { power, preloadFor } from './ground/power.js';
import { restoreDisk, type Survival } from './restore-disk.js';

/** Writes in each way that programs here write, and flushes some of it. */
const PROGRAM = `
const { closeSync, fsyncSync, ftruncateSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync, writeSync, writevSync } = require('node:fs');
const at = (name) => process.env.POWER_LOSS_ROOT + '/' + name;
const first = openSync(at('first'), 'w+');
writeSync(first, 'flushed', 0);
writeFileSync(at('old'), 'old'); writeFileSync(at('gone'), 'gone');
fsyncSync(first);
for (const name of ['old', 'gone']) { const file = openSync(at(name), 'r+'); fsyncSync(file); closeSync(file); }
writeSync(first, 'LOST', 2);
writeSync(first, ' and longer', 7);
writevSync(first, [Buffer.from('!'), Buffer.from('?')], 18);
ftruncateSync(first, 19);
const lines = openSync(at('lines'), 'a'); writeSync(lines, 'one'); writeSync(lines, 'two');
writeFileSync(at('new'), 'new'); renameSync(at('new'), at('old'));
rmSync(at('gone'));
writeFileSync(at('cut'), 'long text'); writeFileSync(at('cut'), 'short');
`;

describe('a disk that loses its power', () => {
  let own: DataFolder;
  const place = (name: string) => join(own.path, name);
  before(function () {
    if (power.missing?.() !== undefined) this.skip();
  });
  const written = () => {
    own = dataFolder();
    for (const name of ['data', 'notes']) mkdirSync(place(name));
    const env = { ...process.env, ...preloadFor(own.path) };
    const ran = spawnSync(process.execPath, ['-e', PROGRAM], { env, encoding: 'utf8' });
    assert.equal(ran.status, 0, ran.stderr);
    cpSync(place('data'), place('before'), { recursive: true });
  };
  beforeEach(() => written());
  afterEach(() => own?.remove());

  const contents = (folder: string) =>
    Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  const restored = (survival: Survival, seed = 1) => {
    const told = restoreDisk(place('data'), place('notes'), new Random(seed), survival);
    return { told, found: contents(place('data')) };
  };

  it('has what was flushed, and nothing else, when nothing else survives', () => {
    const { told, found } = restored('none');
    assert.deepEqual(found, { first: 'flushed', old: 'old', gone: 'gone' });
    assert.deepEqual([told.survived, told.lost > 8], [0, true]);
    assert.deepEqual(readdirSync(place('notes')), []);
  });

  it('has all that was written when all of it survives', () => {
    const { told, found } = restored('all');
    assert.deepEqual(found, contents(place('before')));
    assert.deepEqual(found, { first: 'flLOSTd and longer!', old: 'new', lines: 'onetwo', cut: 'short' });
    assert.equal(told.lost, 0);
  });

  it('has some of it otherwise, and what was flushed in any case', () => {
    const sums = { lost: 0, survived: 0 };
    for (let seed = 0; seed < 6; seed++) {
      const { told, found } = restored('some', seed);
      sums.lost += told.lost;
      sums.survived += told.survived;
      assert.match(found.first ?? '', /^fl(ushe|LOST)d/);
      // A name may be on the disk before what it names.
      assert.match(found.old ?? '', /^(old|new|)$/);
      own.remove();
      written();
    }
    assert.ok(sums.lost > 0 && sums.survived > 0);
  });
});
