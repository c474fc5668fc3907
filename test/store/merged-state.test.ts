import assert from 'node:assert/strict';
import { join } from 'node:path';
import { idSource, newSeed } from '../../src/shared/ids.js';
import { put } from '../../src/store/decision.js';
import type { Entry } from '../../src/store/entries.js';
import { openReplicaFile } from '../../src/store/log/replica-file.js';
import { shapeOf } from '../../src/store/log/schema.js';
import { LogWriter } from '../../src/store/log/writer.js';
import { MergedState } from '../../src/store/merged-state.js';
import { entryOf, Overlay } from '../../src/store/overlay.js';
import { type ReadDatabase, Replica } from '../../src/store/replica.js';
import { openDatabase } from '../../src/store/sqlite.js';
import { temporaryFolder } from '../support/temporary.js';
import { type Counter, counters } from '../support/test-domain.js';

const counter = (id: string): Counter => ({ id, group: 'x', value: 0, tags: [] });

/** Calls `meanwhile` before each statement is run, with its number from 0. */
function interrupted(database: ReadDatabase, meanwhile: (statement: number) => void): ReadDatabase {
  let run = 0;
  return {
    prepare: (sql) => {
      const statement = database.prepare(sql);
      const before = <A extends unknown[], R>(read: (...values: A) => R) => {
        return (...values: A): R => {
          meanwhile(run++);
          return read(...values);
        };
      };
      return {
        get: before((...values) => statement.get(...values)),
        all: before((...values) => statement.all(...values)),
        run: before((...values) => statement.run(...values)),
        iterate: (...values) => statement.iterate(...values),
      };
    },
    close: () => database.close(),
  };
}

describe('the state that decisions read', () => {
  const folder = temporaryFolder();
  after(() => folder.remove());

  let files = 0;

  /** Reads the stored `a` and the decided `b` and `c`, which the log stores just before the n-th statement that the answer takes. */
  function answerOf(read: (state: MergedState) => unknown, n: number): unknown {
    const path = join(folder.path, `${files++}.db`);
    const shapes = [shapeOf(counters)];
    openReplicaFile(path, shapes).close();
    const writer = new LogWriter(openDatabase(path), shapes);
    const overlay = new Overlay();
    const entries = ['a', 'b', 'c'].map((id, i) => ({ ...entryOf(put(counters, counter(id))), revision: i + 1 }));
    const store = ({ revision, id, body, columns, multi }: Entry) => {
      const document = { collection: counters.name, id, body, columns, multi };
      writer.append([{ revision, id, at: 0, events: 0, body: '{}', outcome: null, documents: [document] }]);
    };
    entries.slice(0, 1).forEach(store);
    for (const entry of entries.slice(1)) overlay.put(counters, entry);
    const reader = openDatabase(path, { readOnly: true, mapped: false });
    const meanwhile = (statement: number) => {
      if (statement === n) entries.slice(1).forEach(store);
    };
    const replica = new Replica(interrupted(reader, meanwhile));
    const facts = { now: 0, ids: idSource(newSeed(), 0), partition: 'test', nextRevision: () => 4 };
    const answer = read(new MergedState(facts, replica, overlay));
    replica.close();
    writer.close();
    return answer;
  }

  const nth = (n: number) => (state: MergedState) => state.nth(counters, 'member', ['x'], n)?.id;
  const reads: readonly [what: string, read: (state: MergedState) => unknown, expected: unknown][] = [
    ['how many there are', (state) => state.count(counters, 'group', ['x']), 3],
    ['the first of them', nth(0), 'a'],
    ['the second of them', nth(1), 'b'],
    ['the last of them', nth(2), 'c'],
    ['that there is none behind the last', nth(3), undefined],
    ['all of them', (state) => state.find(counters, 'group', ['x']).map(({ id }) => id), ['a', 'b', 'c']],
  ];
  for (const [what, read, expected] of reads) {
    it(`says ${what}, whenever the log stores what was decided`, () => {
      for (let n = 0; n < 12; n++) assert.deepEqual(answerOf(read, n), expected, `stored before statement ${n}`);
    });
  }
});
