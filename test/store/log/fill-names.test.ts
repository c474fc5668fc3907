import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { SteadyClock } from '../../../src/shared/clock.js';
import { type Collection, collection, operation, put } from '../../../src/store/index.js';
import { checkPartition } from '../../../src/store/integrity/check-partition.js';
import { LocalLogs } from '../../../src/store/log/local-logs.js';
import { writeMeta } from '../../../src/store/log/meta.js';
import { openDatabase } from '../../../src/store/sqlite.js';
import { Store } from '../../../src/store/store.js';
import { temporaryFolder } from '../../support/temporary.js';
import { callerNamed } from '../../support/test-domain.js';

interface Note {
  readonly id: string;
  readonly owner: string | null;
  readonly readers: readonly string[];
  readonly tags: readonly string[];
}

const tagged = { name: 'note', multi: { tag: ({ tags }: Note) => tags } };
/** As a former version declared it. */
const former = collection<Note>(tagged);
const notes = collection<Note>({
  ...tagged,
  columns: { owner: (it) => it.owner },
  multi: { ...tagged.multi, reader: (it) => it.readers },
  indexes: { owner: { columns: ['owner'] } },
  principals: { owner: 'owner', 'readers[]': 'reader' },
});

const write = (to: Collection<Note>) =>
  operation('write', (_state, some: readonly Note[]) => ({ write: some.map((one) => put(to, one)), answer: null }));

describe('a log of before there were columns of names', () => {
  const folder = temporaryFolder();
  after(() => folder.remove());

  const storeOf = (place: string, declared: Collection<Note>) =>
    new Store({
      folder: null,
      logs: new LocalLogs(place),
      collections: [declared],
      operations: [write(declared)],
      evaluators: {},
      jobTypes: [],
      reactions: [],
      clock: new SteadyClock(),
      jobSlots: 1,
      callerOf: callerNamed,
    });

  it('finds documents by the names in them, and is whole', async () => {
    const wrote = join(folder.path, 'wrote');
    const before = storeOf(wrote, former);
    const some = Array.from({ length: 600 }, (_, i) => ({
      id: `n${i}`,
      owner: i % 2 === 0 ? 'ann' : null,
      readers: i % 3 === 0 ? ['bob', 'ann', 'bob'] : [],
      tags: i % 5 === 0 ? ['ann'] : [],
    }));
    const partition = await before.open('test', 'test');
    for (let at = 0; at < some.length; at += 200) await partition.sendAsSystem(write(former), some.slice(at, at + 200));
    await before.close(100);
    const place = join(folder.path, 'place');
    cpSync(wrote, place, { recursive: true, filter: (file) => !file.endsWith('-shm') });
    const database = openDatabase(join(place, 'test', 'log.db'));
    writeMeta(database, 'format', '5');
    database.close();

    const after = storeOf(place, notes);
    const upgraded = await after.open('test', 'test');
    const state = upgraded.replica.read();
    assert.equal(state.find(notes, 'owner', ['ann']).length, 300);
    assert.equal(state.findMulti(notes, 'reader', 'bob').length, 200);
    assert.equal(state.findMulti(notes, 'tag', 'ann').length, 120);
    let changed = 0;
    for (let count = -1; count !== 0; changed += count)
      count = await upgraded.sendAsSystem(after.changeName, { from: 'ann', to: 'eve' });
    assert.equal(changed, 400);
    assert.deepEqual(upgraded.replica.read().get(notes, 'n0'), {
      ...{ id: 'n0', owner: 'eve', tags: ['ann'] },
      readers: ['bob', 'eve'],
    });
    await after.close(100);
    const findings = [...checkPartition(place, 'test', (finding) => assert.fail(JSON.stringify(finding)))];
    assert.ok(findings.length > 0, 'it was looked at');
  });
});
