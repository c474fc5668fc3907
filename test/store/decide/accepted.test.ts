import assert from 'node:assert/strict';
import { type Accepted, Mailboxes, Unanswered, type Unreleased } from '../../../src/store/decide/accepted.js';
import { add, callerNamed } from '../../support/test-domain.js';

const ANSWER_MS = 1_500;

describe('commands that were taken and not answered', () => {
  let now: number;
  let told: string[];
  let unanswered: Unanswered;
  beforeEach(() => {
    now = 10_000;
    told = [];
    unanswered = new Unanswered({ monotonic: () => now });
  });
  const accepted = (id: string, since: number = Number.POSITIVE_INFINITY): Accepted => {
    const command = { id, type: add.name, input: null, caller: callerNamed('ann'), cause: {}, keyed: false };
    const one: Accepted = {
      ...{ command, operation: add, seed: '', now: 0, answers: [], since, failures: 0 },
      resolve: ({ answer, revision }) => void told.push(`${id}: ${answer} at ${revision}`),
      reject: (error) => void told.push(`${id}: ${error.message}`),
    };
    unanswered.add(one);
    return one;
  };
  const decided = (one: Accepted, result: Unreleased['result']): Unreleased => ({
    ...{ accepted: one, revision: 7, commit: null, made: [], result },
  });

  it('are answered once', () => {
    const [a, b, c] = [accepted('a'), accepted('b'), accepted('c')];
    unanswered.answer(decided(a, { answer: 5 }));
    unanswered.answer(decided(b, { error: new Error('no luck') }));
    unanswered.refuse(c, 'later');
    const once = ['a: 5 at 7', 'b: no luck', 'c: later'];
    assert.deepEqual(told, once);
    for (const one of [a, b, c]) {
      unanswered.answer(decided(one, { answer: 6 }));
      unanswered.refuse(one, 'again');
    }
    assert.deepEqual(told, once);
    assert.deepEqual(
      [a, b, c].map((one) => unanswered.has(one)),
      [false, false, false],
    );
  });

  it('have waited for as long as the oldest of them, and not at all while an ask keeps them', () => {
    assert.equal(unanswered.waitedMs(), 0);
    const asking = accepted('a');
    assert.equal(unanswered.waitedMs(), 0);
    for (const [id, since] of [
      ['b', 9_990],
      ['c', 9_980],
      ['d', 9_995],
    ] as const)
      accepted(id, since);
    assert.equal(unanswered.waitedMs(), 20);
    now += 5;
    assert.equal(unanswered.waitedMs(), 25);
    unanswered.waits(asking);
    assert.deepEqual([asking.since, unanswered.waitedMs()], [10_005, 25]);
    now += 5;
    assert.equal(unanswered.waits(asking).since, 10_005, 'it waits already');
  });

  it('are decided after a recovery where they have waited for a third of the time that a group may take, not longer', () => {
    const [edge, late, young] = [accepted('edge', 9_500), accepted('late', 9_499), accepted('young', 9_999)];
    assert.deepEqual(unanswered.inTime([edge, late, young], ANSWER_MS), [edge, young]);
    assert.deepEqual(told, ['late: the log had to be recovered']);
    assert.deepEqual(
      [edge, late, young].map((one) => unanswered.has(one)),
      [true, false, true],
    );
  });

  it('are waited for until there is none', async () => {
    const [a, b] = [accepted('a'), accepted('b')];
    let none = false;
    const waiting = unanswered.none().then(() => {
      none = true;
    });
    unanswered.refuse(a, 'later');
    await Promise.resolve();
    assert.equal(none, false);
    unanswered.answer(decided(b, { answer: 1 }));
    await waiting;
    await unanswered.none();
  });
});

describe('a mailbox', () => {
  const told: string[] = [];
  const command = (name: string) => ({ aside: (isAside: boolean) => void told.push(`${name} ${isAside}`) });
  let mailboxes: Mailboxes<ReturnType<typeof command>>;
  beforeEach(() => {
    mailboxes = new Mailboxes(2);
    told.length = 0;
  });

  it('lets its holder in, and nobody else until the holder is through', () => {
    const [a, b, c] = ['a', 'b', 'c'].map(command) as [
      ReturnType<typeof command>,
      ReturnType<typeof command>,
      ReturnType<typeof command>,
    ];
    assert.ok(mailboxes.enter('box', a));
    mailboxes.hold('box', a);
    mailboxes.hold('box', b);
    assert.ok(mailboxes.enter('box', a), 'whoever holds it comes back with its answer');
    assert.ok(mailboxes.enter('other', b));
    assert.ok(!mailboxes.enter('box', b));
    assert.ok(!mailboxes.enter('box', c));
    assert.deepEqual(mailboxes.leave('box', b), [], 'it does not hold it');
    assert.deepEqual(mailboxes.leave('box', a), [b, c]);
    assert.deepEqual(told, ['b true', 'c true', 'b false', 'c false']);
    assert.ok(mailboxes.enter('box', c));
  });

  it('refuses whoever comes when as many wait as may', () => {
    mailboxes.hold('box', command('a'));
    for (const name of ['b', 'c']) assert.ok(!mailboxes.enter('box', command(name)));
    assert.throws(() => mailboxes.enter('box', command('d')), {
      code: 'UNAVAILABLE',
      message: "expected at most 2 commands to wait for 'box', try again later",
      info: { reason: 'mailbox_full', resourceId: 'box' },
    });
  });

  it('that is forgotten gives who held it and who waited, in order', () => {
    const [a, b] = [command('a'), command('b')];
    mailboxes.hold('box', a);
    mailboxes.enter('box', b);
    assert.deepEqual(mailboxes.clear(), [a, b]);
    assert.ok(mailboxes.enter('box', b));
  });
});
