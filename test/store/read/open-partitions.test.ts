import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openReplicaFile } from '../../../src/store/log/replica-file.js';
import { shapeOf } from '../../../src/store/log/schema.js';
import { NativeGuard, newStopFlag } from '../../../src/store/read/native-guard.js';
import { OpenPartitions } from '../../../src/store/read/partition-files.js';
import { temporaryFolder } from '../../support/temporary.js';
import { counters } from '../../support/test-domain.js';

describe('the partitions that a reader keeps open', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let open: OpenPartitions;
  const ids = Array.from({ length: 40 }, (_, n) => `p${n}`);
  before(() => {
    folder = temporaryFolder();
    for (const id of ids) {
      mkdirSync(join(folder.path, id));
      openReplicaFile(join(folder.path, id, 'log.db'), [shapeOf(counters)]).close();
    }
  });
  beforeEach(() => {
    open = new OpenPartitions(folder.path, new NativeGuard(newStopFlag()));
  });
  afterEach(() => open.closeAll());
  after(() => folder.remove());

  const countIn = (id: string) => open.of(id).log.prepare('SELECT count(*) AS n FROM commits').get()?.n;

  it('are 32: the one that was not read for longest gives way, and is opened again', () => {
    const first = ids.slice(0, 32).map((id) => open.of(id).log);
    assert.equal(open.of('p0').log, first[0]);
    countIn('p32');
    assert.equal(open.of('p0').log, first[0], 'it was read just now');
    assert.notEqual(open.of('p1').log, first[1], 'it gave way');
    assert.equal(open.of('p3').log, first[3]);
  });

  it('may be more in turns: each is answered, however often it gave way', () => {
    for (let round = 0; round < 4; round++) for (const id of ids) assert.equal(countIn(id), 0);
  });
});
