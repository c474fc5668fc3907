import assert from 'node:assert/strict';
import type { Caller } from '../../../src/shared/caller.js';
import { openSubject } from '../support/open-subject.js';
import { ADMIN, ANN } from '../support/tree.js';

describe('a file', () => {
  const subject = openSubject();

  const create = (name: string, more: object = {}) =>
    subject.send('createFile', { path: '/content', name, content: { inline: 'dGV4dA==', size: 4 }, ...more }, ADMIN);
  const grant = (path: string, privilege: string, allow = true) =>
    subject.send('setAccessControl', { path, principal: 'ann', privileges: [privilege], allow }, ADMIN);
  const complete = async (name: string, more: object = {}, by: Caller = ADMIN) => {
    const { uploadId } = (await subject.send('initiateMultipartUpload', {}, by)) as { uploadId: string };
    const input = { uploadId, path: '/content', name, mimeType: 'text/css', ...more };
    try {
      await subject.send('completeMultipartUpload', input, by);
    } finally {
      await subject.send('abortMultipartUpload', { uploadId }, by);
    }
  };
  const content = (name: string) => {
    const { properties } = subject.view(ADMIN).require(`/content/${name}/jcr:content`);
    const [type, data] = [properties['jcr:mimeType'], properties['jcr:data']] as { value: { size: number } }[];
    return [type?.value, data?.value.size];
  };

  it('has the media type that it is given, or that of any bytes', async () => {
    await create('given', { mimeType: 'text/plain' });
    await create('empty', { mimeType: '' });
    await create('none');
    assert.deepEqual(content('given'), ['text/plain', 4]);
    for (const name of ['empty', 'none']) assert.deepEqual(content(name), ['application/octet-stream', 4]);
  });

  it('is overwritten only where that is wanted, and keeps its media type', async () => {
    await create('page', { mimeType: 'text/html' });
    for (const more of [{}, { overwrite: false }])
      await assert.rejects(complete('page', more), { code: 'BAD_REQUEST', info: { reason: 'node_exists' } });
    assert.deepEqual(content('page'), ['text/html', 4]);
    await complete('page', { overwrite: true });
    assert.deepEqual(content('page'), ['text/html', 0]);
    await complete('new', { overwrite: true });
    assert.deepEqual(content('new'), ['text/css', 0]);
  });

  it('is the only thing that is overwritten, by whoever may read its content', async () => {
    await subject.send('createNode', { path: '/content', name: 'like', nodeType: 'nt:unstructured' }, ADMIN);
    const like = { path: '/content/like', name: 'jcr:content', nodeType: 'nt:unstructured' };
    await subject.send('createNode', like, ADMIN);
    await subject.send('createFolder', { path: '/content', name: 'folder' }, ADMIN);
    for (const name of ['like', 'folder'])
      await assert.rejects(complete(name, { overwrite: true }), { code: 'BAD_REQUEST', message: /to be a file/ });
    await create('shut');
    await grant('/content', 'jcr:all');
    await grant('/content/shut/jcr:content', 'read', false);
    await assert.rejects(complete('shut', { overwrite: true }, ANN), { code: 'BAD_REQUEST', message: /to be a file/ });
  });
});
