import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { openReplicaFile } from '../../../src/store/log/replica-file.js';
import { LogWriter } from '../../../src/store/log/writer.js';
import { openDatabase } from '../../../src/store/sqlite.js';
import { temporaryFolder } from '../../support/temporary.js';

describe('the proof that a log takes writes', () => {
  it('leaves nothing that grows, however often it is asked for while nothing is written', () => {
    const folder = temporaryFolder();
    const path = join(folder.path, 'log.db');
    openReplicaFile(path, []).close();
    const writer = new LogWriter(openDatabase(path), []);
    const reader = openDatabase(path, { readOnly: true });
    for (let i = 0; i < 500; i++) {
      writer.probe();
      reader.prepare('SELECT count(*) AS n FROM commits').get();
    }
    assert.ok(statSync(`${path}-wal`).size < 1_000_000, `${statSync(`${path}-wal`).size} bytes`);
    writer.close();
    reader.close();
    folder.remove();
  });
});
