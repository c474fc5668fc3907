import assert from 'node:assert/strict';
import { archivePage, archiveWalk } from '../../../src/content/transfer/archive-walk.js';
import type { ContentNode } from '../../../src/content/tree/node.js';
import type { LongJob } from '../../../src/store/index.js';
import { type ContentStore, contentStore, plant } from '../../support/content-store.js';
import { callerNamed } from '../../support/harness.js';
import { unzipped } from '../../support/unzipped.js';
import { nodeOf } from '../support/tree.js';
import { ADMIN, Archives, linesOf } from './support/archives.js';

const ANN = callerNamed('ann');
const NODES = '.cms-archive/nodes.ndjson';
const ACCESS = '.cms-archive/acl.ndjson';
const MANIFEST = '.cms-archive/manifest.json';
const grant = (allow: boolean, ...privileges: string[]) => [{ principal: 'ann', privileges, allow }];
const text = (value: string) => ({ type: 'String', value }) as const;
const inline = (value: string) => ({ inline: Buffer.from(value).toString('base64'), size: value.length });
/** When the ZIP says that an entry was changed; it counts in steps of two seconds. */
const dos = (header: { readonly lastModFileDate: number }) => 1980 + (header.lastModFileDate >> 9);

describe('a job that makes an archive', () => {
  let store: ContentStore;
  let archives: Archives;
  before(async () => {
    store = await contentStore({ threads: false });
    archives = new Archives(store);
    const base = archives.at('/content')?.id ?? '';
    await planted(
      nodeOf(base, 'a', { type: 'nt:folder', acl: grant(true, 'jcr:read') }),
      nodeOf('a', 'one.txt', { type: 'nt:file' }),
      nodeOf('one.txt', 'jcr:content', {
        id: 'content1',
        type: 'nt:resource',
        properties: {
          'jcr:data': { type: 'Binary', value: inline('one') },
          'jcr:mimeType': text('text/plain'),
          'jcr:lastModified': { type: 'Date', value: '2011-01-01T00:00:00.000Z' },
          more: { type: 'Binary', values: [inline('more')] },
        },
      }),
      nodeOf('a', 'empty', { type: 'nt:folder', acl: grant(false, 'jcr:all') }),
    );
  });
  after(() => store.close());

  const planted = (...made: readonly ContentNode[]) => store.partition.send(plant, made, { caller: ADMIN });
  const archived = async (items: readonly string[], parameters: object = {}, caller = ADMIN) =>
    unzipped(await archives.archived(items, parameters, caller));
  const namesIn = (entries: ReadonlyMap<string, Buffer>) =>
    [...entries.keys()].filter((name) => !name.startsWith('.cms-'));
  const manifestOf = (entries: ReadonlyMap<string, Buffer>) => JSON.parse(String(entries.get(MANIFEST)));
  const nodesIn = (entries: ReadonlyMap<string, Buffer>) => linesOf(entries.get(NODES));
  const job = (items: readonly string[], parameters: object = {}): Promise<LongJob> =>
    archives.job('archive', { filename: 'all', ...parameters }, { items });

  it('has files and folders as such, and all of them in its sidecar', async () => {
    const entries = await archived(['/content/a/', '/content/a/one.txt', '/content/gone']);
    assert.deepEqual(namesIn(entries), ['a/', 'a/empty/', 'a/one.txt']);
    assert.equal(String(entries.get('a/one.txt')), 'one');
    const { created, namespaces, ...manifest } = manifestOf(entries);
    assert.deepEqual(manifest, {
      format: 'cms-archive',
      version: 1,
      createdBy: 'admin',
      workspace: 'test',
      basePath: '/content',
      includesAcl: false,
      nodeCount: 4,
      fileCount: 1,
    });
    assert.match(created, /^20\d\d-.*Z$/);
    assert.deepEqual(namespaces, {});
    assert.equal(entries.has(ACCESS), false);
    const lines = nodesIn(entries);
    assert.deepEqual(
      lines.map(({ path, id, type, mixins }) => [path, id, type, mixins]),
      [
        ['a', 'a', 'nt:folder', []],
        ['a/empty', 'empty', 'nt:folder', []],
        ['a/one.txt', 'one.txt', 'nt:file', []],
        ['a/one.txt/jcr:content', 'content1', 'nt:resource', []],
      ],
    );
    assert.deepEqual(lines[3]?.properties, {
      'jcr:data': { type: 'Binary', value: { entry: 'a/one.txt', size: 3 } },
      'jcr:mimeType': text('text/plain'),
      'jcr:lastModified': { type: 'Date', value: '2011-01-01T00:00:00.000Z' },
      more: { type: 'Binary', values: [inline('more')] },
    });
  });

  it('tells how far it is, and keeps what it has made', async () => {
    const { figures, files = [], actor } = await job(['/content/a/one.txt', '/content/gone']);
    assert.equal(actor.value, 'completed');
    assert.deepEqual(
      [figures.itemsTotal, figures.itemsProcessed, figures.itemsArchived, figures.currentPath],
      [2, 2, 1, null],
    );
    assert.deepEqual(
      files.map(({ kind, name, mimeType }) => [kind, name, mimeType]),
      [['archive', 'all.zip', 'application/zip']],
    );
  });

  it('has lists of access control where they are asked for, and may be read', async () => {
    const lists = async (caller = ADMIN) => {
      const entries = await archived(['/content/a'], { includeAcl: true }, caller);
      assert.equal(manifestOf(entries).includesAcl, true);
      return linesOf(entries.get(ACCESS));
    };
    assert.deepEqual(await lists(), [
      { path: 'a', entries: grant(true, 'jcr:read') },
      { path: 'a/empty', entries: grant(false, 'jcr:all') },
    ]);
    assert.deepEqual(await lists(ANN), []);
    await planted({
      ...(archives.at('/content/a') as ContentNode),
      acl: grant(true, 'jcr:read', 'jcr:readAccessControl'),
    });
    assert.deepEqual(
      (await lists(ANN)).map(({ path }) => path),
      ['a'],
    );
    await planted({ ...(archives.at('/content/a') as ContentNode), acl: grant(true, 'jcr:read') });
  });

  it('has what its owner may read, and not what lies below what may not be read', async () => {
    await planted(nodeOf('empty', 'within', { type: 'nt:folder', acl: grant(true, 'jcr:read') }));
    assert.deepEqual(namesIn(await archived(['/content/a'], {}, ANN)), ['a/', 'a/one.txt']);
    assert.deepEqual(namesIn(await archived(['/content/a/empty'], {}, ANN)), []);
  });

  it('has its sidecar left out where that is asked, and a base that lies above all', async () => {
    const entries = await archived(['/content/a/one.txt'], { includeMetadata: false, basePath: '/' });
    assert.deepEqual([...entries.keys()], ['content/a/one.txt']);
  });

  it('is of the whole tree from its root, which is in no line', async () => {
    const entries = await archived(['/']);
    assert.equal(manifestOf(entries).basePath, '/');
    assert.deepEqual(
      nodesIn(entries)
        .filter(({ path }) => path === '' || path === 'content')
        .map(({ path }) => path),
      ['content'],
    );
    assert.equal(namesIn(entries).includes('content/a/one.txt'), true);
  });

  it('has siblings in their order, by their names as they stand in paths', async () => {
    const sibling = (name: string, order: string) =>
      nodeOf('ordered', name, { id: `${name}${order}`, order, sns: true });
    await planted(
      nodeOf('a', 'ordered'),
      sibling('x', '3'),
      sibling('x', '1'),
      { ...sibling('x', '2'), acl: grant(false, 'jcr:read') },
      sibling('w', '4'),
      nodeOf('a', 'plain', { type: 'nt:folder' }),
      ...['z', 'y'].map((name) => nodeOf('plain', name, { type: 'nt:folder' })),
    );
    const paths = (entries: ReadonlyMap<string, Buffer>) =>
      nodesIn(entries)
        .slice(1)
        .map(({ path, id }) => `${path} ${id}`);
    assert.deepEqual(paths(await archived(['/content/a/ordered'])), [
      'ordered/x x1',
      'ordered/x[2] x2',
      'ordered/x[3] x3',
      'ordered/w w4',
    ]);
    assert.deepEqual(paths(await archived(['/content/a/ordered'], {}, ANN)), [
      'ordered/x x1',
      'ordered/x[3] x3',
      'ordered/w w4',
    ]);
    assert.deepEqual(paths(await archived(['/content/a/plain'])), ['plain/y y', 'plain/z z']);
  });

  it('has bytes of many properties once, each file as it is, and no folder for what is none', async () => {
    const { sha256, size } = await store.blobs.write(Buffer.alloc(5_000, 7));
    const blob = { blob: sha256, size };
    const data = (id: string, parent: string, properties: ContentNode['properties']) =>
      nodeOf(parent, 'jcr:content', { id, type: 'nt:resource', properties });
    await planted(
      nodeOf('a', 'kinds'),
      nodeOf('kinds', 'f', { type: 'nt:file' }),
      data('f1', 'f', { 'jcr:data': { type: 'Binary', value: blob }, again: { type: 'Binary', values: [blob, blob] } }),
      nodeOf('f1', 'below', { type: 'nt:folder' }),
      nodeOf('f', 'extra', { properties: { 'jcr:data': { type: 'Binary', value: inline('extra') } } }),
      nodeOf('kinds', 'none', { type: 'nt:file' }),
      data('none1', 'none', { 'jcr:data': { type: 'Binary', values: [blob] } }),
      nodeOf('kinds', 'texts', {
        properties: { large: { type: 'String', value: blob }, 'jcr:data': { type: 'Binary', value: blob } },
      }),
      nodeOf('kinds', 'bare', { type: 'nt:file' }),
      data('bare1', 'bare', {}),
      nodeOf('kinds', 'other', { type: 'nt:file' }),
      data('other1', 'other', { 'jcr:data': text('no bytes') }),
    );
    const entries = await archived(['/content/a/kinds']);
    assert.deepEqual(namesIn(entries), ['kinds/f']);
    const entry = { entry: `.cms-archive/blobs/${sha256}`, size };
    assert.deepEqual(
      [...entries.keys()].filter((name) => name.startsWith('.cms-archive/blobs/')),
      [entry.entry],
    );
    const properties = Object.fromEntries(nodesIn(entries).map((line) => [line.path, line.properties]));
    assert.deepEqual(properties['kinds/f/jcr:content'], {
      'jcr:data': { type: 'Binary', value: { entry: 'kinds/f', size } },
      again: { type: 'Binary', values: [entry, entry] },
    });
    assert.deepEqual(properties['kinds/none/jcr:content'], { 'jcr:data': { type: 'Binary', values: [entry] } });
    assert.deepEqual(properties['kinds/texts'], {
      large: { type: 'String', value: entry },
      'jcr:data': { type: 'Binary', value: entry },
    });
    assert.equal(manifestOf(entries).fileCount, 1);
  });

  it('leaves out what lies below a node that is gone meanwhile', async () => {
    await planted(nodeOf('a', 'late', { type: 'nt:folder' }), nodeOf('late', 'below', { type: 'nt:folder' }));
    const walk = { partition: 'test', path: '/content/a/late', nodesMax: 10, now: 0 };
    assert.equal(await store.work.plan('test', archiveWalk, walk, ADMIN), '0\tlate\tlate\n1\tbelow\tbelow');
    const page = { partition: 'test', ids: ['late', 'gone', 'empty'], includeAcl: false, now: 0 };
    const { nodes } = await store.work.plan('test', archivePage, page, ANN);
    assert.deepEqual(
      nodes.map((node) => node?.id ?? null),
      ['late', null, null],
    );
  });

  it('has as many nodes as it may, and no more', async () => {
    const walk = (nodesMax: number, path = '/content/a/plain') =>
      store.work.plan('test', archiveWalk, { partition: 'test', path, nodesMax, now: 0 }, ADMIN);
    assert.equal((await walk(3)).split('\n').length, 3);
    for (const nodesMax of [2, 1, 0])
      await assert.rejects(walk(nodesMax), { code: 'LIMIT_EXCEEDED', info: { reason: 'archive_too_large' } });
    assert.equal(await walk(10, '/content/none'), '');
  });

  it('reads large nodes few at a time', async () => {
    const size = (length: number) => ({ p: text('x'.repeat(length)) });
    const ids = ['l1', 'l2', 'l3'];
    await planted(...ids.map((id) => nodeOf('a', id, { properties: size(200_000) })));
    const read = async (count: number) => {
      const page = { partition: 'test', ids: Array.from({ length: count }, () => 'l1'), includeAcl: false, now: 0 };
      return (await store.work.plan('test', archivePage, page, ADMIN)).nodes;
    };
    const sized = async (length: number) => {
      const present = JSON.stringify((await read(1))[0]).length;
      const { properties } = archives.at('/content/a/l1') as ContentNode;
      const { value = '' } = properties.p as { value?: string };
      await planted(nodeOf('a', 'l1', { properties: size(value.length + length - present) }));
      return (await read(9)).length;
    };
    assert.equal(await sized(250_000), 5, 'four are 1,000,000 characters');
    assert.equal(await sized(250_001), 4);
    const entries = await archived(['/content/a']);
    assert.deepEqual(nodesIn(entries).filter(({ id }) => ids.includes(String(id))).length, 3);
  });

  it('dates its entries by their nodes, as far as a ZIP can tell', async () => {
    const dated = (id: string, properties: ContentNode['properties']) =>
      nodeOf('dated', id, { type: 'nt:folder', properties });
    const date = (year: string) => ({ type: 'Date', value: `${year}-06-01T00:00:00.000Z` }) as const;
    await planted(
      nodeOf('a', 'dated', { type: 'nt:folder' }),
      dated('changed', { 'jcr:created': date('2001'), 'jcr:lastModified': date('2005') }),
      dated('made', { 'jcr:created': date('2001') }),
      dated('early', { 'jcr:created': date('1950') }),
      dated('late', { 'jcr:created': date('2090') }),
      dated('odd', {
        'jcr:created': text('yesterday'),
        'jcr:lastModified': { type: 'Date', values: ['2005-01-01T00:00:00.000Z'] },
      }),
      nodeOf('dated', 'file', { type: 'nt:file', properties: { 'jcr:created': date('2003') } }),
      nodeOf('file', 'jcr:content', {
        id: 'fileContent',
        type: 'nt:resource',
        properties: { 'jcr:data': { type: 'Binary', value: inline('') } },
      }),
    );
    const years = new Map(
      (await archives.entriesOf(['/content/a/dated'])).map((entry) => [entry.fileName, dos(entry)]),
    );
    assert.deepEqual(
      ['changed/', 'made/', 'early/', 'late/', 'odd/', 'file'].map((name) => years.get(`dated/${name}`)),
      [2005, 2001, 1980, 2037, new Date().getFullYear(), 2003],
    );
  });

  it('packs what is worth it', async () => {
    const bytes = { type: 'Binary', value: inline('x'.repeat(1_000)) } as const;
    const types = ['image/png', 'text/plain', 'application/pdf'];
    await planted(
      nodeOf('a', 'packed', { type: 'nt:folder' }),
      ...types.flatMap((type, n) => [
        nodeOf('packed', `p${n}`, { type: 'nt:file' }),
        nodeOf(`p${n}`, 'jcr:content', {
          id: `pc${n}`,
          type: 'nt:resource',
          properties: { 'jcr:data': bytes, 'jcr:mimeType': text(type) },
        }),
      ]),
    );
    const methods = (await archives.entriesOf(['/content/a/packed'], { includeMetadata: false })).map(
      ({ compressionMethod }) => compressionMethod,
    );
    assert.deepEqual(methods, [0, 0, 8, 0]);
  });

  it('fails with what it cannot read', async () => {
    const lost = { blob: 'f'.repeat(64), size: 5_000 };
    await planted(
      nodeOf('a', 'lost', { type: 'nt:file' }),
      nodeOf('lost', 'jcr:content', {
        id: 'lost1',
        type: 'nt:resource',
        properties: { 'jcr:data': { type: 'Binary', value: lost } },
      }),
    );
    const { actor, figures } = await job(['/content/a/lost']);
    assert.equal(actor.value, 'failed');
    assert.match(figures.errorMessage ?? '', /./);
  });
});
