import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readXml } from '../../../../src/content/transfer/xml/read-xml.js';
import { DocumentView, SystemView } from '../../../../src/content/transfer/xml/written-views.js';
import type { XmlDocument } from '../../../../src/content/transfer/xml/xml-document.js';
import {
  decoded,
  encodedItem,
  encodedName,
  encodedValue,
  isXmlText,
} from '../../../../src/content/transfer/xml/xml-text.js';
import type { ContentNode } from '../../../../src/content/tree/node.js';
import { builtInNamespaces } from '../../../../src/content/value/names.js';
import type { Property, PropertyType, Value } from '../../../../src/content/value/property.js';

const LIMITS = { bytesMax: 1_000_000, nodesMax: 1_000, depthMax: 50, namespacesMax: 100 };

/** A node with its children, as the test makes them. */
interface Branch {
  readonly name: string;
  readonly properties: Readonly<Record<string, Property>>;
  readonly children: readonly Branch[];
}

const LOCAL = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 8 })
  .filter(
    (text) => !/[/:[\]|*\p{Cc}\p{Cs}\ufffe\uffff{}]/u.test(text) && text.trim() === text && !/^\.\.?$/.test(text),
  );
const NAME = fc.oneof(
  LOCAL,
  LOCAL.map((local) => `mi:${local}`),
  fc.constantFrom(
    'xmlns',
    'xml:lang',
    '_x0041_',
    '_x',
    '1',
    '-a',
    'a b',
    'é',
    '𝒳',
    '__proto',
    'jcr:xmltext',
    'constructor',
  ),
);
/** Whatever a client may give; lone surrogates are no characters. */
const TEXT = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', ' ', '\r\n\t', '_x0020_', ']]>', '<&>"\'', '\u0000', '\ufffe'),
);
const OTHERS: readonly (readonly [PropertyType, fc.Arbitrary<Value>])[] = [
  ['Long', fc.oneof(fc.integer(), fc.constant('9223372036854775807'))],
  ['Double', fc.constantFrom<Value>(1.5, 'NaN', '-Infinity')],
  ['Boolean', fc.boolean()],
  ['Date', fc.constant('2030-01-02T03:04:05.678+09:00')],
  ['Decimal', fc.constantFrom('1.10', '-0')],
  ['Name', NAME],
  ['Binary', fc.uint8Array().map((bytes) => ({ inline: Buffer.from(bytes).toString('base64'), size: bytes.length }))],
];
const propertyOf = (type: PropertyType, value: fc.Arbitrary<Value>): fc.Arbitrary<Property> =>
  fc.oneof(
    value.map((one) => ({ type, value: one })),
    fc.array(value, { maxLength: 3 }).map((values) => ({ type, values })),
  );
const PROPERTY = fc.oneof(propertyOf('String', TEXT), ...OTHERS.map(([type, value]) => propertyOf(type, value)));
const PROPERTIES = fc.dictionary(NAME, PROPERTY, { maxKeys: 5, noNullPrototype: true });

const branches = (properties: fc.Arbitrary<Branch['properties']>, depth = 2): fc.Arbitrary<Branch> =>
  fc.record({
    name: NAME,
    properties,
    children: depth === 0 ? fc.constant([]) : fc.array(branches(properties, depth - 1), { maxLength: 3 }),
  });

type View = SystemView | DocumentView;

function* written(view: View, { name, properties, children }: Branch, id = 'n'): Generator<string> {
  const node: ContentNode = {
    id,
    parent: 'p',
    name,
    order: null,
    type: 'nt:unstructured',
    mixins: ['mix:title'],
    properties,
    version: 1,
  };
  for (const part of view.open(node, children.length > 0)) yield String(part);
  for (const [at, child] of children.entries()) yield* written(view, child, `${id}.${at}`);
  yield view.close(node);
}

const options = { namespaces: builtInNamespaces, skipBinary: false };
const read = (view: View, branch: Branch): XmlDocument =>
  readXml({ bytes: Buffer.from([...written(view, branch)].join('')), namespaces: {}, limits: LIMITS });

/** The tree that the document says. */
function grown({ nodes }: XmlDocument, at = 0): unknown {
  const node = nodes[at];
  const children = nodes.flatMap((one, index) => (one.parent === at ? [grown({ nodes } as XmlDocument, index)] : []));
  const properties = node?.properties.map(({ name, type, multiple, values }) => [
    name,
    type,
    multiple === true,
    values,
  ]);
  return { name: node?.name, type: node?.type, mixins: node?.mixins, properties, children };
}

const textOf = (value: Value): string =>
  typeof value === 'object' ? ('inline' in value ? value.inline : '') : String(value);

function expected({ name, properties, children }: Branch): unknown {
  const told = Object.entries(properties).map(([key, property]) => {
    const values = 'values' in property ? property.values : [property.value];
    return [key, property.type, 'values' in property, values.map(textOf)];
  });
  return { name, type: 'nt:unstructured', mixins: ['mix:title'], properties: told, children: children.map(expected) };
}

describe('nodes as XML', () => {
  it('are read as the very same in the system view', () => {
    fc.assert(
      fc.property(branches(PROPERTIES), (branch) => {
        assert.deepEqual(grown(read(new SystemView(options), branch)), expected(branch));
      }),
    );
  });

  it('keep names and texts in the document view', () => {
    const texts = fc.dictionary(NAME, propertyOf('String', TEXT), { maxKeys: 5, noNullPrototype: true });
    fc.assert(
      fc.property(branches(texts), (branch) => {
        const { nodes } = read(new DocumentView(options), branch);
        const told = (one: Branch): unknown[] => [
          [one.name, Object.keys(one.properties)],
          ...one.children.flatMap(told),
        ];
        assert.deepEqual(
          nodes.map(({ name, properties }) => [name, properties.map((property) => property.name)]),
          told(branch),
        );
        const [first] = nodes;
        for (const [name, property] of Object.entries(branch.properties)) {
          const text = String(first?.properties.find((one) => one.name === name)?.values[0]);
          if ('value' in property) assert.equal(decoded(text), property.value);
          else
            assert.deepEqual(
              text.split(/\s+/).filter(Boolean).map(decoded),
              property.values.filter((one) => one !== ''),
            );
        }
      }),
    );
  });

  it('have texts of nodes jcr:xmltext as text, as far as that is read again', () => {
    const text = (characters: string): Branch => ({
      name: 'jcr:xmltext',
      properties: { 'jcr:xmlcharacters': { type: 'String', value: characters } },
      children: [],
    });
    fc.assert(
      fc.property(fc.array(TEXT, { maxLength: 4 }), (all) => {
        const { nodes } = read(new DocumentView(options), { name: 'a', properties: {}, children: all.map(text) });
        assert.deepEqual(
          nodes.slice(1).map(({ properties }) => decoded(String(properties[0]?.values[0]))),
          all,
        );
      }),
    );
  });

  it('have encodings that XML takes, and that are undone', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const encode of [encodedName, encodedValue, encodedItem]) {
          assert.equal(decoded(encode(text)), text);
          assert.ok(isXmlText(encode(text)));
        }
        assert.doesNotMatch(encodedItem(text), /\s/);
      }),
    );
    assert.equal(encodedName('My Documents'), 'My_x0020_Documents');
    assert.equal(encodedName('My_Documents'), 'My_Documents');
    assert.equal(encodedName('My_x0020Documents'), 'My_x0020Documents');
    assert.equal(encodedName('My_x0020_Documents'), 'My_x005F_x0020_Documents');
  });
});
