import assert from 'node:assert/strict';
import { type GraphqlClient, refusal } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';

const CREATE = 'mutation ($input: CreateNodeInput!) { createNode(input: $input) { id uuid path } }';
const EXPORT =
  'query ($path: String!, $view: XmlView!, $noRecurse: Boolean, $skipBinary: Boolean) { exportXml(path: $path, view: $view, noRecurse: $noRecurse, skipBinary: $skipBinary) }';
const IMPORT =
  'mutation ($input: ImportXmlInput!) { importXml(input: $input) { created replaced nodes { id uuid path name nodeType mixins createdBy created properties { name propertyValue { __typename ... on StringPropertyValue { value } ... on LongPropertyValue { value } ... on StringPropertyValueArray { values } ... on ReferencePropertyValue { value } ... on NamePropertyValue { value } } } } } }';
const SV =
  'xmlns:sv="http://www.jcp.org/jcr/sv/1.0" xmlns:jcr="http://www.jcp.org/jcr/1.0" xmlns:nt="http://www.jcp.org/jcr/nt/1.0"';

const property = (name: string, type: string, ...values: string[]) =>
  `<sv:property sv:name="${name}" sv:type="${type}">${values.map((one) => `<sv:value>${one}</sv:value>`).join('')}</sv:property>`;
const typed = (type: string, ...mixins: string[]) =>
  property('jcr:primaryType', 'Name', type) +
  (mixins.length === 0 ? '' : property('jcr:mixinTypes', 'Name', ...mixins).replace('">', '" sv:multiple="true">'));
const node = (name: string, ...inner: string[]) => `<sv:node sv:name="${name}">${inner.join('')}</sv:node>`;
const system = (name: string, ...inner: string[]) => `<sv:node ${SV} sv:name="${name}">${inner.join('')}</sv:node>`;

describe('XML', () => {
  let server: LiveServer;
  let admin: GraphqlClient;
  before(async () => {
    server = await liveServer({ users: [{ userId: 'ann' }], env: { MILLRACE_XML_BYTES_MAX: '200kB' } });
    admin = server.as('admin');
    await create('/content', 'x');
  });
  after(() => server.remove());

  const create = async (path: string, name: string, more: object = {}) =>
    (
      await admin.run(CREATE, {
        input: { path, name, nodeType: 'nt:unstructured', allowSameNameSiblings: true, ...more },
      })
    ).createNode;
  const exported = async (path: string, view = 'SYSTEM', more: object = {}) =>
    (await admin.run(EXPORT, { path, view, ...more })).exportXml;
  const imported = async (path: string, xml: string, more: object = {}) =>
    (await admin.run(IMPORT, { input: { path, xml, ...more } })).importXml;
  const refused = (path: string, xml: string, more: object = {}) =>
    refusal(admin.run(IMPORT, { input: { path, xml, ...more } }));
  const folder = async (name: string) => (await create('/content/x', name)).path;

  describe('of the system view', () => {
    it('says all that there is, and comes back as the very same', async () => {
      const from = await folder('from');
      await create(from, 'a', {
        mixins: ['mix:title'],
        properties: [
          { name: 'jcr:title', value: { stringValue: 'Grüße & <Küsse>\r\n ' } },
          { name: 'control', value: { stringValue: 'a\u0000b\uffff' } },
          { name: 'long', value: { stringValue: 'ö'.repeat(20_000) } },
          { name: 'bytes', value: { binaryValue: Buffer.alloc(5_000, 7).toString('base64') } },
          { name: 'few', value: { binaryValue: 'AAEC' } },
          { name: 'number', value: { longValue: '9223372036854775807' } },
          { name: 'none', value: { stringArrayValue: [] } },
          { name: 'one', value: { stringArrayValue: [''] } },
          { name: 'names', value: { nameArrayValue: ['jcr:content', 'b c'] } },
          { name: 'double', value: { doubleValue: 1.5 } },
          { name: 'exact', value: { decimalValue: '1.10' } },
          { name: 'when', value: { dateValue: '2030-01-02T03:04:05.678+09:00' } },
          { name: 'yes', value: { booleanValue: true } },
          { name: 'where', value: { pathValue: '/content/x' } },
          { name: 'link', value: { uriValue: 'http://example.org/?a=1&b=2' } },
        ],
      });
      for (const name of ['z', 's', 's', 'b']) await create(`${from}/a`, name);
      await create(`${from}/a/s[2]`, '1 odd {name} _x0041_ é');
      const xml = await exported(`${from}/a`);
      assert.match(xml, /^<\?xml version="1.0" encoding="UTF-8"\?>\n<sv:node xmlns:jcr=/);
      const [first, second] = [...xml.matchAll(/sv:property sv:name="([^"]*)"/g)].map((found) => found[1]);
      assert.deepEqual([first, second], ['jcr:primaryType', 'jcr:mixinTypes']);
      assert.match(xml, /xsi:type="xs:base64Binary">YQBi77\+\/</);
      const to = await folder('to');
      const { created, nodes } = await imported(to, xml);
      assert.deepEqual([created, nodes[0]?.path], [6, `${to}/a`]);
      assert.equal(await exported(`${to}/a`), xml);
    });

    it('leaves out what it is told to, and what the caller may not read', async () => {
      await create('/content/x', 'parts', { properties: [{ name: 'b', value: { binaryValue: 'AAEC' } }] });
      await create('/content/x/parts', 'below');
      const xml = await exported('/content/x/parts', 'SYSTEM', { noRecurse: true, skipBinary: true });
      assert.doesNotMatch(xml, /below|AAEC/);
      assert.match(xml, /sv:name="b" sv:type="Binary"><sv:value><\/sv:value>/);
      const ann = server.as('ann');
      const { exportXml } = await ann.run(EXPORT, { path: '/', view: 'SYSTEM', skipBinary: true });
      assert.match(exportXml, /sv:name="jcr:root"/);
      assert.doesNotMatch(exportXml, /sv:name="jobs"/);
      assert.equal((await refusal(ann.run(EXPORT, { path: '/var/jobs', view: 'SYSTEM' }))).code, 'BAD_REQUEST');
      assert.equal((await refusal(admin.run(EXPORT, { path: '/nowhere', view: 'SYSTEM' }))).code, 'BAD_REQUEST');
    });

    it('has a limit', async () => {
      const big = [{ name: 'b', value: { binaryValue: Buffer.alloc(160_000).toString('base64') } }];
      await create('/content/x', 'big', { properties: big });
      const { code, message } = await refusal(admin.run(EXPORT, { path: '/content/x/big', view: 'SYSTEM' }));
      assert.equal(code, 'LIMIT_EXCEEDED');
      assert.match(message, /download it as an archive/);
    });
  });

  describe('of the document view', () => {
    it('has nodes as elements and properties as attributes, and comes back as far as it says', async () => {
      await create('/content/x', 'doc 1', {
        properties: [
          { name: 'a b', value: { stringValue: 'x _x0020_ \u0001 "y"\n' } },
          { name: 'xmlns', value: { stringValue: 'odd' } },
          { name: 'list', value: { stringArrayValue: ['a b', 'c'] } },
        ],
      });
      await create('/content/x/doc 1', 'jcr:xmltext', {
        properties: [{ name: 'jcr:xmlcharacters', value: { stringValue: ' some <text> ' } }],
      });
      await create('/content/x/doc 1', '2nd');
      const xml = await exported('/content/x/doc 1', 'DOCUMENT');
      assert.match(xml, /<doc_x0020_1 xmlns:jcr=/);
      assert.match(xml, / a_x0020_b="x _x005F_x0020_ _x0001_ &quot;y&quot;&#xA;"/);
      assert.match(
        xml,
        / list="a_x0020_b c"> some &lt;text&gt; <_x0032_nd jcr:primaryType="nt:unstructured"><\/_x0032_nd>/,
      );
      const { nodes } = await imported(await folder('docs'), xml);
      const values = Object.fromEntries(nodes[0]?.properties.map((one) => [one.name, one.propertyValue]) ?? []);
      assert.deepEqual(values['a b'], { __typename: 'StringPropertyValue', value: 'x _x0020_ \u0001 "y"\n' });
      assert.deepEqual(values.list, { __typename: 'StringPropertyValue', value: 'a b c' });
      assert.equal((await exported('/content/x/docs/doc 1', 'DOCUMENT')).includes('<_x0032_nd'), true);
      const { node } = await admin.run('{ node(path: "/content/x/docs/doc 1/jcr:xmltext") { properties { name } } }');
      assert.ok(node);
    });

    it('takes any XML, with the types that the parent gives, and values as the types define them', async () => {
      const cnd =
        "<s = 'http://example.org/song'>\n[s:song] > nt:unstructured\n - s:count (long)\n - s:tags (string) multiple\n - s:kind (name)\n + * (nt:base) = s:song sns";
      await admin.run('mutation ($cnd: String!) { registerNodeTypes(cnd: $cnd) { name } }', { cnd });
      const xml =
        '<t:album xmlns:t="http://example.org/song" xmlns:j="http://www.jcp.org/jcr/1.0" j:primaryType="t:song" t:count="12" t:tags="a  b_x0020_c" t:kind="t:rock">\n  <t:track>la <![CDATA[<la>]]> &amp; la</t:track>\n</t:album>';
      const { nodes, created } = await imported(await folder('music'), xml);
      assert.equal(created, 3);
      assert.deepEqual(nodes[0]?.nodeType, 's:song');
      assert.deepEqual(
        nodes[0]?.properties.map(({ name, propertyValue }) => [name, Object.values(propertyValue)[1]]),
        [
          ['s:count', 12],
          ['s:tags', ['a', 'b c']],
          ['s:kind', 's:rock'],
        ],
      );
      const { node: track } = await admin.run(
        '{ node(path: "/content/x/music/s:album/s:track") { nodeType children { edges { node { name nodeType properties { propertyValue { ... on StringPropertyValue { value } } } } } } } }',
      );
      assert.equal(track?.nodeType, 's:song');
      assert.equal(track?.children.edges[0]?.node.name, 'jcr:xmltext');
    });

    it('registers namespaces that are new, for those who may', async () => {
      const xml =
        '<n:a xmlns:n="http://example.org/new" jcr:primaryType="nt:unstructured" xmlns:jcr="http://www.jcp.org/jcr/1.0"/>';
      const path = await folder('new');
      const { nodes } = await imported((await create(path, 'in')).path, xml);
      assert.equal(nodes[0]?.name, 'n:a');
      const taken = xml.replace('http://example.org/new', 'http://example.org/other');
      assert.equal((await imported(`${path}/in`, taken)).nodes[0]?.name, 'ns1:a');
      const { namespaces } = await admin.run('{ namespaces { prefix uri } }');
      assert.deepEqual(
        namespaces.slice(-2).map(({ uri }) => uri),
        ['http://example.org/new', 'http://example.org/other'],
      );
    });
  });

  describe('that is imported', () => {
    const referenceable = (name: string, uuid: string, ...inner: string[]) =>
      node(name, typed('nt:unstructured', 'mix:referenceable'), property('jcr:uuid', 'String', uuid), ...inner);
    const A = '11111111-1111-4111-8111-111111111111';
    const B = '22222222-2222-4222-8222-222222222222';
    const pair = system(
      'pair',
      typed('nt:unstructured'),
      referenceable('a', A, property('to', 'Reference', B)),
      referenceable('b', B),
    );

    it('gets identifiers of its own, and references follow', async () => {
      const path = await folder('own');
      await imported(path, pair);
      const { node: b } = await admin.run('query ($path: String!) { node(path: $path) { uuid } }', {
        path: `${path}/pair/b`,
      });
      const { node: a } = await admin.run(
        'query ($path: String!) { node(path: $path) { uuid properties { propertyValue { ... on ReferencePropertyValue { value } } } } }',
        { path: `${path}/pair/a` },
      );
      assert.notEqual(b?.uuid, B);
      assert.match(JSON.stringify(a?.properties), new RegExp(b?.uuid ?? '-'));
    });

    it('keeps, replaces or refuses identifiers as it is told', async () => {
      const path = await folder('ids');
      const keep = { uuidBehavior: 'THROW' };
      await imported(path, pair, keep);
      const { node: kept } = await admin.run('query ($path: String!) { node(path: $path) { uuid } }', {
        path: `${path}/pair/a`,
      });
      assert.equal(kept?.uuid, A);
      const other = system('b2', typed('nt:unstructured', 'mix:referenceable'), property('jcr:uuid', 'String', B));
      assert.equal((await refused(path, other, keep)).code, 'ALREADY_EXISTS');
      const unstructured = (await create(path, 'else')).path;
      const replaced = await imported(unstructured, other, { uuidBehavior: 'REPLACE_EXISTING' });
      assert.deepEqual([replaced.replaced, replaced.nodes[0]?.path], [1, `${path}/pair/b2`]);
      const removed = await imported(unstructured, other, { uuidBehavior: 'REMOVE_EXISTING' });
      assert.deepEqual([removed.replaced, removed.nodes[0]?.path, removed.nodes[0]?.id], [1, `${path}/else/b2`, B]);
      const plain = await refused(
        `${path}/else`,
        system('x', typed('nt:unstructured'), referenceable('y', A.replace('1', 'Z'))),
        keep,
      );
      assert.match(plain.message, /UUID/);
      const within = await refused(`${path}/pair/a`, pair.replaceAll(B, '33333333-3333-4333-8333-333333333333'), {
        uuidBehavior: 'REMOVE_EXISTING',
      });
      assert.equal(within.code, 'CONFLICT');
    });

    it('may be versionable: it has a history of its own, and goes on with the one that its identifier has', async () => {
      const path = (await create(await folder('versioned'), 'v', { mixins: ['mix:versionable'] })).path;
      const history = async (at: string) =>
        (
          await admin.run('query ($path: String!) { versionHistory(path: $path) { versions { name } } }', { path: at })
        ).versionHistory?.versions.map(({ name }) => name);
      await admin.run('mutation ($path: String!) { checkin(input: { path: $path }) { name } }', { path });
      const xml = await exported(path);
      assert.match(xml, /sv:name="jcr:isCheckedOut" sv:type="Boolean"><sv:value>false/);
      await imported(await folder('unversioned'), xml);
      assert.deepEqual(await history('/content/x/unversioned/v'), []);
      const before = await history(path);
      const { replaced } = await imported('/content/x/unversioned', xml, { uuidBehavior: 'REPLACE_EXISTING' });
      assert.equal(replaced, 1);
      assert.deepEqual(await history(path), before);
      const frozen = await exported('/jcr:system/jcr:versionStorage');
      assert.match(frozen, /sv:name="jcr:frozenNode"/);
    });

    it('leaves to the repository what it protects; who made it is told by administrators', async () => {
      const path = await folder('when');
      const xml = system(
        'f',
        typed('nt:folder'),
        property('jcr:created', 'Date', '2001-02-03T04:05:06.000Z'),
        property('jcr:createdBy', 'String', 'mozart'),
      );
      const { nodes } = await imported(path, xml);
      assert.deepEqual([nodes[0]?.createdBy, nodes[0]?.created], ['mozart', '2001-02-03T04:05:06.000Z']);
    });

    it('is refused as a whole, with line, node and rule', async () => {
      const path = await folder('bad');
      const broken = system(
        'n',
        typed('nt:unstructured'),
        '\n',
        node('f', typed('nt:file'), '\n', property('p', 'Long', '1')),
      );
      const rule = await refused(path, broken);
      assert.equal(rule.code, 'BAD_REQUEST');
      assert.match(rule.message, /line \d: expected '\/content\/x\/bad\/n\/f'|line \d: /);
      const lines = await refused(
        path,
        system('n', typed('nt:folder'), '\n', '\n', property('jcr:created', 'Long', 'x')),
      );
      assert.match(lines.message, /line 3/);
      const none = await admin.run('query ($path: String!) { node(path: $path) { id } }', { path: `${path}/n` });
      assert.equal(none.node, null);
      const dangling = system('n', typed('nt:unstructured'), property('r', 'Reference', A.replaceAll('1', '9')));
      assert.match((await refused((await create(path, 'u')).path, dangling)).message, /line 1: .*refer to a node/);
    });

    it('is refused with a DOCTYPE, entities, other encodings, and what is no XML', async () => {
      const path = '/content/x';
      const doctype = `<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><a>&e;</a>`;
      assert.match((await refused(path, doctype)).message, /without a DOCTYPE/);
      for (const xml of ['', 'text', '<a', '<a>&e;</a>', '<a></b>', '<p:a/>', '<a b="1" b="2"/>', '<a/><b/>']) {
        const { code, errors } = await refused(path, xml);
        assert.equal(code, 'BAD_REQUEST', xml);
        assert.ok((errors[0]?.extensions.details as { line?: number })?.line ?? xml === '', xml);
      }
      assert.equal((await refused(path, system('a', '<sv:value/>'))).code, 'BAD_REQUEST');
      const latin = await refused(path, '<?xml version="1.0" encoding="ISO-8859-1"?><a/>');
      assert.equal(latin.code, 'BAD_REQUEST');
      assert.match(latin.message, /expected XML in UTF-8, but it declares 'ISO-8859-1'/);
      assert.equal(latin.errors[0]?.extensions.reason, 'encoding_refused');
    });

    it('has limits of size, depth and number', async () => {
      const limits = [
        'x'.repeat(200_001),
        '<a>'.repeat(600) + '</a>'.repeat(600),
        `<jcr:root xmlns:jcr="http://www.jcp.org/jcr/1.0">${'<b/>'.repeat(500)}</jcr:root>`,
        `<a>${Array.from({ length: 300 }, (_, n) => `<b ${[1, 2, 3, 4].map((k) => `xmlns:p${n}-${k}="u:${n}"`).join(' ')}/>`).join('')}</a>`,
      ];
      for (const xml of limits)
        assert.equal((await refused('/content/x', xml)).code, 'LIMIT_EXCEEDED', xml.slice(0, 40));
    });

    it('may be an upload, which is spent', async () => {
      const { initiateMultipartUpload } = await admin.run('mutation { initiateMultipartUpload { uploadId } }');
      const { uploadId } = initiateMultipartUpload;
      const data = Buffer.from(system('up', typed('nt:folder'))).toString('base64');
      await admin.run(
        'mutation ($input: AppendMultipartUploadChunkInput!) { appendMultipartUploadChunk(input: $input) { totalSize } }',
        { input: { uploadId, data } },
      );
      const { importXml } = await admin.run(IMPORT, { input: { path: '/content/x', uploadId } });
      assert.equal(importXml.nodes[0]?.path, '/content/x/up');
      assert.equal((await refusal(admin.run(IMPORT, { input: { path: '/content/x', uploadId } }))).code, 'BAD_REQUEST');
      assert.equal((await refusal(admin.run(IMPORT, { input: { path: '/content/x' } }))).code, 'BAD_REQUEST');
    });

    it('needs the right to add nodes', async () => {
      const xml = system('anns', typed('nt:folder'));
      const call = server.as('ann').run(IMPORT, { input: { path: '/content/x', xml } });
      assert.equal((await refusal(call)).code, 'FORBIDDEN');
    });
  });
});
