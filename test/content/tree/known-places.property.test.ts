import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type Content, ContentView } from '../../../src/content/index.js';
import { systemCaller } from '../../../src/shared/caller.js';
import { SteadyClock } from '../../../src/shared/clock.js';
import { idSource, newSeed } from '../../../src/shared/ids.js';
import { type Partition, type State, Store } from '../../../src/store/index.js';
import { LocalLogs } from '../../../src/store/log/local-logs.js';
import type { Logs } from '../../../src/store/log/logs.js';
import { MergedState } from '../../../src/store/merged-state.js';
import { Replica } from '../../../src/store/replica.js';
import { type Database, openDatabase } from '../../../src/store/sqlite.js';
import { callerNamed } from '../../support/harness.js';
import { HeldLog } from '../../support/held-log.js';
import { Random } from '../../support/random.js';
import { temporaryFolder } from '../../support/temporary.js';
import { testContent } from '../../support/test-content.js';

// Slow: random histories, each looked at from nothing.

const PARTITION = 'test';
const ROOT = '/content/x';
const HISTORIES = 8;
const STEPS = 80;
const READ_MAX = 100_000;
/** How often what was decided is stored, or lost instead. */
const STORED = 0.5;
const LOST = 0.03;

const ADMIN = callerNamed('admin', { roles: ['administrator'] });
const ANN = callerNamed('ann');

/** Where nodes may be, whether they are or not. */
const SEGMENTS = ['a', 'b', 'a[2]', 'b[2]'];
const PLACES = SEGMENTS.flatMap((one) => [
  one,
  ...SEGMENTS.map((two) => `${one}/${two}`),
  `${one}/a/b`,
  `${one}/b/a[2]`,
]);

/** Who is found where, by everybody who looks. */
type Found = Readonly<Record<string, readonly (string | undefined)[]>>;

function foundIn(state: State): Found {
  const views = [ADMIN, ANN].map((caller) => new ContentView(state, caller));
  const at = (place: string) =>
    views.map((view) => view.at(`${ROOT}/${place}`)).map((node) => node && `${node.id} ${node.version}`);
  return Object.fromEntries(['.', ...PLACES].map((place) => [place, at(place)]));
}

/** What the file holds, read by a connection that knows nothing. */
class File {
  readonly #database: Database;
  readonly #replica: Replica;

  constructor(folder: string) {
    this.#database = openDatabase(join(folder, PARTITION, 'log.db'), { readOnly: true, mapped: false });
    this.#replica = new Replica(this.#database);
  }

  get revision(): number {
    return this.#replica.revision();
  }

  found(): Found {
    const facts = {
      now: 0,
      ids: idSource(newSeed(), 0),
      partition: PARTITION,
      nextRevision: () => 0,
      readMax: READ_MAX,
    };
    return foundIn(new MergedState(facts, this.#replica, null));
  }

  /** From now on it is read as it is now, whatever is stored meanwhile. */
  stay(): number {
    if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
    this.#database.exec('BEGIN');
    return this.revision;
  }

  close(): void {
    this.#replica.close();
  }
}

interface HistoryParts {
  readonly content: Content;
  readonly partition: Partition;
  readonly log: HeldLog;
  readonly file: File;
  /** The same for a reader that stays behind. */
  readonly older: File;
}

/** One history: a server whose log stores late, and the file beside it. */
class History {
  readonly #random: Random;
  readonly #content: Content;
  readonly #partition: Partition;
  readonly #log: HeldLog;
  readonly #file: File;
  readonly #older: File;
  #olderFound: Found | undefined;
  /** What decisions saw, by the revision that it becomes when it is stored. */
  readonly #decided = new Map<number, Found>();
  /** Where nodes are. */
  #taken: readonly string[] = [];
  readonly #answers: Promise<unknown>[] = [];

  constructor(seed: number, parts: HistoryParts) {
    this.#random = new Random(seed);
    this.#content = parts.content;
    this.#partition = parts.partition;
    this.#log = parts.log;
    this.#file = parts.file;
    this.#older = parts.older;
  }

  async live(): Promise<void> {
    for (let step = 0; step < STEPS; step++) {
      this.#act();
      this.#compare(`step ${step}, decided`);
      if (this.#random.chance(LOST)) await this.#lose();
      else if (this.#random.chance(STORED)) await this.#log.letGo(1 + this.#random.below(3));
      this.#compare(`step ${step}, stored`);
    }
  }

  async end(): Promise<void> {
    let isDone = false;
    const all = Promise.allSettled(this.#answers).finally(() => {
      isDone = true;
    });
    while (!isDone) await this.#log.letGo(1);
    const done = (await all).filter(({ status }) => status === 'fulfilled').length;
    assert.ok(done > STEPS / 4, `${done} of ${STEPS} steps were not refused`);
  }

  /** Sends what may be refused: that, too, is part of a history. */
  #act(): void {
    const random = this.#random;
    const place = () => `${ROOT}/${random.pick(this.#taken.length > 0 && random.chance(0.8) ? this.#taken : PLACES)}`;
    const parent = () => (random.chance(0.4) ? ROOT : place());
    const name = () => random.pick(['a', 'b']);
    const entries = [{ principal: 'ann', privileges: ['jcr:read'], allow: random.chance(0.5) }];
    const steps: readonly [keyof Content['nodes'], unknown][] = [
      ['createNode', { path: parent(), name: name(), nodeType: 'nt:unstructured', allowSameNameSiblings: true }],
      ['createNode', { path: parent(), name: name(), nodeType: random.pick(['nt:folder', 'nt:unstructured']) }],
      ['moveNode', { sourcePath: place(), destPath: parent() }],
      ['renameNode', { path: place(), name: name() }],
      ['deleteNode', { path: place() }],
      ['orderNode', { path: place(), before: random.chance(0.5) ? null : random.pick(SEGMENTS) }],
      [
        'setProperties',
        { path: place(), properties: [{ name: 'p', value: { type: 'Long', multiple: false, values: ['1'] } }] },
      ],
      ['setAccessControl', { path: place(), entries: random.chance(0.3) ? [] : entries }],
    ];
    const [operation, input] = random.chance(0.5) ? random.pick(steps.slice(0, 2)) : random.pick(steps);
    const sent = this.#partition.send(this.#content.nodes[operation].operation as never, input as never, {
      caller: ADMIN,
    });
    this.#answers.push(sent);
    sent.catch(() => {}); // it is looked at in the end
    const found = foundIn(this.#partition.decider.peek());
    this.#decided.set(this.#partition.decider.peek().revision - 1, found);
    this.#taken = PLACES.filter((place) => found[place]?.[0] !== undefined);
  }

  /** What readers find is what the file holds, and that is what was decided up to there. */
  #compare(what: string): void {
    const { revision, seen, stored } = this.#both();
    assert.deepEqual(seen, stored, what);
    const decided = this.#decided.get(revision);
    if (decided !== undefined) assert.deepEqual(stored, decided, `${what}: what was decided is another thing`);
    if (this.#olderFound !== undefined) assert.deepEqual(this.#older.found(), this.#olderFound, `${what}, long ago`);
    if (this.#random.chance(0.9)) return;
    this.#olderFound = this.#older.stay() === revision ? stored : undefined;
  }

  /** What a reader and the file give of one revision: the log may store a group at any moment. */
  #both(): { readonly revision: number; readonly seen: Found; readonly stored: Found } {
    for (;;) {
      const { revision } = this.#file;
      const seen = foundIn(this.#partition.replica.read({ readMax: READ_MAX }));
      const stored = this.#file.found();
      if (this.#file.revision === revision) return { revision, seen, stored };
    }
  }

  /** The log fails with all that it has not stored; what was lost is decided again, and stored. */
  async #lose(): Promise<void> {
    if (!this.#log.fail()) return;
    this.#decided.clear();
    for (let isBack = false; !isBack; ) {
      await this.#log.letGo(1);
      isBack = await this.#partition.decider.probe().then(
        () => true,
        () => false,
      );
    }
  }
}

describe('where nodes are found by what is known of the tree', function () {
  this.timeout(120_000);

  for (let seed = 1; seed <= HISTORIES; seed++) {
    it(`is where the file has them: history ${seed}`, async () => {
      const folder = temporaryFolder();
      let log: HeldLog | undefined;
      const logs: Logs = {
        open: async (...asked) => {
          const opened = await new LocalLogs(folder.path).open(...asked);
          log = new HeldLog(opened.log);
          return { ...opened, log };
        },
        remove: (id) => new LocalLogs(folder.path).remove(id),
      };
      const { content } = await testContent(folder.path);
      const store = new Store({
        ...content,
        folder: folder.path,
        logs,
        reactions: [],
        clock: new SteadyClock(),
        jobSlots: 1,
        callerOf: () => systemCaller(PARTITION),
      });
      const partition = await store.open(PARTITION, PARTITION);
      if (log === undefined) throw new Error('expected the log to be open');
      const [file, older] = [new File(folder.path), new File(folder.path)];
      const history = new History(seed, { content, partition, log, file, older });
      const setUp = [
        partition.send(content.jobs.ensureStandardTree, null, { caller: systemCaller(PARTITION) }),
        partition.send(
          content.nodes.createNode.operation,
          { path: '/content', name: 'x', nodeType: 'nt:unstructured' } as never,
          { caller: ADMIN },
        ),
      ];
      let isUp = false;
      void Promise.all(setUp).then(() => {
        isUp = true;
      });
      while (!isUp) await log.letGo(1);
      await history.live();
      await history.end();
      older.close();
      file.close();
      await store.close(0);
      folder.remove();
    });
  }
});
