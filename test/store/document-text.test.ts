import assert from 'node:assert/strict';
import fc from 'fast-check';
import { documentOf, heldDocument, leanOf, textOf, wholeOf } from '../../src/store/document-text.js';
import { collection, type Document } from '../../src/store/index.js';

interface Thing extends Document {
  readonly owner: string | null;
  readonly tags: readonly string[];
  readonly size: { readonly width: number; readonly depth: number | null };
  readonly label: string;
}

const things = collection<Thing>({
  name: 'thing',
  implied: {
    owner: () => null,
    tags: () => [],
    size: () => ({ width: 1, depth: null }),
    label: (it) => `${it.id} of ${it.owner}`,
  },
});

const small: fc.Arbitrary<Thing> = fc.record(
  {
    id: fc.constantFrom('a', 'b'),
    owner: fc.constantFrom(null, '', 'ann'),
    tags: fc.constantFrom<readonly string[]>([], ['']),
    size: fc.record({ width: fc.constantFrom(0, 1), depth: fc.constantFrom(null, 0) }, { noNullPrototype: true }),
    label: fc.constantFrom('a of null', 'b of null', 'a of ann', ''),
  },
  { noNullPrototype: true },
);

describe('the text of a document', () => {
  it('gives the same document back, whatever is implied of it, packed or not', () => {
    fc.assert(
      fc.property(small, fc.boolean(), (thing, packed) => {
        assert.deepEqual(documentOf(things, { id: thing.id, body: textOf({ ...things, packed }, thing) }), thing);
        assert.deepEqual(wholeOf(things, leanOf(things, thing)), thing);
      }),
    );
  });

  it('leaves out what is implied, and leaves the document as it was', () => {
    const thing = { id: 'a', owner: null, tags: [], size: { width: 1, depth: null }, label: 'a of null' };
    const before = structuredClone(thing);
    assert.equal(textOf(things, thing), '{"id":"a"}');
    assert.deepEqual(thing, before);
  });

  it('is shorter where its collection has it packed, and read in either form', () => {
    const packed = collection<Thing>({ name: 'thing', packed: true });
    const id = '01a2056a-2ed3-704e-8b80-028b41ab1cb7';
    const label = '01a2056a-2ed3-704e-8b80-02f8226a412d';
    const thing = { id, owner: id, tags: [label, `${id}:1`], size: { width: 1, depth: null }, label };
    const body = textOf(packed, thing);
    assert.equal(
      body,
      '[0,{"id":"~0","owner":"~0","tags":[0,"~0-02f8226a412d","~0:1"],"size":{"width":1,"depth":null},"label":"~1"}]',
    );
    assert.deepEqual(documentOf(packed, { id, body }), thing);
    assert.deepEqual(documentOf(packed, { id, body: JSON.stringify(thing) }), thing);
  });

  it('is read once by many, who cannot change what they share', () => {
    const held = { id: 'a', body: '{"id":"a"}' };
    const first = heldDocument(things, held);
    assert.equal(heldDocument(things, held), first);
    assert.ok(Object.isFrozen(first));
  });

  it('is read anew each time where readers change documents in place', () => {
    const moving = collection<Thing>({ name: 'thing', mutable: true });
    const held = { id: 'a', body: '{"id":"a"}' };
    assert.notEqual(heldDocument(moving, held), heldDocument(moving, held));
  });
});
