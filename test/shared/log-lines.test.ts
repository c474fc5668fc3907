import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { lineForPeople } from '../../src/shared/log.js';

const time = new Date(2026, 10, 22, 14, 3, 7).getTime();
const line = (fields: object, inColor = false) =>
  lineForPeople(JSON.stringify({ time, level: 40, ...fields }), inColor);
const LOG = new URL('../../src/shared/log.js', import.meta.url).href;
const WRITES = `const { log } = await import('${LOG}'); log.error({ workspace: 'web' }, 'a line');`;
const hasTerminal = spawnSync('script', ['--version']).status === 0;

describe('a log line for people', () => {
  it('has its time, how severe it is, what happened and the facts', () => {
    assert.equal(
      line({ msg: 'the disk is full', workspace: 'web', bytes: 12, at: { file: 'log.db' } }),
      '14:03:07 WARN  the disk is full  workspace=web bytes=12 at={"file":"log.db"}\n',
    );
    const levels = [10, 20, 30, 50, 60].map((level) => line({ level, msg: 'x' }).slice(9, 14).trim());
    assert.deepEqual(levels, ['TRACE', 'DEBUG', 'INFO', 'ERROR', 'FATAL']);
  });

  it('has the stack of an error below it', () => {
    const err = { type: 'Error', message: 'gone', stack: 'Error: gone\n    at there' };
    assert.equal(line({ err, msg: 'it failed' }), '14:03:07 WARN  it failed\n  Error: gone\n      at there\n');
  });

  it('cannot steer the terminal', () => {
    assert.equal(line({ msg: '\x1b[2J\r', name: '\x9b1m' }), '14:03:07 WARN  \\x1b[2J\\x0d  name=\\x9b1m\n');
  });

  it('is in color where that is wanted', () => {
    assert.equal(line({ msg: 'x' }, true), '\x1b[2m14:03:07\x1b[0m \x1b[33mWARN \x1b[0m x\n');
  });

  it('is what a terminal gets; all else gets JSON', function () {
    const env = { ...process.env, MILLRACE_LOG_LEVEL: 'info', NO_COLOR: '1' };
    const args = ['--input-type=module', '-e', WRITES];
    const piped = spawnSync(process.execPath, args, { encoding: 'utf8', env });
    assert.equal((JSON.parse(piped.stderr) as { msg: string }).msg, 'a line');
    if (!hasTerminal) return this.skip();
    const command = [process.execPath, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
    const shown = spawnSync('script', ['-qec', command, '/dev/null'], { encoding: 'utf8', env });
    assert.match(shown.stdout, /^\d\d:\d\d:\d\d ERROR a line {2}workspace=web\r?\n$/);
  });
});
