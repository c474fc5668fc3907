import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { settingTable } from '../../src/server/settings/setting-table.js';
import { type DataFolder, dataFolder } from '../support/data-folder.js';

const { scripts, version } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
  readonly version: string;
};

const MAIN = fileURLToPath(new URL('../../src/server/main.js', import.meta.url));

/** The ways to start the server; the words behind `node`. */
const STARTS: Readonly<Record<string, readonly string[]>> = {
  'npm start': scripts.start?.split(' ').slice(1) ?? [],
  'npm run dev': scripts.dev?.split(' ').slice(1) ?? [],
  'the built server': [MAIN],
};

describe('arguments', () => {
  const said = (words: readonly string[], args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [...words, ...args], { encoding: 'utf8' });
    return { status, stdout, stderr };
  };

  for (const [what, words] of Object.entries(STARTS)) {
    it(`explain ${what}, and tell its version`, () => {
      const stdout = readFileSync('docs/usage.txt', 'utf8');
      for (const flag of ['--help', '-h']) assert.deepEqual(said(words, [flag]), { status: 0, stdout, stderr: '' });
      assert.deepEqual(said(words, ['--version']), { status: 0, stdout: `${version}\n`, stderr: '' });
    });

    it(`that ${what} does not know are refused`, () => {
      for (const argument of ['--port', 'serve', '', '--versions']) {
        const settings = 'settings are environment variables, such as PORT=9000';
        const stderr = `expected no argument but --help or --version, but found '${argument}'; ${settings}\n`;
        assert.deepEqual(said(words, [argument, '9000']), { status: 2, stdout: '', stderr });
      }
    });
  }

  for (const script of ['check', 'backup']) {
    it(`that are options are no folder of npm run ${script}`, () => {
      const words = scripts[script]?.split(' ').slice(1) ?? [];
      for (const flag of ['--help', '-h']) {
        const { status, stdout, stderr } = said(words, [flag]);
        assert.deepEqual([status, stdout.split('\n')[0]?.startsWith(`npm run ${script} -- <`), stderr], [0, true, '']);
      }
      const stderr = "expected a folder or --help, but found '--all'; a folder of that name is ./--all\n";
      assert.deepEqual(said(words, ['--all']), { status: 2, stdout: '', stderr });
      assert.ok(!existsSync('--help') && !existsSync('--all'));
    });
  }

  it('are explained with settings that there are', () => {
    const names = readFileSync('docs/usage.txt', 'utf8').match(/\b(?:PORT|HOST|REDIS_URL|MILLRACE_\w+)\b/g) ?? [];
    const known = new Set(Object.values(settingTable).map(({ name }) => name));
    assert.ok(names.length >= 6);
    assert.deepEqual(
      names.filter((name) => !known.has(name)),
      [],
    );
  });
});

describe('npm start', () => {
  let folder: DataFolder;
  before(() => {
    folder = dataFolder();
  });
  after(() => folder.remove());

  /** Runs it as npm does, as if Node were of this version. */
  const start = (args: readonly string[], as = process.versions.node) => {
    const [, ...words] = scripts.start?.split(' ') ?? [];
    const asOf = join(folder.path, 'as-of.cjs');
    const versions = `{ ...process.versions, node: ${JSON.stringify(as)} }`;
    writeFileSync(asOf, `Object.defineProperty(process, 'versions', { value: ${versions} });`);
    return spawnSync(process.execPath, ['-r', asOf, ...words, ...args], { encoding: 'utf8' });
  };

  it('says in a sentence that Node is too old', () => {
    for (const old of ['20.19.9', '18.20.8', '9.0.0']) {
      const { status, stderr } = start(['--help'], old);
      assert.equal(status, 1, old);
      assert.match(
        stderr,
        new RegExp(`^expected Node 20.20 or later, but found ${old} .*; nothing was installed.*\n$`),
      );
    }
    for (const known of ['20.20.0', '22.0.0', '100.1.0']) assert.equal(start(['--help'], known).status, 0, known);
  });

  it('looks at the version in every script', () => {
    for (const [name, command] of Object.entries(scripts)) {
      if (name !== 'lint') assert.match(command, /^node -r \.\/scripts\/node-version\.cjs /, name);
    }
  });
});
