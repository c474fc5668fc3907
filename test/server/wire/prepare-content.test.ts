import assert from 'node:assert/strict';
import { join } from 'node:path';
import { PackageFiles } from '../../../src/server/package-files.js';
import { prepareContent } from '../../../src/server/wire/content-domain.js';
import { FileBlobStore } from '../../../src/store/index.js';
import { type ContentStore, contentStore } from '../../support/content-store.js';
import { type DataFolder, dataFolder } from '../../support/data-folder.js';

const PAGE = '/content/index.html';

describe('what a new workspace begins with', () => {
  let folder: DataFolder;
  let blobs: FileBlobStore;
  let store: ContentStore; // its tree has been made, and no more
  beforeEach(async () => {
    folder = dataFolder();
    blobs = await FileBlobStore.open(join(folder.path, 'blobs'));
    store = await contentStore({ folder: folder.path });
  });
  afterEach(async () => {
    await store.close();
    folder.remove();
  });

  const start = () => prepareContent({ content: store.content, blobs, system: () => store.partition }, store.partition);
  /** Whether it was there. */
  const remove = () => store.run(store.content.nodes.deleteNode, { path: PAGE });

  it('is put in by the next start where the first one was cut off behind the standard tree', async () => {
    await start();
    assert.equal(await remove(), true);
  });

  it('is completed by the next start where the first one was cut off among the files', async () => {
    await new PackageFiles(store.content, blobs).addTemplate(store.partition);
    await start();
    assert.deepEqual([await remove(), await remove()], [true, false]);
  });

  it("is the users' from then on: what they delete is not put back", async () => {
    await start();
    await remove();
    await start();
    assert.equal(await remove(), false);
  });
});
