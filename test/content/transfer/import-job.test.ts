import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { ContentNode } from '../../../src/content/index.js';
import { detachedTrees } from '../../../src/content/tree/detached.js';
import { nodes } from '../../../src/content/tree/node.js';
import { typePacks, typeStamps } from '../../../src/content/tree/stored-types.js';
import { readCnd } from '../../../src/content/type/cnd.js';
import { builtInNamespaces } from '../../../src/content/value/names.js';
import { type Committed, type LongJob, operation, put } from '../../../src/store/index.js';
import { type ContentStore, contentStore, plant } from '../../support/content-store.js';
import { callerNamed } from '../../support/harness.js';
import { changed, MODIFIED, zipped } from '../../support/zipped.js';
import { nodeOf } from '../support/tree.js';
import { ADMIN, Archives, described } from './support/archives.js';

const TYPES = `
[ordered] orderable
+ * (nt:base) = nt:unstructured
[repeating]
+ * (nt:base) = nt:unstructured sns`;
const register = operation('register', (_, cnd: string) => ({
  write: [
    put(typePacks, { id: 'orders', types: readCnd(cnd, builtInNamespaces).types }),
    put(typeStamps, { id: 'types', stamp: 'orders', namespaces: {} }),
  ],
  answer: null,
}));

const grant = (principal: string, ...privileges: string[]) => ({ principal, privileges, allow: true });

describe('a job that imports', () => {
  let store: ContentStore;
  let archives: Archives;
  let committed: (commit: Committed) => void = () => {};
  before(async () => {
    store = await contentStore({
      threads: false,
      committed: (commit) => committed(commit),
      operations: [register],
      limits: {
        imports: { bytesMax: 10_000_000, entriesMax: 1_000, ratioMax: 10_000, depthMax: 20 },
        hasPrincipal: (name) => name === 'ann',
      },
    });
    archives = new Archives(store);
    await store.partition.send(register, TYPES, { caller: ADMIN });
  });
  after(() => store.close());
  let place = '';
  let places = 0;
  beforeEach(async () => {
    committed = () => {};
    const name = `in${places++}`;
    place = `/content/${name}`;
    await store.run(store.content.nodes.createNode, { path: '/content', name, nodeType: 'nt:unstructured' });
  });

  const imported = (zip: Parameters<Archives['imported']>[0], parameters: object = {}, caller = ADMIN) =>
    archives.imported(zip, { destinationPath: place, ...parameters }, caller);
  const completed = async (...args: Parameters<typeof imported>): Promise<LongJob> => {
    const job = await imported(...args);
    assert.equal(job.actor.value, 'completed', job.figures.errorMessage ?? '');
    return job;
  };
  const failed = async (work: Promise<LongJob>, message: RegExp): Promise<LongJob> => {
    const job = await work;
    assert.equal(job.actor.value, 'failed');
    assert.match(job.figures.errorMessage ?? '', message);
    return job;
  };
  const at = (path: string) => archives.at(`${place}/${path}`);
  const valueAt = (path: string, name: string) => {
    const property = at(path)?.properties[name];
    return property === undefined ? undefined : 'value' in property ? property.value : property.values;
  };
  const staged = () => store.partition.replica.read().range(detachedTrees, 'since', [0], 10);
  const children = (path = place): ContentNode[] => {
    const parent = archives.at(path);
    return store.partition.replica.read().find(nodes, 'order', [parent?.id ?? '']);
  };

  it('makes files and folders of a plain ZIP, with bytes in their nodes or in blobs', async () => {
    const [few, many] = [randomBytes(2_048), randomBytes(2_049)];
    const job = await completed({ 'a/few.bin': few, 'a/many.bin': many, empty: '' });
    assert.deepEqual(valueAt('a/few.bin/jcr:content', 'jcr:data'), { inline: few.toString('base64'), size: 2_048 });
    const stored = valueAt('a/many.bin/jcr:content', 'jcr:data') as { blob: string; size: number };
    assert.equal(stored.size, 2_049);
    const pieces: Uint8Array[] = [];
    for await (const piece of store.blobs.open({ sha256: stored.blob, size: 2_049 })) pieces.push(piece);
    assert.ok(many.equals(Buffer.concat(pieces)));
    assert.deepEqual(valueAt('empty/jcr:content', 'jcr:data'), { inline: '', size: 0 });
    assert.equal(valueAt('empty/jcr:content', 'jcr:lastModified'), MODIFIED.toISOString());
    assert.deepEqual(
      [at('a')?.type, at('empty')?.type, at('empty')?.order],
      ['nt:folder', 'nt:file', job && at('empty')?.order],
    );
    const { itemsTotal, itemsProcessed, itemsImported, itemsNew, itemsSkipped, errorSamples, downloadUrl } =
      job.figures;
    assert.deepEqual(
      [itemsTotal, itemsProcessed, itemsImported, itemsNew, itemsSkipped, errorSamples],
      [3, 3, 3, 3, 0, []],
    );
    assert.equal(downloadUrl, `/bin/download-archive.cgi/test/${job.id}/report`);
    assert.deepEqual(
      await archives.reportOf(job),
      ['a/few.bin', 'a/many.bin', 'empty'].map((name) => `${place}/${name},new,`),
    );
  });

  it('knows media types by the names of files, else by their bytes', async () => {
    const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
    await completed({ 'a.HTML': 'x', 'b.png.txt': png, c: png, d: 'text', 'e.unknown': randomBytes(20) });
    assert.deepEqual(
      ['a.HTML', 'b.png.txt', 'c', 'e.unknown'].map((name) => valueAt(`${name}/jcr:content`, 'jcr:mimeType')),
      ['text/html', 'text/plain', 'image/png', 'application/octet-stream'],
    );
  });

  it('makes nodes as they are described, in their order', async () => {
    const unstructured = (path: string, more: object = {}) => ({ path, type: 'nt:unstructured', ...more });
    await completed(
      described([
        unstructured('a', { mixins: ['mix:title'], properties: { 'jcr:title': { type: 'String', value: 'A' } } }),
        ...['z', 'y', 'x', 'x[2]', 'w'].map((name) => unstructured(`a/${name}`)),
        { path: 'f', type: 'nt:folder' },
        ...['z', 'y'].map((name) => ({ path: `f/${name}`, type: 'nt:folder' })),
      ]),
    );
    const below = children(`${place}/a`);
    assert.deepEqual(
      below.map(({ name, sns }) => [name, sns]),
      [
        ['z', true],
        ['y', true],
        ['x', true],
        ['x', true],
        ['w', true],
      ],
    );
    assert.deepEqual([valueAt('a', 'jcr:title'), at('f/z')?.order, at('f/y')?.sns], ['A', null, undefined]);
    assert.equal(at('a/x[2]')?.id, below[3]?.id);
  });

  it('keeps the order of siblings where their type has one, or where names may repeat', async () => {
    await completed(
      described([
        { path: 'o', type: 'ordered' },
        ...['z', 'y'].map((name) => ({ path: `o/${name}`, type: 'nt:unstructured' })),
        { path: 'r', type: 'repeating' },
        ...['z', 'y', 'z[2]'].map((name) => ({ path: `r/${name}`, type: 'nt:unstructured' })),
      ]),
    );
    const shown = (path: string) =>
      children(`${place}/${path}`).map(({ name, sns, order }) => [name, sns, order !== null]);
    assert.deepEqual(shown('o'), [
      ['z', undefined, true],
      ['y', undefined, true],
    ]);
    assert.deepEqual(shown('r'), [
      ['z', true, true],
      ['y', true, true],
      ['z', true, true],
    ]);
    assert.equal(at('r/z[2]')?.id, children(`${place}/r`)[2]?.id);
  });

  it('unpacks an entry once that several values name', async () => {
    const large = { type: 'Binary', values: [{ entry: 'bytes' }, { entry: 'bytes' }] };
    const small = { type: 'String', value: { entry: 'text' } };
    const bytes = randomBytes(3_000);
    await completed(
      described([{ path: 'a', type: 'nt:unstructured', properties: { large, small } }], { bytes, text: 'short' }),
    );
    const [first, second] = valueAt('a', 'large') as { blob: string; size: number }[];
    assert.deepEqual([first, first?.size, valueAt('a', 'small')], [second, 3_000, 'short']);
  });

  it('leads references to what the nodes of the archive have become', async () => {
    const node = (path: string, id: string, properties: object) => ({
      path,
      id,
      type: 'nt:unstructured',
      mixins: ['mix:referenceable'],
      properties,
    });
    const reference = (value: string) => ({ ref: { type: 'Reference', value } });
    const zip = described([node('a', 'one', reference('two')), node('b', 'two', reference('one'))]);
    await completed(zip, { uuidBehavior: 2 });
    assert.deepEqual([valueAt('a', 'ref'), valueAt('b', 'ref')], [at('b')?.id, at('a')?.id]);
    assert.equal(valueAt('a', 'jcr:uuid'), at('a')?.id);
  });

  it('replaces what is there, and leaves a plain file its media type and its maker', async () => {
    const { createFile } = store.content.nodes;
    await store.run(createFile, {
      path: `${place}/d`,
      name: 'f.txt',
      mimeType: 'text/special',
      content: { inline: 'AAEC', size: 3 },
    });
    const before = at('d/f.txt/jcr:content');
    const job = await completed({ 'd/f.txt': 'new' }, { pathBehavior: 2 });
    assert.deepEqual([job.figures.itemsNew, job.figures.itemsOverwritten, job.figures.itemsImported], [0, 1, 1]);
    const after = at('d/f.txt/jcr:content');
    assert.deepEqual([after?.id, valueAt('d/f.txt/jcr:content', 'jcr:mimeType')], [before?.id, 'text/special']);
    assert.equal(
      Buffer.from((valueAt('d/f.txt/jcr:content', 'jcr:data') as { inline: string }).inline, 'base64').toString(),
      'new',
    );
    const skipped = await completed({ 'd/f.txt': 'newer' }, { pathBehavior: 1 });
    assert.deepEqual(
      [skipped.figures.itemsSkipped, skipped.figures.itemsImported, skipped.figures.itemsTotal],
      [1, 0, 1],
    );
    assert.deepEqual(at('d/f.txt/jcr:content'), after);
  });

  it('replaces all properties of a described node, its media type too', async () => {
    const resource = (path: string, mimeType: string) => ({
      path,
      type: 'nt:resource',
      properties: {
        'jcr:data': { type: 'Binary', value: { inline: 'AAEC' } },
        'jcr:mimeType': { type: 'String', value: mimeType },
      },
    });
    const file = (mimeType: string) => described([{ path: 'f', type: 'nt:file' }, resource('f/jcr:content', mimeType)]);
    await completed(file('a/a'));
    await completed(file('b/b'), { pathBehavior: 2 });
    assert.equal(valueAt('f/jcr:content', 'jcr:mimeType'), 'b/b');
  });

  it('tells what would be, and does nothing, where that is asked', async () => {
    const zip = described(
      [
        { path: 'a', type: 'nt:folder' },
        { path: 'b', type: 'no:type' },
      ],
      { stray: 's' },
    );
    const { figures, files = [] } = await completed(zip, { dryRun: true });
    assert.deepEqual(
      [
        figures.dryRunHasErrors,
        figures.dryRunNodeCount,
        figures.dryRunBinaryCount,
        figures.dryRunDetail,
        figures.itemsImported,
        figures.itemsTotal,
      ],
      [true, 2, 0, '0 new, 0 overwritten, 1 skipped, 1 problems', 0, 1],
    );
    assert.deepEqual(figures.errorSamples, [`${place}/b\texpected a registered node type, but there is no 'no:type'`]);
    assert.deepEqual(
      files.map(({ kind }) => kind),
      ['source', 'report'],
    );
    assert.equal(at('a'), undefined);
    const sound = await completed({ 'a.txt': 'a' }, { dryRun: true });
    assert.deepEqual(
      [sound.figures.dryRunHasErrors, sound.figures.dryRunBinaryCount, sound.figures.itemsNew],
      [false, 1, 1],
    );
    assert.deepEqual(await archives.reportOf(sound), [`${place}/a.txt,new,`]);
    assert.equal(at('a.txt'), undefined);
  });

  it('imports nothing where one node cannot be imported', async () => {
    const zip = described(
      [
        { path: 'a', type: 'nt:folder' },
        { path: 'b', type: 'no:type' },
      ],
      { x: 'stray' },
    );
    const job = await failed(
      imported(zip),
      /1 of its nodes are not, so that nothing was imported; the first is 'b': expected a registered/,
    );
    assert.deepEqual([job.figures.itemsImported, job.figures.dryRunDetail, job.figures.itemsProcessed], [0, null, 0]);
    assert.equal((await archives.reportOf(job)).at(-1), `${place}/x,skipped,the archive does not describe it`);
    assert.equal(at('a'), undefined);
    const many = described(Array.from({ length: 25 }, (_, n) => ({ path: `n${n}`, type: 'no:type' })));
    assert.equal((await failed(imported(many), /25 of its nodes/)).figures.errorSamples?.length, 20);
  });

  it('has no report where it is about no files', async () => {
    const { files = [], figures } = await completed(described([{ path: 'a', type: 'nt:folder' }]));
    assert.deepEqual([files.map(({ kind }) => kind), figures.itemsTotal, figures.downloadUrl], [['source'], 0, null]);
  });

  it('sets lists of access control where they are to be imported', async () => {
    const list = { '.cms-archive/acl.ndjson': JSON.stringify({ path: 'a', entries: [grant('ann', 'read')] }) };
    const zip = described([{ path: 'a', type: 'nt:folder' }], list);
    await completed(zip);
    assert.equal(at('a')?.acl, undefined);
    await completed(zip, { importAcl: true, pathBehavior: 2 });
    assert.deepEqual(at('a')?.acl, [grant('ann', 'jcr:read')]);
    await completed(
      described([{ path: 'b', type: 'nt:folder' }], {
        '.cms-archive/acl.ndjson': list['.cms-archive/acl.ndjson'].replace('"a"', '"b"'),
      }),
      { importAcl: true },
    );
    assert.deepEqual(at('b')?.acl, [grant('ann', 'jcr:read')]);
  });

  it('is told by administrators alone who made its nodes', async () => {
    const granted = ['/content/uploads', place].map((path) => archives.at(path) as ContentNode);
    const acl = [grant('ann', 'jcr:all')];
    await store.partition.send(
      plant,
      granted.map((node) => ({ ...node, acl })),
      { caller: ADMIN },
    );
    const properties = { 'jcr:createdBy': { type: 'String', value: 'mozart' } };
    const zip = (path: string) => described([{ path, type: 'nt:folder', properties }]);
    await completed(zip('a'));
    await completed(zip('b'), {}, callerNamed('ann'));
    assert.deepEqual([valueAt('a', 'jcr:createdBy'), valueAt('b', 'jcr:createdBy')], ['mozart', 'ann']);
    await failed(imported(zip('c'), { destinationPath: '/content/elsewhere' }, callerNamed('ann')), /./);
  });

  it('stages more nodes than one commit takes, and is there at once', async () => {
    const seen = new Set<number>();
    committed = () => seen.add(children().length);
    store.commits.length = 0;
    const names = Array.from({ length: 600 }, (_, n) => `n${n}`);
    const job = await completed(described(names.map((path) => ({ path, type: 'nt:unstructured' }))));
    assert.deepEqual([children().length, [...seen].sort()], [600, [0, 600]]);
    const sizes = store.commits.map(
      ({ writes }) =>
        writes.filter(({ document }) => /^n\d+$/.test(String((document as ContentNode | null)?.name))).length,
    );
    assert.deepEqual(
      sizes.filter((size) => size > 1 && size < 600),
      [250, 250, 100],
    );
    assert.deepEqual(staged(), []);
    assert.equal(job.figures.itemsTotal, 0);
  });

  it('changes more nodes by one commit than a decision otherwise may', async () => {
    const zip = described(Array.from({ length: 600 }, (_, n) => ({ path: `n${n}`, type: 'nt:folder' })));
    await completed(zip);
    assert.equal((await completed(zip, { pathBehavior: 2 })).actor.value, 'completed');
  });

  it('stages nodes until their text has 500,000 characters', async () => {
    const value = 'x'.repeat(16_000);
    const texts = Array.from({ length: 15 }, (_, n) => [`p${n}`, { type: 'String', value }]);
    const large = (path: string, pad: number) => {
      const properties = { ...Object.fromEntries(texts), pad: { type: 'String', value: 'x'.repeat(pad) } };
      return { path, type: 'nt:unstructured', properties };
    };
    const staging = async (from: string, count: number, pad: number): Promise<ContentNode[][]> => {
      store.commits.length = 0;
      await completed(described(Array.from({ length: count }, (_, n) => large(`${from}${n}`, pad))));
      const all = store.commits.map(({ writes }) => writes.map(({ document }) => document as ContentNode | null));
      const isStaged = (node: ContentNode | null) =>
        /^n\d$/.test(node?.name ?? '') && node?.properties.pad !== undefined;
      return all.map((one) => one.flatMap((node) => (isStaged(node) && node) || [])).filter(({ length }) => length > 0);
    };
    const [[one] = []] = await staging('a', 1, 0);
    const pad = 250_000 - JSON.stringify({ ...one, version: 0 }).length;
    const sizes = async (from: string, more: number) =>
      (await staging(from, 4, pad + more)).map(({ length }) => length);
    assert.deepEqual(await sizes('b', 0), [2, 2]);
    assert.deepEqual(await sizes('c', -1), [3, 1]);
  });

  it('leaves nothing behind of entries before one that is damaged', async () => {
    const zip = await zipped({ 'before.txt': 'b', 'large.txt': 'one two '.repeat(1_000), 'z.txt': 'z' });
    await failed(imported(changed(zip, 'large.txt', { crc32: 1 })), /expected entry 'large.txt' .* CRC-32/);
    assert.deepEqual(children(), []);
    await store.until(() => staged().length === 0);
  });

  it('leaves nothing behind where it fails, and says why', async () => {
    await store.run(store.content.nodes.createFolder, { path: place, name: 'f' });
    let planted = false;
    committed = () => {
      if (staged().length === 0 || planted) return;
      planted = true;
      const taken = nodeOf(at('f')?.id ?? '', 'a', { id: `taken-${place}`, type: 'nt:folder' });
      void store.partition.send(plant, [taken], { caller: ADMIN });
    };
    const zip = described([{ path: 'a', type: 'nt:folder' }]);
    await failed(imported(zip, { destinationPath: `${place}/f` }), /there is a node 'a'/);
    assert.equal(at('f/a')?.id, `taken-${place}`);
    await store.until(() => staged().length === 0);
  });
});
