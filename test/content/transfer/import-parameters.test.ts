import assert from 'node:assert/strict';
import { prepareArchive } from '../../../src/content/transfer/archive-parameters.js';
import { prepareImport } from '../../../src/content/transfer/import-parameters.js';
import type { ContentNode } from '../../../src/content/tree/node.js';
import type { LongJob } from '../../../src/store/index.js';
import { MemoryRepository } from '../support/memory-repository.js';
import { ADMIN, ANN, nodeOf } from '../support/tree.js';

describe('the start of an import', () => {
  let repository: MemoryRepository;
  beforeEach(() => {
    repository = new MemoryRepository();
    const base = repository.baseId;
    repository.store(
      nodeOf(base, 'a.zip', {
        id: 'zip',
        type: 'nt:file',
        acl: [{ principal: 'ann', privileges: ['jcr:read'], allow: true }],
      }),
      nodeOf('zip', 'jcr:content', {
        type: 'nt:resource',
        properties: { 'jcr:data': { type: 'Binary', value: { blob: 'ff', size: 9 } } },
      }),
      nodeOf(base, 'folder', { type: 'nt:folder' }),
    );
  });
  const FILE = { archivePath: '/content/a.zip', destinationPath: '/content/in/' };
  const start = (parameters: unknown, caller = ADMIN) =>
    prepareImport(repository.state(), { parameters, caller, job: {} as LongJob });
  const parametersOf = (given: object) => start({ ...FILE, ...given }).parameters;

  it('knows what is to be done where nothing is said', () =>
    assert.deepEqual(parametersOf({}), {
      destinationPath: '/content/in',
      filename: 'archive.zip',
      uuidBehavior: 0,
      pathBehavior: 0,
      importAcl: false,
      preserveTimestamps: true,
      dryRun: false,
      locale: 'en',
    }));

  it('takes what is said', () =>
    assert.deepEqual(
      parametersOf({
        filename: 'mine.zip',
        uuidBehavior: 1,
        pathBehavior: 2,
        importAcl: true,
        preserveTimestamps: false,
        dryRun: true,
        locale: 'ja-JP',
      }),
      {
        destinationPath: '/content/in',
        filename: 'mine.zip',
        uuidBehavior: 1,
        pathBehavior: 2,
        importAcl: true,
        preserveTimestamps: false,
        dryRun: true,
        locale: 'ja',
      },
    ));

  it('takes no other behavior, locale or path', () => {
    for (const name of ['uuidBehavior', 'pathBehavior'])
      for (const value of [3, -1, '1', true])
        assert.throws(() => parametersOf({ [name]: value }), {
          code: 'BAD_REQUEST',
          message: `expected '${name}' to be 0, 1 or 2, but it is ${value}`,
        });
    assert.deepEqual(
      [null, 0, 2].map((pathBehavior) => (parametersOf({ pathBehavior }) as { pathBehavior: number }).pathBehavior),
      [0, 0, 2],
    );
    assert.deepEqual(
      ['jaw', 7].map((locale) => (parametersOf({ locale }) as { locale: string }).locale),
      ['en', 'en'],
    );
    for (const destinationPath of [undefined, ' ', 7])
      assert.throws(() => parametersOf({ destinationPath }), {
        message: "expected 'destPath' to be a path, but it is empty",
      });
    assert.throws(() => parametersOf({ archivePath: '' }), {
      message: "expected 'archivePath' to be a path, but it is empty",
    });
    assert.throws(() => start(null), { message: /'destPath'/ });
  });

  it('takes the file out of the tree, and keeps its bytes with the job', () => {
    const { files, write = [] } = start({ ...FILE, filename: 'mine.zip' });
    assert.deepEqual(files, [
      { kind: 'source', name: 'mine.zip', mimeType: 'application/zip', data: { blob: 'ff', size: 9 } },
    ]);
    assert.deepEqual(
      write
        .filter(({ document }) => document === null)
        .map(({ id }) => id)
        .sort(),
      ['jcr:content', 'zip'],
    );
  });

  it('needs a file, and the right to take it away', () => {
    for (const archivePath of ['/content/folder', '/content'])
      assert.throws(() => start({ ...FILE, archivePath }), {
        code: 'BAD_REQUEST',
        message: new RegExp(`expected '${archivePath}' to be a file, but`),
      });
    const holding = (properties: ContentNode['properties']) =>
      repository.store(nodeOf('zip', 'jcr:content', { type: 'nt:resource', properties }));
    for (const properties of [
      {},
      { 'jcr:data': { type: 'Binary', values: [] } },
      { 'jcr:data': { type: 'String', value: 'text' } },
    ] as const) {
      holding(properties);
      assert.throws(() => start(FILE), {
        message: "expected '/content/a.zip' to be a file, but it is of type nt:file",
      });
    }
    holding({ 'jcr:data': { type: 'Binary', value: { inline: 'AAEC', size: 3 } } });
    repository.store(
      nodeOf('folder', 'x', {
        type: 'nt:resource',
        properties: { 'jcr:data': { type: 'Binary', value: { inline: 'AAEC', size: 3 } } },
      }),
    );
    assert.throws(() => start({ ...FILE, archivePath: '/content/folder/x' }), {
      message: /to be a file, but it is of type nt:resource/,
    });
    assert.throws(() => start(FILE, ANN), { code: 'FORBIDDEN' });
  });

  it('needs a file that goes at once', () => {
    const below = Array.from({ length: 300 }, (_, n) => nodeOf('jcr:content', `n${n}`));
    repository.store(...below);
    assert.throws(() => start(FILE), { code: 'BAD_REQUEST', message: /too much lies below it/ });
  });
});

describe('the start of an archive', () => {
  const start = (parameters: unknown) =>
    prepareArchive(new MemoryRepository().state(), { parameters, caller: ADMIN, job: {} as LongJob }).parameters;

  it('has everything in it but lists of access control, unless told otherwise', () => {
    const all = { filename: 'a.zip', includeMetadata: true, includeAcl: false, basePath: null };
    assert.deepEqual(start({ filename: 'a' }), all);
    assert.deepEqual(start({ filename: 'a', basePath: '' }), all);
    assert.deepEqual(start({ filename: 'a', basePath: '/x/', includeAcl: true }), {
      ...all,
      includeAcl: true,
      basePath: '/x',
    });
    assert.deepEqual(start({ filename: 'a', includeMetadata: false, includeAcl: true }), {
      ...all,
      includeMetadata: false,
    });
  });

  it('needs a name, and a path as its base', () => {
    assert.throws(() => start(null), { code: 'BAD_REQUEST', message: 'expected the name of the archive' });
    assert.throws(() => start({ filename: 'a', basePath: 'x' }), { code: 'BAD_REQUEST' });
  });
});
