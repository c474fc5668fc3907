import assert from 'node:assert/strict';
import { BUILT_IN_TYPES, namespacesOf, readCnd, registryOf } from '../../../src/content/index.js';
import { fitProperty } from '../../../src/content/type/effective-type.js';
import { childFreezing, frozenProperties } from '../../../src/content/type/opv.js';
import type { Property } from '../../../src/content/value/property.js';

const namespaces = namespacesOf({ my: 'http://example.org/my' });
const registry = registryOf(
  BUILT_IN_TYPES,
  readCnd(
    `[my:a]
       - copy (string) - version (string) version - compute (string) compute - ignore (string) ignore
       - init (string) = 'new' initialize - blank (string) initialize - abort (string) abort
       - n (long) - ns (long) multiple - when (date)
       + copy - copy2 + version version + compute compute + ignore ignore + init initialize + abort abort`,
    namespaces,
  ).types,
);
const effective = registry.effective('my:a');
const text = (value: string): Property => ({ type: 'String', value });

describe('what a version keeps', () => {
  it('of properties follows on-parent-version', () => {
    const properties = Object.fromEntries(
      ['copy', 'version', 'compute', 'ignore', 'init', 'blank', 'undefined'].map((name) => [name, text('old')]),
    );
    assert.deepEqual(frozenProperties({ path: '/a', effective, properties, initial: { init: text('new') } }), {
      copy: text('old'),
      version: text('old'),
      compute: text('old'),
      init: text('new'),
      undefined: text('old'),
    });
  });

  it('keeps properties of any name', () => {
    const properties = JSON.parse(
      '{"__proto__": {"type": "String", "value": "x"}, "constructor": {"type": "String", "value": "y"}}',
    );
    const kept = frozenProperties({
      path: '/a',
      effective: registry.effective('nt:unstructured'),
      properties,
      initial: {},
    });
    assert.deepEqual(Object.keys(kept), ['__proto__', 'constructor']);
  });

  it('is nothing where an item forbids it', () => {
    assert.throws(() => frozenProperties({ path: '/a', effective, properties: { abort: text('x') }, initial: {} }), {
      code: 'CONFLICT',
      message:
        "expected no item that forbids checking in '/a', but its property 'abort' has the on-parent-version ABORT",
    });
    assert.throws(() => childFreezing('/a', effective, 'abort', registry.effective('nt:file')), /child node 'abort'/);
  });

  it('of children follows on-parent-version and their own history', () => {
    const [plain, versionable] = [registry.effective('nt:file'), registry.effective('nt:file', ['mix:versionable'])];
    const of = (name: string, child = plain) => childFreezing('/a', effective, name, child);
    assert.deepEqual(
      ['copy', 'version', 'compute', 'ignore', 'init'].map((name) => of(name)),
      ['copy', 'copy', 'copy', 'none', 'initial'],
    );
    assert.equal(of('version', versionable), 'history');
    assert.equal(of('copy', versionable), 'copy');
  });
});

describe('fitting a property to its types', () => {
  const fitted = (name: string, property: Property) =>
    fitProperty(effective, name, property, { namespaces, what: `'${name}'` });

  it('converts where the name is defined with another type', () => {
    assert.deepEqual(fitted('n', text('42')), { type: 'Long', value: 42 });
    assert.deepEqual(fitted('ns', { type: 'String', values: ['1', '2'] }), { type: 'Long', values: [1, 2] });
    assert.deepEqual(fitted('when', { type: 'Long', value: 0 }), { type: 'Date', value: '1970-01-01T00:00:00.000Z' });
    assert.throws(() => fitted('n', text('x')), { code: 'BAD_REQUEST' });
  });

  it('leaves what fits, and what nothing fits', () => {
    const property = text('x');
    assert.equal(fitted('copy', property), property);
    assert.equal(fitted('unknown', property), property);
    assert.equal(fitted('ns', property), property);
    assert.equal(
      fitProperty(registry.effective('nt:unstructured'), 'any', property, { namespaces, what: 'x' }),
      property,
    );
  });
});
