import assert from 'node:assert/strict';
import { readXml } from '../../../../src/content/transfer/xml/read-xml.js';
import type { XmlDocument } from '../../../../src/content/transfer/xml/xml-document.js';

const LIMITS = { bytesMax: 1_000_000, nodesMax: 1_000, depthMax: 50, namespacesMax: 100 };

const of = (xml: string, limits = LIMITS): XmlDocument =>
  readXml({ bytes: Buffer.from(xml), namespaces: { ex: 'http://example.org/ex' }, limits });
const SV =
  'xmlns:sv="http://www.jcp.org/jcr/sv/1.0" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';

describe('XML that is read', () => {
  it('follows its own prefixes, also in values', () => {
    const sv =
      'xmlns:s="http://www.jcp.org/jcr/sv/1.0" xmlns:j="http://www.jcp.org/jcr/1.0" xmlns:e="http://example.org/ex"';
    const { nodes, namespaces } = of(
      `<s:node ${sv} s:name="e:a"><s:property s:name="j:primaryType" s:type="Name"><s:value>e:t</s:value></s:property><s:property s:name="e:p" s:type="Path"><s:value>/e:a/x</s:value></s:property></s:node>`,
    );
    assert.deepEqual([nodes[0]?.name, nodes[0]?.type, nodes[0]?.properties[0]?.values], ['ex:a', 'ex:t', ['/ex:a/x']]);
    assert.deepEqual(namespaces, {});
  });

  it('gives namespaces that are new a prefix that is free', () => {
    const { nodes, namespaces, renamed } = of(
      '<ex:a xmlns:ex="http://example.org/other" xmlns:y="http://example.org/ex" y:b="ex:c"/>',
    );
    assert.deepEqual([nodes[0]?.name, nodes[0]?.properties[0]?.name], ['ns1:a', 'ex:b']);
    assert.deepEqual([namespaces, renamed], [{ ns1: 'http://example.org/other' }, { ex: 'ns1', y: 'ex' }]);
    const taken = of('<a xmlns="u:1"><ns1:b xmlns:ns1="u:2"/><xmlx:c xmlns:xmlx="u:3"/><d:d xmlns:d="u:4"/></a>');
    assert.deepEqual(
      taken.nodes.map(({ name }) => name),
      ['ns1:a', 'ns2:b', 'ns3:c', 'd:d'],
    );
    assert.deepEqual(taken.namespaces, { ns1: 'u:1', ns2: 'u:2', ns3: 'u:3', d: 'u:4' });
    assert.deepEqual(taken.renamed, { ns1: 'ns2', xmlx: 'ns3' });
  });

  it('knows namespaces that the repository has by its own prefixes', () => {
    const { nodes, namespaces, renamed } = of(
      '<a xmlns="http://example.org/ex" xmlns:ex="http://example.org/ex" xmlns:j="http://www.jcp.org/jcr/1.0" j:primaryType="j:x" b="j:y"/>',
    );
    assert.deepEqual([nodes[0]?.name, nodes[0]?.type, namespaces, renamed], ['ex:a', 'jcr:x', {}, { j: 'jcr' }]);
  });

  it('is refused with its place', () => {
    const refused = (xml: string | Uint8Array, message: RegExp) =>
      assert.throws(() => readXml({ bytes: Buffer.from(xml), namespaces: {}, limits: LIMITS }), message);
    refused('<a>\n<b></a>', /^ServiceError: line 2, column \d+: unexpected close tag/);
    refused('<!DOCTYPE a><a/>', /without a DOCTYPE/);
    refused('<a>&nbsp;</a>', /line 1/);
    refused(Uint8Array.of(0x3c, 0xff, 0x3e), /expected XML in UTF-8, but found other bytes/);
    const declared = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?>\n<a b="ä"/>`;
    for (const encoding of ['ISO-8859-1', 'UTF-16', 'Shift_JIS', 'windows-1252'])
      refused(declared(encoding), new RegExp(`^ServiceError: expected XML in UTF-8, but it declares '${encoding}'`));
    refused(Buffer.from(declared('ISO-8859-1'), 'latin1'), /in UTF-8, but it declares 'ISO-8859-1'/);
    refused(Buffer.from(`\ufeff${declared('UTF-16')}`, 'utf16le'), /in UTF-8, but found UTF-16/);
    refused(Buffer.from(declared('UTF-16'), 'utf16le'), /in UTF-8, but found UTF-16/);
    refused(Buffer.from(`\ufeff${declared('UTF-16')}`, 'utf16le').swap16(), /in UTF-8, but found UTF-16/);
    refused('<a b:c="1"/>', /line 1/);
    refused('<s:value xmlns:s="http://www.jcp.org/jcr/sv/1.0"/>', /expected sv:node, but found the element s:value/);
    refused('<s:node xmlns:s="http://www.jcp.org/jcr/sv/1.0"/>', /expected the attribute sv:name of sv:node/);
  });

  it('is UTF-8 with and without saying so', () => {
    for (const start of ['', '\ufeff', '<?xml version="1.0"?>', "<?xml version='1.0' encoding='utf-8'?>"])
      assert.deepEqual(of(`${start}<a b="ä"/>`).nodes[0]?.properties[0]?.values, ['ä']);
    const ascii = of('<?xml version="1.0" encoding="us-ascii"?><a b="&#228;"/>');
    assert.deepEqual(ascii.nodes[0]?.properties[0]?.values, ['ä']);
  });

  it('has limits', () => {
    assert.throws(() => of('<a><b><c><d/></c></b></a>', { ...LIMITS, depthMax: 1 }), /1 nodes in each other/);
    assert.throws(() => of('<a><b/><b/></a>', { ...LIMITS, nodesMax: 2 }), /at most 2 nodes/);
    assert.equal(of('<a><b><c/></b></a>', { ...LIMITS, depthMax: 1, nodesMax: 3 }).nodes.length, 3);
    assert.equal(of('<a xmlns:b="u:b"/>', { ...LIMITS, namespacesMax: 1 }).nodes.length, 1);
    const attributes = (count: number) => Array.from({ length: count }, (_, n) => `a${n}="1"`).join(' ');
    assert.equal(of(`<a ${attributes(8_000)}/>`).nodes[0]?.properties.length, 8_000);
    assert.throws(() => of(`<a ${attributes(8_001)}/>`), /at most 8000 properties of a node, but 'a' has more/);
    assert.throws(() => of('<a xmlns:b="u:b" xmlns:c="u:c"/>', { ...LIMITS, namespacesMax: 1 }), /1 declarations/);
  });
});

describe('the system view that is read', () => {
  const node = (inner: string, attributes = 'sv:name="a"') => of(`<sv:node ${SV} ${attributes}>${inner}</sv:node>`);
  const property = (attributes: string, ...values: string[]) => {
    const all = values.map((value) => (value.startsWith('<') ? value : `<sv:value>${value}</sv:value>`)).join('');
    const { nodes } = node(`\n<sv:property ${attributes}>${all}</sv:property>\n`);
    return nodes[0]?.properties[0];
  };
  const refused = (read: () => unknown, message: RegExp) =>
    assert.throws(read, (thrown: { code?: string; message: string }) => {
      assert.equal(thrown.code, 'BAD_REQUEST');
      assert.match(thrown.message, message);
      return true;
    });

  it('says types in any case, or none; and whether there are several values, or not', () => {
    const facts = (attributes: string) => {
      const { type, multiple } = property(`sv:name="p" ${attributes}`, '1') ?? {};
      return [type, multiple];
    };
    assert.deepEqual(facts(''), ['String', null]);
    assert.deepEqual(facts('sv:type="LONG" sv:multiple="true"'), ['Long', true]);
    assert.deepEqual(facts('sv:type="Undefined" sv:multiple="false"'), [null, false]);
    refused(
      () => facts('sv:type="Longer"'),
      /line 2, column \d+: expected sv:type to be one of String, .*, but found 'Longer'/,
    );
  });

  it('has values with the spaces that are theirs', () => {
    const values = (type: string, text: string) => property(`sv:name="p" sv:type="${type}"`, text)?.values;
    assert.deepEqual(values('String', ' a '), [' a ']);
    assert.deepEqual(values('Long', ' 1 '), [' 1 ']);
    assert.deepEqual(values('Name', ' sv:a '), ['sv:a']);
    assert.deepEqual(values('Path', ' /sv:a/{http://example.org/ex}b '), ['/sv:a/{http://example.org/ex}b']);
    assert.deepEqual(values('Binary', ' AA\nEC '), ['AAEC']);
    assert.deepEqual(property('sv:name="p"', '1', '', '2')?.values, ['1', '', '2']);
    refused(() => values('Binary', 'A'), /expected 'p' to be Base64/);
  });

  it('has names in values by the declarations there, or as they are', () => {
    const name = (text: string) =>
      property('xmlns="u:default" xmlns:e="http://example.org/ex" sv:name="e:p" sv:type="Name"', text);
    assert.deepEqual([name('e:a')?.name, name('e:a')?.values], ['ex:p', ['ex:a']]);
    for (const text of [':a', 'a', 'other:a', '{http://example.org/ex}a']) assert.deepEqual(name(text)?.values, [text]);
  });

  it('has texts as Base64 where they say so', () => {
    const value = (type: string, xsi: string, text: string) =>
      property(`sv:name="p" sv:type="${type}"`, `<sv:value xsi:type="${xsi}">${text}</sv:value>`)?.values[0];
    assert.equal(value('String', 'xs:base64Binary', ' AE\nE= '), '\u0000A');
    assert.equal(value('Binary', 'xs:base64Binary', ' AE\nE= '), 'AEE=');
    for (const other of ['xs:string', 'base64Binary', 'sv:base64Binary'])
      assert.equal(value('String', other, 'AEE='), 'AEE=');
    refused(() => value('String', 'xs:base64Binary', 'A'), /expected 'p' to be Base64/);
  });

  it('says of nodes their type, mixins and identifier', () => {
    const typed = node(
      '<sv:property sv:name="jcr:primaryType"><sv:value>nt:folder</sv:value></sv:property><sv:property sv:name="jcr:mixinTypes"><sv:value>mix:title</sv:value><sv:value>mix:etag</sv:value></sv:property><sv:property sv:name="jcr:uuid"><sv:value>id</sv:value></sv:property><sv:node sv:name="b"/>',
    ).nodes;
    assert.deepEqual(
      typed.map(({ parent, name, type, mixins, uuid, properties }) => [
        parent,
        name,
        type,
        mixins,
        uuid,
        properties.map((one) => one.name),
      ]),
      [
        [-1, 'a', 'nt:folder', ['mix:title', 'mix:etag'], 'id', ['jcr:uuid']],
        [0, 'b', null, [], null, []],
      ],
    );
    assert.equal(node('<sv:property sv:name="jcr:uuid"/>').nodes[0]?.uuid, null);
    refused(() => node('<sv:property sv:name="jcr:primaryType"/>'), /expected a name to be a name/);
  });

  it('has each element in its place, and text in values alone', () => {
    const found = (inner: string, message: RegExp) => refused(() => node(inner), message);
    found('<sv:value/>', /expected sv:property or sv:node, but found the element sv:value/);
    found(
      '<sv:property sv:name="p"><sv:node sv:name="b"/></sv:property>',
      /expected sv:value, but found the element sv:node/,
    );
    found(
      '<sv:property sv:name="p"><sv:value><sv:value/></sv:value></sv:property>',
      /expected only text in sv:value, but found/,
    );
    found('<node sv:name="b"/>', /but found the element node/);
    found('<o:node xmlns:o="u:o" sv:name="b"/>', /but found the element o:node/);
    found('text', /expected text only within sv:value, but found 'text'/);
    found(`<sv:property sv:name="p"> ${'x'.repeat(41)} </sv:property>`, /but found 'x{40}'/);
    refused(() => node('', 'name="a"'), /expected the attribute sv:name of sv:node/);
    refused(() => node('', 'sv:other="a"'), /expected the attribute sv:name of sv:node/);
  });
});

describe('the document view that is read', () => {
  const nodesOf = (xml: string) =>
    of(xml).nodes.map(({ name, line, properties }) => [name, line, properties[0]?.values[0]]);

  it('has elements as nodes, and texts as nodes with the line where they begin', () => {
    assert.deepEqual(nodesOf('<a>\n<b/>\n</a>\n'), [
      ['a', 1, undefined],
      ['b', 2, undefined],
    ]);
    const [, text, b, last] = of('<a>x<![CDATA[y\n]]>&amp;<b/>z\n</a>').nodes;
    assert.deepEqual(
      [text?.properties[0], b?.name],
      [{ name: 'jcr:xmlcharacters', type: null, multiple: null, values: ['xy\n&'], line: 1 }, 'b'],
    );
    assert.deepEqual([last?.parent, last?.name, last?.properties[0]?.values], [0, 'jcr:xmltext', ['z\n']]);
  });

  it('has attributes as properties, and what they say of nodes', () => {
    const jcr = 'xmlns:jcr="http://www.jcp.org/jcr/1.0" xmlns:mix="http://www.jcp.org/jcr/mix/1.0"';
    const [first] = of(
      `<a ${jcr} jcr:primaryType=" nt_x003a_folder " jcr:mixinTypes=" mix:title  mix:etag " jcr:uuid="i_x0064_" my_x0020_text="a_x0020_b"/>`,
    ).nodes;
    assert.deepEqual([first?.type, first?.mixins, first?.uuid], ['nt:folder', ['mix:title', 'mix:etag'], 'id']);
    assert.deepEqual(first?.properties, [
      { name: 'jcr:uuid', type: null, multiple: null, values: ['i_x0064_'], line: 1 },
      { name: 'my text', type: null, multiple: null, values: ['a_x0020_b'], line: 1 },
    ]);
  });
});
