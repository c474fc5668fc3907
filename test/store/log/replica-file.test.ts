import assert from 'node:assert/strict';
import { join } from 'node:path';
import { writeMeta } from '../../../src/store/log/meta.js';
import { openReplicaFile } from '../../../src/store/log/replica-file.js';
import { openDatabase } from '../../../src/store/sqlite.js';
import { temporaryFolder } from '../../support/temporary.js';

describe('the file of a log', () => {
  const folder = temporaryFolder();
  after(() => folder.remove());

  it('of another format is refused in a sentence', () => {
    for (const [format, said] of [
      [1, /begin with an empty data folder/],
      [1_000, /start a newer server/],
    ] as const) {
      const path = join(folder.path, `${format}.db`);
      openReplicaFile(path, []).close();
      const database = openDatabase(path);
      writeMeta(database, 'format', String(format));
      database.close();
      assert.throws(() => openReplicaFile(path, []), { code: 'CONFLICT', message: said });
    }
  });
});
