import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DataFolder, dataFolder } from '../support/data-folder.js';

const scripts = (JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }).scripts;

describe('npm start', () => {
  let folder: DataFolder;
  before(() => {
    folder = dataFolder();
  });
  after(() => folder.remove());

  /** Runs it as npm does, as if Node were of this version. */
  const start = (args: readonly string[], version = process.versions.node) => {
    const [, ...words] = scripts.start?.split(' ') ?? [];
    const asOf = join(folder.path, 'as-of.cjs');
    const versions = `{ ...process.versions, node: ${JSON.stringify(version)} }`;
    writeFileSync(asOf, `Object.defineProperty(process, 'versions', { value: ${versions} });`);
    return spawnSync(process.execPath, ['-r', asOf, ...words, ...args], { encoding: 'utf8' });
  };

  it('explains itself', () => {
    for (const flag of ['--help', '-h']) {
      const { status, stdout, stderr } = start([flag]);
      assert.deepEqual([status, stderr], [0, '']);
      assert.match(stdout, /PORT=9000 npm start/);
    }
  });

  it('refuses arguments that it does not know', () => {
    for (const argument of ['--port', 'serve', '']) {
      const { status, stdout, stderr } = start([argument, '9000']);
      assert.deepEqual([status, stdout], [2, '']);
      assert.match(stderr, new RegExp(`^expected no argument but --help, but found '${argument}'; .*\n$`));
    }
  });

  it('says in a sentence that Node is too old', () => {
    for (const version of ['20.19.9', '18.20.8', '9.0.0']) {
      const { status, stderr } = start(['--help'], version);
      assert.equal(status, 1, version);
      assert.match(
        stderr,
        new RegExp(`^expected Node 20.20 or later, but found ${version} .*; nothing was installed.*\n$`),
      );
    }
    for (const version of ['20.20.0', '22.0.0', '100.1.0']) assert.equal(start(['--help'], version).status, 0, version);
  });

  it('looks at the version in every script', () => {
    for (const [name, command] of Object.entries(scripts)) {
      if (name !== 'lint') assert.match(command, /^node -r \.\/scripts\/node-version\.cjs /, name);
    }
  });
});
