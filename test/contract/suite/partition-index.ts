import assert from 'node:assert/strict';
import { mkdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { PartitionIndex } from '../../../src/store/index-db/partition-index.js';
import { openDatabase } from '../../../src/store/sqlite.js';
import type { LogKit, LogPlace } from '../log-kit.js';
import { indexContent, indexToEnd, rebuiltContent } from '../support/index-content.js';
import { indexerModule, letters, revisions } from '../support/indexer-fixture.js';
import { placeFixture } from '../support/log-fixture.js';
import { ThingLog } from '../support/thing-log.js';
import { openThings, ownThings, thing } from '../support/things.js';

const ids = fc.constantFrom('a', 'b', 'c', 'd');
const steps = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({ do: fc.constant('put' as const), id: ids, name: fc.constantFrom('x', 'xy', 'z') }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), id: ids }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('step' as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('reopen' as const, 'trim' as const, 'epoch' as const) }) },
  ),
  { maxLength: 40 },
);

/** The projections of a partition: followed, thrown away and built anew when they cannot go on. */
export function partitionIndexContract(kit: LogKit): void {
  describe('an index', () => {
    let log: ThingLog;
    const opened: { close(): void }[] = [];
    const place = placeFixture(kit, async () => {
      for (const one of opened.splice(0)) one.close();
      await log.close();
    });
    const folder = () => join(place().folder, 'p1');
    const openIndex = () => {
      const index = new PartitionIndex(folder(), indexerModule.projections, () => {});
      opened.push(index);
      return index;
    };
    beforeEach(async () => {
      log = await ThingLog.open(place(), 'p1');
    });
    const inode = () => statSync(join(folder(), 'index.db')).ino;

    it('follows what commits write and remove', async () => {
      await log.put(openThings, thing('a', { name: 'hi' }), thing('b', { name: 'x' }));
      const index = openIndex();
      assert.equal(index.revision, null);
      while (index.step());
      assert.equal(index.revision, 1);
      await log.put(openThings, thing('a', { name: 'h' }));
      await log.remove(openThings, 'b');
      await log.put(ownThings, thing('a', { name: 'o' }));
      while (index.step());
      assert.deepEqual(indexContent(folder()), {
        letters: [
          { collection: 'openThing', id: 'a', letter: 'h' },
          { collection: 'ownThing', id: 'a', letter: 'o' },
        ],
        revisions: [{ id: 'a', revision: 2 }],
        revision: 4,
      });
    });

    it('says the same as one that is built from nothing, whatever happened on the way', async () => {
      let run = 0;
      await fc.assert(
        fc.asyncProperty(steps, (sequence) => indexRun(place(), `run-${run++}`, sequence)),
        { numRuns: Math.min(30, kit.modelRuns) },
      );
    });

    it('goes on where it was, without building anew', async () => {
      await log.put(openThings, thing('a', { name: 'x' }));
      indexToEnd(folder());
      const before = inode();
      for (let at = 0; at < 1_200; at++) await log.put(openThings, thing(`t${at}`, { name: 'y' }));
      indexToEnd(folder());
      assert.equal(inode(), before);
      assert.deepEqual(indexContent(folder()), rebuiltContent(folder(), log.database));
    });

    it('is built anew when a projection has another format, or is another', async () => {
      await log.put(openThings, thing('a', { name: 'x' }));
      indexToEnd(folder());
      for (const projections of [[letters, { ...revisions, format: 2 }], [letters], [letters, revisions]]) {
        const before = inode();
        indexToEnd(folder(), projections);
        assert.notEqual(inode(), before);
      }
      assert.deepEqual(indexContent(folder()), rebuiltContent(folder(), log.database));
    });

    it('is built anew when the history is another: epoch, or commit', async () => {
      await log.put(openThings, thing('a', { name: 'x' }));
      const index = openIndex();
      while (index.step());
      log.setEpoch('epoch-2');
      while (index.step());
      assert.deepEqual(indexContent(folder()), rebuiltContent(folder(), log.database));
      const before = inode();
      log.database.exec("UPDATE commits SET id = 'another'");
      while (index.step());
      assert.notEqual(inode(), before);
    });

    it('is built anew when commits that it needs are trimmed', async () => {
      await log.put(openThings, thing('a', { name: 'x' }));
      indexToEnd(folder());
      for (let at = 0; at < 5; at++) await log.put(openThings, thing(`t${at}`));
      await log.trim(1);
      const before = inode();
      indexToEnd(folder());
      assert.equal(inode(), before, 'nothing that it needs is gone');
      for (let at = 0; at < 5; at++) await log.put(openThings, thing(`u${at}`));
      await log.trim(8);
      indexToEnd(folder());
      assert.notEqual(inode(), before);
      assert.deepEqual(indexContent(folder()), rebuiltContent(folder(), log.database));
    });

    it('is built anew when its file is damaged', async () => {
      await log.put(openThings, ...Array.from({ length: 800 }, (_, at) => thing(`t${at}`, { name: 'abcdefg' })));
      indexToEnd(folder());
      const sound = openDatabase(join(folder(), 'index.db'));
      const damages: readonly ((path: string) => void)[] = [
        (path) => writeFileSync(path, 'no database at all '.repeat(500)),
        (path) => writeFileSync(path, ''),
        (path) => truncateSync(path, 8_192),
      ];
      for (const [at, damage] of damages.entries()) {
        // A place of its own: connections of this process know the sound file.
        const other = join(folder(), `damage-${at}`);
        mkdirSync(other);
        await log.put(openThings, ...Array.from({ length: 800 }, (_, n) => thing(`t${n}`, { name: 'gfe' })));
        log.database.exec(`VACUUM INTO '${join(other, 'log.db')}'`);
        sound.exec(`VACUUM INTO '${join(other, 'index.db')}'`);
        damage(join(other, 'index.db'));
        indexToEnd(other);
        assert.deepEqual(indexContent(other), rebuiltContent(folder(), log.database));
      }
      sound.close();
    });

    it('is built in batches, and has no revision until it is whole', async () => {
      for (const of of [openThings, ownThings]) {
        await log.put(of, ...Array.from({ length: 1_700 }, (_, at) => thing(`t${at}`, { name: 'x' })));
      }
      const index = openIndex();
      const seen: (number | null)[] = [];
      do seen.push(index.revision);
      while (index.step());
      assert.ok(seen.filter((revision) => revision === null).length >= 8);
      assert.equal(index.revision, 2);
    });

    it('has what was written while it was built', async () => {
      await log.put(openThings, ...Array.from({ length: 1_700 }, (_, at) => thing(`t${at}`, { name: 'x' })));
      const index = openIndex();
      index.step();
      index.step();
      await log.put(openThings, thing('t1', { name: 'changed' }), thing('t1650', { name: 'changed' }), thing('new'));
      await log.remove(openThings, 't2', 't1651');
      while (index.step());
      assert.deepEqual(indexContent(folder()), rebuiltContent(folder(), log.database));
    });

    it('leaves out a document on which a projection throws, and reports it', async () => {
      await log.put(openThings, thing('a', { name: 'poison' }), thing('b', { name: 'x' }));
      const faults = indexToEnd(folder());
      const message = 'expected a name, but found poison';
      assert.deepEqual(faults, [{ projection: 'letters', collection: 'openThing', id: 'a', message }]);
      const database = openDatabase(join(folder(), 'index.db'), { readOnly: true });
      assert.deepEqual(
        database
          .prepare('SELECT id FROM letters')
          .all()
          .map(({ id }) => id),
        ['b'],
      );
      assert.equal(database.prepare('SELECT count(*) AS n FROM revisions').get()?.n, 2, 'other projections have it');
      database.close();
    });

    it('does not blame itself for a log that cannot be read', async () => {
      await log.put(openThings, thing('a'));
      indexToEnd(folder());
      const before = inode();
      const index = openIndex();
      log.database.exec('ALTER TABLE commits RENAME TO away');
      assert.throws(() => index.step(), /commits/);
      assert.equal(inode(), before);
    });
  });
}

type Step = typeof steps extends fc.Arbitrary<(infer S)[]> ? S : never;

async function indexRun(place: LogPlace, partition: string, sequence: readonly Step[]): Promise<void> {
  const path = join(place.folder, partition);
  const log = await ThingLog.open(place, partition);
  let index = new PartitionIndex(path, indexerModule.projections, () => {});
  const perform = async (step: Step) => {
    if (step.do === 'put') await log.put(openThings, thing(step.id, { name: step.name }));
    else if (step.do === 'remove') await log.remove(openThings, step.id);
    else if (step.do === 'step') index.step();
    else if (step.do === 'trim') await log.trim(log.revision - 1);
    else if (step.do === 'epoch') log.setEpoch(`epoch-${Math.random()}`);
    else {
      index.close();
      index = new PartitionIndex(path, indexerModule.projections, () => {});
    }
  };
  try {
    for (const step of sequence) await perform(step);
    while (index.step());
    assert.deepEqual(indexContent(path), rebuiltContent(path, log.database));
  } finally {
    index.close();
    await log.close();
  }
}
