import assert from 'node:assert/strict';
import { accessIn, type ImportRecords, recordsOf } from '../../../src/content/transfer/records.js';
import { ZipSource } from '../../../src/content/transfer/zip/zip-source.js';
import type { BlobStore } from '../../../src/store/index.js';
import { MODIFIED, zipped } from '../../support/zipped.js';
import { described } from './support/archives.js';

const LIMITS = { bytesMax: 20_000_000, entriesMax: 100, ratioMax: 5_000, depthMax: 10 };
const NO_BLOBS = {} as BlobStore;
const MANIFEST = '.cms-archive/manifest.json';
const NODES = '.cms-archive/nodes.ndjson';
const FOLDER = { path: 'f', type: 'nt:folder' };

const opened = async (entries: Parameters<typeof zipped>[0]): Promise<ImportRecords> => {
  const zip = await zipped(entries);
  return recordsOf(await ZipSource.open({ inline: zip.toString('base64'), size: zip.length }, NO_BLOBS, LIMITS));
};
const recordsIn = async (archive: ImportRecords) => {
  const found = [];
  for await (const record of archive.records()) found.push(record);
  return found;
};
const refused = (work: Promise<unknown>, code: string, reason: string | undefined, message: RegExp) =>
  assert.rejects(work, (thrown: { code?: string; message: string; info?: { reason?: string } }) => {
    assert.deepEqual([thrown.code, thrown.info?.reason], [code, reason], thrown.message);
    assert.match(thrown.message, message);
    return true;
  });
const broken = (work: Promise<unknown>, message: RegExp) => refused(work, 'BAD_REQUEST', 'sidecar_broken', message);

describe('an archive without a sidecar', () => {
  it('is its files, with the folders that they lie in, each once and parents first', async () => {
    const archive = await opened({ 'a/': null, 'a/b/c.txt': 'c', 'a/b/d': 'd', e: '' });
    const records = await recordsIn(archive);
    assert.deepEqual(
      records.map(({ path, type, id, mixins, isDescribed }) => [path, type, id, mixins, isDescribed]),
      [
        ['a', 'nt:folder', null, [], false],
        ['a/b', 'nt:folder', null, [], false],
        ['a/b/c.txt', 'nt:file', null, [], false],
        ['a/b/c.txt/jcr:content', 'nt:resource', null, [], false],
        ['a/b/d', 'nt:file', null, [], false],
        ['a/b/d/jcr:content', 'nt:resource', null, [], false],
        ['e', 'nt:file', null, [], false],
        ['e/jcr:content', 'nt:resource', null, [], false],
      ],
    );
    const { 'jcr:data': data, 'jcr:lastModified': modified, ...rest } = records[3]?.properties ?? {};
    assert.deepEqual([data?.type, data?.multiple, rest], ['Binary', false, {}]);
    assert.deepEqual(modified, { type: 'Date', multiple: false, values: [{ given: MODIFIED.toISOString() }] });
    assert.deepEqual([archive.namespaces, archive.strays], [{}, []]);
    assert.deepEqual(await accessIn(archive, () => true), new Map());
  });

  it('has nothing of what other programs put there for themselves', async () => {
    const archive = await opened({
      '__MACOSX/x': '',
      '.DS_Store': '',
      'd/.DS_Store': '',
      'd/my.DS_Store': '',
      'd/__MACOSX/y': '',
    });
    assert.deepEqual(
      (await recordsIn(archive)).filter(({ type }) => type === 'nt:file').map(({ path }) => path),
      ['d/my.DS_Store', 'd/__MACOSX/y'],
    );
  });
});

describe('an archive with a sidecar', () => {
  const only = async (node: object, more: Parameters<typeof zipped>[0] = {}) =>
    (await recordsIn(await opened(described([node], more))))[0];

  it('is the nodes that its lines say', async () => {
    const property = { type: 'Long', value: 7 };
    const node = {
      ...FOLDER,
      id: 'an_Id-7',
      mixins: ['mix:title'],
      properties: { p: property, q: { type: 'Name', values: [] } },
    };
    assert.deepEqual(await only(node), {
      path: 'f',
      id: 'an_Id-7',
      type: 'nt:folder',
      mixins: ['mix:title'],
      properties: {
        p: { type: 'Long', multiple: false, values: [{ given: 7 }] },
        q: { type: 'Name', multiple: true, values: [] },
      },
      isDescribed: true,
    });
    assert.deepEqual((await only(FOLDER))?.mixins, []);
  });

  it('has identifiers that are words of at most 64 letters, or none', async () => {
    const ids: unknown[] = [];
    for (const id of ['x'.repeat(64), 'x'.repeat(65), 'a b', '', 7, null, undefined])
      ids.push((await only({ ...FOLDER, id }))?.id);
    assert.deepEqual(ids, ['x'.repeat(64), null, null, null, null, null, null]);
  });

  it('takes bytes from its entries and from its lines, never from a blob that is here', async () => {
    const values = [{ entry: 'x', size: 4 }, { inline: 'AAEC', size: 3 }, { blob: 'ff', size: 9 }, 'text', true, null];
    const record = await only({ ...FOLDER, properties: { p: { type: 'Binary', values } } }, { x: 'text' });
    const [first, ...others] = record?.properties.p?.values ?? [];
    assert.equal(first !== undefined && 'entry' in first && first.entry.fileName, 'x');
    assert.deepEqual(others, [{ given: 'AAEC' }, { given: '' }, { given: 'text' }, { given: true }, { given: null }]);
  });

  it('names the files that no node stands for, once its nodes were read', async () => {
    const node = { ...FOLDER, properties: { p: { type: 'Binary', value: { entry: 'known' } } } };
    const archive = await opened(described([node], { known: 'k', stray: 's', 'folder/': null, '.DS_Store': '' }));
    await recordsIn(archive);
    assert.deepEqual(archive.strays, ['stray']);
  });

  it('has the namespaces that its manifest says', async () => {
    const namespacesIn = async (namespaces: unknown) =>
      (await opened(described([], { [MANIFEST]: JSON.stringify({ format: 'cms-archive', version: 1, namespaces }) })))
        .namespaces;
    assert.deepEqual(await namespacesIn({ a: 'u:a' }), { a: 'u:a' });
    assert.deepEqual(await namespacesIn(null), {});
    assert.deepEqual(await namespacesIn(undefined), {});
    await broken(namespacesIn('a'), /its namespaces are none/);
  });

  it('is refused where it is of another kind, or lacks a part', async () => {
    const ofKind = (manifest: object) => opened(described([], { [MANIFEST]: JSON.stringify(manifest) }));
    const unknown = (work: Promise<unknown>, message: RegExp) =>
      refused(work, 'BAD_REQUEST', 'archive_version_unknown', message);
    await unknown(ofKind({ format: 'cms-archive', version: 2 }), /version 1, but found 'cms-archive' version 2/);
    await unknown(ofKind({ format: 'other', version: 1 }), /but found 'other' version 1/);
    await broken(opened({ [NODES]: '' }), /'.cms-archive\/manifest.json' is missing/);
    await broken(
      opened({ [MANIFEST]: '{"format":"cms-archive","version":1}' }),
      /'.cms-archive\/nodes.ndjson' is missing/,
    );
    const large = JSON.stringify({ x: 'x'.repeat(1_048_576) });
    await refused(opened({ [MANIFEST]: large, [NODES]: '' }), 'LIMIT_EXCEEDED', undefined, /of at most 1048576 bytes/);
  });

  it('is refused where a line does not say a node', async () => {
    const property = (p: unknown) => ({ ...FOLDER, properties: { p } });
    for (const [node, message] of [
      [{ type: 'nt:folder' }, /a node has no path or no type/],
      [{ path: '', type: 'nt:folder' }, /no path or no type/],
      [{ path: 'f' }, /no path or no type/],
      [{ path: 1, type: 'nt:folder' }, /no path or no type/],
      [{ ...FOLDER, mixins: 'mix:title' }, /the mixins of 'f' are none/],
      [{ ...FOLDER, mixins: ['mix:title', 1] }, /the mixins of 'f' are none/],
      [{ ...FOLDER, properties: 'p' }, /the properties of 'f' are none/],
      [{ ...FOLDER, properties: null }, /the properties of 'f' are none/],
      [property(7), /property 'p' of 'f' is none/],
      [property(null), /property 'p' of 'f' is none/],
      [property({ value: 7 }), /property 'p' of 'f' is of no type/],
      [property({ type: 'long', value: 7 }), /property 'p' of 'f' is of no type/],
      [property({ type: 'Binary', value: { entry: 'x' } }), /the bytes of property 'p' of 'f' are missing: 'x'/],
    ] as const)
      await broken(only(node), message);
  });

  it('is lines of JSON objects, blank ones left out, with and without an end', async () => {
    const lines = (text: string | Buffer) =>
      opened({ [MANIFEST]: '{"format":"cms-archive","version":1}', [NODES]: text }).then(recordsIn);
    const line = JSON.stringify(FOLDER);
    assert.equal((await lines(`${line}\n\n  \n${line}\n`)).length, 2);
    assert.equal((await lines(`${line}\n${line}`)).length, 2);
    assert.deepEqual(await lines(''), []);
    assert.equal((await lines(JSON.stringify({ ...FOLDER, path: '日本' })))[0]?.path, '日本');
    for (const text of ['{', '[]', '7', 'null', `${line}\n"text"\n`])
      await broken(lines(text), /expected JSON objects in '.cms-archive\/nodes/);
    await broken(lines(`${'x'.repeat(80)}y`), /found 'x{80}'$/);
    const long = (length: number) => `${line}\n${line}${' '.repeat(length - line.length)}`;
    assert.equal((await lines(long(2_000_000))).length, 2);
    await refused(
      lines(long(2_000_001)),
      'LIMIT_EXCEEDED',
      undefined,
      /lines of at most 2000000 characters in '.cms-archive\/nodes/,
    );
  });

  describe('whose lists are taken', () => {
    const accessOf = async (...entries: unknown[]) => {
      const acl = entries.map((one, n) => JSON.stringify({ path: `p${n}`, entries: one })).join('\n');
      return accessIn(await opened(described([FOLDER], { '.cms-archive/acl.ndjson': acl })), (name) => name === 'ann');
    };

    it('has entries of principals that there are here', async () => {
      assert.deepEqual(
        await accessOf(
          [
            { principal: 'ann', privileges: ['read', 'jcr:write'], allow: false },
            { principal: 'ann', privileges: 'jcr:read' },
          ],
          [],
        ),
        new Map([
          [
            'p0',
            [
              { principal: 'ann', privileges: ['jcr:read', 'jcr:write'], allow: false },
              { principal: 'ann', privileges: [], allow: true },
            ],
          ],
          ['p1', []],
        ]),
      );
      const nobody = { principal: 'bob', privileges: [] };
      await refused(accessOf([nobody]), 'BAD_REQUEST', 'principal_unknown', /but 'bob', in the list of 'p0', does not/);
      await refused(accessOf([null]), 'BAD_REQUEST', 'principal_unknown', /but '', in the list/);
      await broken(accessOf('none'), /the access control list of 'p0' to be one/);
      await refused(
        accessOf([{ principal: 'ann', privileges: ['jcr:fly'] }]),
        'BAD_REQUEST',
        undefined,
        /found 'jcr:fly'/,
      );
    });

    it('has at most 50,000 of them', async () => {
      const taken = async (count: number) => {
        async function* access() {
          for (let n = 0; n < count; n++) yield { path: `p${n}`, entries: [] };
        }
        return (await accessIn({ ...(await opened({})), access }, () => true)).size;
      };
      assert.equal(await taken(50_000), 50_000);
      await refused(taken(50_001), 'LIMIT_EXCEEDED', undefined, /at most 50000 access control lists/);
    });
  });
});
