import assert from 'node:assert/strict';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SteadyClock } from '../../../src/shared/clock.js';
import { BlobHolders } from '../../../src/store/blob/blob-holders.js';
import { FileBlobStore } from '../../../src/store/blob/file-blob-store.js';
import { collection, operation, put, remove } from '../../../src/store/index.js';
import { Store } from '../../../src/store/store.js';
import { temporaryFolder } from '../../support/temporary.js';
import { callerNamed } from '../../support/test-domain.js';

interface Holding {
  readonly id: string;
  readonly blobs: readonly string[];
}

const pictures = collection<Holding>({ name: 'picture', multi: { blob: (it) => it.blobs } });
const drafts = collection<Holding>({ name: 'draft', multi: { blob: (it) => it.blobs } });
const others = collection<Holding>({ name: 'other', multi: { tag: (it) => it.blobs } });
const collections = [pictures, drafts, others];

const keep = operation('keep', (_, picture: Holding) => ({ write: [put(pictures, picture)], answer: null }));
const draft = operation('draft', (_, one: Holding) => ({ write: [put(drafts, one)], answer: null }));
const publish = operation('publish', (state, { id }: { id: string }) => {
  const blobs = state.get(drafts, id)?.blobs ?? [];
  return { write: [remove(drafts, id), put(pictures, { id, blobs })], answer: null };
});
const drop = operation('drop', (_, { id }: { id: string }) => ({ write: [remove(pictures, id)], answer: null }));

const HOUR_MS = 3_600_000;
const caller = { caller: callerNamed('ann') };

describe('blobs that documents hold', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let blobs: FileBlobStore;
  let store: Store;
  const openStore = () =>
    new Store({
      folder: folder.path,
      collections,
      operations: [keep, draft, publish, drop],
      evaluators: {},
      jobTypes: [],
      reactions: [],
      clock: new SteadyClock(),
      jobSlots: 1,
      callerOf: callerNamed,
    });
  beforeEach(async () => {
    folder = temporaryFolder();
    blobs = await FileBlobStore.open(join(folder.path, 'blobs'));
    store = openStore();
  });
  afterEach(async () => {
    await store.close(100);
    folder.remove();
  });

  /** A blob that was written long ago. */
  const old = async (text: string) => {
    const { sha256 } = await blobs.write(Buffer.from(text));
    const then = (Date.now() - 2 * HOUR_MS) / 1_000;
    utimesSync(join(folder.path, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256), then, then);
    return sha256;
  };
  const sweep = async (held = (holders: BlobHolders, sha256: string) => holders.holds(sha256)) => {
    const holders = BlobHolders.open(folder.path, collections);
    try {
      return (await blobs.sweep((sha256) => held(holders, sha256), HOUR_MS)).blobs;
    } finally {
      holders.close();
    }
  };

  it('stay, in whichever partition; the others go', async () => {
    const [one, two] = [await store.open('one', 'one'), await store.open('two', 'two')];
    const [inOne, inTwo, inBoth, tagged, loose] = await Promise.all(['1', '2', 'both', 'tagged', 'loose'].map(old));
    assert.ok(inOne && inTwo && inBoth && tagged && loose);
    await one.send(keep, { id: 'a', blobs: [inOne, inBoth] }, caller);
    await two.send(keep, { id: 'a', blobs: [inTwo] }, caller);
    await two.send(draft, { id: 'b', blobs: [inBoth] }, caller);
    assert.equal(await sweep(), 2);
    assert.deepEqual(await Promise.all([inOne, inTwo, inBoth, tagged, loose].map((sha256) => blobs.has(sha256))), [
      true,
      true,
      true,
      false,
      false,
    ]);
    await one.send(drop, { id: 'a' }, caller);
    assert.equal(await sweep(), 1);
    assert.equal(await blobs.has(inBoth), true);
  });

  it('stay in partitions that are closed', async () => {
    const one = await store.open('one', 'one');
    const sha256 = await old('kept');
    await one.send(keep, { id: 'a', blobs: [sha256] }, caller);
    await store.close(100);
    assert.equal(await sweep(), 0);
    assert.equal(await blobs.has(sha256), true);
    store = openStore();
  });

  it('stay while a partition that is known has no log here: what it holds is not known', async () => {
    const loose = await old('held elsewhere');
    await store.open('one', 'one');
    assert.throws(() => BlobHolders.open(folder.path, collections, ['one', 'two']), { code: 'UNAVAILABLE' });
    assert.equal(await blobs.has(loose), true);
  });

  it('go with a partition that is removed, and stay with one that is closed', async () => {
    const [one, two] = [await store.open('one', 'one'), await store.open('two', 'two')];
    const [inOne, inTwo] = await Promise.all(['1', '2'].map(old));
    assert.ok(inOne && inTwo);
    await one.send(keep, { id: 'a', blobs: [inOne] }, caller);
    await two.send(keep, { id: 'a', blobs: [inTwo] }, caller);
    for (const id of ['one', 'two']) await store.closePartition(id, 100);
    assert.equal(await sweep(), 0);
    await store.removePartition('one');
    assert.equal(await sweep(), 1);
    assert.deepEqual([await blobs.has(inOne), await blobs.has(inTwo)], [false, true]);
  });

  it('stay when they pass from one document to another', async () => {
    const one = await store.open('one', 'one');
    const sha256 = await old('passed on');
    await one.send(draft, { id: 'a', blobs: [sha256] }, caller);
    const published = one.send(publish, { id: 'a' }, caller);
    for (let look = 0; look < 50; look++) {
      assert.equal(await sweep(), 0);
      await new Promise(setImmediate);
    }
    await published;
    assert.equal(await sweep(), 0);
  });

  it('stay when a partition cannot be read, as then nothing is known', async () => {
    const loose = await old('loose');
    mkdirSync(join(folder.path, 'broken'));
    writeFileSync(join(folder.path, 'broken', 'log.db'), 'this is no database, but a text that is long enough');
    await assert.rejects(sweep());
    assert.equal(await blobs.has(loose), true);
  });

  it('that were written for a commit that never came go when their time is over', async () => {
    await store.open('one', 'one');
    const { sha256: fresh } = await blobs.write(Buffer.from('the server dies before the commit'));
    assert.equal(await sweep(), 0);
    const left = await old('the server died before the commit');
    const next = await FileBlobStore.open(join(folder.path, 'blobs'));
    blobs = next;
    assert.equal(await sweep(), 1);
    assert.deepEqual([await next.has(fresh), await next.has(left)], [true, false]);
  });

  it('are right after a sweep that was cut off', async () => {
    const one = await store.open('one', 'one');
    const kept = await old('kept');
    await one.send(keep, { id: 'a', blobs: [kept] }, caller);
    const loose = await Promise.all(Array.from({ length: 8 }, (_, n) => old(`loose ${n}`)));
    let asked = 0;
    const dying = (holders: BlobHolders, sha256: string) => {
      if (++asked > 6) throw new Error('the server was killed');
      return holders.holds(sha256);
    };
    await assert.rejects(sweep(dying), /killed/);
    const rest = (await Promise.all(loose.map((sha256) => blobs.has(sha256)))).filter(Boolean).length;
    assert.ok(rest > 0 && rest < 8);
    assert.equal(await sweep(), rest);
    assert.equal(await blobs.has(kept), true);
  });

  it('are found in partitions from before a collection was there', async () => {
    const one = await store.open('one', 'one');
    const sha256 = await old('kept');
    await one.send(keep, { id: 'a', blobs: [sha256] }, caller);
    const newer = collection<Holding>({ name: 'newer', multi: { blob: (it) => it.blobs } });
    const holders = BlobHolders.open(folder.path, [...collections, newer]);
    assert.equal(holders.holds(sha256), true);
    assert.equal(holders.holds('f'.repeat(64)), false);
    holders.close();
    const none = BlobHolders.open(folder.path, [newer]);
    assert.equal(none.holds(sha256), false);
    none.close();
  });
});
