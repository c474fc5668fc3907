import assert from 'node:assert/strict';
import { wholeXml } from '../../../../src/content/transfer/xml/export-xml.js';
import { type ExportXmlQuery, exportXml } from '../../../../src/content/transfer/xml/export-xml-page.js';
import type { ContentNode } from '../../../../src/content/tree/node.js';
import { type ContentStore, contentStore, plant } from '../../../support/content-store.js';
import { lockOf, nodeOf } from '../../support/tree.js';
import { ADMIN, Archives } from '../support/archives.js';

const LOCK = lockOf('bob', true);
const text = (value: string) => ({ type: 'String', value }) as const;

describe('the XML of a subtree', () => {
  let store: ContentStore;
  let archives: Archives;
  before(async () => {
    store = await contentStore({ threads: false });
    archives = new Archives(store);
  });
  after(() => store.close());

  const planted = (...made: readonly ContentNode[]) => store.partition.send(plant, made, { caller: ADMIN });
  const below = async (name: string, more: Partial<ContentNode> = {}, ...made: readonly ContentNode[]) => {
    await planted(nodeOf(archives.at('/content')?.id ?? '', name, more), ...made);
    return `/content/${name}`;
  };
  const exported = async (path: string, more: Partial<ExportXmlQuery> = {}, caller = ADMIN) => {
    const query = {
      partition: 'test',
      now: 1_000,
      path,
      view: 'DOCUMENT',
      noRecurse: false,
      skipBinary: false,
      charsMax: 1_000_000,
      ...more,
    } as const;
    return wholeXml(await store.work.plan('test', exportXml, query, caller), store.blobs, query);
  };
  /** Without declarations of namespaces. */
  const bare = async (...args: Parameters<typeof exported>) =>
    (await exported(...args))
      .replace(/^<\?xml version="1.0" encoding="UTF-8"\?>\n/, '')
      .replaceAll(/ xmlns:(?!xsi|xs)[^ =]+="[^"]*"/g, '');
  const system = (path: string, more: Partial<ExportXmlQuery> = {}) => bare(path, { ...more, view: 'SYSTEM' });
  const type = ' jcr:primaryType="nt:unstructured"';

  it('has nodes within each other, in their order', async () => {
    const sibling = (name: string, order: string) => nodeOf('ordered', name, { id: name + order, order, sns: true });
    const path = await below(
      'ordered',
      {},
      sibling('b', '1'),
      sibling('a', '2'),
      nodeOf('a2', 'c', { type: 'nt:folder' }),
      ...['z', 'y'].map((name) => nodeOf('c', name, { type: 'nt:folder' })),
    );
    const folder = (name: string) => `<${name} jcr:primaryType="nt:folder"></${name}>`;
    assert.equal(
      await bare(path),
      `<ordered${type}><b${type}></b><a${type}><c jcr:primaryType="nt:folder">${folder('y')}${folder('z')}</c></a></ordered>`,
    );
    assert.equal(await bare(path, { noRecurse: true }), `<ordered${type}></ordered>`);
  });

  it('has what its reader may read', async () => {
    const denied = [{ principal: 'ann', privileges: ['jcr:read'], allow: false }];
    const granted = [{ principal: 'ann', privileges: ['jcr:read'], allow: true }];
    const path = await below(
      'rights',
      { acl: granted },
      nodeOf('rights', 'no', { acl: denied }),
      nodeOf('no', 'below'),
      nodeOf('rights', 'yes'),
    );
    const ann = { ...ADMIN, userId: 'ann', roles: [] };
    assert.equal(await bare(path, {}, ann), `<rights${type}><yes${type}></yes></rights>`);
    await assert.rejects(exported(`${path}/no`, {}, ann), { code: 'BAD_REQUEST', info: { reason: 'node_not_found' } });
  });

  it('begins with the root, and has nodes that are kept elsewhere', async () => {
    const root = await system('/', { noRecurse: true });
    assert.match(root, /^<sv:node sv:name="jcr:root">\n/);
    assert.match(await bare('/var/jobs', { noRecurse: true }), /^<jobs /);
    const jobId = (await archives.job('archive', { filename: 'a' }, { items: ['/content'] })).id;
    assert.match(await bare('/var/jobs'), new RegExp(`${jobId.slice(1, 10)}`));
  });

  it('has in the system view type, mixins, identifier, then what else there is, with its type', async () => {
    const properties = {
      p: { type: 'Long', values: [1, 2] },
      'jcr:uuid': text('x'),
      'a&b': text('<\u0000>'),
      'odd"': text('a\r<b>'),
    } as const;
    const versioning = { checkedOut: false, baseVersion: 'v', predecessors: [] };
    const path = await below('facts', { mixins: ['mix:title'], properties, versioning, lock: LOCK });
    const property = (name: string, kind: string, ...values: string[]) =>
      `<sv:property sv:name="${name}" sv:type="${kind}">${values.map((value) => `<sv:value>${value}</sv:value>`).join('')}</sv:property>\n`;
    const many = (name: string, kind: string, ...values: string[]) =>
      property(name, kind, ...values).replace('">', '" sv:multiple="true">');
    assert.equal(
      await system(path),
      [
        '<sv:node sv:name="facts">\n',
        property('jcr:primaryType', 'Name', 'nt:unstructured'),
        many('jcr:mixinTypes', 'Name', 'mix:title'),
        property('jcr:uuid', 'String', 'x'),
        property('jcr:isCheckedOut', 'Boolean', 'false'),
        property('jcr:lockOwner', 'String', 'bob'),
        property('jcr:lockIsDeep', 'Boolean', 'true'),
        many('p', 'Long', '1', '2'),
        property('a&amp;b', 'String', '').replace(
          '<sv:value></sv:value>',
          '<sv:value xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xs="http://www.w3.org/2001/XMLSchema" xsi:type="xs:base64Binary">PAA+</sv:value>',
        ),
        property('odd&quot;', 'String', 'a&#xD;&lt;b&gt;'),
        '</sv:node>\n',
      ].join(''),
    );
    await planted({
      ...(archives.at(path) as ContentNode),
      lock: { ...LOCK, expires: 1_000 },
      mixins: [],
      properties: {},
      versioning: undefined as never,
    });
    assert.equal(
      await system(path),
      `<sv:node sv:name="facts">\n${property('jcr:primaryType', 'Name', 'nt:unstructured')}</sv:node>\n`,
    );
    assert.match(await system(path, { now: 999 }), /jcr:lockOwner/);
  });

  it('has in the document view lists as words, and what XML cannot hold escaped', async () => {
    const properties = {
      p: { type: 'String', values: ['a b', 'c'] },
      q: text('a b\u0000"\n'),
      'r s': { type: 'Long', values: [] },
    } as const;
    const path = await below('1 words', { properties });
    assert.equal(
      await bare(path),
      `<_x0031__x0020_words${type} p="a_x0020_b c" q="a b_x0000_&quot;&#xA;" r_x0020_s=""></_x0031__x0020_words>`,
    );
  });

  it('has nodes jcr:xmltext as texts, one for each', async () => {
    const characters = (value: ContentNode['properties'][string]) => ({ 'jcr:xmlcharacters': value });
    const at = (id: string, value: ContentNode['properties'][string], name = 'jcr:xmltext') =>
      nodeOf('texts', name, { id, order: id, sns: true, properties: characters(value) });
    const path = await below(
      'texts',
      {},
      at('t1', text('a<b')),
      at('t2', text('second')),
      at('t3', text(' ')),
      at('t4', { type: 'String', values: ['several'] }),
      at('t5', { type: 'Long', value: 5 }),
      at('t6', text('with child')),
      nodeOf('t6', 'c', { id: 'tc' }),
      at('t7', text('other'), 'other'),
      at('t8', text('last')),
    );
    const shown = (value: string, inner = '') =>
      `<jcr:xmltext${type} jcr:xmlcharacters="${value}">${inner}</jcr:xmltext>`;
    assert.equal(
      await bare(path),
      `<texts${type}>a&lt;b${shown('second')}${shown(' ')}${shown('several')}${shown('5')}${shown('with child', `<c${type}></c>`)}<other${type} jcr:xmlcharacters="other"></other>last</texts>`,
    );
    assert.equal(await bare(`${path}/jcr:xmltext`), shown('a&lt;b'), 'not the topmost one');
  });

  it('has bytes as Base64, and texts of blobs as what stands in their place', async () => {
    const blobOf = async (bytes: Buffer) => {
      const { sha256, size } = await store.blobs.write(bytes);
      return { blob: sha256, size };
    };
    const bytes = Buffer.alloc(100_001, 7);
    const long = await blobOf(Buffer.from('a b<'));
    const properties = {
      inline: { type: 'Binary', value: { inline: 'AAEC', size: 3 } },
      large: { type: 'Binary', value: await blobOf(bytes) },
      text: { type: 'String', value: long },
      texts: { type: 'String', values: [long, long] },
    } as const;
    const path = await below(
      'blobs',
      { properties },
      nodeOf('blobs', 'jcr:xmltext', {
        id: 'bt',
        properties: { 'jcr:xmlcharacters': { type: 'String', value: long } },
      }),
    );
    const limit = { charsMax: 1_000_000 };
    const large = bytes.toString('base64');
    assert.equal(
      await bare(path, limit),
      `<blobs${type} inline="AAEC" large="${large}" text="a b&lt;" texts="a_x0020_b&lt; a_x0020_b&lt;">a b&lt;</blobs>`,
    );
    const whole = await system(path, limit);
    assert.ok(whole.includes(`<sv:value>${large}</sv:value>`));
    assert.ok(
      whole.includes('sv:multiple="true"><sv:value>a b&lt;</sv:value><sv:value>a b&lt;</sv:value></sv:property>'),
    );
    assert.match(await bare(path, { skipBinary: true }), / inline="" large="" text="a b&lt;"/);
  });

  it('is as long as it may be, and no longer, also with what is in blobs', async () => {
    const { sha256, size } = await store.blobs.write(Buffer.from('&'.repeat(400)));
    const path = await below('long', { properties: { p: { type: 'String', value: { blob: sha256, size } } } });
    const bin = await store.blobs.write(Buffer.alloc(100));
    const binary = await below('binary', {
      properties: { p: { type: 'Binary', value: { blob: bin.sha256, size: 100 } } },
    });
    for (const one of [path, binary, '/content']) {
      const { length } = await exported(one);
      assert.equal((await exported(one, { charsMax: length })).length, length);
      await assert.rejects(exported(one, { charsMax: length - 1 }), {
        code: 'LIMIT_EXCEEDED',
        info: { reason: 'export_too_large' },
      });
    }
    const { length } = await exported(binary);
    const query = {
      partition: 'test',
      now: 0,
      path: binary,
      view: 'DOCUMENT',
      noRecurse: false,
      skipBinary: false,
    } as const;
    await assert.rejects(
      store.work.plan('test', exportXml, { ...query, charsMax: length - 1 }, ADMIN),
      /leave binary values out/,
    );
  });

  it('looks at no more children than can be in it', async () => {
    const path = await below(
      'wide',
      {},
      ...Array.from({ length: 50 }, (_, n) => nodeOf('wide', `n${n}`, { order: `${n}`.padStart(2, '0'), sns: true })),
    );
    await assert.rejects(exported(path, { charsMax: 1_500 }), { code: 'LIMIT_EXCEEDED' });
    assert.equal([...(await bare(path)).matchAll(/<n\d/g)].length, 50);
  });

  it('has all children, however short they are', async () => {
    const order = (n: number) => ({ id: `short${n}`, order: `${n}`.padStart(3, '0'), sns: true as const });
    const path = await below(
      'short',
      {},
      ...Array.from({ length: 400 }, (_, n) =>
        n % 2 === 0
          ? nodeOf('short', 'jcr:xmltext', { ...order(n), properties: { 'jcr:xmlcharacters': text('x') } })
          : nodeOf('short', 'a', { ...order(n), type: 'nt:base' }),
      ),
    );
    const whole = await exported(path);
    assert.equal(whole.match(/x<a /g)?.length, 200);
    assert.equal(await exported(path, { charsMax: whole.length }), whole);
    await assert.rejects(exported(path, { charsMax: whole.length - 1 }), { code: 'LIMIT_EXCEEDED' });
    await assert.rejects(exported(path, { charsMax: 5_600 }), { code: 'LIMIT_EXCEEDED' });
  });
});
