import assert from 'node:assert/strict';
import {
  autoCreated,
  BUILT_IN_TYPES,
  builtInNamespaces,
  lostProperties,
  type NodeFacts,
  namespacesOf,
  readCnd,
  registryOf,
  validateNode,
} from '../../../src/content/index.js';
import type { Property } from '../../../src/content/value/property.js';

const text = (value: string): Property => ({ type: 'String', value });
const long = (value: number): Property => ({ type: 'Long', value });
const data: Property = { type: 'Binary', value: { inline: '', size: 0 } };

const namespaces = namespacesOf({ my: 'http://example.org/my' });
const CND = `
[my:thing] > nt:hierarchyNode
  - my:size (long) < '[0,10]'
  - my:tags (string) multiple < 'a.*', 'b'
  - my:kind (name) < 'nt:file'
  - my:where (path) < '/content/*', '/other'
  - my:home (reference) < 'nt:folder'
  - my:when (date) < '[2020-01-01T00:00:00.000Z,)'
  - my:blob (binary) < '(,100]'
  - my:sure (boolean) < 'true'
  - my:id (string) protected
  - my:need (string) mandatory
  + my:child (nt:folder)
  + my:many (nt:base) sns
[my:parent] > nt:unstructured
  + my:first (nt:unstructured) = nt:unstructured mandatory autocreated
[my:fixed]
[my:defaults] - my:n (long) = 5 a - my:l = 'a', 'b' a multiple - my:u (undefined) = 'x' a - my:b (binary) = 'x' a
`;
const registry = registryOf(BUILT_IN_TYPES, readCnd(CND, namespaces).types);
const rules = (facts: Partial<NodeFacts>) =>
  validateNode(registry, { path: '/a', type: 'my:thing', mixins: [], properties: {}, ...facts }).map(
    ({ item, rule }) => `${rule} ${item}`,
  );
const ofThing = (properties: Record<string, Property>) =>
  rules({ properties: { 'my:need': text('x'), ...properties } });

describe('validating a node', () => {
  it('finds nothing wrong with a file', () => {
    assert.deepEqual(rules({ type: 'nt:file', hasChild: (name) => name === 'jcr:content' }), []);
    assert.deepEqual(rules({ type: 'nt:resource', properties: { 'jcr:data': data, 'my:any': long(1) } }), []);
    assert.deepEqual(rules({ type: 'nt:folder', properties: { anything: { type: 'Long', values: [1, 2] } } }), []);
  });

  it('misses what is mandatory', () => {
    assert.deepEqual(rules({ type: 'nt:file', hasChild: () => false }), ['mandatory_child jcr:content']);
    assert.deepEqual(rules({ type: 'nt:resource' }), ['mandatory_property jcr:data']);
    assert.deepEqual(rules({}), ['mandatory_property my:need']);
  });

  it('leaves what is protected to the repository', () => {
    assert.deepEqual(rules({ type: 'nt:unstructured', mixins: ['mix:versionable'] }), []);
    assert.deepEqual(ofThing({ 'my:id': text('1') }), ['protected_property my:id']);
    assert.deepEqual(rules({ properties: { 'my:need': text('x'), 'my:id': text('1') }, changed: ['my:need'] }), []);
    assert.deepEqual(rules({ properties: { 'my:need': text('x') }, changed: ['my:id'] }), ['protected_property my:id']);
    assert.deepEqual(rules({ properties: { 'my:need': text('x'), 'my:id': text('1') }, protectedAllowed: true }), []);
  });

  it('looks at every property when the types change, but holds only the touched ones for touched', () => {
    const stored = { 'my:need': text('x'), 'my:id': text('1'), 'my:size': text('no') };
    assert.deepEqual(rules({ properties: stored, changed: [] }), []);
    assert.deepEqual(rules({ properties: stored, changed: [], typesChanged: true }), ['property_type my:size']);
    assert.deepEqual(rules({ properties: stored, changed: ['my:id'], typesChanged: true }), [
      'protected_property my:id',
      'property_type my:size',
    ]);
  });

  it('tells an unknown property from one of another type or number', () => {
    assert.deepEqual(ofThing({ 'my:other': text('1') }), ['undefined_property my:other']);
    assert.deepEqual(ofThing({ 'my:size': text('1') }), ['property_type my:size']);
    assert.deepEqual(ofThing({ 'my:size': { type: 'Long', values: [1] } }), ['property_multiplicity my:size']);
    assert.deepEqual(ofThing({ 'my:tags': text('a') }), ['property_multiplicity my:tags']);
  });

  it('keeps a named property from slipping through a residual definition', () => {
    assert.deepEqual(rules({ type: 'nt:folder', mixins: ['mix:title'], properties: { 'jcr:title': long(1) } }), [
      'property_type jcr:title',
    ]);
  });

  const CONSTRAINTS: readonly (readonly [string, Property, boolean])[] = [
    ['my:size', long(0), true],
    ['my:size', long(10), true],
    ['my:size', long(11), false],
    ['my:size', long(-1), false],
    ['my:tags', { type: 'String', values: ['abc', 'b'] }, true],
    ['my:tags', { type: 'String', values: ['abc', 'bb'] }, false],
    ['my:tags', { type: 'String', values: [] }, true],
    ['my:kind', { type: 'Name', value: 'nt:file' }, true],
    ['my:kind', { type: 'Name', value: 'nt:folder' }, false],
    ['my:where', { type: 'Path', value: '/content/a/b' }, true],
    ['my:where', { type: 'Path', value: '/other' }, true],
    ['my:where', { type: 'Path', value: '/other/a' }, false],
    ['my:when', { type: 'Date', value: '2020-01-01T09:00:00.000+09:00' }, true],
    ['my:when', { type: 'Date', value: '2020-01-01T08:59:59.999+09:00' }, false],
    ['my:blob', { type: 'Binary', value: { blob: 'ff', size: 100 } }, true],
    ['my:blob', { type: 'Binary', value: { blob: 'ff', size: 101 } }, false],
    ['my:sure', { type: 'Boolean', value: true }, true],
    ['my:sure', { type: 'Boolean', value: false }, false],
  ];
  for (const [name, property, holds] of CONSTRAINTS) {
    it(`${holds ? 'takes' : 'refuses'} ${JSON.stringify(property)} as ${name}`, () => {
      assert.deepEqual(ofThing({ [name]: property }), holds ? [] : [`value_constraint ${name}`]);
    });
  }

  it('asks for the type of a reference’s target', () => {
    const properties = { 'my:need': text('x'), 'my:home': { type: 'Reference', value: 'id1' } as const };
    assert.deepEqual(rules({ properties, targetIsA: (id, type) => id === 'id1' && type === 'nt:folder' }), []);
    assert.deepEqual(rules({ properties, targetIsA: () => false }), ['value_constraint my:home']);
  });

  it('checks children by name, type and number', () => {
    const add = (name: string, type: string, sameNamed = false) =>
      rules({ properties: { 'my:need': text('x') }, added: [{ name, type, sameNamed }] });
    assert.deepEqual(add('my:child', 'nt:folder'), []);
    assert.deepEqual(add('my:child', 'nt:file'), ['child_type my:child']);
    assert.deepEqual(add('my:child', 'nt:folder', true), ['same_name_siblings my:child']);
    assert.deepEqual(add('my:many', 'nt:file', true), []);
    assert.deepEqual(add('other', 'nt:file'), ['child_type other']);
    assert.deepEqual(rules({ type: 'nt:folder', added: [{ name: 'x', type: 'nt:unstructured', sameNamed: false }] }), [
      'child_type x',
    ]);
    assert.deepEqual(rules({ type: 'nt:frozenNode', added: [{ name: 'x', type: 'nt:file', sameNamed: false }] }), [
      'protected_child x',
    ]);
    assert.deepEqual(rules({ type: 'nt:frozenNode', removed: [{ name: 'x', type: 'nt:file' }] }), [
      'protected_child x',
    ]);
  });

  it('is not misled by names that every object knows', () => {
    for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      assert.deepEqual(rules({ type: 'nt:folder', changed: [name] }), []);
      assert.deepEqual(ofThing(Object.fromEntries([[name, text('x')]])), [`undefined_property ${name}`]);
    }
    const odd = registry.with(readCnd("[my:odd] - constructor (string) = 'x' a", namespaces).types);
    const context = { userId: 'u', now: '', id: 'id', namespaces };
    assert.deepEqual(Object.entries(autoCreated(odd, 'my:odd', [], context).properties), [['constructor', text('x')]]);
  });

  it('refuses abstract and unknown types', () => {
    assert.deepEqual(rules({ type: 'nt:hierarchyNode' }), ['abstract_type null']);
    assert.throws(() => rules({ type: 'no:such' }), /there is no 'no:such'/);
    assert.throws(() => rules({ type: 'mix:title' }), /found the mixin 'mix:title'/);
    assert.throws(() => rules({ type: 'nt:file', mixins: ['nt:folder'] }), /expected a mixin/);
  });

  it('says in words what is wrong', () => {
    const [problem] = validateNode(registry, {
      path: '/a/b',
      type: 'my:thing',
      mixins: [],
      properties: { 'my:need': text('x'), 'my:size': long(11) },
    });
    assert.equal(
      problem?.message,
      "expected property 'my:size' of '/a/b' to satisfy '[0,10]' of 'my:thing', but found '11'",
    );
  });
});

describe('what goes with a mixin', () => {
  const properties = { 'jcr:uuid': text('id'), 'jcr:title': text('t') };

  const lost = (type: string, left: readonly string[]) =>
    lostProperties(
      registry.effective(type, ['mix:referenceable', 'mix:title']),
      registry.effective(type, left),
      properties,
    );

  it('is its protected properties, also where a residual definition would keep them', () => {
    for (const type of ['my:fixed', 'nt:unstructured', 'nt:folder'])
      assert.deepEqual(lost(type, ['mix:title']), ['jcr:uuid']);
  });

  it('is what else it defines, unless another type takes that too', () => {
    for (const type of ['my:fixed', 'nt:file', 'nt:folder', 'nt:resource'])
      assert.deepEqual(lost(type, ['mix:referenceable']), ['jcr:title']);
    assert.deepEqual(lost('nt:unstructured', ['mix:referenceable']), []);
    assert.deepEqual(lost('nt:folder', ['mix:referenceable', 'mi:anyProperties']), []);
  });
});

describe('what comes with a new node', () => {
  const context = { userId: 'u', now: '2026-01-01T00:00:00.000Z', id: 'id', namespaces: builtInNamespaces };

  it('is computed or the default', () => {
    assert.deepEqual(autoCreated(registry, 'nt:folder', ['mix:referenceable'], context), {
      properties: {
        'jcr:created': { type: 'Date', value: context.now },
        'jcr:createdBy': { type: 'String', value: 'u' },
        'jcr:uuid': { type: 'String', value: 'id' },
      },
      children: [],
    });
    assert.deepEqual(Object.keys(autoCreated(registry, 'nt:resource', ['mix:etag'], context).properties).sort(), [
      'jcr:etag',
      'jcr:lastModified',
      'jcr:lastModifiedBy',
    ]);
    assert.deepEqual(autoCreated(registry, 'my:defaults', [], context).properties, {
      'my:n': { type: 'Long', value: 5 },
      'my:l': { type: 'String', values: ['a', 'b'] },
      'my:u': { type: 'String', value: 'x' },
      'my:b': { type: 'Binary', value: { inline: 'eA==', size: 1 } },
    });
    assert.deepEqual(autoCreated(registry, 'my:parent', [], context).children, [
      { name: 'my:first', type: 'nt:unstructured' },
    ]);
  });
});
