import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { type ApiToken, apiTokens } from '../../../src/identity/api-token.js';
import { noteSeen } from '../../../src/identity/operation/sessions.js';
import { type SessionRecord, sessions as stored } from '../../../src/identity/session.js';
import { ApiTokens } from '../../../src/server/session/api-tokens.js';
import { takeOverSessionFile } from '../../../src/server/session/session-file.js';
import { MemorySessionStore, type SessionStore } from '../../../src/server/session/session-store.js';
import { Sessions } from '../../../src/server/session/sessions.js';
import { SystemSessions } from '../../../src/server/session/system-sessions.js';
import { systemCaller } from '../../../src/shared/caller.js';
import { VirtualClock } from '../../../src/shared/clock.js';
import { type Operation, put } from '../../../src/store/index.js';
import { MemoryRepository } from '../../content/support/memory-repository.js';
import { dataFolder } from '../../support/data-folder.js';
import { MemoryState } from '../../support/memory-state.js';

const MINUTE = 60_000;
const limits = { idleMs: 30 * MINUTE, absoluteMs: 12 * 60 * MINUTE, perUserMax: 3 };
const START = 1_700_000_000_000;

/** `system` in memory, and how often something was sent to it. */
class MemorySystem {
  readonly repository = new MemoryRepository();
  sent: string[] = [];
  isDown = false;
  readonly tokens = new ApiTokens(new VirtualClock(START));

  /** Sessions as a server has them that starts now. */
  opened(): SystemSessions {
    const store = new SystemSessions(this.tokens);
    const { documents } = this.repository;
    store.fill({ read: ({ readMax } = {}) => new MemoryState(documents, 'read', 0, 0, readMax) });
    store.open({
      sendAsSystem: async <I, A>(operation: Operation<I, A>, input: I) => {
        await new Promise(setImmediate);
        if (this.isDown) throw new Error('the log is down');
        this.sent.push(operation.name);
        const answer = this.repository.do(operation, input, systemCaller('system'));
        store.committed(this.repository);
        this.tokens.committed(this.repository);
        return answer;
      },
    });
    return store;
  }
}

/** Users that are all there, unless said otherwise, with the version 1 of their passwords. */
class Users {
  readonly gone = new Set<string>();
  readonly disabled = new Set<string>();
  readonly versions = new Map<string, string>();
  /** Names, by identities of a provider. */
  readonly external = new Map<string, string>();

  externalUser(externalId: string) {
    const username = this.external.get(externalId);
    return username === undefined ? undefined : { username };
  }

  find(userId: string) {
    if (this.gone.has(userId)) return undefined;
    return {
      userId,
      principalId: userId,
      enabled: !this.disabled.has(userId),
      credentialVersion: this.versions.get(userId) ?? '1',
    };
  }
}

const by = (userId: string, credentialVersion = '1') => ({
  userId,
  credentialVersion,
  address: '10.0.0.1',
  agent: null,
});

const tokenNamed = (id: string): ApiToken => ({
  ...{ id, hash: id, userId: 'ann', name: id, access: ['READ'], workspaces: null, domains: null },
  ...{ createdBy: 'ann', createdAt: START, expiresAt: START + MINUTE, lastUsedAt: null },
});

const stores: Record<string, () => SessionStore> = {
  'in memory': () => new MemorySessionStore(),
  'in `system`': () => new MemorySystem().opened(),
};

for (const [place, open] of Object.entries(stores)) {
  describe(`sessions ${place}`, () => {
    let users: Users;
    let clock: VirtualClock;
    let sessions: Sessions;
    beforeEach(() => {
      users = new Users();
      clock = new VirtualClock(START);
      sessions = new Sessions(open(), users, clock, limits);
    });
    const pass = (ms: number) => clock.set(clock.now() + ms);

    it('that a provider began end when whom it knows is not their user any more', async () => {
      users.external.set('x', 'ann');
      const provider = { issuer: 'https://login.example', externalId: 'x', idToken: null };
      const { secret, record } = await sessions.begin({ ...by('ann'), provider });
      assert.deepEqual((await sessions.find(secret))?.provider, provider);
      users.external.set('x', 'bob');
      await sessions.userChanged('ann');
      assert.equal(sessions.get(record.id), undefined);
      assert.equal(await sessions.find(secret), undefined);
    });

    it('are found by their secret, which nobody else learns', async () => {
      const { secret, record } = await sessions.begin(by('ann'));
      assert.equal((await sessions.find(secret))?.userId, 'ann');
      assert.equal(await sessions.find(record.id), undefined);
      assert.equal(await sessions.isAlive(record.id), true);
      assert.equal(await sessions.isAlive(secret), false);
    });

    it('end when no request came for half an hour', async () => {
      const { secret, record } = await sessions.begin(by('ann'));
      pass(30 * MINUTE);
      assert.ok(await sessions.find(secret));
      pass(30 * MINUTE);
      assert.equal(await sessions.isAlive(record.id), true);
      pass(1);
      assert.equal(await sessions.find(secret), undefined);
    });

    it('end after twelve hours, however busy', async () => {
      const { secret } = await sessions.begin(by('ann'));
      for (let quarter = 1; quarter < 48; quarter++) {
        pass(15 * MINUTE);
        assert.ok(await sessions.find(secret));
      }
      pass(15 * MINUTE);
      assert.equal(await sessions.find(secret), undefined);
    });

    it('are not kept alive by asking whether they live', async () => {
      const { record } = await sessions.begin(by('ann'));
      pass(20 * MINUTE);
      assert.equal(await sessions.isAlive(record.id), true);
      pass(20 * MINUTE);
      assert.equal(await sessions.isAlive(record.id), false);
    });

    it('tell their end once, whether they are ended or expire', async () => {
      const ended: string[] = [];
      sessions.onEnd((id) => ended.push(id));
      const first = await sessions.begin(by('ann'));
      const second = await sessions.begin(by('ann'));
      await sessions.end(first.record.id);
      await sessions.end(first.record.id);
      pass(31 * MINUTE);
      await sessions.sweep();
      await sessions.sweep();
      assert.deepEqual(ended, [first.record.id, second.record.id]);
    });

    it('are swept when their time is over, and no earlier', async () => {
      const { secret, record } = await sessions.begin(by('ann'));
      const { secret: other } = await sessions.begin(by('bob'));
      pass(20 * MINUTE);
      await sessions.find(secret);
      pass(20 * MINUTE);
      await sessions.sweep();
      assert.equal(await sessions.isAlive(record.id), true);
      assert.equal(await sessions.find(other), undefined);
    });

    it('push out the oldest of a user who has too many', async () => {
      const all = [];
      for (let n = 0; n < 4; n++) {
        all.push(await sessions.begin(by('ann')));
        pass(1);
      }
      const bob = await sessions.begin(by('bob'));
      const alive = await Promise.all([...all, bob].map(({ record }) => sessions.isAlive(record.id)));
      assert.deepEqual(alive, [false, true, true, true, true]);
    });

    it('end when their user is disabled, gone, or has another password; those of others go on', async () => {
      const changes: Record<string, () => unknown> = {
        ann: () => users.disabled.add('ann'),
        bob: () => users.gone.add('bob'),
        cleo: () => users.versions.set('cleo', '2'),
      };
      const ended: string[] = [];
      sessions.onEnd((id) => ended.push(id));
      const eve = await sessions.begin(by('eve'));
      for (const [user, change] of Object.entries(changes)) {
        const all = [await sessions.begin(by(user)), await sessions.begin(by(user))];
        change();
        await sessions.userChanged(user);
        assert.deepEqual(
          ended.splice(0),
          all.map(({ record }) => record.id),
        );
        assert.deepEqual(sessions.ofUser(user), []);
      }
      assert.ok(await sessions.find(eve.secret));
    });

    it('do not begin with a password that has been changed meanwhile', async () => {
      users.versions.set('ann', '2');
      const { secret } = await sessions.begin(by('ann', '1'));
      assert.equal(await sessions.find(secret), undefined);
    });

    it('stay ended when a request comes in at the same moment', async () => {
      const { secret, record } = await sessions.begin(by('ann'));
      pass(2 * MINUTE);
      await Promise.all([sessions.find(secret), sessions.end(record.id), sessions.find(secret)]);
      assert.equal(await sessions.find(secret), undefined);
    });
  });
}

describe('sessions of `system`', () => {
  let system: MemorySystem;
  let clock: VirtualClock;
  const users = new Users();
  beforeEach(() => {
    system = new MemorySystem();
    clock = new VirtualClock(START);
  });
  const opened = () => new Sessions(system.opened(), users, clock, limits);
  const kept = () => system.repository.documents.all(stored);

  it('are there after a restart, as they were answered, and those that ended are not', async () => {
    const before = opened();
    const [stays, leaves] = [await before.begin(by('ann')), await before.begin(by('ann'))];
    await before.end(leaves.record.id);
    const after = opened();
    assert.deepEqual(await after.find(stays.secret), stays.record);
    assert.equal(await after.find(leaves.secret), undefined);
  });

  it('are kept without the secret', async () => {
    const { secret, record } = await opened().begin(by('ann'));
    assert.deepEqual(kept(), [record]);
    assert.ok(!JSON.stringify(kept()).includes(secret));
  });

  it('are noted as seen all together, by one commit at each sweep, and by none where no request came', async () => {
    const sessions = opened();
    const all = [await sessions.begin(by('ann')), await sessions.begin(by('bob'))];
    clock.set(START + 5 * MINUTE);
    for (const { secret } of [...all, ...all]) await sessions.find(secret);
    system.sent = [];
    await sessions.sweep();
    await sessions.sweep();
    assert.deepEqual(system.sent, ['noteSeen']);
    assert.deepEqual(
      kept().map(({ lastSeenAt }) => lastSeenAt),
      [START + 5 * MINUTE, START + 5 * MINUTE],
    );
  });

  it('are noted as seen together with when API tokens were used last, once for each use', async () => {
    const sessions = opened();
    const { secret } = await sessions.begin(by('ann'));
    const tokens = Array.from({ length: 3 }, (_, n) => tokenNamed(`t${n}`));
    system.repository.do(
      { name: 'make', decide: () => ({ write: tokens.map((token) => put(apiTokens, token)), answer: null }) },
      null,
    );
    system.tokens.committed(system.repository);
    await sessions.find(secret);
    for (const id of ['t0', 't1', 't1']) system.tokens.touch(id);
    system.sent = [];
    system.isDown = true;
    await assert.rejects(sessions.sweep(), /the log is down/);
    system.isDown = false;
    await sessions.sweep();
    await sessions.sweep();
    assert.deepEqual(system.sent, ['noteSeen']);
    const used = system.repository.documents
      .all(apiTokens)
      .flatMap(({ id, lastUsedAt }) => (lastUsedAt === START ? id : []));
    assert.deepEqual(used.sort(), ['t0', 't1']);
    assert.deepEqual([...system.tokens.used()], []);
  });

  it('end although that cannot be kept now, and it is kept later', async () => {
    const sessions = opened();
    const { secret, record } = await sessions.begin(by('ann'));
    system.isDown = true;
    await assert.rejects(sessions.end(record.id), /the log is down/);
    assert.equal(await sessions.find(secret), undefined);
    assert.equal(kept().length, 1);
    system.isDown = false;
    await sessions.sweep();
    assert.deepEqual(kept(), []);
  });

  it('end by a commit of anybody', async () => {
    const store = system.opened();
    const sessions = new Sessions(store, users, clock, limits);
    const { secret, record } = await sessions.begin(by('ann'));
    const ended: string[] = [];
    sessions.onEnd((id) => ended.push(id));
    system.repository.do(noteSeen, { sessions: {}, tokens: {}, ended: [record.id] });
    store.committed(system.repository);
    assert.deepEqual(ended, [record.id]);
    assert.equal(await sessions.find(secret), undefined);
  });

  it('have none that began by a clock that was set back before the restart: it would last longer than any may', async () => {
    const { secret } = await opened().begin(by('ann'));
    clock = new VirtualClock(START - 60 * MINUTE);
    assert.equal(await opened().find(secret), undefined);
  });
});

describe('the file in which a former version kept sessions', () => {
  const record = { id: 'x', userId: 'ann', createdAt: START, lastSeenAt: START + 1, expiresAt: START + MINUTE };
  const takenOver = async (make: (file: string) => void) => {
    const folder = dataFolder();
    const file = join(folder.path, 'sessions.db');
    make(file);
    const taken: SessionRecord[] = [];
    const users = new Users();
    users.gone.add('bob');
    for (let start = 0; start < 2; start++)
      await takeOverSessionFile(file, users, {
        sendAsSystem: async (_operation, input) => {
          taken.push(...(input as unknown as { readonly records: readonly SessionRecord[] }).records);
          return null as never;
        },
      });
    assert.equal(existsSync(file), false);
    folder.remove();
    return taken;
  };

  it('is taken over once; sessions of users who are gone are left out', async () => {
    const taken = await takenOver((file) => {
      const database = new DatabaseSync(file);
      database.exec(`PRAGMA journal_mode=WAL; CREATE TABLE session (
        id TEXT PRIMARY KEY, userId TEXT NOT NULL, createdAt INTEGER NOT NULL, lastSeenAt INTEGER NOT NULL, expiresAt INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID`);
      const insert = database.prepare('INSERT INTO session VALUES (?, ?, ?, ?, ?)');
      for (const { id, userId, createdAt, lastSeenAt, expiresAt } of [record, { ...record, id: 'y', userId: 'bob' }])
        insert.run(id, userId, createdAt, lastSeenAt, expiresAt);
      database.close();
    });
    assert.deepEqual(taken, [{ ...record, credentialVersion: '1', address: null, agent: null }]);
  });

  it('is passed over where it is damaged', async () => {
    assert.deepEqual(await takenOver((file) => writeFileSync(file, 'x'.repeat(8_192))), []);
  });
});
