import assert from 'node:assert/strict';
import { createFolder } from '../../../src/content/edit/create-node.js';
import { deleteNode } from '../../../src/content/large/delete-node.js';
import { ContentView } from '../../../src/content/tree/content-view.js';
import { endTreeSetup, ensureStandardTree } from '../../../src/content/tree/standard-tree.js';
import { systemCaller } from '../../../src/shared/caller.js';
import { MemoryRepository } from '../support/memory-repository.js';
import { ADMIN, ANN } from '../support/tree.js';

describe('what every workspace begins with', () => {
  it('is to be filled until that has been done, however often the server starts', () => {
    const repository = new MemoryRepository();
    const start = () => repository.do(ensureStandardTree, null, systemCaller('test'));
    const made = repository.events.length;
    assert.ok(made > 20);
    assert.equal(start(), true);
    assert.deepEqual(repository.events, [], 'all is there');
    repository.do(endTreeSetup, null, systemCaller('test'));
    assert.equal(start(), false);
  });

  it('stays as it was left', () => {
    const repository = new MemoryRepository();
    repository.do(deleteNode.operation, { path: '/etc/eip' });
    repository.do(createFolder.operation, { path: '/content', name: 'a' });
    repository.do(ensureStandardTree, null, systemCaller('test'));
    const at = (path: string) => new ContentView(repository.state(), ADMIN).at(path);
    assert.deepEqual([at('/etc/eip'), at('/content/a')?.name], [undefined, 'a']);
  });

  it('may be read by everybody, but for homes and what the server keeps for itself', () => {
    const view = new ContentView(new MemoryRepository().state(), ANN);
    const shown = ['/', '/content/WEB-INF/processes', '/etc/i18n', '/home', '/home/groups', '/jcr:system'];
    const hidden = ['/home/users', '/var', '/var/jobs'];
    assert.deepEqual(
      [...shown, ...hidden].filter((path) => view.at(path) !== undefined),
      shown,
    );
  });
});
