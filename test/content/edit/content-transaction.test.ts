import assert from 'node:assert/strict';
import { contentTransaction, type TransactionStep } from '../../../src/content/edit/content-transaction.js';
import { nodeOperations } from '../../../src/content/operations.js';
import { contentOperation } from '../../../src/content/tree/content-operation.js';
import { ContentView } from '../../../src/content/tree/content-view.js';
import { systemCaller } from '../../../src/shared/caller.js';
import { ServiceError } from '../../../src/shared/errors.js';
import { MemoryRepository } from '../support/memory-repository.js';

const transaction = contentTransaction(nodeOperations);

describe('several operations as one commit', () => {
  let repository: MemoryRepository;

  const send = (...steps: readonly (readonly [field: string, input: object])[]) =>
    repository.do(
      transaction,
      steps.map(([field, input]): TransactionStep => ({ field, input })),
    );
  const at = (path: string) => new ContentView(repository.state(), systemCaller('test')).at(path);
  const folder = (path: string, name: string) => ['createFolder', { path, name }] as const;
  const refused = (work: () => unknown, told: { code: string; index: number; field: string }) =>
    assert.throws(work, (thrown: { code?: string; message: string; info?: { details?: object } }) => {
      const { index, field } = (thrown.info?.details ?? {}) as { index?: number; field?: string };
      assert.deepEqual({ code: thrown.code, index, field }, told);
      assert.ok(thrown.message.startsWith(`operations[${told.index}].${told.field}: `), thrown.message);
      return true;
    });

  beforeEach(() => {
    repository = new MemoryRepository();
  });

  it('see what the ones before them did', () => {
    const answers = send(folder('/content', 'a'), folder('/content/a', 'b'));
    assert.deepEqual(
      answers.map(({ field, answer }) => [field, answer]),
      [
        ['createFolder', { nodeId: at('/content/a')?.id }],
        ['createFolder', { nodeId: at('/content/a/b')?.id }],
      ],
    );
  });

  it('are all refused with the first that is, which is named', () => {
    const work = () => send(folder('/content', 'a'), folder('/content', 'a'), folder('/content', 'c'));
    refused(work, { code: 'ALREADY_EXISTS', index: 1, field: 'createFolder' });
    assert.equal(at('/content/a'), undefined);
    assert.equal(at('/content/c'), undefined);
  });

  it('are refused where properties of one are', () => {
    const value = { type: 'Long' as const, multiple: false, values: ['no number'] };
    const work = () =>
      send(folder('/content', 'a'), ['setProperties', { path: '/content', properties: [{ name: 'x', value }] }]);
    refused(work, { code: 'BAD_REQUEST', index: 1, field: 'setProperties' });
    assert.equal(at('/content/a'), undefined);
  });

  it('tell of what was refused as the operation by itself does', () => {
    const value = { type: 'Long' as const, multiple: false, values: ['no number'] };
    const work = () => send(['setProperties', { path: '/content', properties: [{ name: 'x', value }] }]);
    assert.throws(work, (thrown: { info?: { details?: { errors?: readonly { propertyName: string }[] } } }) => {
      assert.deepEqual(
        thrown.info?.details?.errors?.map(({ propertyName }) => propertyName),
        ['x'],
      );
      return true;
    });
  });

  it('tell what is refused with what the refusal itself tells, be that nothing', () => {
    for (const details of [undefined, null, 'text', { why: 'x' }]) {
      const broken = contentOperation('broken', (): never => {
        throw new ServiceError('CONFLICT', 'not now', details === undefined ? {} : { details });
      });
      const work = () => repository.do(contentTransaction({ broken }), [{ field: 'broken', input: {} }]);
      const told = { ...(typeof details === 'object' && details), index: 0, field: 'broken' };
      assert.throws(work, (thrown: ServiceError) => {
        assert.deepEqual(thrown.info.details, told);
        return true;
      });
    }
  });

  it('fail as they are where that is no refusal', () => {
    const fault = new TypeError('a fault of the server');
    const broken = contentOperation('broken', (): never => {
      throw fault;
    });
    const work = () => repository.do(contentTransaction({ broken }), [{ field: 'broken', input: {} }]);
    assert.throws(work, (thrown) => thrown === fault);
  });

  it('may lack on the way what types demand at the end', () => {
    const file = { path: '/content', name: 'f', nodeType: 'nt:file' };
    refused(() => send(['createNode', file]), { code: 'BAD_REQUEST', index: 0, field: 'createNode' });
    const data = { type: 'Binary' as const, multiple: false, values: [{ inline: 'aGk=', size: 2 }] };
    const content = { path: '/content/f', name: 'jcr:content', nodeType: 'nt:resource' };
    send(['createNode', file], ['createNode', { ...content, properties: [{ name: 'jcr:data', value: data }] }]);
    assert.notEqual(at('/content/f/jcr:content'), undefined);
    const taken = { path: '/content/g/jcr:content' };
    const other = { ...file, name: 'g' };
    const inOther = { ...content, path: '/content/g', properties: [{ name: 'jcr:data', value: data }] };
    const took = { code: 'BAD_REQUEST', index: 2, field: 'deleteNode' };
    refused(() => send(['createNode', other], ['createNode', inOther], ['deleteNode', taken]), took);
  });

  it('may remove nodes that refer to each other', () => {
    const node = (name: string) => ({
      path: '/content',
      name,
      nodeType: 'nt:unstructured',
      mixins: ['mix:referenceable'],
    });
    send(['createNode', node('one')], ['createNode', node('two')]);
    const refer = (from: string, to: string) => {
      const value = { type: 'Reference' as const, multiple: false, values: [at(to)?.id] };
      send(['setProperties', { path: from, properties: [{ name: 'to', value }] }]);
    };
    refer('/content/one', '/content/two');
    refer('/content/two', '/content/one');
    refused(() => send(['deleteNode', { path: '/content/one' }]), { code: 'CONFLICT', index: 0, field: 'deleteNode' });
    send(['deleteNode', { path: '/content/one' }], ['deleteNode', { path: '/content/two' }]);
    assert.equal(at('/content/one'), undefined);
    assert.equal(at('/content/two'), undefined);
  });

  it('are one to a hundred, each of them known', () => {
    assert.throws(() => send(), { message: 'expected at least one operation, but there is none' });
    const many = (count: number) => Array.from({ length: count }, (_, i) => folder('/content', `n${i}`));
    assert.throws(() => send(...many(101)), { code: 'LIMIT_EXCEEDED' });
    assert.equal(send(...many(100)).length, 100);
    refused(() => send(['toString', {}]), { code: 'BAD_REQUEST', index: 0, field: 'toString' });
  });
});
