import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type DataFolder, dataFolder } from '../support/data-folder.js';

// Slow: the compiler builds a small project again and again.

/** A tiny project with the scripts of this one. */
class Project {
  readonly #folder: DataFolder = dataFolder();

  constructor() {
    cpSync('scripts', this.path('scripts'), { recursive: true });
    this.write('scripts/codegen.mjs', '');
    this.write('scripts/copy-sdl.mjs', '');
    this.write('scripts/copy-graphiql.mjs', '');
    this.write('package.json', '{ "type": "module" }');
    const checks = { strict: true, skipLibCheck: true };
    const options = { target: 'ES2023', module: 'NodeNext', ...checks, rootDir: 'src', outDir: 'dist', types: [] };
    this.write('tsconfig.json', JSON.stringify({ compilerOptions: options, include: ['src'] }));
    const forTests = { ...options, rootDir: '.', outDir: 'build', types: ['mocha', 'node'] };
    this.write('tsconfig.test.json', JSON.stringify({ compilerOptions: forTests, include: ['src', 'test'] }));
    this.write('src/server/main.ts', 'export const answer = 42;\n');
    this.packages({ 'node_modules/a': { version: '1.0.0' } }, 'package-lock.json');
  }

  path = (file: string) => join(this.#folder.path, file);
  remove = () => this.#folder.remove();

  write(file: string, content: string): void {
    mkdirSync(dirname(this.path(file)), { recursive: true });
    writeFileSync(this.path(file), content);
  }

  packages(packages: Record<string, object>, file: string): void {
    this.write(file, JSON.stringify({ packages: { '': {}, ...packages } }));
  }

  /** Uses the packages of this project. */
  linkPackages(): void {
    symlinkSync(resolve('node_modules'), this.path('node_modules'));
    cpSync('package-lock.json', this.path('package-lock.json'));
  }

  run(code: string, env: Record<string, string> = {}) {
    const script = `import * as project from ${JSON.stringify(this.path('scripts/project.mjs'))}; ${code}`;
    const args = ['--input-type=module', '-e', script];
    return spawnSync(process.execPath, args, { encoding: 'utf8', env: { ...process.env, ...env } });
  }

  isFresh = () => this.run('console.log(project.distIsFresh())').stdout.trim() === 'true';
}

describe('building before a start', () => {
  let project: Project;
  before(() => {
    project = new Project();
    project.linkPackages();
  });
  after(() => project.remove());
  const main = 'src/server/main.ts';

  it('is needed where nothing was built, and then no more', () => {
    assert.equal(project.isFresh(), false);
    assert.equal(project.run('project.buildDist()').status, 0);
    assert.match(readFileSync(project.path('dist/server/main.js'), 'utf8'), /answer = 42/);
    assert.equal(project.isFresh(), true);
  });

  it('is not needed when a source was only touched', () => {
    utimesSync(project.path(main), new Date(0), new Date(0));
    assert.equal(project.isFresh(), true);
  });

  it('is needed when a source changed, also to one of the same size', () => {
    project.write(main, 'export const answer = 43;\n');
    assert.equal(project.isFresh(), false);
    project.write(main, 'export const answer = 42;\n');
    assert.equal(project.isFresh(), true);
  });

  it('is needed when a source came or went', () => {
    project.write('src/server/more.ts', 'export const more = 1;\n');
    assert.equal(project.isFresh(), false);
    assert.equal(project.run('project.buildDist()').status, 0);
    rmSync(project.path('src/server/more.ts'));
    assert.equal(project.isFresh(), false);
    assert.equal(project.run('project.buildDist()').status, 0);
    assert.equal(existsSync(project.path('dist/server/more.js')), false);
  });

  it('leaves nothing to start when it fails', () => {
    project.write(main, 'export const answer: string = 42;\n');
    const { status, stderr } = project.run('project.buildDist()');
    assert.notEqual(status, 0);
    assert.match(stderr, /main\.ts.*error TS2322/);
    assert.equal(project.isFresh(), false);
  });
});

describe('installing before a start', () => {
  let project: Project;
  /** What stands in for npm notes what it is asked for; `ci` fails where `failing` is there. */
  const npm = `import { appendFileSync, existsSync } from 'node:fs';
    appendFileSync('asked', process.argv[2] + '\\n');
    process.exit(process.argv[2] === 'ci' && existsSync('failing') ? 1 : 0);`;
  const asked = (dev = true) => {
    rmSync(project.path('asked'), { force: true });
    const { status } = project.run(`project.installIfNeeded({ dev: ${dev} })`, {
      npm_execpath: project.path('npm.js'),
    });
    assert.equal(status, 0);
    return existsSync(project.path('asked')) ? readFileSync(project.path('asked'), 'utf8').trim().split('\n') : [];
  };
  const installed = (packages: Record<string, object>) => project.packages(packages, 'node_modules/.package-lock.json');
  beforeEach(() => {
    project = new Project();
    project.write('npm.js', npm);
  });
  afterEach(() => project.remove());

  it('is needed where nothing is installed, or another version', () => {
    assert.deepEqual(asked(), ['ci']);
    installed({ 'node_modules/a': { version: '0.9.0' } });
    assert.deepEqual(asked(), ['ci']);
    installed({ 'node_modules/a': { version: '1.0.0' }, 'node_modules/b': { version: '2.0.0' } });
    assert.deepEqual(asked(), []);
  });

  it('needs what only builds use for a build alone, and what is for other platforms never', () => {
    const a = { 'node_modules/a': { version: '1.0.0' } };
    const optional = { 'node_modules/o': { version: '1.0.0', optional: true } };
    project.packages({ ...a, ...optional, 'node_modules/d': { version: '1.0.0', dev: true } }, 'package-lock.json');
    installed(a);
    assert.deepEqual([asked(false), asked(true)], [[], ['ci']]);
  });

  it('says so where npm fails', () => {
    project.write('failing', '');
    const { status, stderr } = project.run('project.installIfNeeded({ dev: true })', {
      npm_execpath: project.path('npm.js'),
    });
    assert.notEqual(status, 0);
    assert.match(stderr, /the packages could not be installed/);
  });

  it('leaves a folder alone that is a link to one elsewhere', () => {
    project.write('elsewhere/.package-lock.json', '{ "packages": {} }');
    symlinkSync(project.path('elsewhere'), project.path('node_modules'));
    assert.deepEqual(asked(), []);
  });
});

describe('running a part of the tests', () => {
  let project: Project;
  before(() => {
    project = new Project();
    project.linkPackages();
    project.write('test/good/sum.test.ts', "it('adds', () => {});\nit('adds more', () => {});\n");
    project.write(
      'test/bad/sum.test.ts',
      "it('adds', () => { throw new Error('wrong sum'); });\nit('adds more', () => {});\n",
    );
    project.write('test/none/sum.test.ts', 'export {};\n');
    project.write('test/dying/sum.test.ts', "it('adds', () => { process.exit(0); });\n");
  });
  after(() => project.remove());
  const started = (parts: readonly string[], env: NodeJS.ProcessEnv = process.env) => {
    const script = project.path('scripts/test.mjs');
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...parts], { encoding: 'utf8', env });
    return { status, last: stdout.trimEnd().split('\n').at(-1), stderr };
  };
  const run = (part: string) => {
    const { status, last } = started([part]);
    return { status, last };
  };

  it('ends with how many passed and failed', () => {
    assert.deepEqual(run('test/good'), { status: 0, last: '2 passed, 0 failed' });
    assert.deepEqual(run('test/bad/sum.test.ts'), { status: 1, last: '1 passed, 1 failed' });
  });

  it('fails when there is no test, or when the run dies on its way', () => {
    assert.deepEqual(run('test/none'), { status: 1, last: '0 passed, 0 failed' });
    assert.deepEqual(run('test/nowhere'), { status: 1, last: '0 passed, 1 failed' });
    assert.deepEqual(run('build/test/dying'), { status: 1, last: '0 passed, 1 failed' });
  });

  it('skips what needs a program that is missing, says so, and installs nothing', () => {
    project.write('test/browser/page.test.ts', "it('is shown', () => { throw new Error('not skipped'); });\n");
    project.write('test/good/log.redis.test.ts', "it('is kept', () => { throw new Error('not skipped'); });\n");
    // A folder with one of the programs that tests need, and with what would install the others.
    for (const program of ['openssl', 'apt-get']) project.write(`programs/${program}`, '#!/bin/sh\necho $0 $* >&2\n');
    for (const program of ['openssl', 'apt-get']) chmodSync(project.path(`programs/${program}`), 0o755);
    const env = { ...process.env, MILLRACE_TEST_LOG: '', PATH: project.path('programs') };
    const { status, last, stderr } = started(['test/good', 'test/browser'], env);
    assert.deepEqual([status, last], [0, '2 passed, 0 failed']);
    assert.match(stderr, /expected the program chromium, .* install it by one of: apt-get install chromium/);
    assert.match(stderr, /SKIPPED: the tests in a browser, because chromium is missing/);
    assert.match(stderr, /SKIPPED: the tests on Redis, because redis-server is missing/);
    assert.doesNotMatch(stderr, /programs\/apt-get/);
    rmSync(project.path('test/good/log.redis.test.ts'));
  });

  it('fails when something cannot be compiled', () => {
    project.write('test/good/type.test.ts', 'export const text: string = 1;\n');
    assert.deepEqual(run('test/good'), { status: 1, last: '0 passed, 1 failed' });
  });
});

describe('building for a part of the tests', () => {
  let project: Project;
  beforeEach(() => {
    project = new Project();
    project.linkPackages();
    project.write('src/sum.ts', 'export const sum: number = 3;\n');
    project.write('test/sum.test.ts', "import { sum } from '../src/sum.js';\nvoid sum;\n");
  });
  afterEach(() => project.remove());
  const build = () => project.run('process.exit(project.buildTests() ? 0 : 1)').status;
  const output = (file: string) => readFileSync(project.path(`build/${file}`), 'utf8');
  const isThere = (file: string) => existsSync(project.path(`build/${file}`));
  /** When it was written, ms. */
  const written = (file: string) => statSync(project.path(`build/${file}`)).mtimeMs;

  it('builds what has changed, and nothing else', () => {
    assert.equal(build(), 0);
    const before = written('src/server/main.js');
    project.write('src/sum.ts', 'export const sum: number = 4;\n');
    assert.equal(build(), 0);
    assert.match(output('src/sum.js'), /sum = 4/);
    assert.equal(written('src/server/main.js'), before);
  });

  it('leaves nothing of a source that is gone', () => {
    project.write('test/more.test.ts', 'export {};\n');
    assert.equal(build(), 0);
    rmSync(project.path('test/more.test.ts'));
    assert.equal(build(), 0);
    assert.equal(isThere('test/more.test.js'), false);
    assert.equal(isThere('test/sum.test.js'), true);
    rmSync(project.path('src/sum.ts'));
    assert.equal(build(), 1);
    assert.equal(isThere('src/sum.js'), false);
  });

  it('builds again what somebody has changed or removed in its output', () => {
    assert.equal(build(), 0);
    writeFileSync(project.path('build/src/sum.js'), 'export const sum = 5;\n');
    assert.equal(build(), 0);
    assert.match(output('src/sum.js'), /sum = 3/);
    rmSync(project.path('build/src/sum.js'));
    assert.equal(build(), 0);
    assert.match(output('src/sum.js'), /sum = 3/);
  });

  it('fails as long as something cannot be compiled, wherever else something changes', () => {
    assert.equal(build(), 0);
    project.write('src/sum.ts', "export const sum: number = 'three';\n");
    assert.equal(build(), 1);
    project.write('test/sum.test.ts', 'export {};\n');
    assert.equal(build(), 1);
    project.write('src/sum.ts', 'export const sum: number = 6;\n');
    assert.equal(build(), 0);
    assert.match(output('src/sum.js'), /sum = 6/);
  });

  it('begins anew where a build was cut off, or is done otherwise', () => {
    assert.equal(build(), 0);
    const anew = () => {
      writeFileSync(project.path('build/left.txt'), '');
      assert.equal(build(), 0);
      assert.equal(isThere('left.txt'), false);
    };
    rmSync(project.path('build/.stamp.json'));
    anew();
    project.write('scripts/copy-sdl.mjs', '// another one\n');
    anew();
  });
});
