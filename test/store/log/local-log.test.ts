import assert from 'node:assert/strict';
import { join } from 'node:path';
import { ServiceError } from '../../../src/shared/errors.js';
import type { ThreadPort } from '../../../src/shared/thread.js';
import { LocalLog, localLogPorts } from '../../../src/store/log/local-log.js';
import { openReplicaFile } from '../../../src/store/log/replica-file.js';
import { shapeOf } from '../../../src/store/log/schema.js';
import { Replica } from '../../../src/store/replica.js';
import { openDatabase } from '../../../src/store/sqlite.js';
import { storeCollections } from '../../../src/store/store.js';
import { partitionOn } from '../../contract/support/test-partition.js';
import { Changes } from '../../support/changes.js';
import { untilTaken } from '../../support/eventually.js';
import { temporaryFolder } from '../../support/temporary.js';
import { add, callerNamed, counters } from '../../support/test-domain.js';

const ann = { caller: callerNamed('ann') };
const away = (error: unknown) => error instanceof ServiceError && error.code === 'UNAVAILABLE';
const shapes = [...storeCollections(), counters].map(shapeOf);

/** A writer's thread that can be made to hang: what it is asked from then on it does when it goes on. */
class Writer implements ThreadPort {
  readonly #thread: ThreadPort;
  #held: unknown[] | null = null;

  constructor(thread: ThreadPort) {
    this.#thread = thread;
  }

  post(message: unknown): void {
    if (this.#held === null) this.#thread.post(message);
    else this.#held.push(message);
  }

  hang(): void {
    this.#held = [];
  }

  goOn(): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const message of held) this.#thread.post(message);
  }

  onMessage = (listener: (message: unknown) => void) => this.#thread.onMessage(listener);
  onExit = (listener: (reason: Error) => void) => this.#thread.onExit(listener);
  hold = (isHeld: boolean) => this.#thread.hold(isHeld);
  terminate = () => this.#thread.terminate();
}

describe('a local log', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let writers: Writer[];
  const begun = new Changes();
  const makeLog = () => {
    const path = join(folder.path, 'log.db');
    openReplicaFile(path, shapes).close();
    const ports = localLogPorts(path, shapes);
    const startWriter = () => {
      const writer = new Writer(ports.startWriter());
      writers.push(writer);
      begun.tell();
      return writer;
    };
    const replica = new Replica(openDatabase(path, { readOnly: true, mapped: false }));
    return { log: new LocalLog({ ...ports, startWriter }), replica };
  };
  const begin = () => partitionOn(makeLog(), (log) => log, { answerMs: 1_500 });
  beforeEach(() => {
    folder = temporaryFolder();
    writers = [];
  });
  afterEach(() => folder.remove());

  it('answers what it is asked after its writer has ended while nothing was asked', async () => {
    const { log, replica } = makeLog();
    const lost = new Promise<Error>((resolve) => log.onLost(resolve));
    writers[0]?.post({ end: true });
    assert.match((await lost).message, /writer is gone/);
    await assert.rejects(log.probe(), away);
    await assert.rejects(log.append([]), away);
    await assert.rejects(log.trim(0, 0), away);
    await log.recover();
    await log.probe();
    await log.close();
    await assert.rejects(log.probe(), away);
    replica.close();
  });

  it('is recovered by itself when its writer has ended while nothing was asked', async () => {
    const partition = begin();
    await partition.send(add, { id: 'a', by: 1 }, ann);
    writers[0]?.post({ end: true });
    await begun.until(() => writers.length === 2);
    await untilTaken(partition);
    assert.equal((await partition.send(add, { id: 'a', by: 1 }, ann)).answer, 2);
    await partition.close(0);
  });

  it('starts no second writer while the first hangs, and tells of what that lands after all', async () => {
    const partition = begin();
    await partition.send(add, { id: 'a', by: 1 }, ann);
    writers[0]?.hang();
    await assert.rejects(partition.send(add, { id: 'a', by: 1 }, ann), away);
    await assert.rejects(partition.send(add, { id: 'a', by: 1 }, ann), away);
    assert.equal(writers.length, 1);
    assert.equal(partition.replica.read().get(counters, 'a')?.value, 1);
    writers[0]?.goOn();
    await untilTaken(partition);
    assert.equal(writers.length, 2);
    assert.equal((await partition.send(add, { id: 'a', by: 1 }, ann)).answer, 3);
    await partition.close(0);
  });

  it('is closed also while it is being recovered, and starts nothing any more', async () => {
    const { log, replica } = makeLog();
    writers[0]?.hang();
    const recovered = assert.rejects(log.recover(), away);
    const closed = log.close();
    writers[0]?.goOn();
    await Promise.all([recovered, closed]);
    assert.equal(writers.length, 1);
    replica.close();
  });
});
