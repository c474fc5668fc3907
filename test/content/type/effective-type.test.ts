import assert from 'node:assert/strict';
import {
  autoCreated,
  BUILT_IN_TYPES,
  builtInNamespaces,
  lostProperties,
  readCnd,
  registryOf,
  validateNode,
} from '../../../src/content/index.js';
import { repositoryType } from '../../../src/content/type/validate-node.js';
import type { Property } from '../../../src/content/value/property.js';

const registry = registryOf(
  BUILT_IN_TYPES,
  readCnd(
    `[any] > nt:base - * (undefined)
     [numbers] > nt:base - * (long)
     [m] mixin - p (string) - q (long) - list (string) multiple - own (string) protected
     [one] mixin - v (string) mandatory [many] mixin - v (string) multiple mandatory
     [lax] mixin - v (string) multiple [limited] mixin - v (string) < 'a|b'
     [text] mixin - k (string) protected [date] mixin - k (date)
     [jcrText] mixin - jcr:k (string) [jcrDate] mixin - jcr:k (date)
     [folder] mixin + c (nt:base) = nt:folder autocreated [node] mixin + c (nt:base) = nt:unstructured
     [folderToo] mixin + c (nt:base) = nt:folder autocreated
     [parent] > nt:base + * (nt:folder) + * (nt:hierarchyNode, mix:title)
     [same] > parent + * (nt:folder)
     [wider] > parent + * (nt:folder, mix:title)
     [other] > parent + * (nt:file)
     [demands] > nt:base + c (nt:base) mandatory + d (nt:base) mandatory protected + e (nt:base) sns
     [created] > nt:base - auto (string) = 'x' autocreated - not (string) = 'y'
       - many (string) = 'a' autocreated - many (string) = 'b' multiple autocreated - none (string) protected autocreated
     [kept] > nt:base - jcr:a (string) protected - jcr:c (string) - jcr:b (string) - d (string)
     [closed] > nt:base`,
    builtInNamespaces,
  ).types,
);
const text = (value: string): Property => ({ type: 'String', value });

describe('the types of a node together', () => {
  const lost = (type: string) => {
    const properties: Record<string, Property> = {
      p: text('x'),
      q: { type: 'Long', value: 1 },
      list: { type: 'String', values: ['x'] },
      own: text('x'),
    };
    return lostProperties(registry.effective(type, ['m']), registry.effective(type), properties);
  };
  const LOST: readonly (readonly [string, readonly string[]])[] = [
    ['any', ['list', 'own']],
    ['numbers', ['p', 'list', 'own']],
    ['nt:unstructured', ['own']],
    ['nt:folder', ['p', 'q', 'list', 'own']],
  ];
  for (const [type, names] of LOST)
    it(`lose of ${type} without a mixin ${names.join(', ')}`, () => assert.deepEqual(lost(type), names));

  const FITTING: readonly (readonly string[])[] = [
    ['one', 'lax'],
    ['one', 'limited'],
    ['text', 'date'],
    ['jcrText', 'jcrDate'],
    ['folder', 'node'],
    ['folder', 'folderToo'],
  ];
  for (const mixins of FITTING)
    it(`fit, of ${mixins.join(' and ')}`, () =>
      assert.ok(registry.effective('nt:unstructured', mixins).isA('nt:base')));

  it('do not fit where one property had to have one value and many', () =>
    assert.throws(() => registry.effective('nt:unstructured', ['one', 'many']), {
      code: 'CONFLICT',
      message: /both define 'v' as one mandatory value and as many/,
    }));

  const RESIDUAL: readonly (readonly [string, number])[] = [
    ['parent', 2],
    ['same', 2],
    ['wider', 3],
    ['other', 3],
  ];
  for (const [type, count] of RESIDUAL)
    it(`let ${type} have ${count} definitions of any child`, () =>
      assert.equal(registry.effective(type).childrenNamed('x').length, count));

  it('demand of callers what is not protected, and let names repeat where one definition does', () => {
    const effective = registry.effective('demands');
    assert.deepEqual(
      effective.mandatoryChildren.map(({ name }) => name),
      ['c'],
    );
    assert.equal(effective.sameNameSiblings, true);
    assert.equal(registry.effective('parent').sameNameSiblings, false);
  });

  it('create what is to be created and has a value, each once', () => {
    const context = { userId: 'ann', now: '2020-01-01T00:00:00.000Z', id: 'id', namespaces: builtInNamespaces };
    assert.deepEqual(autoCreated(registry, 'created', [], context).properties, { auto: text('x'), many: text('a') });
    assert.deepEqual(
      autoCreated(registry, 'nt:unstructured', ['mix:referenceable', 'mix:created'], context).properties,
      {
        'jcr:uuid': text('id'),
        'jcr:created': { type: 'Date', value: context.now },
        'jcr:createdBy': text('ann'),
      },
    );
  });

  it('tell what else may be written of the properties that JCR names', () => {
    const message = (type: string, name: string) =>
      validateNode(registry, { type, mixins: [], path: '/a', properties: { [name]: text('x') } })[0]?.message ?? '';
    assert.match(message('kept', 'jcr:a'), /changes it \(of jcr:… it may have jcr:b, jcr:c\)$/);
    assert.match(message('kept', 'jcr:x'), /know no 'jcr:x' \(of jcr:… it may have jcr:b, jcr:c\)$/);
    assert.match(message('kept', 'x'), /know no 'x'$/);
    assert.match(message('closed', 'jcr:x'), /know no 'jcr:x'$/);
  });

  it('tell which child they do not allow', () => {
    const message = (type: string) => {
      const child = { name: 'c', type: 'nt:file', mixins: [], sameNamed: false };
      return validateNode(registry, { type, mixins: [], path: '/a', properties: {}, added: [child] })[0]?.message;
    };
    const none = "expected a child node that 'closed' allows below '/a', but it knows none of the name 'c'";
    assert.equal(message('closed'), none);
    assert.equal(
      message('parent'),
      "expected child node 'c' of '/a' to be 'nt:folder' (by 'parent'), or 'nt:hierarchyNode' and 'mix:title' (by 'parent'), but found 'nt:file'",
    );
  });

  it('are those of the repository where one of them is', () => {
    assert.equal(repositoryType(registry.effective('nt:unstructured')), undefined);
    assert.equal(
      repositoryType(registry.effective('nt:version')),
      "nodes of 'nt:version' are made by the repository alone",
    );
  });
});
