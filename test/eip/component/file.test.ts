import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { eventually } from '../../support/eventually.js';
import { type Routes, routes } from '../support/routes.js';

describe('file', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'millrace-file-'));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const put = (name: string, text = name) => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  };
  const names = (directory = 'in') =>
    readdirSync(join(root, directory), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(join(root, directory).length + 1))
      .sort();
  const text = (name: string) => readFileSync(join(root, name), 'utf8');
  const reading = (options: string, steps = '{ to: "mock:out" }', path = 'in'): Promise<Routes> =>
    routes(
      `
- route:
    id: reader
    from:
      uri: "file:${path}?initialDelay=0&delay=10${options && `&${options}`}"
      steps: [${steps}]
`,
      {},
      { fileRoots: [root] },
    );
  /** Lets files be read and written, and time go on, until that is so. */
  const looked = async (tested: Routes, isDone: () => boolean) => {
    for (const end = performance.now() + 20_000; performance.now() < end && !isDone(); ) await tested.time.advance(10);
  };
  /** Lets the consumer look some times: while it does not look, it waits for the next time. */
  const lookedAgain = async (tested: Routes) => {
    const waits = () => eventually('it waits', () => Number.isFinite(tested.time.nextDue()));
    for (let looks = 0; looks < 4; looks++) {
      await waits();
      await tested.time.advance(10);
    }
    await waits();
  };
  const got = (tested: Routes) => tested.mock('out').exchanges.map(({ headers }) => headers.get('CamelFileName'));
  const writing = () => routes('[]', {}, { fileRoots: [root] });
  const failure = async (tested: Routes, uri: string, body: unknown, headers = {}) =>
    String((await tested.send(uri, body, headers)).exception);

  it('reads files by their names, tells of them, and moves them to .camel', async () => {
    put('in/b.txt', 'second');
    put('in/a.txt', 'first');
    const tested = await reading('');
    await looked(tested, () => names().length === 2 && names().every((name) => name.startsWith('.camel/')));
    assert.deepEqual(names(), ['.camel/a.txt', '.camel/b.txt']);
    assert.deepEqual(got(tested), ['a.txt', 'b.txt']);
    const { headers, properties } = tested.mock('out').exchanges[1] ?? assert.fail();
    assert.equal(headers.get('CamelFileLength'), 6);
    assert.equal(headers.get('CamelFilePath'), 'in/b.txt');
    assert.equal(headers.get('CamelFileParent'), 'in');
    assert.equal(headers.get('CamelFileAbsolutePath'), join(root, 'in/b.txt'));
    assert.equal(headers.get('CamelFileAbsolute'), false);
    const batch = ['CamelBatchIndex', 'CamelBatchSize', 'CamelBatchComplete'].map((name) => properties.get(name));
    assert.deepEqual(batch, [1, 2, true]);
  });

  it('lets a file stay and reads it once, deletes it, or moves it where it is told', async () => {
    for (const [options, left] of [
      ['noop=true', ['a.txt']],
      ['delete=true', []],
      ['move=done', ['done/a.txt']],
      ['move=old/${file:name.noext}.bak', ['old/a.bak']],
      ['preMove=work&move=../done', ['done/a.txt']],
    ] as const) {
      rmSync(join(root, 'in'), { recursive: true, force: true });
      put('in/a.txt');
      const tested = await reading(options);
      await looked(tested, () => tested.mock('out').counter > 0);
      await lookedAgain(tested);
      assert.deepEqual(names(), left, options);
      assert.equal(tested.mock('out').counter, 1, options);
      await tested.runtime.stop('reader', { timeoutMs: 0 });
    }
  });

  it('moves a file whose exchange failed, or reads it again', async () => {
    put('in/a.txt');
    const moving = await reading(
      'moveFailed=.error',
      '{ to: "mock:out" }, { throwException: { exceptionType: java.io.IOException, message: failed } }',
    );
    await looked(moving, () => names()[0] === '.error/a.txt');
    assert.deepEqual(names(), ['.error/a.txt']);
    await moving.runtime.stop('reader', { timeoutMs: 0 });
    put('in/b.txt');
    const again = await reading(
      '',
      '{ to: "mock:out" }, { throwException: { exceptionType: java.io.IOException, message: failed } }',
    );
    await looked(again, () => again.mock('out').counter > 1);
    assert.deepEqual(names(), ['.error/a.txt', 'b.txt']);
  });

  it('reads what its filters let through', async () => {
    for (const name of ['a.txt', 'B.TXT', 'c.csv', '.hidden', 'sub/d.txt', 'sub/deep/e.txt']) put(`in/${name}`);
    for (const [options, expected] of [
      ['', ['B.TXT', 'a.txt', 'c.csv']],
      ['include=.*%5C.txt', ['B.TXT', 'a.txt']],
      ['exclude=a.*', ['B.TXT', 'c.csv']],
      ['includeExt=csv', ['c.csv']],
      ['excludeExt=csv', ['B.TXT', 'a.txt']],
      ['includeHiddenFiles=true', ['.hidden', 'B.TXT', 'a.txt', 'c.csv']],
      ['fileName=c.csv', ['c.csv']],
      ['recursive=true&antInclude=**/*.txt', ['a.txt', 'sub/d.txt', 'sub/deep/e.txt']],
      ['antInclude=*.txt&antFilterCaseSensitive=false', ['B.TXT', 'a.txt']],
      ['recursive=true&antExclude=sub/**', ['B.TXT', 'a.txt', 'c.csv']],
      ['recursive=true&minDepth=2', ['sub/d.txt', 'sub/deep/e.txt']],
      ['recursive=true&maxDepth=2&minDepth=2', ['sub/d.txt']],
      ['sortBy=reverse:ignoreCase:file:name', ['c.csv', 'B.TXT', 'a.txt']],
      ['preSort=-name', ['c.csv', 'a.txt', 'B.TXT']],
    ] as const) {
      const tested = await reading(`noop=true${options && `&${options}`}`);
      await looked(tested, () => tested.mock('out').counter >= expected.length);
      await lookedAgain(tested);
      assert.deepEqual(got(tested), expected, options);
      await tested.runtime.stop('reader', { timeoutMs: 0 });
    }
  });

  it('takes no more files in one look than it is told', async () => {
    for (const name of ['a', 'b', 'c']) put(`in/${name}`);
    const tested = await reading('maxMessagesPerPoll=2&noop=true');
    await looked(tested, () => tested.mock('out').counter >= 3);
    const sizes = tested.mock('out').exchanges.map(({ properties }) => properties.get('CamelBatchSize'));
    assert.deepEqual(sizes, [2, 2, 1]);
  });

  it('waits for the done file, and removes it with the file', async () => {
    put('in/a.txt');
    put('in/b.txt');
    put('in/b.txt.done');
    const tested = await reading('doneFileName=${file:name}.done&delete=true');
    await looked(tested, () => !names().includes('b.txt'));
    await lookedAgain(tested);
    assert.deepEqual(got(tested), ['b.txt']);
    assert.deepEqual(names(), ['a.txt']);
  });

  it('reads no file that somebody else has locked', async () => {
    for (const lock of ['markerFile', 'changed', 'rename', 'idempotent']) {
      rmSync(join(root, 'in'), { recursive: true, force: true });
      put('in/a.txt');
      const times = 'readLockCheckInterval=10&readLockTimeout=500&readLockDeleteOrphanLockFiles=false';
      const tested = await reading(`readLock=${lock}&${times}&delete=true`);
      await looked(tested, () => names().length === 0);
      assert.deepEqual(got(tested), ['a.txt'], lock);
      assert.deepEqual(names(), [], lock);
      if (lock === 'markerFile') {
        put('in/b.txt.camelLock');
        put('in/b.txt');
        await lookedAgain(tested);
        assert.equal(tested.mock('out').counter, 1);
      }
      await tested.runtime.stop('reader', { timeoutMs: 0 });
    }
    await assert.rejects(reading('readLock=fileLock'), /readLock=fileLock is not supported/);
  });

  it('sends an empty message when there is nothing, where that is asked for', async () => {
    const tested = await reading('sendEmptyMessageWhenIdle=true');
    await looked(tested, () => tested.mock('out').counter > 0);
    assert.equal(tested.mock('out').exchanges[0]?.body, null);
  });

  it('makes its directory, or refuses to start without it', async () => {
    await reading('');
    assert.deepEqual(names(), []);
    await assert.rejects(reading('directoryMustExist=true', '', 'gone'), /Starting directory does not exist: gone/);
  });

  it('touches nothing outside of the roots, be it by path, by name or behind a link', async () => {
    await assert.rejects(reading('', '', '/etc'), /SecurityException: The file \/etc is refused/);
    await assert.rejects(reading('', '', '../..'), /SecurityException/);
    await assert.rejects(routes('- from: { uri: "file:in", steps: [] }'), /no directory is set in which routes may/);
    put('in/a.txt');
    symlinkSync('/etc/hosts', join(root, 'in/hosts'));
    symlinkSync('/etc', join(root, 'in/etc'));
    const tested = await reading('noop=true&recursive=true');
    await lookedAgain(tested);
    assert.deepEqual(got(tested), ['a.txt']);
    const writer = await writing();
    assert.match(await failure(writer, 'file:in', 'x', { CamelFileName: 'etc/x' }), /SecurityException/);
    assert.match(await failure(writer, 'file:in', 'x', { CamelFileName: '../x' }), /jailed to the starting directory/);
    const unjailed = 'file:in?jailStartingDirectory=false';
    assert.match(await failure(writer, unjailed, 'x', { CamelFileName: '../../x' }), /SecurityException/);
    symlinkSync(join(root, '../nowhere-at-all'), join(root, 'in/dangling'));
    assert.match(await failure(writer, 'file:in', 'x', { CamelFileName: 'dangling' }), /a link leads to nothing/);
  });

  it('writes texts, bytes and streams under the name that it is told', async () => {
    const tested = await writing();
    const stream = (async function* () {
      yield Buffer.from('piece by ');
      yield 'piece';
    })();
    const sent = await tested.send('file:out', 'text', { CamelFileName: 'a/b.txt' });
    assert.equal(sent.headers.get('CamelFileNameProduced'), 'out/a/b.txt');
    await tested.send('file:out?fileName=bytes', Buffer.from([0, 255]));
    await tested.send('file:out?fileName=${header.n}.txt', stream, { n: 5 });
    await tested.send('file:out?fileName=l1&charset=ISO-8859-1', 'é');
    const unnamed = await tested.send('file:out?flatten=true', 'x');
    assert.deepEqual(names('out'), ['5.txt', 'a/b.txt', 'bytes', unnamed.id, 'l1'].sort());
    assert.equal(text('out/a/b.txt'), 'text');
    assert.equal(text('out/5.txt'), 'piece by piece');
    assert.deepEqual([...readFileSync(join(root, 'out/l1'))], [0xe9]);
  });

  it('deals with a file that is there already as fileExist says', async () => {
    for (const [options, expected] of [
      ['', { 'a.txt': 'new' }],
      ['fileExist=Append', { 'a.txt': 'oldnew' }],
      ['fileExist=Append&appendChars=%5Cn', { 'a.txt': 'oldnew\n' }],
      ['fileExist=Ignore', { 'a.txt': 'old' }],
      ['fileExist=Move&moveExisting=backup', { 'a.txt': 'new', 'backup/a.txt': 'old' }],
      ['tempPrefix=tmp-', { 'a.txt': 'new' }],
      ['tempFileName=x/${file:onlyname}.tmp', { 'a.txt': 'new' }],
      ['doneFileName=${file:name}.done', { 'a.txt': 'new', 'a.txt.done': '' }],
    ] as const) {
      rmSync(join(root, 'out'), { recursive: true, force: true });
      put('out/a.txt', 'old');
      if (options.startsWith('tempFile')) mkdirSync(join(root, 'out/x'));
      const tested = await writing();
      const sent = await tested.send(`file:out?fileName=a.txt${options && `&${options}`}`, 'new');
      assert.equal(sent.exception, undefined, options);
      assert.deepEqual(Object.fromEntries(names('out').map((name) => [name, text(`out/${name}`)])), expected, options);
    }
    const tested = await writing();
    assert.match(
      await failure(tested, 'file:out?fileName=a.txt&fileExist=Fail', 'x'),
      /File already exist: out\/a.txt/,
    );
    const tries = 'file:out?fileName=a.txt&fileExist=TryRename&tempPrefix=t-';
    assert.match(await failure(tested, tries, 'x'), /Cannot rename file/);
    await assert.rejects(tested.send('file:out?fileExist=Move', 'x'), /must configure moveExisting/);
  });

  it('writes no file of null, unless that is allowed; and checksums', async () => {
    const tested = await writing();
    assert.match(await failure(tested, 'file:out?fileName=n', null), /Cannot write null body to file: out\/n/);
    await tested.send('file:out?fileName=n&allowNullBody=true', null);
    assert.equal(text('out/n'), '');
    await tested.send('file:out?fileName=c&checksumFileAlgorithm=SHA_256', 'abc');
    assert.equal(text('out/c.SHA_256'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  it('copies a large file in pieces', async () => {
    writeFileSync(join(root, 'large'), Buffer.alloc(3_000_000, 'x'));
    const tested = await reading('fileName=large&noop=true', '{ to: "file:copy" }, { to: "mock:out" }', '.');
    await looked(tested, () => tested.mock('out').counter > 0);
    assert.equal(readFileSync(join(root, 'copy/large')).length, 3_000_000);
  });

  it('begins no file when its route is stopped', async () => {
    for (const name of ['a', 'b', 'c']) put(`in/${name}`);
    const tested = await reading('delete=true', '{ to: "mock:out" }, { to: "pause:5000" }');
    await looked(tested, () => tested.mock('out').counter > 0);
    let isStopped = false;
    const stopped = tested.runtime.stop('reader', { timeoutMs: 20_000 }).then(() => {
      isStopped = true;
    });
    await looked(tested, () => isStopped);
    await stopped;
    await looked(tested, () => names().length === 2);
    assert.deepEqual(names(), ['b', 'c']);
  });
});
