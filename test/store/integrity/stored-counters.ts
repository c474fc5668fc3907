import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '../../../src/store/damage.js';
import { checkPartition } from '../../../src/store/integrity/check-partition.js';
import { LocalLogs } from '../../../src/store/log/local-logs.js';
import type { Partition } from '../../../src/store/partition/partition.js';
import { openDatabase } from '../../../src/store/sqlite.js';
import type { Store } from '../../../src/store/store.js';
import { temporaryFolder } from '../../support/temporary.js';
import { add, type Counter, callerNamed, counters, drop, set } from '../../support/test-domain.js';
import { openTestPartition, openTestStore, type TestParts } from '../../support/test-store.js';

export const ann = { caller: callerNamed('ann') };

export interface Opened {
  readonly partition: Partition;
  readonly store: Store;
}

/** A data folder with one partition of counters, to be damaged while no store is open on it. To be called within `describe`. */
export function storedCounters() {
  let folder: ReturnType<typeof temporaryFolder>;
  let store: Store | undefined;
  beforeEach(() => {
    folder = temporaryFolder();
    place = join(folder.path, 'first');
    mkdirSync(place);
  });
  afterEach(async () => {
    await end();
    folder.remove();
  });
  /** The data folder: another copy after each end, as this process may hold files of the one before for a while. */
  let place = '';
  let places = 0;
  const end = async () => {
    if (store === undefined) return;
    await store.close(100);
    store = undefined;
    move();
  };
  const move = () => {
    const next = join(folder.path, `${places++}`);
    cpSync(place, next, { recursive: true, filter: (file) => !file.endsWith('-shm') });
    place = next;
  };
  const path = (file = 'log.db') => join(place, 'test', file);
  return {
    path,
    end,
    /** Opens the store. `acceptLoss`: the setting. */
    async begin(acceptLoss?: string, parts?: TestParts): Promise<Opened> {
      store = openTestStore({ folder: null, logs: new LocalLogs(place, { acceptLoss }) }, parts);
      return { partition: await openTestPartition(store), store };
    },
    /** A partition with some of everything, closed. */
    async fill(): Promise<Map<string, Counter>> {
      const { partition } = await this.begin();
      for (let i = 0; i < 60; i++) {
        const counter = { id: `c${i}`, group: `g${i % 3}`, value: i, tags: i % 4 === 0 ? ['even', `t${i}`] : [] };
        await partition.send(set, counter, i % 10 === 0 ? { ...ann, commandId: `key-${i}` } : ann);
      }
      for (let i = 0; i < 20; i++) await partition.send(add, { id: `c${i}`, by: 1 }, ann);
      await partition.send(drop, { id: 'c59' }, ann);
      const all = ['g0', 'g1', 'g2'].flatMap((group) => partition.replica.read().find(counters, 'group', [group]));
      await end();
      // All of it lies in the one file, as after the indexer's checkpoints.
      openDatabase(path()).close();
      return new Map(all.map((counter) => [counter.id, counter]));
    },
    /** What the check finds. */
    check(): Finding[] {
      const found: Finding[] = [];
      for (const _ of checkPartition(place, 'test', (finding) => found.push(finding)));
      move();
      return found;
    },
    /** Keeps the files as they are; the function that it gives puts them back. */
    keep(): () => void {
      const kept = join(folder.path, 'kept');
      cpSync(place, kept, { recursive: true });
      return () => {
        rmSync(place, { recursive: true });
        cpSync(kept, place, { recursive: true });
      };
    },
    bytes: (file = 'log.db') => (existsSync(path(file)) ? readFileSync(path(file)) : Buffer.alloc(0)),
    write: (bytes: Buffer, file = 'log.db') => writeFileSync(path(file), bytes),
  };
}
