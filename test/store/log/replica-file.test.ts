import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openReplicaFile } from '../../../src/store/log/replica-file.js';
import { openDatabase } from '../../../src/store/sqlite.js';
import { temporaryFolder } from '../../support/temporary.js';

describe('the file of a log', () => {
  const folder = temporaryFolder();
  after(() => folder.remove());

  it('that is damaged is named, and left as it is', () => {
    const path = join(folder.path, 'damaged.db');
    writeFileSync(path, 'x'.repeat(10_000));
    const told = {
      code: 'CONFLICT',
      message: `expected ${path} to be a log that can be read and written, but: file is not a database`,
    };
    assert.throws(() => openReplicaFile(path, []), told);
    assert.throws(() => openReplicaFile(path, []), told);
  });

  it('of another format is refused in a sentence', () => {
    for (const [format, said] of [
      [1, /begin with an empty data folder/],
      [1_000, /start a newer server/],
    ] as const) {
      const path = join(folder.path, `${format}.db`);
      openReplicaFile(path, []).close();
      const database = openDatabase(path);
      database.prepare(`UPDATE meta SET value = ? WHERE key = 'format'`).run(String(format));
      database.close();
      assert.throws(() => openReplicaFile(path, []), { code: 'CONFLICT', message: said });
    }
  });
});
