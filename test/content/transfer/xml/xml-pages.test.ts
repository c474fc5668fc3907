import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  nodesIn,
  PAGE_NODES_MAX,
  pagedXml,
  type XmlDocument,
  type XmlNode,
} from '../../../../src/content/transfer/xml/xml-document.js';

const nodeOf = (parent: number, text: string): XmlNode => ({
  parent,
  name: 'n',
  type: null,
  mixins: [],
  uuid: null,
  properties: [{ name: 'p', type: 'String', multiple: null, values: [text], line: 1 }],
  line: 1,
});

describe('the pages of an XML document', () => {
  it('hold all of its nodes in their order, whatever they say', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 200 }), (texts) => {
        const nodes = texts.map((text, n) => nodeOf(n - 1, text));
        const document: XmlDocument = { view: 'SYSTEM', nodes, namespaces: { a: 'u:a' }, renamed: {} };
        const { pages, count, ...facts } = pagedXml(document);
        assert.deepEqual(pages.flatMap(nodesIn), nodes);
        assert.equal(count, nodes.length);
        assert.deepEqual(facts, { view: 'SYSTEM', namespaces: { a: 'u:a' }, renamed: {} });
      }),
    );
  });

  it('end where they have many nodes, or much text', () => {
    const sizes = (texts: readonly string[]) =>
      pagedXml({
        view: 'SYSTEM',
        nodes: texts.map((text) => nodeOf(-1, text)),
        namespaces: {},
        renamed: {},
      }).pages.map((page) => nodesIn(page).length);
    assert.deepEqual(sizes(Array.from({ length: PAGE_NODES_MAX + 1 }, () => '')), [PAGE_NODES_MAX, 1]);
    assert.deepEqual(sizes(['x'.repeat(40_000), 'x'.repeat(40_000), '', 'x'.repeat(500_000), '']), [2, 2, 1]);
    assert.deepEqual(sizes([]), []);
    const full = 'x'.repeat(65_536 - JSON.stringify(nodeOf(-1, '')).length);
    assert.deepEqual([sizes([full, '']), sizes([`${full}x`, ''])], [[2], [1, 1]]);
  });
});
