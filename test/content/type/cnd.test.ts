import assert from 'node:assert/strict';
import fc from 'fast-check';
import { BUILT_IN_TYPES, builtInNamespaces, namespacesOf, readCnd, registryOf } from '../../../src/content/index.js';
import { writeCnd } from '../../../src/content/type/cnd.js';
import {
  childDefinition,
  type NodeType,
  nodeType,
  ON_PARENT_VERSION,
  propertyDefinition,
  QUERY_OPERATORS,
} from '../../../src/content/type/node-type.js';
import { PROPERTY_TYPES, type PropertyType } from '../../../src/content/value/property.js';
import { ServiceError } from '../../../src/shared/errors.js';

/** Their defaults and constraints are names. */
const NAMING: ReadonlySet<PropertyType> = new Set(['Name', 'Path', 'Reference', 'WeakReference']);

const namespaces = namespacesOf({ my: 'http://example.org/my' });
const read = (text: string) => readCnd(text, namespaces).types;
const one = (text: string): NodeType => {
  const [type] = read(text);
  assert.ok(type);
  return type;
};

describe('CND', () => {
  describe('that has too much is refused where that begins', () => {
    const many = (count: number, text: (n: number) => string, separator = '\n') =>
      Array.from({ length: count }, (_, n) => text(n)).join(separator);
    const refusal = (text: string, typesMax?: number) => {
      try {
        readCnd(text, builtInNamespaces, typesMax);
      } catch (thrown) {
        if (thrown instanceof ServiceError) return [thrown.code, thrown.message];
        throw thrown;
      }
      return 'taken';
    };

    it('types', () => {
      assert.equal(
        refusal(
          many(10, (n) => `[t${n}]`),
          10,
        ),
        'taken',
      );
      assert.deepEqual(refusal(`${many(10, (n) => `[t${n}]`)}\n[t10] and this is never read`, 10), [
        'LIMIT_EXCEEDED',
        'line 11, column 1: expected at most 10 node types, built-in ones included, but found more',
      ]);
    });

    it('items of a type, and names of a list', () => {
      const items = (count: number) => `[t]\n${many(count, (n) => (n % 2 ? `- p${n} (long)` : `+ c${n}`))}`;
      assert.equal(refusal(items(2_000)), 'taken');
      assert.deepEqual(refusal(items(50_000)), [
        'LIMIT_EXCEEDED',
        "line 2003, column 1: expected at most 2000 items of 't', but found more",
      ]);
      const names = (count: number) => `[t] > ${many(count, (n) => `s${n}`, ', ')}`;
      assert.equal(refusal(names(2_000)), 'taken');
      assert.match(refusal(names(100_000))[1] ?? '', /at most 2000 names as a supertype of 't', but found more/);
    });

    it('namespaces', () => {
      const declared = (count: number) => many(count, (n) => `<n${n} = 'http://example.org/${n}'>`);
      const builtIn = builtInNamespaces.entries().length;
      assert.equal(refusal(declared(1_000 - builtIn)), 'taken');
      assert.equal(refusal(declared(25_000))[0], 'LIMIT_EXCEEDED');
      assert.match(refusal(declared(25_000))[1] ?? '', /at most 1000 namespaces in a workspace, but with 'n992' there/);
    });

    it('but not what is stored already', () => {
      const stored = Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`n${n}`, `http://example.org/${n}`]));
      assert.equal(namespacesOf(stored).uriOf('n2999'), 'http://example.org/2999');
      assert.equal(namespacesOf(stored).with('n2999', 'http://example.org/2999').entries().length, 3_008);
    });
  });

  it('gives what is not said its default', () => {
    assert.deepEqual(read('[my:a]'), [nodeType({ name: 'my:a' })]);
    assert.deepEqual(one('[my:a] - p + c').properties, [propertyDefinition({ name: 'p' })]);
    assert.deepEqual(one('[my:a] - p + c').children, [childDefinition({ name: 'c' })]);
  });

  it('is read in its long form', () => {
    const text = `
      /* A page,
         as in a real project */
      <ex = 'http://example.org/ex'>   // declared here
      [ex:page] > nt:hierarchyNode, mix:title
        orderable abstract noquery primaryitem ex:body
        - ex:count (long) = '1' mandatory autocreated protected VERSION queryops '=, <>, LIKE' nofulltext noqueryorder
          < '[1,10]', '(20,)'
        - ex:tags (string) = 'a', 'b' multiple
        - * (undefined) multiple ignore
        + ex:body (nt:base, mix:title) = nt:unstructured mandatory autocreated protected COPY
        + * (nt:hierarchyNode) sns version
    `;
    assert.deepEqual(read(text), [
      nodeType({
        name: 'ex:page',
        supertypes: ['nt:hierarchyNode', 'mix:title'],
        orderable: true,
        abstract: true,
        queryable: false,
        primaryItem: 'ex:body',
        properties: [
          propertyDefinition({
            name: 'ex:count',
            type: 'Long',
            defaultValues: ['1'],
            mandatory: true,
            autoCreated: true,
            protected: true,
            onParentVersion: 'VERSION',
            queryOperators: ['=', '<>', 'LIKE'],
            fullTextSearchable: false,
            queryOrderable: false,
            valueConstraints: ['[1,10]', '(20,)'],
          }),
          propertyDefinition({ name: 'ex:tags', defaultValues: ['a', 'b'], multiple: true }),
          propertyDefinition({ name: '*', type: null, multiple: true, onParentVersion: 'IGNORE' }),
        ],
        children: [
          childDefinition({
            name: 'ex:body',
            requiredTypes: ['nt:base', 'mix:title'],
            defaultType: 'nt:unstructured',
            mandatory: true,
            autoCreated: true,
            protected: true,
          }),
          childDefinition({
            name: '*',
            requiredTypes: ['nt:hierarchyNode'],
            sameNameSiblings: true,
            onParentVersion: 'VERSION',
          }),
        ],
      }),
    ]);
  });

  const SAME: readonly (readonly [string, string])[] = [
    ['[my:a] o m a nq ! p', '[my:a] orderable mixin abstract noquery primaryitem p'],
    ['[my:a] ord mix abs', '[my:a] ORDERABLE Mixin ABSTRACT'],
    ['[my:a]orderable>nt:base', '[my:a] > nt:base orderable'],
    [
      '[my:a]\n- p(STRING)m a p * ! VERSION',
      '[my:a] primaryitem p - p (string) mandatory autocreated protected multiple version',
    ],
    ['[my:a] - p man aut pro mul', '[my:a] - p mandatory autocreated protected multiple'],
    ['[my:a] + c * m a p', '[my:a] + c sns mandatory autocreated protected'],
    ['[my:a] + c multiple', '[my:a] + c sns'],
    ['[my:a] + c primary', '[my:a] primaryitem c + c'],
    ['[my:a] - p (*) nof nqord qop "="', "[my:a] - p (UNDEFINED) nofulltext noqueryorder queryops '='"],
    ['[my:a] - p (?) = ? m? a? p? *? OPV? qop? nof? < ?', '[my:a] - p (undefined)'],
    ['[my:a] > ? o? m? ! ? + c (?) = ? sns?', '[my:a] + c'],
    [
      "['my:a'] > 'nt:base' - 'my:p' (long) = 5 + 'my:c'('nt:base')='nt:file'",
      '[my:a] > nt:base - my:p (long) = "5" + my:c (nt:base) = nt:file',
    ],
    ['[my:a] - p (long) = -5', "[my:a] - p (long) = '-5'"],
    ["[my:a] - p (string) mandatory = 'x' copy", "[my:a] - p = 'x' mandatory"],
    ["[my:a] - p < 'x' mandatory", "[my:a] - p mandatory < 'x'"],
    ['[{http://example.org/my}a] > {http://www.jcp.org/jcr/nt/1.0}base', '[my:a] > nt:base'],
    ['[my:a-b.c] - my:p-q - r_s', "['my:a-b.c'] - 'my:p-q' - 'r_s'"],
    ['[my:a]\r\n- p (string)//x\r\n- q /* - z */', '[my:a] - p - q'],
  ];
  for (const [short, long] of SAME) {
    it(`reads ${JSON.stringify(short)} as ${JSON.stringify(long)}`, () => assert.deepEqual(read(short), read(long)));
  }

  it('reads names in quotes, residual ones too', () => {
    const { properties, children } = one("[my:a] - '*' (string) - 'my:p' + '*' + 'my:c'");
    assert.deepEqual(
      [properties, children].flat().map((item) => item.name),
      ['*', 'my:p', '*', 'my:c'],
    );
    assert.throws(() => one("[my:a] - 'p*'"), { code: 'BAD_REQUEST' });
  });

  it('reads quoted texts with their escapes, and keeps backslashes of patterns', () => {
    const [p] = one(String.raw`[my:a] - p < '\d+\.\w*', "it's", 'it\'s', 'a\\b', 'x\u0041\n'`).properties;
    assert.deepEqual(p?.valueConstraints, [String.raw`\d+\.\w*`, "it's", "it's", 'a\\b', 'xA\n']);
  });

  it('reads names and paths of constraints and defaults as those of the repository', () => {
    const text = `<m = 'http://example.org/my'>
      [m:a]
        - n (name) = '{http://example.org/my}x' < 'm:a', 'b'
        - p (path) = './m:a/../m:b' < '/*', '/m:a/*', '/a[1]/b/', '../{http://example.org/my}a'
        - r (reference) < 'm:a', '{http://www.jcp.org/jcr/nt/1.0}file'`;
    const [n, p, r] = one(text).properties;
    assert.deepEqual([n?.defaultValues, n?.valueConstraints], [['my:x'], ['my:a', 'b']]);
    assert.deepEqual([p?.defaultValues, p?.valueConstraints], [['my:b'], ['/*', '/my:a/*', '/a/b', '../my:a']]);
    assert.deepEqual(r?.valueConstraints, ['my:a', 'nt:file']);
  });

  const MALFORMED: readonly (readonly [string, RegExp])[] = [
    [
      "(name) < 'no:such'",
      /^line 2, column 14: expected a constraint of the property 'p' of 'my:a' to be a name .*'no' is not reg/,
    ],
    ["(name) < 'jcr:a', 'a/b'", /^line 2, column 23: /],
    ["(name) < ':a'", /there is no prefix in front of the colon/],
    ["(name) < ''", /it is empty/],
    ["(name) = 'no:such'", /expected a default value of the property 'p' of 'my:a' to be a name/],
    ["(path) < 'a//b'", /to be a path .* but found 'a\/\/b'/],
    ["(path) < '/a[x]'", /no index of 1 or more/],
    ["(path) < ''", /it is empty/],
    ["(path) < '*'", /to be a name .* but found '\*': it holds '\*'/],
    ["(path) < '/a*'", /it holds '\*'/],
    ["(path) < '/a/*/b'", /it holds '\*'/],
    ["(path) < 'no:such/*'", /the prefix 'no' is not registered/],
    ["(path) = '/a//b'", /expected a default value of the property 'p'/],
    ["(reference) < 'no:such'", /the prefix 'no' is not registered/],
    ["(weakreference) < 'a b/'", /it holds '\/'/],
  ];
  for (const [text, message] of MALFORMED) {
    it(`refuses ${text}`, () =>
      assert.throws(
        () => read(`[my:a]\n- p ${text}`),
        (error: { code?: string; message?: string }) => {
          assert.equal(error.code, 'BAD_REQUEST');
          assert.match(error.message ?? '', message);
          return true;
        },
      ));
  }

  it('takes a namespace behind an item for a namespace, not for a constraint', () => {
    const { types, namespaces: known } = readCnd(
      "[my:a] - p (string)\n<ex='urn:ex'>\n<'e2' = 'urn:e2'> [ex:b] > my:a",
      namespaces,
    );
    assert.deepEqual(
      types.map(({ name }) => name),
      ['my:a', 'ex:b'],
    );
    assert.equal(known.uriOf('e2'), 'urn:e2');
  });

  it('calls a namespace as the repository does', () => {
    const text =
      "<m='http://example.org/my'> <n='http://www.jcp.org/jcr/nt/1.0'> [m:a] > n:base - m:p (name) = 'm:v' < 'm:w' - q (path) < '/m:x/*' - r (string) < 'm:x'";
    const type = one(text);
    assert.equal(type.name, 'my:a');
    assert.deepEqual(type.supertypes, ['nt:base']);
    assert.deepEqual(
      type.properties.map(({ name }) => name),
      ['my:p', 'q', 'r'],
    );
    assert.deepEqual(
      type.properties.map((p) => [...p.defaultValues, ...p.valueConstraints]),
      [['my:v', 'my:w'], ['/my:x/*'], ['m:x']],
    );
  });

  const BAD: readonly (readonly [string, RegExp])[] = [
    ['[my:a', /line 1, column 6: expected '\]' behind the node type 'my:a', but found the end/],
    ['my:a]', /line 1, column 1: expected '\[' of a node type or '<' of a namespace, but found 'my:a'/],
    [
      '[my:a]\n  - p (strong)',
      /line 2, column 8: expected the type of the property 'p' of 'my:a': String, .* but found 'strong'/,
    ],
    ['[my:a]\n - p (string) mandatry', /line 2, column 15: expected an attribute of the property 'p'.*'mandatry'/],
    ['[my:a] + c sns nofulltext', /expected an attribute of the child node 'c'.*'nofulltext'/],
    ['[my:a] - p opv', /expected COPY, VERSION/],
    ["[my:a] - p queryops '=, ~'", /expected query operators of =, <>/],
    ["[my:a] - p = 'x", /line 1, column 14: expected the text that starts here to end with '/],
    ['[my:a] /* never', /line 1, column 8: expected the end '\*\/' of the comment/],
    ['[no:a]', /line 1, column 2: expected the name of a node type to be a name.*'no' is not registered/],
    ['[my:a] > no:b', /line 1, column 10: .*'no' is not registered/],
    ['[my:a]\n[my:a]', /line 2, column 2: expected each node type once/],
    ["<jcr='urn:x'>", /line 1, column 2: expected prefix 'jcr' to be free/],
    ["<xmlish='urn:x'>", /does not start with 'xml'/],
    ["<a 'urn:x'>", /expected '=' behind the prefix 'a'/],
    ['[my:a] fancy', /expected orderable, mixin, .* but found 'fancy'/],
    ['[my:a] - p § (string)', /but found '§'/],
    ['[my:a] - p (string', /expected '\)' behind the type/],
    ['[my:a] > ', /expected a supertype of 'my:a', but found the end/],
    ["[my:a] - ''", /it is empty/],
    ['[my:a] - (string)', /expected the name of a property of 'my:a', but found '\('/],
  ];
  for (const [text, message] of BAD) {
    it(`refuses ${JSON.stringify(text)}`, () =>
      assert.throws(
        () => read(text),
        (error: { code?: string; message?: string }) => {
          assert.equal(error.code, 'BAD_REQUEST');
          assert.match(error.message ?? '', message);
          return true;
        },
      ));
  }

  it('answers any text with types or a refusal that has a place', () => {
    const pieces = fc.constantFrom(
      ...'[]<>=(),+-*?!\'"/ \n',
      'my:a',
      'nt:base',
      'string',
      'm',
      '//',
      '/*',
      '*/',
      "'x'",
      '\\',
      '{',
      '}',
      'é',
      ':',
      '\u0000',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        try {
          read(`[my:b] ${parts.join('')}`);
        } catch (error) {
          assert.ok(error instanceof ServiceError, String(error));
          assert.match(error.message, /^line \d+, column \d+: /);
        }
      }),
    );
  });

  it('takes large texts in their stride', () => {
    const long = 'x'.repeat(1_000_000);
    assert.equal(
      one(`[my:a] /*${long}*/ - p < '${long.slice(0, 900_000)}'`).properties[0]?.valueConstraints[0]?.length,
      900_000,
    );
    assert.throws(() => read(`[my:a] - p < '${long}`), { code: 'BAD_REQUEST' });
    assert.throws(() => read("'\\".repeat(500_000)), { code: 'BAD_REQUEST' });
    assert.throws(() => read('/*'.repeat(500_000)), { code: 'BAD_REQUEST' });
  });

  it('is limited', () => {
    assert.deepEqual(read(' '.repeat(2_000_000)), []);
    assert.throws(() => read(' '.repeat(2_000_001)), { code: 'LIMIT_EXCEEDED' });
  });

  it('writes the built-in types as they were read', () => {
    assert.deepEqual(readCnd(writeCnd(BUILT_IN_TYPES, builtInNamespaces), builtInNamespaces).types, BUILT_IN_TYPES);
  });

  it('declares what it uses when written', () => {
    const text = writeCnd(read('[my:a]'), namespaces);
    assert.equal(text, "<my = 'http://example.org/my'>\n\n[my:a]\n");
    assert.deepEqual(readCnd(text, builtInNamespaces).types, read('[my:a]'));
  });

  it('gives back any types that were written', () => {
    const name = fc
      .tuple(
        fc.constantFrom('', 'my:', 'jcr:'),
        fc.string({ unit: fc.constantFrom(...'abcß日_.-\'"\\ {}<>=(),+-?!;'), minLength: 1, maxLength: 8 }),
      )
      .map(([prefix, local]) => `${prefix}${local}`.trim())
      .filter((text) => !/(^|:)\.{0,2}$|: | $/.test(text) && !/^\{.*\}/.test(text));
    const texts = fc.array(fc.string({ unit: fc.constantFrom(...'ab\\\'"\n\tnrtu0041/*<>=日'), maxLength: 8 }), {
      maxLength: 3,
    });
    const names = fc.array(name, { maxLength: 3 });
    const flags = {
      autoCreated: fc.boolean(),
      mandatory: fc.boolean(),
      protected: fc.boolean(),
      onParentVersion: fc.constantFrom(...ON_PARENT_VERSION),
    };
    const itemName = fc.oneof(name, fc.constant('*'));
    const typed = fc.oneof(
      fc.record({
        type: fc.constantFrom(...PROPERTY_TYPES.filter((it) => !NAMING.has(it)), null),
        defaultValues: texts,
        valueConstraints: texts,
      }),
      fc.record({ type: fc.constantFrom(...NAMING), defaultValues: names, valueConstraints: names }),
    );
    const property = fc.record({
      name: itemName,
      ...flags,
      typed,
      multiple: fc.boolean(),
      queryOperators: fc.subarray([...QUERY_OPERATORS]),
      fullTextSearchable: fc.boolean(),
      queryOrderable: fc.boolean(),
    });
    const child = fc.record({
      name: itemName,
      ...flags,
      requiredTypes: fc.array(name, { minLength: 1, maxLength: 3 }),
      defaultType: fc.option(name),
      sameNameSiblings: fc.boolean(),
    });
    const type = fc.record({
      name,
      supertypes: fc.array(name, { maxLength: 3 }),
      abstract: fc.boolean(),
      mixin: fc.boolean(),
      orderable: fc.boolean(),
      queryable: fc.boolean(),
      primaryItem: fc.option(name),
      properties: fc.array(
        property.map(({ typed: values, ...given }) => propertyDefinition({ ...given, ...values })),
        { maxLength: 3 },
      ),
      children: fc.array(child.map(childDefinition), { maxLength: 3 }),
    });
    fc.assert(
      fc.property(fc.uniqueArray(type.map(nodeType), { maxLength: 3, selector: (t) => t.name }), (types) => {
        assert.deepEqual(read(writeCnd(types, namespaces)), types);
      }),
    );
  });

  it('reads definitions as real projects write them', () => {
    const text = `
<'slingevent'='http://sling.apache.org/jcr/event/1.0'>
<sling = "http://sling.apache.org/jcr/sling/1.0">
//-----------------------------------------------------------------------------
// Mixin node type for resources
[sling:Resource]
    mixin
  - sling:resourceType (string)
[sling:ResourceSuperType] mixin
  - sling:resourceSuperType(string)
[sling:Folder] > nt:folder
  - * (undefined) multiple
  - * (undefined)
  + * (nt:base) = sling:Folder version
[sling:OrderedFolder] > sling:Folder orderable
  + * (nt:base) = sling:OrderedFolder version
[sling:Mapping]>sling:Resource
        mixin
-    sling:match
                 (string)
-sling:internalRedirect (string)multiple
[slingevent:Event] > nt:unstructured, nt:hierarchyNode
  - slingevent:topic (string)
  - slingevent:created(date)  mandatory
  - slingevent:id (string)
<hippo='http://www.onehippo.org/jcr/hippo/nt/2.0.4'>
[hippo:document] > nt:base orderable
- hippo:availability (string) multiple
- hippo:paths (string) multiple   // reference
+ * (hippo:document) = hippo:document multiple version
[hippo:facetselect] > hippo:document
- hippo:docbase (string) mandatory
- hippo:values (string) mandatory multiple
[hippo:derived] mixin
    - hippo:related (Reference) mandatory protected multiple IGNORE  < 'hippo:document'
    - hippo:compute (Boolean)
[hippo:harddocument] mixin > mix:referenceable
[hippo:named] mixin
- hippo:name (String) mandatory
< ".{1,100}"
`;
    const { types, namespaces: known } = readCnd(text, builtInNamespaces);
    const registry = registryOf(BUILT_IN_TYPES, types);
    assert.equal(types.length, 11);
    assert.equal(known.prefixOf('http://sling.apache.org/jcr/sling/1.0'), 'sling');
    assert.ok(registry.effective('hippo:document', ['hippo:harddocument']).isA('mix:referenceable'));
    assert.equal(registry.effective('sling:OrderedFolder').defaultChildType('x'), 'sling:OrderedFolder');
    assert.ok(
      registry.effective('sling:Folder').childDefinition('x', registry.effective('nt:unstructured')),
      'its own definition is wider than the folder’s, and both hold',
    );
  });
});
