import assert from 'node:assert/strict';
import type { ImportXmlInput } from '../../../../src/content/transfer/xml/import-xml.js';
import { detachedTrees } from '../../../../src/content/tree/detached.js';
import { type ContentNode, nodes } from '../../../../src/content/tree/node.js';
import { typePacks, typeStamps } from '../../../../src/content/tree/stored-types.js';
import { readCnd } from '../../../../src/content/type/cnd.js';
import { builtInNamespaces } from '../../../../src/content/value/names.js';
import { operation, put } from '../../../../src/store/index.js';
import { type ContentStore, contentStore, plant } from '../../../support/content-store.js';
import { nodeOf } from '../../support/tree.js';
import { ADMIN, Archives } from '../support/archives.js';

const JCR = 'xmlns:jcr="http://www.jcp.org/jcr/1.0"';
const SV = `xmlns:sv="http://www.jcp.org/jcr/sv/1.0" ${JCR}`;
const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const property = (name: string, type: string, ...values: string[]) =>
  `<sv:property sv:name="${name}" sv:type="${type}">${values.map((one) => `<sv:value>${one}</sv:value>`).join('')}</sv:property>`;
const node = (name: string, type: string, ...inner: string[]) =>
  `<sv:node sv:name="${name}">${property('jcr:primaryType', 'Name', type)}${inner.join('')}</sv:node>\n`;
const loose = (name: string, ...inner: string[]) => node(name, 'nt:unstructured', ...inner);
const identified = (name: string, n: number, ...inner: string[]) =>
  loose(
    name,
    property('jcr:mixinTypes', 'Name', 'mix:referenceable'),
    property('jcr:uuid', 'String', uuid(n)),
    ...inner,
  );
const document = (xml: string) => xml.replace('<sv:node ', `<sv:node ${SV} `);
const times = (count: number, make: (n: number) => string): string[] =>
  Array.from({ length: count }, (_, n) => make(n));

const TYPES = `
[refers]
- to (reference) multiple
- one (reference)
[keeps]
+ kept (nt:unstructured) = nt:unstructured autocreated protected
[auto]
${times(12, (n) => `+ c${n} (nt:unstructured) = nt:unstructured autocreated`).join('\n')}
[vast]
${times(520, (n) => `+ c${n} (nt:unstructured) = nt:unstructured autocreated`).join('\n')}`;
const register = operation('register', (_, cnd: string) => ({
  write: [
    put(typePacks, { id: 'registered', types: readCnd(cnd, builtInNamespaces).types }),
    put(typeStamps, { id: 'types', stamp: cnd, namespaces: {} }),
  ],
  answer: null,
}));

describe('an import of XML as a command', () => {
  let store: ContentStore;
  let archives: Archives;
  let place: string;
  let places = 0;
  before(async () => {
    const xmlLimits = { bytesMax: 200_000, nodesMax: 2_000, depthMax: 10, namespacesMax: 100 };
    store = await contentStore({ threads: false, limits: { xmlLimits }, operations: [register] });
    archives = new Archives(store);
    await store.partition.send(register, TYPES, { caller: ADMIN });
  });
  after(() => store.close());
  beforeEach(async () => {
    const name = `in${places++}`;
    place = `/content/${name}`;
    await store.run(store.content.nodes.createNode, { path: '/content', name, nodeType: 'nt:unstructured' });
    store.commits.length = 0;
  });

  const imported = async (xml: string, more: Partial<ImportXmlInput> = {}) => {
    const { sha256, size } = await store.blobs.write(Buffer.from(xml));
    const input = { path: place, xml: { blob: sha256, size }, uploadId: null, uuidBehavior: 'THROW', ...more } as const;
    return (await store.partition.send(store.content.api.importXml, input, { caller: ADMIN })).answer;
  };
  const refused = (work: Promise<unknown>, code: string, reason: string | undefined, message: RegExp) =>
    assert.rejects(work, (thrown: { code?: string; message: string; info?: { reason?: string } }) => {
      assert.deepEqual([thrown.code, reason && thrown.info?.reason], [code, reason], thrown.message);
      assert.match(thrown.message, message);
      return true;
    });
  const at = (path: string) => archives.at(`${place}/${path}`);
  const valueAt = (path: string, name: string) => Object.values(at(path)?.properties[name] ?? {})[1];
  const below = (path: string): ContentNode[] =>
    store.partition.replica.read().find(nodes, 'order', [archives.at(path)?.id ?? '']);
  const wasStaged = () =>
    store.commits.some(({ writes }) => writes.some(({ collection }) => collection.name === detachedTrees.name));

  it('is one decision up to 150 nodes, and staged beyond', async () => {
    const wide = (count: number) => document(loose('a', ...times(count - 1, (n) => loose(`n${n}`))));
    const few = await imported(wide(150));
    assert.deepEqual([few.created, wasStaged()], [150, false]);
    const many = await imported(wide(151));
    assert.deepEqual([many.created, many.replaced, wasStaged()], [151, 0, true]);
    assert.deepEqual(many.nodeIds, [at('a[2]')?.id]);
    assert.deepEqual(
      below(`${place}/a[2]`).map(({ name }) => name),
      times(150, (n) => `n${n}`),
    );
    assert.equal(store.partition.replica.read().get(detachedTrees, 'x'), undefined);
  });

  it('places nodes below those of earlier pages', async () => {
    const deep = times(3, (n) => loose(`f${n}`, ...times(60, (m) => loose(`n${m}`, m === 30 ? loose('below') : ''))));
    assert.equal((await imported(document(loose('a', ...deep)))).created, 187);
    assert.deepEqual(
      below(`${place}/a`).map(({ name }) => name),
      ['f0', 'f1', 'f2'],
    );
    for (const f of ['f0', 'f1', 'f2']) assert.equal(below(`${place}/a/${f}`).length, 60);
    assert.equal(at('a/f2/n30/below')?.name, 'below');
  });

  it('refers to its own nodes, in either view', async () => {
    // No other value tells the identifier that one has.
    const within = (from: number, n: number) => uuid(from + (n % 20));
    const refers = (n: number) => [
      property('strong', 'Reference', within(0, n)),
      property('weak', 'WeakReference', within(20, n)),
      property('text', 'String', within(60, n)),
      node('r', 'refers', property('one', 'undefined', within(40, n))),
    ];
    await imported(document(loose('a', ...times(80, (n) => identified(`n${n}`, n, ...refers(n))))), {
      uuidBehavior: 'CREATE_NEW',
    });
    const idOf = (n: number) => at(`a/n${n}`)?.id;
    assert.notEqual(idOf(1), uuid(1));
    assert.deepEqual(
      [...['strong', 'weak', 'text'].map((name) => valueAt('a/n1', name)), valueAt('a/n1/r', 'one')],
      [idOf(1), idOf(21), uuid(61), idOf(41)],
    );
    const elements = times(
      160,
      (n) =>
        `<n${n} jcr:primaryType="nt:unstructured" jcr:mixinTypes="mix:referenceable" jcr:uuid="${uuid(n)}"><r jcr:primaryType="refers" to="${uuid(3)} ${uuid(4).replace('-', '_x002d_')}" one="${uuid(5)}"/></n${n}>`,
    );
    await imported(`<b ${JCR} jcr:primaryType="nt:unstructured">${elements.join('')}</b>`, {
      uuidBehavior: 'CREATE_NEW',
    });
    const ids = [3, 4, 5].map((n) => at(`b/n${n}`)?.id);
    assert.deepEqual([valueAt('b/n7/r', 'to'), valueAt('b/n7/r', 'one')], [ids.slice(0, 2), ids[2]]);
  });

  it('keeps what has an identifier of the import, where it is staged, and replaces where it is not', async () => {
    const many = (from: number, more = '') =>
      document(loose('a', ...times(160, (n) => identified(`n${n}`, from + n)), more));
    await imported(many(1_000), { uuidBehavior: 'REMOVE_EXISTING' });
    assert.deepEqual([at('a/n5')?.id, wasStaged()], [uuid(1_005), true]);
    await refused(imported(many(1_000)), 'ALREADY_EXISTS', 'identifier_taken', /^line 1: |^line 2: /);
    assert.equal((await imported(many(1_000), { uuidBehavior: 'CREATE_NEW' })).replaced, 0);
    store.commits.length = 0;
    const replacing = await imported(many(1_159), { uuidBehavior: 'REPLACE_EXISTING' });
    assert.deepEqual([replacing.replaced, wasStaged()], [1, false]);
    await refused(
      imported(many(3_000, identified('again', 3_000))),
      'BAD_REQUEST',
      undefined,
      /expected each jcr:uuid once/,
    );
  });

  it('has as many topmost nodes as one decision places, and no more', async () => {
    const root = (count: number) =>
      document(node('jcr:root', 'nt:unstructured', ...times(count, (n) => loose(`n${n}`))));
    assert.equal((await imported(root(400))).nodeIds.length, 400);
    await refused(imported(root(401)), 'LIMIT_EXCEEDED', 'import_too_wide', /at most 400 topmost nodes/);
    assert.equal(below(place).length, 400);
  });

  it('has its nodes in one commit, and none where one is refused', async () => {
    const seen = new Set<number>();
    const xml = (last: string) => document(loose('a', ...times(160, (n) => loose(`n${n}`)), last));
    await refused(
      imported(xml(loose('bad', property('x', 'Long', 'y')))),
      'BAD_REQUEST',
      'invalid_value',
      /^line 161: expected property 'x' of '.*\/a\/bad'/,
    );
    assert.deepEqual(below(place), []);
    seen.add((await imported(xml(''))).created);
    assert.deepEqual([...seen], [161]);
  });

  it('does in halves what is too much for one decision', async () => {
    const { created } = await imported(
      document(loose('a', ...times(50, (n) => node(`n${n}`, 'auto')), ...times(110, (n) => loose(`m${n}`)))),
    );
    assert.equal(created, 161);
    assert.equal(below(`${place}/a/n49`).length, 12);
    const one = imported(document(loose('b', node('v', 'vast'), ...times(160, (n) => loose(`n${n}`)))));
    await refused(one, 'LIMIT_EXCEEDED', undefined, /./);
    assert.equal(at('b'), undefined);
  });

  it('leaves to the repository what types create and protect, wherever pages and halves end', async () => {
    const kept = (...inner: string[]) => node('k', 'keeps', loose('kept', ...inner));
    const few = kept(loose('below', loose('deep')));
    const many = kept(...times(160, (n) => loose(`n${n}`)));
    const { created } = await imported(
      document(loose('a', ...times(8, () => few), ...times(40, (n) => node(`n${n}`, 'auto')), many)),
    );
    assert.equal(created, 50);
    const keepers = below(`${place}/a`).filter(({ name }) => name === 'k');
    assert.equal(keepers.length, 9);
    for (const n of keepers.keys()) assert.deepEqual(below(`${place}/a/k[${n + 1}]/kept`), []);
    assert.notEqual(at('a/k[9]/kept'), undefined);
  });

  it('has large values as blobs, and small ones in their nodes', async () => {
    const bytes = (count: number) => Buffer.alloc(count, 7).toString('base64');
    const isBlob = (value: unknown) => typeof value === 'object' && value !== null && 'blob' in value;
    const long = 'x'.repeat(16_385);
    await imported(
      document(
        loose(
          'a',
          property('text', 'String', 'x'.repeat(16_384)),
          property('long', 'String', long),
          property('any', 'undefined', long),
          property('uri', 'URI', long),
          property('list', 'String', long, 'short'),
          property('bytes', 'Binary', bytes(2_048)),
          property('many', 'Binary', bytes(2_052)),
          property('texts', 'Binary', 'AAEC', bytes(2_052)),
        ),
      ),
    );
    const lists = (name: string) => (valueAt('a', name) as unknown[]).map(isBlob);
    assert.deepEqual(
      ['text', 'long', 'any', 'uri', 'bytes', 'many'].map((name) => isBlob(valueAt('a', name))),
      [false, true, true, false, false, true],
    );
    assert.deepEqual(
      [lists('list'), lists('texts')],
      [
        [true, false],
        [false, true],
      ],
    );
    const { blob, size } = valueAt('a', 'many') as { blob: string; size: number };
    assert.equal(size, 2_052);
    const pieces: Uint8Array[] = [];
    for await (const piece of store.blobs.open({ sha256: blob, size })) pieces.push(piece);
    assert.ok(Buffer.alloc(2_052, 7).equals(Buffer.concat(pieces)));
    const uri = imported(document(loose('b', property('uri', 'Long', '1'.repeat(16_385)))));
    await refused(uri, 'BAD_REQUEST', 'invalid_value', /^line 1: /);
    const data = `<f ${JCR} jcr:primaryType="nt:resource" jcr:data="${bytes(20_000)}" jcr:encoding="x"/>`;
    await imported(data);
    assert.equal((valueAt('f', 'jcr:data') as { size: number }).size, 20_000);
    await refused(
      imported(data.replace('AAAA', '!!!!').replaceAll('BwcH', '!wcH')),
      'BAD_REQUEST',
      'invalid_value',
      /'jcr:data'/,
    );
  });

  it('is as large as it may be, and no larger', async () => {
    const xml = (size: number) => `${`<a ${JCR} jcr:primaryType="nt:folder">`.padEnd(size - 4)}</a>`;
    assert.equal((await imported(xml(200_000))).created, 1);
    await refused(imported(xml(200_001)), 'LIMIT_EXCEEDED', 'xml_too_large', /at most 200000 bytes, but found 200001/);
  });

  it('is of an upload that there is', () =>
    refused(imported('<a/>', { xml: null, uploadId: null }), 'BAD_REQUEST', undefined, /./));

  it('is refused where its target may not be added to', async () => {
    const target = archives.at(place) as ContentNode;
    const versioning = { checkedOut: false, baseVersion: 'v', predecessors: [] };
    await store.partition.send(
      plant,
      [nodeOf(target.id, 'x', { id: `x${place}`, mixins: ['mix:versionable'], versioning })],
      { caller: ADMIN },
    );
    await refused(imported('<a/>', { path: `${place}/x` }), 'CONFLICT', undefined, /checked in/);
    await refused(imported('<a/>', { path: `${place}/none` }), 'BAD_REQUEST', undefined, /not found/);
    const { sha256, size } = await store.blobs.write(Buffer.from('<'));
    const input = { path: place, xml: { blob: sha256, size }, uploadId: null, uuidBehavior: 'THROW' } as const;
    const ann = { ...ADMIN, userId: 'ann', roles: [] };
    await store.partition.send(
      plant,
      [{ ...target, acl: [{ principal: 'ann', privileges: ['jcr:read'], allow: true }] }],
      { caller: ADMIN },
    );
    await refused(
      store.partition.send(store.content.api.importXml, input, { caller: ann }),
      'FORBIDDEN',
      undefined,
      /./,
    );
  });
});
