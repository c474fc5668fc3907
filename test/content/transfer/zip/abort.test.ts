import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { LineSpool, ZipWriter } from '../../../../src/content/transfer/zip/zip-writer.js';
import { FileBlobStore } from '../../../../src/store/index.js';
import { dataFolder } from '../../../support/data-folder.js';

describe('an archive that is given up before anybody reads it', () => {
  it('takes nobody else with it', async () => {
    const folder = dataFolder();
    const lines = new LineSpool(await FileBlobStore.open(folder.path));
    await lines.abort();
    const zip = new ZipWriter();
    zip.abort(new Error('given up'));
    await new Promise(setImmediate);
    await assert.rejects(buffer(zip.output));
    folder.remove();
  });
});
