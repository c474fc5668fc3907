import assert from 'node:assert/strict';
import { contentTransaction } from '../../../src/content/edit/content-transaction.js';
import { addMixin } from '../../../src/content/edit/mixins.js';
import { nodeOperations } from '../../../src/content/operations.js';
import type { Change } from '../../../src/content/tree/change.js';
import { nodes } from '../../../src/content/tree/node.js';
import { createFile } from '../../../src/content/upload/create-file.js';
import type { Property } from '../../../src/content/value/property.js';
import { MemoryRepository } from '../support/memory-repository.js';

const PATH = '/content/file.txt';
const bytes = (text: string): Property => ({
  type: 'Binary',
  value: { inline: Buffer.from(text).toString('base64'), size: text.length },
});

describe('the entity tag of a file', () => {
  let repository: MemoryRepository;
  let id: string;

  const tag = () => repository.documents.all(nodes).find((one) => one.id === id)?.properties['jcr:etag'];
  const set = (properties: Readonly<Record<string, Property>>) =>
    repository.change((change: Change) => {
      const content = change.at(`${PATH}/jcr:content`);
      change.put({ ...content, properties: { ...content.properties, ...properties } });
    });

  beforeEach(() => {
    repository = new MemoryRepository();
    const content = { inline: Buffer.from('one').toString('base64'), size: 3 };
    id = repository.do(createFile.operation, { path: '/content', name: 'file.txt', content }).nodeId;
    repository.do(addMixin.operation, { path: PATH, mixinType: 'mix:etag' });
  });

  it('is another one each time its content has other bytes', () => {
    const seen = [tag()];
    for (const text of ['two', 'three', 'two']) {
      set({ 'jcr:data': bytes(text) });
      seen.push(tag());
    }
    const values = seen.map((one) => (one !== undefined && 'value' in one ? one.value : undefined));
    assert.equal(new Set(values).size, 4, `expected four tags, but found ${values.join(', ')}`);
  });

  it('is another one where its content is, be it without bytes', () => {
    const before = tag();
    const content = { path: PATH, name: 'jcr:content', nodeType: 'nt:unstructured' };
    repository.do(contentTransaction(nodeOperations), [
      { field: 'deleteNode', input: { path: `${PATH}/jcr:content` } },
      { field: 'createNode', input: content },
    ]);
    assert.notDeepEqual(tag(), before);
  });

  it('stays with the same bytes, whatever else is set', () => {
    const before = tag();
    set({ 'jcr:data': bytes('one'), 'jcr:mimeType': { type: 'String', value: 'text/html' } });
    assert.deepEqual(tag(), before);
  });
});
