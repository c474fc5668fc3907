import assert from 'node:assert/strict';
import type { NodeChanged } from '../../../src/content/index.js';
import {
  changerOf,
  changesIn,
  fileChanges,
  noteChange,
  takenBack,
} from '../../../src/server/content-deployment/file-changers.js';
import { Harness } from '../../support/harness.js';

const FILE = { nodeId: 'file', path: '/etc/eip/routes/shop/a.yaml' };

describe('who changed a file', () => {
  let harness: Harness;
  let revision = 0;
  beforeEach(() => {
    harness = new Harness();
    revision = 0;
  });

  const changed = (userId: string, eventType: NodeChanged['eventType'], node = FILE) => {
    revision++;
    const data = { identifier: node.nodeId, path: node.path, eventType, userId, nodeType: 'nt:file' };
    const event = { ...data, sourcePath: null, timestamp: 0, before: null };
    harness.documents.apply(noteChange(harness.state(), event, revision));
  };
  const folder = { nodeId: 'folder', path: '/etc/eip/routes/shop' };
  const changer = () => changerOf(changesIn(harness.state()), FILE);

  it('is the user of its changes', () => {
    assert.deepEqual(changer(), { userId: null, isChanged: false });
    changed('ann', 'CREATED');
    changed('ann', 'MODIFIED');
    assert.deepEqual(changer(), { userId: 'ann', isChanged: true });
  });

  it('is nobody where it was several', () => {
    changed('ann', 'CREATED');
    changed('bob', 'MODIFIED');
    assert.deepEqual(changer(), { userId: null, isChanged: true });
  });

  it('is whoever moved or made a folder above it, and nobody who only touched that', () => {
    changed('bob', 'MODIFIED', folder);
    assert.deepEqual(changer(), { userId: null, isChanged: false });
    changed('ann', 'MOVED', folder);
    assert.deepEqual(changer(), { userId: 'ann', isChanged: true });
  });

  it('is nobody who changed what lies elsewhere, or took something away', () => {
    changed('ann', 'MOVED', { nodeId: 'other', path: '/etc/eip/routes/shopping' });
    changed('ann', 'DELETED');
    assert.deepEqual(changer(), { userId: null, isChanged: false });
  });

  it('is forgotten when it was looked at, unless it changed again since', () => {
    changed('ann', 'CREATED');
    const looked = changesIn(harness.state());
    changed('bob', 'MODIFIED');
    harness.documents.apply(takenBack(harness.state(), looked));
    assert.equal(harness.all(fileChanges).length, 1);
    harness.documents.apply(takenBack(harness.state(), changesIn(harness.state())));
    assert.deepEqual(harness.all(fileChanges), []);
  });
});
