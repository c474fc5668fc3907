import assert from 'node:assert/strict';
import { BUILT_IN_TYPES, namespacesOf, readCnd, registryOf, type TypeRegistry } from '../../../src/content/index.js';
import { ROOT_ID } from '../../../src/content/tree/node.js';
import { changesOf } from '../../../src/content/type/type-changes.js';

const namespaces = namespacesOf({ my: 'http://example.org/my' });
const builtIn = registryOf(BUILT_IN_TYPES);
const types = (text: string) => readCnd(text, namespaces).types;
const withTypes = (text: string): TypeRegistry => builtIn.with(types(text));
const refusal = (text: string, code: string, message: RegExp) =>
  assert.throws(
    () => withTypes(text),
    (error: { code?: string; message?: string }) => {
      assert.match(error.message ?? '', message);
      assert.equal(error.code, code);
      return true;
    },
  );

describe('the type registry', () => {
  it('knows what inherits from what', () => {
    assert.ok(builtIn.isA('nt:file', 'nt:hierarchyNode'));
    assert.ok(builtIn.isA('nt:file', 'mix:created'));
    assert.ok(builtIn.isA('nt:unstructured', 'nt:base'));
    assert.ok(!builtIn.isA('mix:title', 'nt:base'));
    assert.ok(!builtIn.isA('nt:hierarchyNode', 'nt:file'));
    assert.ok(!builtIn.isA('no:such', 'nt:base'));
    assert.deepEqual(builtIn.lineage('nt:file'), ['nt:file', 'nt:hierarchyNode', 'mix:created', 'nt:base']);
    assert.deepEqual(builtIn.subtypes('mix:referenceable'), [
      'mix:versionable',
      'nt:version',
      'nt:versionHistory',
      'mi:principalProfile',
      'mi:userProfile',
      'mi:groupProfile',
      'mi:roleProfile',
    ]);
  });

  it('has built-in types that pass its own checks', () => {
    const checked = registryOf([], BUILT_IN_TYPES);
    for (const { name } of BUILT_IN_TYPES) {
      assert.ok(builtIn.effectiveOf(name).isA(name));
      assert.deepEqual(checked.lineage(name), builtIn.lineage(name));
    }
  });

  it('merges a type with its mixins', () => {
    const effective = builtIn.effective('nt:unstructured', ['mix:versionable', 'mix:title']);
    assert.ok(effective.isA('mix:referenceable'));
    assert.ok(effective.orderable && effective.sameNameSiblings);
    assert.equal(effective.propertyDefinition('jcr:title', 'String', false)?.declaredBy, 'mix:title');
    assert.equal(effective.propertyDefinition('any', 'Long', true)?.declaredBy, 'nt:unstructured');
    assert.equal(effective.propertyDefinition('jcr:title', 'Long', false), undefined);
    assert.equal(effective.defaultChildType('x'), 'nt:unstructured');
    assert.equal(builtIn.effective('nt:folder').defaultChildType('x'), null);
  });

  it('makes an effective type once', () => {
    assert.equal(builtIn.effective('nt:file', ['mix:title']), builtIn.effective('nt:file', ['mix:title']));
    assert.equal(builtIn.effective('nt:file'), builtIn.effective('nt:file'));
    assert.equal(builtIn.effective('nt:file').primaryItem, 'jcr:content');
  });

  it('prefers a definition of the very type, then one of any type', () => {
    const registry = withTypes('[my:a] - * (undefined) - * (long) - my:p (undefined) - my:p (string) multiple');
    const effective = registry.effective('my:a');
    assert.equal(effective.propertyDefinition('x', 'Long', false)?.type, 'Long');
    assert.equal(effective.propertyDefinition('x', 'String', false)?.type, null);
    assert.equal(effective.propertyDefinition('my:p', 'Date', false)?.type, null);
    assert.equal(effective.propertyDefinition('my:p', 'String', true)?.type, 'String');
    assert.equal(effective.propertyDefinition('my:p', 'Long', true), undefined);
  });

  it('lets a type narrow what it inherits, and demand what that demands', () => {
    const registry = withTypes(`
      [my:a] - my:p (long) mandatory protected + my:c (nt:hierarchyNode) mandatory
      [my:b] > my:a - my:p (long) + my:c (mix:title) = ?
      [my:c] > nt:file + jcr:content (nt:resource) = nt:resource`);
    const [property] = registry.effective('my:b').propertiesNamed('my:p');
    assert.deepEqual([property?.type, property?.mandatory, property?.protected], ['Long', true, true]);
    assert.deepEqual(registry.effective('my:b').childrenNamed('my:c')[0]?.requiredTypes, [
      'mix:title',
      'nt:hierarchyNode',
    ]);
    const file = registry.effective('my:c');
    assert.equal(file.childrenNamed('jcr:content').length, 1);
    assert.equal(file.childDefinition('jcr:content', registry.effective('nt:unstructured')), undefined);
    assert.ok(file.childrenNamed('jcr:content')[0]?.mandatory);
  });

  it('has both definitions where a type gives an inherited property another type', () => {
    const registry = withTypes(`
      [my:a] - my:p (long) - my:q (undefined) mandatory
      [my:b] > my:a - my:p (string) - my:q (long)
      [my:x] mixin - my:p (date)`);
    const typesOf = (name: string, ...mixins: string[]) =>
      registry
        .effective('my:b', mixins)
        .propertiesNamed(name)
        .map(({ type }) => type);
    assert.deepEqual(typesOf('my:p'), ['String', 'Long']);
    assert.deepEqual(typesOf('my:p', 'my:x'), ['String', 'Long', 'Date']);
    assert.deepEqual(typesOf('my:q'), ['Long', null]);
    assert.deepEqual(
      registry.effective('my:b').mandatoryProperties.map(({ name }) => name),
      ['my:q'],
    );
  });

  it('inherits the default of what is to be created', () => {
    const registry = withTypes("[my:a] - my:p (string) = 'x' autocreated [my:b] > my:a - my:p (string) mandatory");
    const [property] = registry.effective('my:b').propertiesNamed('my:p');
    assert.deepEqual([property?.autoCreated, property?.mandatory, property?.defaultValues], [true, true, ['x']]);
  });

  it('inherits the nearest of several definitions', () => {
    const registry = withTypes(`
      [my:x] mixin - my:p (string) = 'x' autocreated
      [my:y] > my:x mixin - my:p (string) = 'y' autocreated
      [my:z] > my:x mixin
      [my:d] > my:z, my:y`);
    assert.deepEqual(
      registry
        .effective('my:d')
        .propertiesNamed('my:p')
        .map((p) => p.defaultValues),
      [['y']],
    );
  });

  it('refuses mixins that do not fit', () => {
    const registry = withTypes(`
      [my:m] mixin - my:p (long)
      [my:n] mixin - my:p (string) = 'x' autocreated
      [my:o] mixin - my:p (long) multiple
      [my:c1] mixin - my:q (long) < '[1,2]'
      [my:c2] mixin - my:q (long) < '[1,3]'
      [my:k1] mixin + my:k (nt:base) = nt:folder autocreated
      [my:k2] mixin + my:k (nt:base) = nt:unstructured autocreated`);
    const effective = (...mixins: string[]) => registry.effective('nt:unstructured', mixins);
    assert.throws(() => effective('my:m', 'my:n'), {
      code: 'CONFLICT',
      message:
        "expected node types that fit together, but 'my:m' and 'my:n' both define 'my:p' to be created, as Long and as String",
    });
    assert.throws(() => effective('my:c1', 'my:c2'), /with constraints that differ/);
    assert.throws(() => effective('my:k1', 'my:k2'), /to be created as nt:folder and as nt:unstructured/);
    const both = effective('my:m', 'my:o');
    assert.deepEqual([both.isA('my:m'), both.isA('my:o'), both.isA('my:n')], [true, true, false]);
  });

  it('registers types that refer to each other', () => {
    const registry = withTypes('[my:a] > my:b + my:x (my:a) = my:a [my:b] + my:y (my:a) = my:a');
    assert.ok(registry.isA('my:a', 'my:b'));
    assert.equal(builtIn.get('my:a'), undefined);
  });

  it('checks subtypes again when a type is registered anew', () => {
    const registry = withTypes("[my:a] - my:p (long) [my:b] > my:a - my:p (long) = '1' autocreated");
    assert.throws(
      () => registry.with(types('[my:a] - my:p (string)')),
      /both define 'my:p' to be created, as Long and as String/,
    );
    assert.ok(registry.with(types('[my:a] - my:q (string)')).effective('my:b').propertiesNamed('my:q')[0]);
  });

  it('checks many types that share their supertypes, without walking every way between them', () => {
    const levels = Array.from({ length: 60 }, (_, i) =>
      ['a', 'b'].map(
        (side) =>
          `[my:${side}${i}] > ${i === 0 ? 'nt:base' : `my:a${i - 1}, my:b${i - 1}`} + c${side}${i} (nt:base) = ${i === 0 ? 'nt:unstructured' : `my:a${i - 1}`}`,
      ),
    );
    const registry = withTypes(levels.flat().join('\n'));
    assert.ok(registry.isA('my:b59', 'my:a0'));
    assert.equal(registry.lineage('my:b59').length, 120);
    assert.equal(registry.effective('my:b59').children.length, 119);
  });

  it('checks what inherits from a type among others, too', () => {
    const registry = withTypes("[my:a] [my:x] mixin [my:b] > my:x, my:a - my:p (long) = '1' autocreated");
    assert.throws(() => registry.with(types('[my:a] - my:p (string)')), /both define 'my:p' to be created/);
  });

  const TAKEN: readonly string[] = [
    "[my:a] - p (name) = 'my:x' < 'my:x'",
    "[my:a] - p (path) = '/my:x' < '/my:x'",
    "[my:a] - p (binary) = 'no Base64!'",
    "[my:a] - p (undefined) = 'x'",
    "[my:a] - p (long) < '[1,5]' - q < '.{9999}', 'x{9999}'",
  ];
  for (const text of TAKEN) it(`takes ${text}`, () => assert.ok(withTypes(text).get('my:a')));

  it('gives types up that nothing needs', () => {
    const registry = withTypes('[my:a] [my:b] > my:a');
    assert.equal(registry.without(['my:a', 'my:b']).get('my:a'), undefined);
    assert.throws(() => registry.without(['nt:file']), { code: 'BAD_REQUEST', message: /is built in/ });
    assert.throws(() => registry.without(['my:z']), { code: 'BAD_REQUEST', message: /there is no 'my:z'/ });
  });

  const NEEDED: readonly (readonly [string, string])[] = [
    ['[my:a] [my:b] > my:a', 'inherits from it'],
    ['[my:a] [my:b] + c (my:a)', "requires it of child node 'c'"],
    ['[my:a] [my:b] + c = my:a', "has it as the default type of child node 'c'"],
    ["[my:a] [my:b] - p (reference) < 'my:a'", "constrains property 'p' to it"],
    ["[my:a] [my:b] - p (weakreference) < 'nt:file', 'my:a'", "constrains property 'p' to it"],
  ];
  for (const [text, why] of NEEDED) {
    it(`keeps a type that another one needs: ${text}`, () =>
      assert.throws(() => withTypes(text).without(['my:a']), {
        code: 'CONFLICT',
        message: `expected node type 'my:a' to be needed by no other, but 'my:b' ${why}`,
      }));
  }

  const BAD: readonly (readonly [string, RegExp])[] = [
    ['[nt:file] > nt:base', /'nt:file' is built in/],
    ['[my:a] > my:none', /to inherit from registered types, but there is no 'my:none'/],
    ['[my:a] > my:b [my:b] > my:a', /my:a > my:b > my:a/],
    ['[my:a] > my:a', /my:a > my:a/],
    ['[my:a] mixin > nt:file', /'nt:file' is a primary type/],
    ['[my:a] - * (string) autocreated', /to create by itself only properties with a name/],
    ['[my:a] - * (string) mandatory', /to demand only properties with a name/],
    ['[my:a] + * (nt:base) = nt:file autocreated', /to create by itself only child nodes with a name/],
    ['[my:a] + * mandatory', /to demand only child nodes with a name/],
    ['[my:a] - p (string) autocreated', /to give the autocreated property 'p' a default value/],
    ["[my:a] - p (string) = 'a', 'b'", /one default value, having one value, but found 2/],
    ["[my:a] - p (long) = 'x'", /the default of property 'p' of node type 'my:a'/],
    ["[my:a] - p (long) < '[x,y]'", /to constrain the Long property 'p' in JCR's notation, but found '\[x,y\]'/],
    ["[my:a] - p (boolean) < 'maybe'", /'maybe'/],
    ["[my:a] - p (long) < '[5,1]'", /in JCR's notation, but found '\[5,1\]'/],
    ["[my:a] - p (long) = '9' < '[1,5]'", /the default '9' of property 'p' satisfy '\[1,5\]'/],
    ["[my:a] - p (string) = 'a', 'x' multiple < 'a|b', 'c'", /the default 'x' of property 'p' satisfy 'a\|b' or 'c'/],
    ["[my:a] - p (name) = 'jcr:a' < 'jcr:b'", /the default 'jcr:a'/],
    ["[my:a] - p (path) = '/a' < '/a/*'", /the default '\/a'/],
    ["[my:a] - p (boolean) = 'true' < 'false'", /the default 'true'/],
    ["[my:a] - p (decimal) = '9' < '[,5]'", /the default '9'/],
    ["[my:a] - p (double) = '9' < '(9,]'", /the default '9'/],
    ["[my:a] - p (uri) = 'http://a' < 'http://b'", /the default 'http:\/\/a'/],
    ["[my:a] - p (binary) = 'abcdef' < '[,3]'", /the default 'abcdef'/],
    ["[my:a] - p (undefined) = '9' < 'a|b'", /the default '9'/],
    [
      "[my:a] - p (date) = '2020-01-01T00:00:00.000Z' < '[2021-01-01T00:00:00.000Z,]'",
      /the default '2020-01-01T00:00:00.000Z'/,
    ],
    [
      "[my:a] - p = 'x' autocreated [my:b] > my:a - p < 'y'",
      /node type 'my:b' to have the default 'x' of property 'p'/,
    ],
    [
      "[my:a] - p (reference) = 'nobody'",
      /default of property 'p' of node type 'my:a' to be a UUID, but found 'nobody'/,
    ],
    ["[my:a] - p (weakreference) = ''", /to be a UUID, but found ''/],
    [`[my:a] - p (reference) = '${ROOT_ID}', 'x' multiple`, /to be a UUID, but found 'x'/],
    ["[my:a] - p (uri) = 'http://[bad'", /'p' of node type 'my:a' to be a URI, but found 'http:\/\/\[bad'/],
    ["[my:a] - p (reference) < 'my:none'", /there is no 'my:none'/],
    ["[my:a] - p (weakreference) < 'my:none'", /there is no 'my:none'/],
    ["[my:a] - p (string) < '[a'", /'\[a'/],
    ["[my:a] - p (string) < '(a)\\\\1'", /by a pattern without back references and look-around/],
    ["[my:a] - p (uri) < '(?!x).*'", /by a pattern without back references and look-around/],
    ["[my:a] - p (string) < '.{9000}', 'x{9000}' - q < '.{9000}'", /patterns of at most 20000 steps together/],
    ["[my:a] - p (uri) < '.{9000}', 'x{9000}', '.{8999}'", /patterns of at most 20000 steps together/],
    ["[my:a] - p (undefined) < '.{9000}', 'x{9000}', '.{8999}'", /patterns of at most 20000 steps together/],
    ["[my:a] - p < '.{9999}', 'x{9999}', 'a'", /patterns of at most 20000 steps together/],
    ['[my:a] + c autocreated', /to give the autocreated child node 'c' a default type/],
    ['[my:a] + c (my:none)', /there is no 'my:none'/],
    ['[my:a] + c = my:none', /there is no 'my:none'/],
    ['[my:a] + c = mix:title', /'mix:title' is a mixin/],
    ['[my:a] + c = nt:hierarchyNode autocreated', /'nt:hierarchyNode' is abstract/],
    ['[my:a] + c (nt:folder) = nt:file', /satisfy 'nt:folder', but 'nt:file' is none/],
    ['[my:a] + c (my:a) = my:a autocreated', /not to create itself without end, but found my:a > my:a/],
    ['[my:a] primaryitem nope', /to define its primary item 'nope'/],
  ];
  for (const [text, message] of BAD) it(`refuses ${text}`, () => refusal(text, 'BAD_REQUEST', message));

  const CONFLICTS: readonly (readonly [string, RegExp])[] = [
    ['[my:a] - p (long) - p (long)', /'my:a' defines 'p' twice/],
    [
      "[my:a] - p (long) = '3' autocreated [my:b] > my:a - p (string)",
      /both define 'p' to be created, as String and as Long/,
    ],
    ["[my:a] - p (long) [my:b] > my:a - p = 'x' autocreated", /'p' to be created, as String and as Long/],
    ['[my:a] > mix:created - jcr:created (string)', /'jcr:created' to be created, as String and as Date/],
    ['[my:a] > mix:lockable - jcr:lockOwner (long)', /'jcr:lockOwner', which is protected, as Long and as String/],
  ];
  for (const [text, message] of CONFLICTS) it(`refuses ${text}`, () => refusal(text, 'CONFLICT', message));
});

describe('a new definition of a type', () => {
  const BEFORE = `
    [my:a] orderable
      - p (long) < '[1,5]'
      - q (undefined)
      - list (string) multiple
      + c (nt:folder) sns
    [my:open] > nt:unstructured
    [my:sub] > my:a`;
  const before = withTypes(BEFORE);
  const CHANGES: readonly (readonly [string, string, 'none' | 'relaxed' | 'breaking'])[] = [
    [
      'my:a',
      "[my:a] orderable - p (long) < '[1,5]' - q (undefined) - list (string) multiple + c (nt:folder) sns",
      'none',
    ],
    ['my:a', '[my:a] orderable - p (long) - q (undefined) - list (string) multiple + c (nt:folder) sns', 'relaxed'],
    ['my:a', '[my:a] orderable - p (undefined) - q (undefined) - list (string) multiple + c (nt:base) sns', 'relaxed'],
    [
      'my:a',
      "[my:a] orderable - p (long) < '[1,5]', '9' - q (undefined) - list (string) multiple - r + c (nt:folder) sns",
      'relaxed',
    ],
    ['my:sub', '[my:a] orderable - p (long) - q (undefined) - list (string) multiple + c (nt:folder) sns', 'relaxed'],
    [
      'my:a',
      "[my:a] orderable - p (long) < '[1,4]' - q (undefined) - list (string) multiple + c (nt:folder) sns",
      'breaking',
    ],
    ['my:a', '[my:a] orderable - p (string) - q (undefined) - list (string) multiple + c (nt:folder) sns', 'breaking'],
    ['my:a', '[my:a] orderable - p (long) - q (string) - list (string) multiple + c (nt:folder) sns', 'breaking'],
    ['my:a', '[my:a] orderable - p (long) - q (undefined) - list (string) + c (nt:folder) sns', 'breaking'],
    [
      'my:a',
      '[my:a] orderable - p (long) mandatory - q (undefined) - list (string) multiple + c (nt:folder) sns',
      'breaking',
    ],
    [
      'my:a',
      '[my:a] orderable - p (long) protected - q (undefined) - list (string) multiple + c (nt:folder) sns',
      'breaking',
    ],
    ['my:a', '[my:a] orderable - p (long) - q (undefined) - list (string) multiple + c (nt:folder)', 'breaking'],
    ['my:a', '[my:a] orderable - p (long) - q (undefined) - list (string) multiple + c (my:sub) sns', 'breaking'],
    ['my:a', '[my:a] - p (long) - q (undefined) - list (string) multiple + c (nt:folder) sns', 'breaking'],
    [
      'my:a',
      '[my:a] abstract orderable - p (long) - q (undefined) - list (string) multiple + c (nt:folder) sns',
      'breaking',
    ],
    [
      'my:sub',
      '[my:a] orderable - p (string) - q (undefined) - list (string) multiple + c (nt:folder) sns',
      'breaking',
    ],
    ['my:open', '[my:open] > nt:unstructured - p (string)', 'breaking'],
    ['my:open', '[my:open] > nt:unstructured - p (undefined) - p (undefined) multiple', 'relaxed'],
    ['my:open', '[my:open] - * (undefined)', 'breaking'],
    ['my:open', '[my:open] > nt:unstructured, mix:title', 'breaking'],
    ['my:open', '[my:open] > nt:unstructured, mix:lockable', 'breaking'],
    ['my:open', '[my:open] > nt:unstructured, nt:hierarchyNode', 'breaking'],
  ];
  for (const [name, text, change] of CHANGES) {
    it(`is ${change} for ${name}: ${text}`, () =>
      assert.equal(changesOf(before, before.with(types(text)), name), change));
  }
});
