import assert from 'node:assert/strict';
import { createNode } from '../../../src/content/edit/create-node.js';
import { addMixin } from '../../../src/content/edit/mixins.js';
import { type GivenProperty, type GivenValue, setProperties } from '../../../src/content/edit/set-properties.js';
import { ContentView } from '../../../src/content/tree/content-view.js';
import { createFile } from '../../../src/content/upload/create-file.js';
import { checkin } from '../../../src/content/version/check-in.js';
import { systemCaller } from '../../../src/shared/caller.js';
import { MemoryRepository } from '../support/memory-repository.js';

const PATH = '/content/it';
const text = (value: string): GivenValue => ({ type: 'String', multiple: false, values: [value] });
const texts = (...values: string[]): GivenValue => ({ type: 'String', multiple: true, values });

describe('properties that are set', () => {
  let repository: MemoryRepository;

  const create = (name: string, mixins: readonly string[] = []) =>
    repository.do(createNode.operation, { path: '/content', name, nodeType: 'nt:unstructured', mixins }).nodeId;
  const set = (properties: Readonly<Record<string, GivenValue | null>>, path = PATH) => {
    const given = Object.entries(properties).map(([name, value]): GivenProperty => ({ name, value }));
    return repository.do(setProperties.operation, { path, properties: given }).errors;
  };
  const at = (path = PATH) => new ContentView(repository.state(), systemCaller('test')).at(path) ?? assert.fail(path);

  beforeEach(() => {
    repository = new MemoryRepository();
    create('it');
  });

  it('stay beside others, and go where they are null', () => {
    set({ a: text('one'), b: texts('x', 'y') });
    set({ a: text('two'), c: texts() });
    assert.deepEqual(at().properties, {
      a: { type: 'String', value: 'two' },
      b: { type: 'String', values: ['x', 'y'] },
      c: { type: 'String', values: [] },
    });
    set({ a: null, missing: null });
    assert.deepEqual(Object.keys(at().properties), ['b', 'c']);
  });

  it('are set all or none; each that is refused is told', () => {
    const errors = set({
      good: text('x'),
      'no[name]': text('x'),
      number: { type: 'Long', multiple: false, values: ['x'] },
    });
    assert.deepEqual(
      errors.map(({ propertyName }) => propertyName),
      ['no[name]', 'number'],
    );
    assert.deepEqual(at().properties, {});
  });

  it('fail as they are where that is no refusal', () => {
    const broken = { type: 'String', multiple: false, values: null } as unknown as GivenValue;
    assert.throws(() => set({ good: text('x'), broken }), TypeError);
    assert.deepEqual(at().properties, {});
  });

  it('are those of its content, where the node is a file', () => {
    const content = { inline: 'aGk=', size: 2 };
    repository.do(createFile.operation, { path: '/content', name: 'f', content });
    set({ 'jcr:mimeType': text('text/plain') }, '/content/f');
    const { properties } = at('/content/f/jcr:content');
    assert.deepEqual(properties['jcr:mimeType'], { type: 'String', value: 'text/plain' });
    assert.equal(properties['jcr:lastModifiedBy']?.type, 'String', 'who changes a file is recorded');
  });

  it('keep bytes that are there, by their place', () => {
    const bytes = (...values: unknown[]): GivenValue => ({ type: 'Binary', multiple: true, values });
    const [one, two] = [
      { inline: 'b25l', size: 3 },
      { inline: 'dHdv', size: 3 },
    ];
    set({ data: bytes(one, two) });
    assert.deepEqual(set({ data: bytes({ keepIndex: 1 }, { keepIndex: 0 }) }), []);
    assert.deepEqual(at().properties.data, { type: 'Binary', values: [two, one] });
    const [error] = set({ data: bytes({ keepIndex: 2 }) });
    assert.equal(
      error?.message,
      `expected property 'data' of '${PATH}' to keep one of its 2 binary values, but found keepIndex 2`,
    );
  });

  it('keep bytes alone, and are no nothing', () => {
    set({ text: text('x') });
    const one = (value: unknown): GivenValue => ({ type: 'String', multiple: false, values: [value] });
    const told = (value: GivenValue, name = 'text') => set({ [name]: value })[0]?.message;
    const kept = 'to keep one of its 1 binary values, but found keepIndex 0';
    assert.equal(told(one({ keepIndex: 0 })), `expected property 'text' of '${PATH}' ${kept}`);
    assert.equal(
      told(one({ keepIndex: 0 }), 'new'),
      `expected property 'new' of '${PATH}' to keep one of its 0 binary values, but found keepIndex 0`,
    );
    assert.equal(told(one(null)), `expected property 'text' of '${PATH}' to be text, but found null`);
    assert.match(told(one({ uploadId: 'none' })) ?? '', /none/);
  });

  it('refer to nodes that are there and may be referred to', () => {
    const refer = (id: string) => set({ to: { type: 'Reference', multiple: false, values: [id] } });
    assert.match(refer('nowhere')[0]?.message ?? '', /there is none with the identifier 'nowhere'/);
    assert.match(refer(create('plain'))[0]?.message ?? '', /to a referenceable node, but '\/content\/plain' is not/);
    assert.deepEqual(refer(create('target', ['mix:referenceable'])), []);
  });

  it('are not those that the repository sets itself', () => {
    repository.do(addMixin.operation, { path: PATH, mixinType: 'mix:created' });
    const [error] = set({ 'jcr:createdBy': text('somebody') });
    assert.equal(error?.propertyName, 'jcr:createdBy');
  });

  it('stay while their node is checked in', () => {
    repository.do(addMixin.operation, { path: PATH, mixinType: 'mix:versionable' });
    create('other');
    repository.do(checkin.operation, { path: PATH });
    assert.throws(() => set({ a: text('x') }), {
      code: 'CONFLICT',
      message: `expected '${PATH}' to be checked out, but it is checked in`,
    });
    assert.deepEqual(set({ a: text('x') }, '/content/other'), []);
  });

  it('may change while their node is checked in, where no version keeps them', () => {
    repository.register(`
      [noted] > nt:base, mix:versionable
        - note (string) ignore - kept (string)
        - some (string) ignore - some (string) multiple
        - seen (string) ignore protected`);
    repository.do(createNode.operation, { path: '/content', name: 'noted', nodeType: 'noted' });
    const path = '/content/noted';
    repository.do(checkin.operation, { path });
    assert.deepEqual(set({ note: text('new') }, path), []);
    assert.deepEqual(at(path).properties.note, { type: 'String', value: 'new' });
    for (const properties of [
      { kept: text('x') },
      { note: text('x'), kept: text('x') },
      { some: text('x') },
      { seen: text('x') },
      { unknown: text('x') },
      { 'no[name]': text('x') },
    ])
      assert.throws(() => set(properties, path), { code: 'CONFLICT' }, JSON.stringify(properties));
  });

  it('may change below a checked-in node in what its versions leave out', () => {
    repository.register(`
      [open] > nt:base, mix:versionable + left (nt:base) = nt:unstructured ignore + kept (nt:base) = nt:unstructured`);
    repository.do(createNode.operation, { path: '/content', name: 'open', nodeType: 'open' });
    const made = ['left', 'left/below', 'kept', 'kept/left'].map((path) => `/content/open/${path}`);
    for (const path of made) {
      const at = path.lastIndexOf('/');
      const place = { path: path.slice(0, at), name: path.slice(at + 1) };
      repository.do(createNode.operation, { ...place, nodeType: 'nt:unstructured' });
    }
    repository.do(checkin.operation, { path: '/content/open' });
    const [left, below, kept, inKept] = made as [string, string, string, string];
    for (const path of [left, below]) assert.deepEqual(set({ a: text('x') }, path), [], path);
    for (const path of ['/content/open', kept, inKept])
      assert.throws(() => set({ a: text('x') }, path), { code: 'CONFLICT' }, path);
  });

  it('are of the version that the client has read', () => {
    const { version } = at();
    const send = (expectedVersion: number) =>
      repository.do(setProperties.operation, {
        path: PATH,
        properties: [{ name: 'a', value: text('x') }],
        expectedVersion,
      });
    assert.throws(() => send(version + 1), { code: 'CONFLICT' });
    assert.deepEqual(send(version).errors, []);
    assert.throws(() => send(version), { code: 'CONFLICT' });
  });
});
