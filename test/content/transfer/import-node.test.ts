import assert from 'node:assert/strict';
import { type ImportContext, importedNode } from '../../../src/content/transfer/import-node.js';
import type { GivenProperty, ImportRecord } from '../../../src/content/transfer/records.js';
import { typesOf } from '../../../src/content/tree/stored-types.js';
import type { PropertyType } from '../../../src/content/value/property.js';
import { MemoryRepository } from '../support/memory-repository.js';

const NOW = Date.UTC(2030, 0, 1);
const LONG_AGO = '2001-02-03T04:05:06.000Z';
const CND = `
[stamped] > nt:unstructured, mix:created, mix:lastModified, mix:etag
[defaulted]
- color (string) = 'red' autocreated
- kept (string) protected`;
const repository = new MemoryRepository();
repository.register(CND);
const types = typesOf(repository.state());

const context = (more: Partial<ImportContext> = {}): ImportContext => ({
  types,
  userId: 'ann',
  now: NOW,
  preserveTimestamps: true,
  preserveAuthors: true,
  idOf: (archived) => (archived === 'there' ? 'here' : undefined),
  bytesOf: () => ({ inline: Buffer.from('bytes').toString('base64'), size: 5 }),
  mimeTypeOf: ({ path }) => `type/${path}`,
  ...more,
});
const single = (type: PropertyType, given: unknown): GivenProperty => ({ type, multiple: false, values: [{ given }] });
const made = (record: Partial<ImportRecord>, more?: Partial<ImportContext>) =>
  importedNode(context(more), 'own', {
    path: 'f',
    id: null,
    type: 'nt:unstructured',
    mixins: [],
    properties: {},
    isDescribed: true,
    ...record,
  });

describe('a node as an import makes it', () => {
  it('has what the archive says, and what its types make', () => {
    const properties = { kept: single('String', 'k'), mine: single('Long', '7') };
    assert.deepEqual(made({ type: 'defaulted', properties }), {
      id: 'own',
      type: 'defaulted',
      mixins: [],
      properties: {
        color: { type: 'String', value: 'red' },
        kept: { type: 'String', value: 'k' },
        mine: { type: 'Long', value: 7 },
      },
    });
    const { color } = made({ type: 'defaulted', properties: { color: single('String', 'blue') } }).properties;
    assert.deepEqual(color, { type: 'String', value: 'blue' });
  });

  it('has lists and single values, as they are', () => {
    const list = (...given: unknown[]): GivenProperty => ({
      type: 'Long',
      multiple: true,
      values: given.map((one) => ({ given: one })),
    });
    const { properties } = made({
      properties: { none: list(), one: list(1), two: list(1, '2'), alone: single('Long', 1) },
    });
    assert.deepEqual(properties, {
      none: { type: 'Long', values: [] },
      one: { type: 'Long', values: [1] },
      two: { type: 'Long', values: [1, 2] },
      alone: { type: 'Long', value: 1 },
    });
  });

  it('names, in a refusal, the property and its node', () => {
    assert.throws(() => made({ properties: { p: single('Long', 'x') } }), {
      message: /expected property 'p' of 'f' to be/,
    });
    assert.throws(() => made({ properties: { 'no:p': single('Long', 1) } }), {
      message: /expected property of 'f' to be a name/,
    });
  });

  it('refers to what the nodes of the archive have become, and by no other type', () => {
    const { properties } = made({
      properties: {
        strong: { type: 'Reference', multiple: true, values: [{ given: 'there' }, { given: 'elsewhere' }] },
        weak: single('WeakReference', 'there'),
        text: single('String', 'there'),
      },
    });
    assert.deepEqual(properties, {
      strong: { type: 'Reference', values: ['here', 'elsewhere'] },
      weak: { type: 'WeakReference', value: 'here' },
      text: { type: 'String', value: 'there' },
    });
  });

  it('has bytes of entries as they are, and as text where the property is one', () => {
    const entry = {} as never;
    const properties = (type: PropertyType) => ({ p: { type, multiple: false, values: [{ entry }] } });
    assert.deepEqual(made({ properties: properties('Binary') }).properties.p, {
      type: 'Binary',
      value: { inline: 'Ynl0ZXM=', size: 5 },
    });
    assert.deepEqual(made({ properties: properties('String') }).properties.p, { type: 'String', value: 'bytes' });
    const blob = { blob: 'ff', size: 20_000 };
    const large = made({ properties: properties('String') }, { bytesOf: () => blob });
    assert.deepEqual(large.properties.p, { type: 'String', value: blob });
  });

  it('has a media type by its name where the archive is plain, and is one that has bytes', () => {
    const data = { 'jcr:data': single('Binary', 'AAEC') };
    const mimeType = (record: Partial<ImportRecord>) => made(record).properties['jcr:mimeType'];
    assert.deepEqual(mimeType({ isDescribed: false, properties: data }), { type: 'String', value: 'type/f' });
    assert.equal(mimeType({ isDescribed: true, properties: data }), undefined);
    assert.equal(mimeType({ isDescribed: false }), undefined);
  });

  it('keeps no identifier but its own', () => {
    const properties = { 'jcr:uuid': single('String', 'foreign') };
    const uuid = (mixins: string[]) => made({ mixins, properties }).properties['jcr:uuid'];
    assert.deepEqual(uuid(['mix:referenceable']), { type: 'String', value: 'own' });
    assert.deepEqual(made({ mixins: ['mix:referenceable'] }).properties['jcr:uuid'], { type: 'String', value: 'own' });
    assert.equal('jcr:uuid' in made({}).properties, false);
  });

  it('leaves locks and versions where they are', () => {
    const { mixins, properties } = made({
      mixins: ['mix:versionable', 'mix:title', 'mix:title'],
      properties: { 'jcr:lockOwner': single('String', 'bob'), 'jcr:isCheckedOut': single('Boolean', 'false') },
    });
    assert.deepEqual(mixins, ['mix:title', 'mix:referenceable']);
    assert.deepEqual(Object.keys(properties), ['jcr:uuid']);
  });

  describe('of which its types keep who made it, and when', () => {
    const properties = {
      'jcr:created': single('Date', LONG_AGO),
      'jcr:createdBy': single('String', 'mozart'),
      'jcr:lastModified': single('Date', LONG_AGO),
      'jcr:lastModifiedBy': single('String', 'mozart'),
      'jcr:etag': single('String', 'e'),
    };
    const told = (preserveTimestamps: boolean, preserveAuthors: boolean) => {
      const node = made({ type: 'stamped', properties }, { preserveTimestamps, preserveAuthors });
      return Object.keys(properties).map((name) => Object.values(node.properties[name] ?? {})[1]);
    };
    const now = new Date(NOW).toISOString();
    const etag = `"own-${now}"`;

    it('is told by the archive as far as its reader may tell it, and wants it', () => {
      assert.deepEqual(told(true, true), [LONG_AGO, 'mozart', LONG_AGO, 'mozart', 'e']);
      assert.deepEqual(told(true, false), [LONG_AGO, 'ann', LONG_AGO, 'ann', 'e']);
      assert.deepEqual(told(false, true), [now, 'ann', now, 'ann', etag]);
      assert.deepEqual(told(false, false), [now, 'ann', now, 'ann', etag]);
    });

    it('is anybody’s to tell where types do not keep it', () => {
      const node = made({ properties }, { preserveTimestamps: false, preserveAuthors: false });
      assert.deepEqual(node.properties['jcr:createdBy'], { type: 'String', value: 'mozart' });
      assert.deepEqual(node.properties['jcr:created'], { type: 'Date', value: LONG_AGO });
      const unknown = made({ type: 'defaulted', properties }, { preserveTimestamps: false, preserveAuthors: false });
      assert.deepEqual(Object.keys(unknown.properties), ['color', ...Object.keys(properties)]);
    });

    it('has nothing to do with what else types keep', () => {
      const { kept } = made(
        { type: 'defaulted', properties: { kept: single('String', 'k') } },
        { preserveTimestamps: false },
      ).properties;
      assert.deepEqual(kept, { type: 'String', value: 'k' });
    });
  });
});
