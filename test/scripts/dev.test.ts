import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type DataFolder, dataFolder } from '../support/data-folder.js';
import { eventually } from '../support/eventually.js';
import { GraphqlClient } from '../support/graphql-client.js';

/** The numbers of those processes whose working folder it is. */
const processesIn = (path: string) =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`) === path;
    } catch {
      return false;
    }
  });

describe('npm run dev', function () {
  this.timeout(180_000);
  let folder: DataFolder;
  let child: ChildProcess;
  let said = '';
  let heard = () => {};
  const hear = (chunk: unknown) => {
    said += chunk;
    heard();
  };
  const path = (file: string) => join(folder.path, file);
  const edit = (file: string, change: (text: string) => string) =>
    writeFileSync(path(file), change(readFileSync(path(file), 'utf8')));

  before(() => {
    folder = dataFolder();
    for (const part of [
      'src',
      'scripts',
      'processes',
      'template',
      'package.json',
      'package-lock.json',
      'tsconfig.json',
    ])
      cpSync(part, path(part), { recursive: true });
    symlinkSync(resolve('node_modules'), path('node_modules'));
    const env = { ...process.env, PORT: '0', MILLRACE_DATA: path('data'), MILLRACE_LOG_LEVEL: 'warn' };
    child = spawn(process.execPath, [path('scripts/dev.mjs')], { cwd: folder.path, env });
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', hear);
    child.once('exit', () => hear(''));
  });
  after(async () => {
    child.kill('SIGKILL');
    folder.remove();
  });

  /** What is said from now on, up to a match. */
  const says = async (pattern: RegExp, after = 0): Promise<RegExpExecArray> => {
    for (;;) {
      const found = pattern.exec(said.slice(after));
      if (found !== null) return found;
      assert.equal(child.exitCode, null, said);
      await new Promise<void>((resolve) => (heard = resolve));
    }
  };

  it('runs the server, deploys models that are saved, and starts anew when sources compile', async () => {
    await says(/dev: started in \d+ ms/);
    const password = readFileSync(path('data/admin-password'), 'utf8').trim();
    const clientAt = (url: string) => new GraphqlClient(`${url}/bin/graphql.cgi/web`, { userId: 'admin', password });
    /** Asked of the server that runs now: the compiler may have told twice of one change, so that one server follows another. */
    const versions = async (): Promise<unknown> => {
      const query = '{ processDefinitions(key: "invoice-approval") { totalCount } }';
      let found: unknown;
      await eventually('a server answers', async () => {
        const [, url = ''] = [...said.matchAll(/Address +(\S+)/g)].at(-1) ?? [];
        try {
          found = (await clientAt(url).run(query)).processDefinitions.totalCount;
          return true;
        } catch (thrown) {
          if (!(thrown instanceof TypeError)) throw thrown;
          return false;
        }
      });
      return found;
    };
    const model = 'processes/invoice-approval.bpmn';
    edit(model, (text) => text.replace('Approve invoice', 'Approve the invoice'));
    await says(/dev: processes\/invoice-approval\.bpmn is deployed/);
    assert.equal(await versions(), 2);
    edit(model, () => '<no model');
    await says(/dev: processes\/invoice-approval\.bpmn is not deployed: resource 'invoice-approval.bpmn'/);

    const source = 'src/server/run.ts';
    edit(source, (text) => text.replace('Try it:', 'Try this:').replace('resolve(dataFolder)', '7 * resolve'));
    await says(/dev: not started anew: \d+ errors/);
    assert.match(said, /dev: src\/server\/run\.ts\(\d+,\d+\): error TS/);
    assert.equal(await versions(), 2, 'the server goes on');
    const mark = said.length;
    edit(source, (text) => text.replace('7 * resolve', 'resolve(dataFolder)'));
    await says(/dev: started in \d+ ms/, mark);
    assert.match(said.slice(mark), /\nTry this:\n/);
    assert.equal(await versions(), 2);
    assert.ok(processesIn(folder.path).length >= 3, 'the server, the compiler and this script');
    child.kill('SIGTERM');
    assert.deepEqual(await once(child, 'exit'), [0, null]);
    // Whoever was told to end needs a moment.
    await eventually('all have ended', () => processesIn(folder.path).length === 0);
  });
});
